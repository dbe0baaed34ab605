"""Measures how fast the program is.

Measurements are taken in rounds, one after the other; a figure is the median of its rounds. So
what else happens on the machine for a while changes one value of each figure, and not all of one.
Some are taken once: those that are the same each time, memory, and the longest holds of the event
loop, which are sought for a minute, in processor time.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from statistics import median
from typing import NamedTuple

from bot.game.contract import AnyGame
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools import OK, USAGE, as_json
from bot.tools.errors import BadArgument, title_named
from bot.tools.measures import (
    busy,
    engine,
    hundred,
    idle,
    pictures,
    presses,
    tables,
    thinking,
    turns,
    typed,
)

Figures = Mapping[str, float | str]
"""By name; a value in words names the input behind another figure."""


class Measure(NamedTuple):
    """A measurement, and the names of the figures that it gives."""

    names: tuple[str, ...]
    take: Callable[[Title], Figures]
    is_once: bool = False
    """Whether it is taken once, and not in rounds."""


def _one(name: str, take: Callable[[AnyGame], float]) -> Measure:
    return Measure((name,), lambda title: {name: take(title.game)})


@cache
def _idle_mb() -> float:
    # The program is the same for all titles.
    return asyncio.run(idle.idle_mb())


MEASURES = (
    _one("engine_actions_per_second", engine.engine_actions_per_second),
    _one("load_snapshot_ms", lambda game: asyncio.run(tables.load_snapshot_ms(game))),
    _one("replay_500_ms", engine.replay_500_ms),
    Measure(("image_ms", "image_kb"), pictures.pictures),
    Measure(("turn_p50_ms", "turn_p99_ms"), lambda title: asyncio.run(turns.turns(title.game))),
    Measure(thinking.NAMES, lambda title: asyncio.run(thinking.beside_thinking(title))),
    Measure(("loop_held_max_ms",), lambda title: asyncio.run(busy.busy(title.game)), is_once=True),
    Measure(("idle_mb",), lambda _: {"idle_mb": _idle_mb()}, is_once=True),
    Measure(
        ("presses_per_turn", "presses_per_turn_mean", "presses_reopening", "presses_by_kind"),
        lambda title: asyncio.run(presses.presses(title)),
        is_once=True,
    ),
    _one(
        "durable_actions_per_second",
        lambda game: asyncio.run(tables.durable_actions_per_second(game)),
    ),
    _one("table_kib", lambda game: asyncio.run(tables.table_kib(game))),
    Measure(
        ("typed_worst_ms", "typed_worst"),
        lambda title: asyncio.run(typed.typed_worst(title.game)),
        is_once=True,
    ),
    Measure(hundred.NAMES, lambda title: asyncio.run(hundred.hundred(title))),
    Measure(
        ("start_10000_s", "tick_10000_ms"), lambda title: asyncio.run(tables.open_10000(title.game))
    ),
)
NAMES = tuple(name for measure in MEASURES for name in measure.names)
ROUNDS = 3


class Measured(NamedTuple):
    """The figures of one title, and the least and the most that each was in its rounds."""

    figures: dict[str, float | str]
    ranges: dict[str, tuple[float, float]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `python -m bot bench`."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="which game (all of them)")
    parser.add_argument(
        "--only", metavar="NAME,NAME", help=f"measure only these of: {', '.join(NAMES)}"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each game")
    parser.add_argument(
        "--rounds",
        type=_number,
        default=ROUNDS,
        metavar="N",
        help=f"take the median of so many measurements ({ROUNDS})",
    )
    parser.add_argument(
        "--growth",
        action="store_true",
        help="print one JSON object with all figures, and how they grow with tables, actions and"
        " players; takes many minutes",
    )
    parser.add_argument(
        "--peers",
        metavar="PYTHON",
        help="with --growth: measure other programs too, by a Python that has catanatron, chess and"
        " cairosvg",
    )
    parser.add_argument(
        "--compiled",
        metavar="FOLDER",
        help="with --growth: measure the rules of the package in that folder too, which are"
        " compiled",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        help="measure instead how the bot grows, on SQLite and on the server of this URL, where"
        " databases are made for it and dropped; takes many minutes",
    )
    parser.add_argument(
        "--tables",
        type=_numbers,
        default=(1_000, 10_000, 100_000),
        metavar="N,N",
        help="with --database: with so many open tables (1000,10000,100000)",
    )
    parser.add_argument(
        "--processes",
        type=_numbers,
        default=(1, 2, 4),
        metavar="N,N",
        help="with --database: so many that share it (1,2,4)",
    )


def run(args: argparse.Namespace, titles: Titles = TITLES) -> int:
    """Measures and prints; 2 for an unknown game or figure."""
    try:
        found = list(titles.values()) if args.game is None else [title_named(titles, args.game)]
        wanted = _wanted(args.only)
    except BadArgument as unusable:
        sys.stderr.write(f"{unusable}\n")
        return USAGE
    if args.database is not None:
        return _scale(args, found[0])
    if args.growth:
        return _growth(found, wanted, args)
    for title in found:
        name, (figures, ranges) = title.game.name, measure(title, wanted, args.rounds)
        if args.json:
            sys.stdout.write(as_json({"game": name, **figures, "range": ranges}))
            continue
        for figure, value in figures.items():
            between = " to ".join(map(str, ranges.get(figure, ())))
            sys.stdout.write(f"{name} {figure} {value}{between and f' ({between})'}\n")
    return OK


def _scale(args: argparse.Namespace, title: Title) -> int:
    # Each start of the bot imports the tools, and these need what only sharing does.
    from bot.tools.measures.scale import report, run

    figures = asyncio.run(run.measured(args.database, title, args.tables, args.processes))
    if args.json:
        sys.stdout.write(as_json(figures))
    else:
        for name, table in report.tables(figures).items():
            sys.stdout.write(f"{name}\n\n{table}\n")
    return OK


def _growth(titles: Sequence[Title], wanted: Sequence[str], args: argparse.Namespace) -> int:
    # As above.
    from bot.tools.measures.performance.run import TitleFigures, measured

    def take(title: Title) -> TitleFigures:
        return TitleFigures(title.game.name, *measure(title, wanted, args.rounds))

    def say(what: str) -> None:
        sys.stderr.write(f"{what}\n")

    figures = measured(titles, take, say, args.peers, args.compiled)
    sys.stdout.write(as_json(figures))
    return OK


def _numbers(words: str) -> Sequence[int]:
    return [_number(word) for word in words.split(",")]


def _number(word: str) -> int:
    number = int(word)
    if number < 1:
        raise ValueError(word)
    return number


def measure(title: Title, wanted: Sequence[str], rounds: int = ROUNDS) -> Measured:
    """The requested figures, in the order of `NAMES`; those measured together come together.

    A value in words is that of the round whose figure, the one named before it, is the worst.
    """
    taken: dict[Measure, list[Figures]] = {
        each: [] for each in MEASURES if set(each.names) & set(wanted)
    }
    for number in range(rounds):
        for each, found in taken.items():
            if number == 0 or not each.is_once:
                found.append(each.take(title))
    measured = Measured({}, {})
    for found in taken.values():
        _add(measured, found)
    return measured


def _add(measured: Measured, rounds: Sequence[Figures]) -> None:
    worst = 0
    for name in rounds[0]:
        values = [found[name] for found in rounds]
        numbers = [value for value in values if not isinstance(value, str)]
        if not numbers:
            measured.figures[name] = values[worst]
            continue
        worst = numbers.index(max(numbers))
        measured.figures[name] = round(median(numbers), 3)
        if len(numbers) > 1:
            measured.ranges[name] = (round(min(numbers), 3), round(max(numbers), 3))


def _wanted(only: str | None) -> Sequence[str]:
    if only is None:
        return NAMES
    wanted = only.split(",")
    for name in wanted:
        if name not in NAMES:
            raise BadArgument(f"There is no figure {name!r}. There is: {', '.join(NAMES)}.")
    return wanted
