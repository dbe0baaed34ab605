"""Looks for leaks: whether anything that a person is given depends on what they may not know."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import chain, count, islice
from multiprocessing import get_context
from time import perf_counter
from typing import NamedTuple, TypeVar

import msgspec

from bot.game.contract import AnyGame
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools import FAILURE, OK, USAGE, as_json
from bot.tools.errors import BadArgument, title_named
from bot.tools.noninterference.game import GameSetting, Leak, check_game, settings
from bot.tools.noninterference.histories import Compared, check_histories
from bot.tools.noninterference.runs import compare_runs
from bot.tools.noninterference.shown import Kind
from bot.tools.noninterference.wire import PLAYERS, check_bot

T = TypeVar("T")

CHECKS = 110_000
"""Over all games, and so are the messages."""
HISTORIES = 12_000
RUNS = 6
MESSAGES = 4_000
LEAST_GAMES = 60
"""The histories are of at least this many games."""
MOST_GAMES = 600
"""A game with hardly any secrets is given up after this many."""


class Wanted(NamedTuple):
    """How much is to be compared."""

    checks: int
    histories: int
    runs: int
    messages: int


class LeakSummary(msgspec.Struct, frozen=True):
    """What was compared, by kind of output; `leak` is the first one, None where there is none.

    `histories` counts those in which something else was done in secret than in the game that one
    observer remembers, `revealed` how often an action told somebody something new by the rules.
    """

    game: str
    version: int
    seed: int
    games: int
    histories: int
    checks: int
    by_kind: Mapping[str, int]
    revealed: int
    seconds: float
    leak: str | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `python -m bot leaks`."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="which game (all of them)")
    parser.add_argument(
        "--checks", type=int, default=CHECKS, metavar="N", help=f"outputs to compare ({CHECKS})"
    )
    parser.add_argument(
        "--messages",
        type=int,
        default=MESSAGES,
        metavar="M",
        help=f"and things that people get from the real bot, at most ({MESSAGES})",
    )
    parser.add_argument(
        "--histories",
        type=int,
        default=HISTORIES,
        metavar="H",
        help=f"histories in which something else is done in secret ({HISTORIES})",
    )
    parser.add_argument(
        "--runs",
        type=int,
        default=RUNS,
        metavar="R",
        help=f"and games by the real bot in which more is done in secret ({RUNS})",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of all chance (1)")
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="J",
        help="games played at once (one for each processor)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each game")


def run(args: argparse.Namespace, titles: Titles = TITLES) -> int:
    """Compares, and prints what was compared; 1 where there is a leak, 2 for invalid arguments."""
    try:
        name = None if args.game is None else title_named(titles, args.game).game.name
        found = [title for title in titles.every if name in (None, title.game.name)]
        amounts = (args.checks, args.histories, args.runs, args.messages)
        if min(*amounts, args.jobs) < 1:
            raise BadArgument("Amounts and --jobs are at least 1.")
    except BadArgument as unusable:
        sys.stderr.write(f"{unusable}\n")
        return USAGE
    wanted = Wanted(*(-(-each // len(found)) for each in amounts))
    status = OK
    for title in found:
        summary = find_leaks(title, wanted, args.seed, args.jobs)
        sys.stdout.write(as_json(summary) if args.json else _as_text(summary))
        if summary.leak is not None:
            sys.stderr.write(f"leak: {summary.leak}\n")
            status = FAILURE
    return status


def find_leaks(title: Title, wanted: Wanted, seed: int, jobs: int) -> LeakSummary:
    """Plays until enough has been compared, or something leaks.

    The same arguments compare the same outputs, however many `jobs` there are.
    """
    began, game = perf_counter(), title.game
    found = _Found()
    with _pool(jobs) as pool:
        by_bot = pool.submit(check_bot, title, _talk(game, seed), wanted.messages)
        runs = [
            pool.submit(compare_runs, title, table)
            for table in islice(_small(game, seed), wanted.runs)
        ]
        tables = islice(settings(game, seed), MOST_GAMES)
        for checked in _in_order(pool, check_game, title, tables, wanted.checks, jobs):
            found.add(checked.checks, checked.leak)
            found.games, found.revealed = found.games + 1, found.revealed + checked.revealed
            if found.leak or found.checks.total() >= wanted.checks:
                break
        anew = chain.from_iterable(settings(game, seed + times) for times in count(1))
        tables = islice(anew, MOST_GAMES)
        most = -(-wanted.histories // LEAST_GAMES)
        for compared in _in_order(pool, check_histories, title, tables, most, jobs):
            if found.leak or found.histories >= wanted.histories:
                break
            found.compared(compared)
        pool.shutdown(wait=False, cancel_futures=bool(found.leak))
        for run_ in () if found.leak else runs:
            found.compared(run_.result())
        if not found.leak:
            talked = by_bot.result()
            found.add(talked.checks, talked.leak)
    return LeakSummary(
        game=game.name,
        version=game.version,
        seed=seed,
        games=found.games,
        histories=found.histories,
        checks=found.checks.total(),
        by_kind={kind: found.checks[kind] for kind in Kind},
        revealed=found.revealed,
        seconds=round(perf_counter() - began, 1),
        leak=found.leak,
    )


class _Found:
    """What has been compared so far, and the first leak."""

    def __init__(self) -> None:
        self.checks: Counter[str] = Counter()
        self.games = self.histories = self.revealed = 0
        self.leak: str | None = None

    def add(self, checks: Mapping[str, int], leak: Leak | None) -> None:
        """Outputs that were compared."""
        self.checks.update(checks)
        self.leak = self.leak or (None if leak is None else str(leak))

    def compared(self, compared: Compared) -> None:
        """Histories that were compared."""
        self.histories += compared.histories
        self.add({Kind.HISTORY: compared.moments}, compared.leak)


def _pool(jobs: int) -> Executor:
    # A freshly started process holds no lock of this one.
    return ThreadPoolExecutor(1) if jobs == 1 else ProcessPoolExecutor(jobs, get_context("spawn"))


def _in_order(
    pool: Executor,
    check: Callable[[Title, GameSetting, int], T],
    title: Title,
    tables: Iterable[GameSetting],
    most: int,
    jobs: int,
) -> Iterator[T]:
    """The games' results, while a few more are being played."""
    ahead: deque[Future[T]] = deque()
    try:
        for table in tables:
            ahead.append(pool.submit(check, title, table, most))
            if len(ahead) == 2 * jobs - 1:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        for each in ahead:
            each.cancel()


def _small(game: AnyGame, seed: int) -> Iterator[GameSetting]:
    """Tables small enough for all but one of the stand-in's people to play at; that one watches."""
    return (table for table in settings(game, seed) if 2 < table.seats <= PLAYERS)


def _talk(game: AnyGame, seed: int) -> GameSetting:
    """A full table with no option at its default."""
    options = {option.name: option.values[-1] for option in game.options}
    return GameSetting(min(max(game.seats), PLAYERS), options, str(seed), game.version)


def _as_text(summary: LeakSummary) -> str:
    kinds = ", ".join(f"{kind} {number}" for kind, number in summary.by_kind.items())
    return (
        f"{summary.game} {summary.version}: {summary.checks} outputs compared in {summary.games}"
        f" games and {summary.histories} histories, {summary.seconds} s\n"
        f"{kinds}; {summary.revealed} actions that reveal something by the rules\n"
    )
