"""The faults are provoked with means of POSIX: signals, pipes, permissions, mounts."""

import os

collect_ignore_glob = [] if os.name == "posix" else ["test_*.py"]
