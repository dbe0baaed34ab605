"""What the command line starts besides the tools: the bot, and what its operator does.

Each module has `add_arguments(parser)` and `run(args) -> int`, the exit status, as the tools have;
each is loaded only where it is asked for.
"""

from __future__ import annotations

import argparse
from typing import Protocol

OK, FAILED, UNUSABLE = 0, 1, 2


class CannotRun(Exception):
    """The program cannot run as it was asked to; the message is one line for its operator."""


class Program(Protocol):
    """A module that the command line can run."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """What may be said after its name."""

    def run(self, args: argparse.Namespace) -> int:
        """The exit status. Raises CannotRun."""
