"""Run a tool of the command line in this process."""

from __future__ import annotations

import argparse
import json
import sys
from types import ModuleType
from typing import Any

import pytest

from bot.config import CannotRun
from bot.titles import TITLES
from bot.titles.title import Titles
from bot.tools import OK

UNUSABLE = 2
"""The exit status for invalid arguments and files."""


def run(tool: ModuleType, *words: str, titles: Titles = TITLES) -> int:
    """Run `python -m bot TOOL WORDS`, print its error if any, and return the exit status."""
    parser = argparse.ArgumentParser()
    tool.add_arguments(parser)
    try:
        status: int = tool.run(parser.parse_args(words), titles)
    except CannotRun as error:
        sys.stderr.write(f"{error}\n")
        return UNUSABLE
    return status


def printed(
    capsys: pytest.CaptureFixture[str], tool: ModuleType, *words: str, titles: Titles = TITLES
) -> dict[str, Any]:
    assert run(tool, *words, "--json", titles=titles) == OK
    (line,) = capsys.readouterr().out.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found
