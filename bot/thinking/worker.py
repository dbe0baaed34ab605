"""The functions of a worker process, which has no tables and no state between calls."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from threading import Thread
from time import monotonic, process_time
from typing import Any, NamedTuple

from bot.game.contract import Action, Decision
from bot.policy import search
from bot.policy.contract import Judgement
from bot.policy.search import Considered

LOWEST = 19
"""The lowest priority for `nice`: a search must not slow down replies to users."""


class SearchResult(NamedTuple):
    """The moves that were considered, the number of actions tried (0 without a choice), and the
    processor time."""

    moves: Sequence[Considered]
    nodes: int
    cpu_s: float


class Forecast(NamedTuple):
    """Each seat's chance to win, the number of actions tried (0 if the game has ended), and the
    processor time."""

    chances: Sequence[float]
    nodes: int
    cpu_s: float


def begin() -> None:
    """Set up the process: low priority, no reaction to interrupts, and an end with the bot."""
    if hasattr(os, "nice"):
        # A sandbox may refuse it: search at the normal priority then.
        with suppress(OSError):
            os.nice(LOWEST)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def consider(
    search_by: Callable[..., Sequence[Considered]],
    judgement: Judgement[Any],
    view: Any,
    decision: Decision,
    seed: str,
    nodes: int,
    also: Sequence[Action],
    deadline: float,
) -> SearchResult:
    """Run `bot.policy.search.think` or `weigh` until the deadline.

    The deadline is a time of `time.monotonic`. All processes share that clock.
    """
    started, tried = process_time(), 0

    def is_late() -> bool:
        nonlocal tried
        tried += 1
        return monotonic() >= deadline

    moves = search_by(judgement, view, decision, Random(seed), nodes, also, is_late)
    return SearchResult(moves, tried, process_time() - started)


def forecast(judgement: Judgement[Any], state: bytes, seed: str, nodes: int) -> Forecast:
    """Run `bot.policy.search.forecast` on an encoded state."""
    started, decoded = process_time(), judgement.game.decode(state)
    chances = search.forecast(judgement, decoded, Random(seed), nodes)
    spent = nodes if judgement.game.outcome(decoded) is None else 0
    return Forecast(chances, spent, process_time() - started)


def ready() -> None:
    """Do nothing: a reply shows that a worker runs."""


def _end_with_parent() -> None:
    """End the process when the bot ends, even if the bot was killed and could not stop it."""
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
