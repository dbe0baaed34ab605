"""Checks every draw of an exported game or cup against its key, and the rest against the rules."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bot.config import CannotRun
from bot.game.versions import Games
from bot.tables.core.record import (
    CUP,
    Record,
    RecordError,
    decode,
    format_of,
    key_hashes,
    rules_for,
    verify,
)
from bot.tables.cup_record import verify_cup
from bot.text.markup import clip
from bot.titles import TITLES
from bot.titles.title import Titles
from bot.tools import FAILURE, OK

MAX_BYTES = 10 * 1024 * 1024
"""Size limit of Discord's uploads, and so of exports."""
MAX_REASON = 400
"""Characters printed of an error, which may quote the file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Check an exported game: every draw must come from the key whose hash was posted at the"
        " start, every action must follow the rules, and the result must be right. Or check a cup:"
        " every round must follow from the key and the earlier results. Exit status: 0 for yes, 1"
        " for no or for a file that is not a whole game or cup, 2 if the file cannot be read."
    )
    parser.add_argument(
        "file", metavar="FILE", type=Path, help="from /game export or /cup file (JSON)"
    )


def run(args: argparse.Namespace, titles: Titles = TITLES) -> int:
    """Print the result, or the first error and return FAILURE. Raise CannotRun."""
    file: Path = args.file
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise CannotRun(f"Cannot read {file}: {error.strerror}.") from error
    try:
        sys.stdout.write(check(data, titles.games) + "\n")
    except RecordError as error:
        reason = clip(" ".join(str(error).split()), MAX_REASON)
        sys.stderr.write(f"No. {file}: {reason}\n")
        return FAILURE
    return OK


def check(data: bytes, games: Games = TITLES.games) -> str:
    """Check the game or cup in a file and return the result in words. Raise RecordError."""
    if len(data) > MAX_BYTES:
        raise RecordError(-1, f"The file is larger than {MAX_BYTES} bytes.")
    if format_of(data) == CUP:
        cup = verify_cup(data)
        return (
            f"Yes. All lots of this cup come from its key, and all {len(cup.rounds)} rounds follow"
            f" the rules.\nThe hash of the key is {cup.key_hash}. It must match the"
            " hash posted with the sign-up."
        )
    record = decode(data)
    outcome = verify(rules_for(games, record.game, record.version), record)
    draws = sum(len(entry.drawn) for entry in record.entries)
    return "\n".join(
        (
            f"Yes. All {draws} draws of this game come from its key, and all"
            f" {len(record.entries)} entries follow the rules.",
            _result(record) if outcome else "The game is not finished.",
            _hashes_text(key_hashes(record)),
        )
    )


def _hashes_text(posted: tuple[str, ...]) -> str:
    *earlier, last = posted
    if not earlier:
        return (
            f"The hash of the key is {last}. It must match the hash posted at the start of the"
            " game."
        )
    return (
        f"The hashes of its keys are {', '.join(posted)}. The first must match the hash posted at"
        " the start of the game, each later one the hash posted at an import."
    )


def _result(record: Record) -> str:
    if record.result is None:
        return "The game is finished, but the file has no result."
    return f"The result is right: {', '.join(map(str, record.result.scores))} points by seat."
