"""Draws each step of a recorded game as spectators saw it, or the table of a report.

It can also write a whole game as one HTML file.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from bot.config import CannotRun
from bot.game.contract import SPECTATOR, Event
from bot.game.events import event_of
from bot.game.game import AnyGame
from bot.game.log import Entry
from bot.tables.core.log import TABLE_EVENT_KINDS
from bot.tables.core.record import (
    REPORT,
    Record,
    RecordError,
    decode,
    fold,
    format_of,
    rules_for,
)
from bot.tables.export import Report, VisibleEvent, decode_report
from bot.tables.history import turns_of
from bot.text.user_text import plain, shown_names
from bot.text.words import words_for
from bot.titles import TITLES
from bot.titles.replay_page import PageTooLarge, ReplayStep, replay_page
from bot.titles.title import Title, Titles
from bot.tools import FAILURE, OK

INDEX = "index.txt"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        help="a recorded game, or a report from /game report (JSON)",
    )
    output = parser.add_mutually_exclusive_group(required=True)
    output.add_argument("--out", type=Path, metavar="DIR", help="folder for the pictures")
    output.add_argument(
        "--html", type=Path, metavar="FILE", help="the game as one HTML file, to open in a browser"
    )


def run(args: argparse.Namespace, titles: Titles = TITLES) -> int:
    """Draw the record; return FAILURE if it breaks the rules. Raise CannotRun."""
    file: Path = args.file
    try:
        data = file.read_bytes()
        content = decode_report(data) if format_of(data) == REPORT else decode(data)
        rules_for(titles.games, content.game, content.version)
    except OSError as error:
        raise CannotRun(f"Cannot read {file}: {error.strerror}.") from error
    except RecordError as error:
        raise CannotRun(f"{file}: {error}") from error
    title, written = titles.of(content.game, content.version), args.html or args.out / INDEX
    try:
        written.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotRun(f"Cannot create {written.parent}: {error.strerror}.") from error
    try:
        if args.html is not None:
            return _write_page(title, content, args.html)
        if isinstance(content, Report):
            count = show(title, content, args.out)
        else:
            count = replay(title, content, args.out)
    except RecordError as error:
        sys.stderr.write(f"{file} breaks the rules: {error}\n")
        return FAILURE
    sys.stdout.write(f"Wrote {count} pictures and {INDEX} to {args.out}\n")
    return OK


def replay(title: Title, record: Record, folder: Path) -> int:
    """Write a numbered picture of each entry, and an index of the events.

    Return the number of pictures. Raise RecordError if an entry breaks the rules.
    """
    game, words = title.game, words_for(None)
    names = shown_names(words, record.seats)
    text = title.text(words, names)
    lines: list[str] = []
    for number, (entry, state) in enumerate(fold(game, record)):
        visible = [event for event in entry.events if event.visible_to(SPECTATOR)]
        name = f"{number:04}.png"
        picture = title.pictures.draw(game.view(state, SPECTATOR), plain(names), visible)
        (folder / name).write_bytes(picture)
        # The texts of a game do not cover events of the table.
        of_game = [event for event in visible if event.kind not in TABLE_EVENT_KINDS]
        story = text.story(of_game)
        seat = entry.seat
        player = names[seat].plain if seat >= 0 else record.game
        lines.append(f"{name}  {player}: {' '.join(story) or '-'}")
    (folder / INDEX).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines)


def _write_page(title: Title, content: Record | Report, file: Path) -> int:
    """Write the game as one HTML file. Raise RecordError and CannotRun."""
    record = content.record if isinstance(content, Report) else content
    if record is None:
        raise CannotRun("This report has no whole game. Use --out to draw its table.")
    entries: list[Entry] = []
    states: list[bytes] = []
    for entry, state in fold(title.game, record):
        entries.append(entry)
        states.append(title.game.encode(state))
    turns = [turn for turn in turns_of(entries, SPECTATOR) if turn.in_effect]
    lasted = turns[-1].ended - turns[0].ended
    steps = [ReplayStep(each.round, each.seat, each.events, states[each.last]) for each in turns]
    try:
        *_, page = replay_page(title, record.seats, record.options, steps, lasted)
        file.write_bytes(page or b"")
    except PageTooLarge as error:
        raise CannotRun("This game is too long for one file. Use --out.") from error
    except OSError as error:
        raise CannotRun(f"Cannot write {file}: {error.strerror}.") from error
    sys.stdout.write(f"Wrote {file}\n")
    return OK


def show(title: Title, report: Report, folder: Path) -> int:
    """Draw the table of a report, and write its other contents to the index.

    Return the number of pictures. Raise RecordError if a whole game in it breaks the rules.
    """
    if report.record is not None and not report.problem:
        return replay(title, report.record, folder)
    game, words = title.game, words_for(None)
    names = shown_names(words, [""] * len(report.seats))
    text = title.text(words, names)
    program = " ".join(map(" ".join, report.program.items()))
    lines = [f"{program}; {report.game} {report.version}, {report.status}"]
    lines += [f"refused: {code}" for code in report.refused]
    for visible in report.lines:
        events = [_event(game, each) for each in visible if each.kind not in TABLE_EVENT_KINDS]
        lines += text.story(events)
    if report.problem:
        lines.append(f"The log cannot be read any further: {report.problem}")
    if report.state:
        state = game.decode(report.state)
        picture = title.pictures.draw(game.view(state, SPECTATOR), plain(names), [])
        (folder / "0000.png").write_bytes(picture)
        lines += [f"asked: {each.kind} of seat {each.seat}" for each in game.pending(state)]
        lines += [f"wrong: {each}" for each in game.invariants(state)]
    (folder / INDEX).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(bool(report.state))


def _event(game: AnyGame, reported: VisibleEvent) -> Event:
    try:
        return event_of(game.events, reported.kind, reported.facts)
    except msgspec.ValidationError as error:
        raise RecordError(-1, f"{reported.kind!r} has other fields: {error}") from error
