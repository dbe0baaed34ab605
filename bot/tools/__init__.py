"""Tools of the command line for games between computer players and for recorded games.

Each has `add_arguments(parser)` and `run(args)`, which returns the exit status.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from signal import SIGTERM, default_int_handler, signal

import msgspec

OK, FAILURE = 0, 1
"""Exit statuses of tools."""


def as_json(result: object) -> str:
    """Return a tool's result as one line of JSON."""
    return msgspec.json.encode(result).decode() + "\n"


@contextmanager
def stoppable() -> Iterator[None]:
    """End the block at Ctrl+C or SIGTERM, and continue after it."""
    before = signal(SIGTERM, default_int_handler)
    try:
        with suppress(KeyboardInterrupt):
            yield
    finally:
        signal(SIGTERM, before)
