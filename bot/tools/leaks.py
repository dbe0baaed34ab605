"""Looks for leaks: whether anything a person is given depends on what that person may not know."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from multiprocessing import get_context
from time import perf_counter

import msgspec

from bot.game.contract import AnyGame
from bot.game.registry import GAMES
from bot.tools import FAILURE, OK, USAGE
from bot.tools.errors import Unusable, game_named
from bot.tools.twins.game import Checked, Setting, check_game, settings
from bot.tools.twins.shown import Kind, title_of
from bot.tools.twins.wire import PLAYERS, check_bot

CHECKS = 110_000
"""Over all games, as are the messages."""
MESSAGES = 4_000
MOST_GAMES = 600
"""A game that has hardly a secret is given up after so many."""


class Summary(msgspec.Struct, frozen=True):
    """What was compared, by kind of output; `leak` is the first one, None where there is none.

    `revealed` counts how often an action told somebody something new by the rules.
    """

    game: str
    seed: int
    games: int
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
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of all chance (1)")
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="J",
        help="games played at once (one for each processor)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each game")


def run(args: argparse.Namespace) -> int:
    """Looks, prints what was compared; 1 where there is a leak, 2 for arguments of no use."""
    try:
        games = list(GAMES.values()) if args.game is None else [game_named(args.game)]
        if min(args.checks, args.messages, args.jobs) < 1:
            raise Unusable("--checks, --messages and --jobs are at least 1.")
    except Unusable as unusable:
        sys.stderr.write(f"{unusable}\n")
        return USAGE
    checks, messages = (-(-each // len(games)) for each in (args.checks, args.messages))
    status = OK
    for game in games:
        summary = look(game, checks, messages, args.seed, args.jobs)
        sys.stdout.write(_as_json(summary) if args.json else _as_text(summary))
        if summary.leak is not None:
            sys.stderr.write(f"leak: {summary.leak}\n")
            status = FAILURE
    return status


def look(game: AnyGame, checks: int, messages: int, seed: int, jobs: int) -> Summary:
    """Plays until so much has been compared, or something leaks.

    The same arguments compare the same outputs, however many `jobs` there are.
    """
    began = perf_counter()
    done: Counter[str] = Counter()
    games = revealed = 0
    leak: str | None = None
    with _pool(jobs) as pool:
        by_bot = pool.submit(check_bot, game.name, _talk(game, seed), messages)
        tables = islice(settings(game, seed), MOST_GAMES)
        for checked in _in_order(pool, game.name, tables, checks, jobs):
            games, revealed = games + 1, revealed + checked.revealed
            done.update(checked.checks)
            leak = None if checked.leak is None else str(checked.leak)
            if leak or done.total() >= checks:
                break
        pool.shutdown(wait=False, cancel_futures=leak is not None)
        if leak is None:
            talked = by_bot.result()
            done.update(talked.checks)
            leak = None if talked.leak is None else str(talked.leak)
    return Summary(
        game=game.name,
        seed=seed,
        games=games,
        checks=done.total(),
        by_kind={kind: done[kind] for kind in Kind},
        revealed=revealed,
        seconds=round(perf_counter() - began, 1),
        leak=leak,
    )


def _pool(jobs: int) -> Executor:
    # A process that starts clean holds no lock of this one.
    return ThreadPoolExecutor(1) if jobs == 1 else ProcessPoolExecutor(jobs, get_context("spawn"))


def _in_order(
    pool: Executor, game: str, tables: Iterable[Setting], most: int, jobs: int
) -> Iterator[Checked]:
    """The games' results, while a few more are being played."""
    ahead: deque[Future[Checked]] = deque()
    try:
        for table in tables:
            ahead.append(pool.submit(_check, game, table, most))
            if len(ahead) == 2 * jobs - 1:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        for each in ahead:
            each.cancel()


def _check(game: str, table: Setting, most: int) -> Checked:
    return check_game(title_of(GAMES[game]), table, most)


def _talk(game: AnyGame, seed: int) -> Setting:
    """A full table which has left nothing of its options as it was."""
    options = {option.name: option.values[-1] for option in game.options}
    return Setting(min(max(game.seats), PLAYERS), options, str(seed))


def _as_json(summary: Summary) -> str:
    return msgspec.json.encode(summary).decode() + "\n"


def _as_text(summary: Summary) -> str:
    kinds = ", ".join(f"{kind} {number}" for kind, number in summary.by_kind.items())
    return (
        f"{summary.game}: {summary.checks} outputs compared in {summary.games} games"
        f" and one by the bot, {summary.seconds} s\n"
        f"{kinds}; {summary.revealed} actions that reveal something by the rules\n"
    )
