"""The editor of each format; its library is loaded when a file is changed with it."""

from typing import assert_never

from bigmind.clients.editing.editor import Editor
from bigmind.clients.parts import Format


def editor(form: Format) -> Editor:
    """Reads and changes the texts of a format."""
    match form:
        case Format.JSON:
            from bigmind.clients.editing.json_text import JsonEditor  # noqa: PLC0415 - only the format that is needed

            return JsonEditor()
        case Format.TOML:
            from bigmind.clients.editing.toml_text import TomlEditor  # noqa: PLC0415 - as above

            return TomlEditor()
        case Format.YAML:
            from bigmind.clients.editing.yaml_text import YamlEditor  # noqa: PLC0415 - as above

            return YamlEditor()
        case _:
            assert_never(form)
