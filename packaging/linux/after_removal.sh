# After the package was removed: what was remembered stays, and whoever removes it is told where. Nothing of anybody's is
# asked for or removed, by `purge` either: a memory is its person's, and no file of the package. packages.py puts it
# behind end_running.sh.
case "$1" in
  remove | 0)
    echo "BigMind is removed. What it remembers stays in each person's folder ~/.local/share/BigMind;"
    echo "remove that folder if nobody wants it any more. IDEs that were connected still name BigMind: delete"
    echo "'bigmind' in their settings, or install it again and run 'bigmind clients remove NAME' before you remove it."
    ;;
esac
