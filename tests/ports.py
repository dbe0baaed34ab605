"""Ports for servers that a test starts later."""

from __future__ import annotations

import atexit
import socket
import sys
from collections import deque

MAX_HELD = 64
"""Ports that are kept for tests at a time."""

_held: deque[socket.socket] = deque()


def free_port() -> int:
    """A port that nobody listens at, and that the system gives to nobody else who wants any.

    Whoever listens at this very port still can, in each of their lives.
    """
    held = socket.socket()
    # Whoever listens with the same option may share it with one who does not listen.
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    port: int = held.getsockname()[1]
    if sys.platform == "linux":
        _held.append(held)
    else:  # Elsewhere it may not.
        held.close()
    while len(_held) > MAX_HELD:
        _held.popleft().close()
    return port


@atexit.register
def _let_go() -> None:
    while _held:
        _held.pop().close()
