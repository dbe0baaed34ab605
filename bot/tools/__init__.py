"""The command line's tools besides playing: simulation, replay, measurements, leak tests.

Each tool has `add_arguments(parser)` and `run(args) -> int`, the exit status: `OK`, `FAILURE` or
`USAGE`.
"""

import msgspec

OK = 0
FAILURE = 1
USAGE = 2


def as_json(found: object) -> str:
    """A tool's result as one line of JSON."""
    return msgspec.json.encode(found).decode() + "\n"
