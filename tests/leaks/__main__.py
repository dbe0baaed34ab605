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

from bot.config import CannotRun
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools import FAILURE, OK, as_json, stoppable
from bot.tools.arguments import title_named
from tests.leaks.bot import PLAYERS, begin_worker, check_bot, check_runs
from tests.leaks.game import Found, Kind, Setting, check_game, settings

USAGE, STOPPED = 2, 130
MAX_GAMES = 600
"""A game with hardly any secrets is given up after this many."""
TALK = 150
"""Things that people get in one game by the bot, which is then left."""
MAX_TALKS = 3
"""So many times as many of these games are played at most, where little is hidden."""
MAX_UNSEEN = 60
"""Actions before anybody looks, at most."""


AMOUNTS = {
    "checks": (110_000, "outputs to compare"),
    "messages": (4_000, "and things that people get from the real bot"),
    "histories": (12_000, "histories in which something else is done in secret"),
    "runs": (6, "and games by the real bot in which more is done in secret"),
}
"""In all games together."""
Check = Callable[[], Found]


def main(words: Sequence[str] | None = None, titles: Titles = TITLES) -> int:
    """Compares, and prints what was compared; 1 where there is a leak, 2 for invalid arguments, 130
    where it was stopped."""
    args = _arguments(words)
    try:
        name = args.game and title_named(titles, args.game).game.name
        if min(args.jobs, *(getattr(args, amount) for amount in AMOUNTS)) < 1:
            raise CannotRun("Amounts and --jobs are at least 1.")
    except CannotRun as unusable:
        sys.stderr.write(f"{unusable}\n")
        return USAGE
    chosen, status = [title for title in titles.every if name in (None, title.game.name)], OK
    for amount in AMOUNTS:
        setattr(args, amount, -(-getattr(args, amount) // len(chosen)))
    for title in chosen:
        found, is_whole = _search(title, args, by_bot=titles[title.game.name] is title)
        if found.leak is not None:
            status = FAILURE
        if not is_whole:
            return status or STOPPED
    return status


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.leaks", description=__doc__)
    parser.add_argument("game", nargs="?", help="which game (all of them)")
    jobs = os.cpu_count() or 1
    more = {"seed": (1, "of all chance"), "jobs": (jobs, "games played at once")}
    for name, (usual, what) in {**AMOUNTS, **more}.items():
        parser.add_argument(f"--{name}", type=int, default=usual, help=f"{what} ({usual})")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each game")
    return parser.parse_args(words)


def _search(title: Title, args: argparse.Namespace, *, by_bot: bool) -> tuple[Found, bool]:
    """What was found until enough was compared, something leaks, or it is stopped, which is what
    the second says. It is printed."""
    began, found, is_whole = perf_counter(), Found(), False
    checks = _checks(title, args, found, by_bot=by_bot)
    try:
        with stoppable(), closing(_results(checks, args.jobs)) as results:
            for result in results:
                found.add(result)
                sys.stderr.write(f"{title.game.name}: {_brief(found)}\n")
                if found.leak is not None:
                    sys.stderr.write(f"leak: {found.leak}\n")
                    break
            is_whole = True
    finally:
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


def _checks(
    title: Title, args: argparse.Namespace, found: Found, *, by_bot: bool
) -> Iterator[Check]:
    """What is to be done, until enough has been found; games by the bot take turns with others. It
    begins no games by older rules."""
    others = _by_bot(title, args, found) if by_bot else iter(())
    for table in islice(_tables(title, args.seed), MAX_GAMES):
        if found.outputs >= args.checks and found.counts["histories"] >= args.histories:
            break
        yield partial(check_game, title, table, args.checks, args.histories)
        yield from islice(others, 1)
    yield from others


def _by_bot(title: Title, args: argparse.Namespace, found: Found) -> Iterator[Check]:
    """At tables small enough for all but one of the stand-in's people to play at; first at a full
    one with no option at its default."""
    game, rng = title.game, Random(args.seed)
    options = {option.name: option.values[-1] for option in game.options}
    seats = max(seats for seats in game.seats if seats <= PLAYERS)
    talk = min(TALK, args.messages)
    yield partial(check_bot, title, Setting(seats, options, str(args.seed)), 0, talk)
    small = (table for table in _tables(title, args.seed) if 2 < table.seats <= PLAYERS)
    for number, table in enumerate(islice(small, MAX_TALKS * args.messages // TALK)):
        if found.counts[Kind.MESSAGE] >= args.messages:
            break
        observer, unseen = number % (table.seats + 1) - 1, rng.randrange(MAX_UNSEEN)
        yield partial(check_bot, title, table, observer, talk, unseen)
    for table in islice(small, args.runs):
        yield partial(check_runs, title, table)


def _tables(title: Title, seed: int) -> Iterator[Setting]:
    """Those of one seed after those of another."""
    return chain.from_iterable(settings(title.game, seed + times) for times in count())


def _brief(found: Found) -> str:
    counts = found.counts
    return (
        f"{found.outputs} outputs and {counts['moments']} moments compared in {counts['games']}"
        f" games and {counts['histories']} histories, {counts[Kind.MESSAGE]} messages by the bot"
    )


def _report(
    title: Title, args: argparse.Namespace, found: Found, seconds: float, *, is_whole: bool
) -> str:
    game, counts = title.game, found.counts
    by_kind = {kind: counts[kind] for kind in Kind}
    if args.json:
        return as_json(
            {
                "game": game.name,
                "version": game.version,
                "seed": args.seed,
                "finished": is_whole,
                **{each: counts[each] for each in ("games", "histories", "moments", "revealed")},
                "checks": sum(by_kind.values()),
                "by_kind": by_kind,
                "seconds": seconds,
                "leak": None if found.leak is None else str(found.leak),
            }
        )
    kinds = ", ".join(f"{kind} {number}" for kind, number in by_kind.items())
    stopped = "" if is_whole else ", stopped"
    return (
        f"{game.name} {game.version}: {_brief(found)}, {seconds} s{stopped}\n"
        f"{kinds}; {counts['revealed']} times something was revealed by the rules\n"
    )


if __name__ == "__main__":
    sys.exit(main())
