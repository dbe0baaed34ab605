"""Run a command under the system call filter of the systemd unit: `confined.py COMMAND...`.

Reads the unit as systemd does (systemd.exec(5), `SystemCallFilter=`). Needs `systemd-analyze` and
libseccomp.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import subprocess
import sys
from ctypes.util import find_library
from functools import cache
from pathlib import Path

UNIT = Path(__file__).parents[2] / "deploy" / "kontor.service"
ALLOW, KILL_PROCESS, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
"""The actions SCMP_ACT_... of libseccomp."""


@cache
def calls(group: str) -> frozenset[str]:
    if not group.startswith("@"):
        return frozenset([group])
    listed = subprocess.run(
        ["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True
    )
    names = [line.strip() for line in listed.stdout.splitlines() if line.startswith("    ")]
    return frozenset().union(*(calls(name) for name in names if not name.startswith("#")))


def allowed(unit: str) -> frozenset[str]:
    """Return the calls that `SystemCallFilter=` allows. Its first line must be an allow list."""
    first, *more = re.findall(r"^SystemCallFilter=(.*)$", unit, re.MULTILINE)
    assert not first.startswith("~")
    found = frozenset().union(*map(calls, first.split()))
    for line in more:
        listed = frozenset().union(*map(calls, line.removeprefix("~").split()))
        found = found - listed if line.startswith("~") else found | listed
    return found


def confine(unit: str) -> None:
    action = KILL_PROCESS
    if name := re.search(r"^SystemCallErrorNumber=(\w+)$", unit, re.MULTILINE):
        action = ERRNO | getattr(errno, name[1])
    library = ctypes.CDLL(find_library("seccomp"))
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(action)))
    for each in sorted(allowed(unit)):
        number = library.seccomp_syscall_resolve_name(each.encode())
        # Negative for a call that this architecture does not have.
        if number >= 0:
            library.seccomp_rule_add(context, ctypes.c_uint32(ALLOW), number, 0)
    if error := library.seccomp_load(context):
        raise OSError(-error, os.strerror(-error))


if __name__ == "__main__":
    confine(UNIT.read_text(encoding="utf-8"))
    os.execvp(sys.argv[1], sys.argv[1:])
