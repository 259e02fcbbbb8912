"""How a process ends as if the power had gone: nothing in it runs any more, not even what tidies up.

By SIGKILL; on Windows by TerminateProcess, which is what `os.kill` does there, with the signal's number as exit code.
"""

import os
import signal

KILL = signal.SIGKILL if os.name == "posix" else signal.SIGTERM
KILLED = -KILL if os.name == "posix" else int(KILL)
"""What `Popen.returncode` then is."""
