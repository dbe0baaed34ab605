"""What the command line offers besides playing: simulation, replay, measurement, looking for leaks.

Each tool has `add_arguments(parser)` and `run(args) -> int`, the exit status: `OK`, `FAILURE`
or `USAGE`.
"""

OK = 0
FAILURE = 1
USAGE = 2
