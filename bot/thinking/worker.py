"""What a worker process does. It knows no table, and nothing between two questions."""

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
"""Priority, as `nice` counts: whatever people wait for comes first."""


class SearchResult(NamedTuple):
    """What was considered; the actions tried for it, none where there was no choice; and the
    processor time that they took."""

    moves: Sequence[Considered]
    nodes: int
    cpu_s: float


class Forecast(NamedTuple):
    """How likely each seat is to win; the actions tried for it, none where the game has ended; and
    the processor time that they took."""

    chances: Sequence[float]
    nodes: int
    cpu_s: float


def begin() -> None:
    """Prepares the process: it stands back, leaves signals to the bot, and ends when that does."""
    if hasattr(os, "nice"):
        # A sandbox may refuse it; thinking at a higher priority is better than not at all.
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
    """What `bot.policy.search.think` or `weigh` says, as far as it comes by the deadline, a time
    of `time.monotonic`, which is the same clock in all processes."""
    began, tried = process_time(), 0

    def is_late() -> bool:
        nonlocal tried
        tried += 1
        return monotonic() >= deadline

    moves = search_by(judgement, view, decision, Random(seed), nodes, also, is_late)
    return SearchResult(moves, tried, process_time() - began)


def forecast(judgement: Judgement[Any], state: bytes, seed: str, nodes: int) -> Forecast:
    """See `bot.policy.search.forecast`."""
    began, decoded = process_time(), judgement.game.decode(state)
    chances = search.forecast(judgement, decoded, Random(seed), nodes)
    spent = nodes if judgement.game.outcome(decoded) is None else 0
    return Forecast(chances, spent, process_time() - began)


def ready() -> None:
    """Nothing: whoever gets its answer knows that a worker runs."""


def _end_with_parent() -> None:
    """A bot that was killed could not end its workers, which would wait for ever."""
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
