"""Ports for servers that a test starts later."""

from __future__ import annotations

import atexit
import socket
import sys
from collections import deque

MAX_HELD = 64
"""How many ports are reserved at a time."""

_held: deque[socket.socket] = deque()


def free_port() -> int:
    """Return a free port that the system assigns to no one else.

    A server that asks for this port can still listen on it, also after restarts.
    """
    held = socket.socket()
    # With this option, a server can listen on a port that is bound but not listened on.
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    port: int = held.getsockname()[1]
    if sys.platform == "linux":
        _held.append(held)
    else:  # Other systems do not allow it.
        held.close()
    while len(_held) > MAX_HELD:
        _held.popleft().close()
    return port


@atexit.register
def _release() -> None:
    while _held:
        _held.pop().close()
