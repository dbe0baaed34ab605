"""Searches random games with all options for leaks: `python -m tests.leaks`, or `make leaks`.

Prints after each game what has been compared so far, also if you stop it with Ctrl+C.
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
from tests.leaks.bot import PLAYERS, check_bot, check_lessons, check_runs, init_worker
from tests.leaks.game import Found, Kind, Setting, check_game, settings

USAGE, STOPPED = 2, 130
MAX_GAMES = 600
"""The limit for a title with few secrets."""
MESSAGES_PER_GAME = 150
"""A game by the bot ends after this many messages."""
MAX_FACTOR = 3
"""Limit of games by the bot for a title with few secrets: a multiple of those needed."""
MAX_SKIPPED = 60
"""Largest number of actions before the observer starts looking."""
PLAYS_ON = 3
"""One of this many games by the bot plays on from a position at another table."""


AMOUNTS = {
    "checks": (110_000, "outputs to compare"),
    "messages": (4_000, "messages of the real bot to compare"),
    "histories": (12_000, "histories with other secret actions"),
    "runs": (6, "games by the real bot with additional secret actions"),
}
"""Amounts in all titles together."""
Check = Callable[[], Found]


def main(words: Sequence[str] | None = None, titles: Titles = TITLES) -> int:
    """Run the search. Returns 1 for a leak, 2 for invalid arguments, 130 if it was stopped."""
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
        found, is_complete = _search(title, args, by_bot=titles[title.game.name] is title)
        if found.leak is not None:
            status = FAILURE
        if not is_complete:
            return status or STOPPED
    return status


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.leaks", description=__doc__)
    parser.add_argument("game", nargs="?", help="only this game (all)")
    jobs = os.cpu_count() or 1
    more = {"seed": (1, "random seed"), "jobs": (jobs, "games played at once")}
    for name, (default, text) in {**AMOUNTS, **more}.items():
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{text} ({default})")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each game")
    return parser.parse_args(words)


def _search(title: Title, args: argparse.Namespace, *, by_bot: bool) -> tuple[Found, bool]:
    """Search one title until enough was compared, there is a leak, or the user stops.

    Prints a report. Returns the result, and False if it was stopped.
    """
    started, found, is_complete = perf_counter(), Found(), False
    checks = _checks(title, args, found, by_bot=by_bot)
    try:
        with stoppable(), closing(_results(checks, args.jobs)) as results:
            for result in results:
                found.add(result)
                sys.stderr.write(f"{title.game.name}: {_summary(found)}\n")
                if found.leak is not None:
                    sys.stderr.write(f"leak: {found.leak}\n")
                    break
            is_complete = True
    finally:
        seconds = round(perf_counter() - started, 1)
        sys.stdout.write(_report(title, args, found, seconds, is_complete=is_complete))
    return found, is_complete


def _results(checks: Iterator[Check], jobs: int) -> Generator[Found, None, None]:
    """Yield the results as they become available."""
    if jobs == 1:
        yield from (check() for check in checks)
        return
    with TemporaryDirectory() as folder:
        # A freshly started process holds no lock of this one.
        pool = ProcessPoolExecutor(jobs, get_context("spawn"), init_worker, (folder,))
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
    """Yield checks until enough was compared. Games by the bot, only with the newest rules,
    alternate with others."""
    others = _by_bot(title, args, found) if by_bot else iter(())
    for table in islice(_tables(title, args.seed), MAX_GAMES):
        if found.outputs >= args.checks and found.counts["histories"] >= args.histories:
            break
        yield partial(check_game, title, table, args.checks, args.histories)
        yield from islice(others, 1)
    yield from others


def _by_bot(title: Title, args: argparse.Namespace, found: Found) -> Iterator[Check]:
    """Yield games by the bot, with one person of the stand-in as the spectator. The first has the
    most seats and no option at its default."""
    game, rng = title.game, Random(args.seed)
    options = {option.name: option.values[-1] for option in game.options}
    seats = max(seats for seats in game.seats if seats <= PLAYERS)
    messages = min(MESSAGES_PER_GAME, args.messages)
    yield partial(check_bot, title, Setting(seats, options, str(args.seed)), 0, messages)
    small = (table for table in _tables(title, args.seed) if 2 < table.seats <= PLAYERS)
    for number, table in enumerate(islice(small, MAX_FACTOR * args.messages // MESSAGES_PER_GAME)):
        if found.counts[Kind.MESSAGE] >= args.messages:
            break
        observer, skipped = number % (table.seats + 1) - 1, rng.randrange(MAX_SKIPPED)
        plays_on = number % PLAYS_ON == 0
        yield partial(check_bot, title, table, observer, messages, skipped, plays_on=plays_on)
    yield partial(check_lessons, title, Setting(min(game.seats), {}, str(args.seed)))
    for table in islice(small, args.runs):
        yield partial(check_runs, title, table)


def _tables(title: Title, seed: int) -> Iterator[Setting]:
    """Yield the settings of one seed after another, without end."""
    return chain.from_iterable(settings(title.game, seed + times) for times in count())


def _summary(found: Found) -> str:
    counts = found.counts
    return (
        f"{found.outputs} outputs and {counts['moments']} moments compared in {counts['games']}"
        f" games and {counts['histories']} histories, {counts[Kind.MESSAGE]} messages by the bot"
    )


def _report(
    title: Title, args: argparse.Namespace, found: Found, seconds: float, *, is_complete: bool
) -> str:
    game, counts = title.game, found.counts
    by_kind = {kind: counts[kind] for kind in Kind}
    if args.json:
        return as_json(
            {
                "game": game.name,
                "version": game.version,
                "seed": args.seed,
                "finished": is_complete,
                **{each: counts[each] for each in ("games", "histories", "moments", "revealed")},
                "checks": sum(by_kind.values()),
                "by_kind": by_kind,
                "seconds": seconds,
                "leak": None if found.leak is None else str(found.leak),
            }
        )
    kinds = ", ".join(f"{kind} {number}" for kind, number in by_kind.items())
    stopped = "" if is_complete else ", stopped"
    return (
        f"{game.name} {game.version}: {_summary(found)}, {seconds} s{stopped}\n"
        f"{kinds}; {counts['revealed']} times something was revealed by the rules\n"
    )


if __name__ == "__main__":
    sys.exit(main())
