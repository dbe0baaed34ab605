"""Draws a recorded game step by step, as anybody who watched has seen it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bot.game.contract import SPECTATOR, Event
from bot.game.registry import GAMES
from bot.render.registry import RENDERERS
from bot.tables.record import OF_TABLE, Record, RecordError, decode, fold
from bot.text.registry import TEXTS
from bot.text.words import words_for
from bot.tools import FAILURE, OK, USAGE
from bot.tools.errors import Unusable

INDEX = "index.txt"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `python -m bot replay`."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a recorded game (JSON)")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="where the pictures are put"
    )


def run(args: argparse.Namespace) -> int:
    """Draws the record; 1 where it does not fit the rules, 2 where it cannot be used at all."""
    try:
        record = _read(args.file)
        _make(args.out)
    except Unusable as unusable:
        sys.stderr.write(f"{unusable}\n")
        return USAGE
    try:
        count = replay(record, args.out)
    except RecordError as error:
        sys.stderr.write(f"{args.file} does not fit the rules: {error}\n")
        return FAILURE
    sys.stdout.write(f"{count} pictures and {INDEX} are in {args.out}\n")
    return OK


def replay(record: Record, folder: Path) -> int:
    """Writes a numbered picture for each entry, and what happened into the index.

    Returns how many pictures there are. Raises RecordError where an entry does not fit.
    """
    game, draw, text = GAMES[record.game], RENDERERS[record.game], TEXTS[record.game]
    words = words_for(None)
    lines: list[str] = []
    for number, (entry, state, events) in enumerate(fold(game, record)):
        heard = [event for event in events if event.heard_by(SPECTATOR)]
        name = f"{number:04}.png"
        picture = draw(game.view(state, SPECTATOR), record.seats, heard)
        (folder / name).write_bytes(picture)
        told = text.story(words, [event for event in heard if _is_of_game(event)], record.seats)
        who = record.seats[entry.seat] if entry.seat >= 0 else record.game
        lines.append(f"{name}  {who}: {' '.join(told) or '-'}")
    (folder / INDEX).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines)


def _is_of_game(event: Event) -> bool:
    # Of what happens at the table beside the game, its texts know nothing.
    return event.kind not in OF_TABLE


def _read(file: Path) -> Record:
    try:
        record = decode(file.read_bytes())
    except OSError as error:
        raise Unusable(f"{file} cannot be read: {error.strerror}.") from error
    except RecordError as error:
        raise Unusable(f"{file}: {error}") from error
    if record.game not in GAMES:
        raise Unusable(f"{file} is a record of {record.game!r}, which this program does not play.")
    return record


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"{folder} cannot be made: {error.strerror}.") from error
