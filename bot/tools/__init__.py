"""The command line's tools besides playing: games between computer players, recorded games.

Each has `add_arguments(parser)` and `run(args) -> int`, as all commands have.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from signal import SIGTERM, default_int_handler, signal

import msgspec

OK, FAILURE = 0, 1
"""What `run` returns."""


def as_json(found: object) -> str:
    """A tool's result as one line of JSON."""
    return msgspec.json.encode(found).decode() + "\n"


@contextmanager
def stoppable() -> Iterator[None]:
    """What is done within may be stopped, by Ctrl+C or SIGTERM; the program goes on after it."""
    before = signal(SIGTERM, default_int_handler)
    try:
        with suppress(KeyboardInterrupt):
            yield
    finally:
        signal(SIGTERM, before)
