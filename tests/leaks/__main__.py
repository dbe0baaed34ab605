"""Looks for leaks in much of everything: `python -m tests.leaks`, or `make leaks`.

Games are random ones over all options. Of each finished one a line says what has been compared so
far; who stops it with Ctrl+C is told all that was compared until then.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import closing
from functools import partial
from itertools import chain, count, islice
from multiprocessing import active_children, get_context
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from bot.commands import CannotRun
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools import FAILURE, OK, as_json, stoppable
from bot.tools.arguments import title_named
from tests.leaks.bot import PLAYERS, begin_worker, check_bot, check_runs
from tests.leaks.game import Found, Kind, Setting, check_game, settings

USAGE, STOPPED = 2, 130
MOST_GAMES = 600
"""A game with hardly any secrets is given up after this many."""
TALK = 150
"""Things that people get in one game by the bot, which is then left."""
MOST_TALKS = 3
"""So many times as many of these games are played at most, where little is hidden."""
MOST_UNSEEN = 60
"""Actions before anybody looks, at most."""


class Wanted(NamedTuple):
    """How much is to be compared, in all games together."""

    checks: int
    messages: int
    histories: int
    runs: int


ALL = Wanted(checks=110_000, messages=4_000, histories=12_000, runs=6)
Check = Callable[[], Found]


def main(words: Sequence[str] | None = None, titles: Titles = TITLES) -> int:
    """Compares, and prints what was compared; 1 where there is a leak, 2 for invalid arguments, 130
    where it was stopped."""
    args = _parser().parse_args(words)
    try:
        name = args.game and title_named(titles, args.game).game.name
        amounts = Wanted(args.checks, args.messages, args.histories, args.runs)
        if min(*amounts, args.jobs) < 1:
            raise CannotRun("Amounts and --jobs are at least 1.")
    except CannotRun as unusable:
        sys.stderr.write(f"{unusable}\n")
        return USAGE
    chosen = [title for title in titles.every if name in (None, title.game.name)]
    wanted, status = Wanted(*(-(-each // len(chosen)) for each in amounts)), OK
    for title in chosen:
        found, is_whole = _search(title, wanted, args)
        if found.leak is not None:
            status = FAILURE
        if not is_whole:
            return status or STOPPED
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.leaks", description=__doc__)
    parser.add_argument("game", nargs="?", help="which game (all of them)")
    for name, what in (
        ("checks", "outputs to compare"),
        ("messages", "and things that people get from the real bot"),
        ("histories", "histories in which something else is done in secret"),
        ("runs", "and games by the real bot in which more is done in secret"),
    ):
        usual = getattr(ALL, name)
        parser.add_argument(f"--{name}", type=int, default=usual, help=f"{what} ({usual})")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (1)")
    jobs = os.cpu_count() or 1
    parser.add_argument("--jobs", type=int, default=jobs, help=f"games played at once ({jobs})")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each game")
    return parser


def _search(title: Title, wanted: Wanted, args: argparse.Namespace) -> tuple[Found, bool]:
    """What was found until enough was compared, something leaks, or it is stopped, which is what
    the second says. It is printed."""
    began, found, is_whole = perf_counter(), Found(), False
    checks = _checks(title, wanted, args.seed, found)
    with stoppable(), closing(_results(checks, args.jobs)) as results:
        for result in results:
            found.add(result)
            sys.stderr.write(f"{title.game.name}: {_brief(found)}\n")
            if found.leak is not None:
                sys.stderr.write(f"leak: {found.leak}\n")
                break
        is_whole = True
    seconds = round(perf_counter() - began, 1)
    sys.stdout.write(_report(title, args, found, seconds, is_whole=is_whole))
    return found, is_whole


def _results(checks: Iterator[Check], jobs: int) -> Generator[Found, None, None]:
    """What is found, as it comes."""
    if jobs == 1:
        yield from (check() for check in checks)
        return
    with TemporaryDirectory() as folder:
        # A freshly started process holds no lock of this one.
        pool = ProcessPoolExecutor(jobs, get_context("spawn"), begin_worker, (folder,))
        running: set[Future[Found]] = set()
        try:
            while True:
                running |= {pool.submit(each) for each in islice(checks, jobs - len(running))}
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in done)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
                child.join()


def _checks(title: Title, wanted: Wanted, seed: int, found: Found) -> Iterator[Check]:
    """What is to be done, until enough has been found; games by the bot take turns with others."""
    by_bot = _by_bot(title, wanted, seed, found)
    for table in islice(_tables(title, seed), MOST_GAMES):
        if found.outputs >= wanted.checks and found.histories >= wanted.histories:
            break
        yield partial(check_game, title, table, wanted.checks, wanted.histories)
        yield from islice(by_bot, 1)
    yield from by_bot


def _by_bot(title: Title, wanted: Wanted, seed: int, found: Found) -> Iterator[Check]:
    """At tables small enough for all but one of the stand-in's people to play at; first at a full
    one with no option at its default."""
    game, rng = title.game, Random(seed)
    options = {option.name: option.values[-1] for option in game.options}
    seats = max(seats for seats in game.seats if seats <= PLAYERS)
    talk = min(TALK, wanted.messages)
    yield partial(check_bot, title, Setting(seats, options, str(seed), game.version), 0, talk)
    small = (table for table in _tables(title, seed) if 2 < table.seats <= PLAYERS)
    for number, table in enumerate(islice(small, MOST_TALKS * wanted.messages // TALK)):
        if found.checks[Kind.MESSAGE] >= wanted.messages:
            break
        observer, unseen = number % (table.seats + 1) - 1, rng.randrange(MOST_UNSEEN)
        yield partial(check_bot, title, table, observer, talk, unseen)
    for table in islice(small, wanted.runs):
        yield partial(check_runs, title, table)


def _tables(title: Title, seed: int) -> Iterator[Setting]:
    """Those of one seed after those of another."""
    return chain.from_iterable(settings(title.game, seed + times) for times in count())


def _brief(found: Found) -> str:
    return (
        f"{found.outputs} outputs and {found.moments} moments compared in {found.games} games and"
        f" {found.histories} histories, {found.checks[Kind.MESSAGE]} messages by the bot"
    )


def _report(
    title: Title, args: argparse.Namespace, found: Found, seconds: float, *, is_whole: bool
) -> str:
    game, by_kind = title.game, {kind: found.checks[kind] for kind in Kind}
    if args.json:
        summary = {
            "game": game.name,
            "version": game.version,
            "seed": args.seed,
            "finished": is_whole,
            "games": found.games,
            "histories": found.histories,
            "moments": found.moments,
            "checks": found.checks.total(),
            "by_kind": by_kind,
            "revealed": found.revealed,
            "seconds": seconds,
            "leak": None if found.leak is None else str(found.leak),
        }
        return as_json(summary)
    kinds = ", ".join(f"{kind} {number}" for kind, number in by_kind.items())
    stopped = "" if is_whole else ", stopped"
    return (
        f"{game.name} {game.version}: {_brief(found)}, {seconds} s{stopped}\n"
        f"{kinds}; {found.revealed} times something was revealed by the rules\n"
    )


if __name__ == "__main__":
    sys.exit(main())
