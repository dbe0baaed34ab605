"""Low-priority worker processes that search for the strong player, for hints and for reviews.

A time in milliseconds and the measured speed of the machine give each search its budget, a number
of actions to try. If many callers wait, each gets less.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from math import inf
from typing import Any, Literal, Protocol, TypeVar

from bot.game.contract import Action, Decision
from bot.policy import search
from bot.policy.contract import Judgement
from bot.policy.search import Considered
from bot.thinking import worker
from bot.workers import contained, in_thread

logger = logging.getLogger(__name__)

THINK_MS = 500
"""Default time for a decision: a `share` of 1."""
MIN_BUDGET = 150
"""Actions to try even if many callers wait: fewer do not complete a single world."""
DEFAULT_SPEED = 500.0
"""Actions tried per second until the machine's speed is measured."""
MAX_SPEED = 20_000.0
"""More than any machine can try: a higher measurement is an error of the clock."""
NEWEST = 0.2
"""Weight of the newest search in the measured speed."""
TRIES = 2
"""Attempts at a search whose worker dies."""
IDLE_S = 600.0
"""Seconds after which unused workers end; the next search starts new ones."""


MAX_WORKERS = 4
"""Workers with the setting `auto`."""


def workers_of(search_pool: int | Literal["auto"]) -> int:
    """Return the number of workers for a setting. `auto` leaves one processor free if possible."""
    if search_pool != "auto":
        return search_pool
    return max(1, min((os.cpu_count() or 1) - 1, MAX_WORKERS))


class WorkerResult(Protocol):
    """A worker's result, with the figures that measure its speed."""

    @property
    def nodes(self) -> int:
        """Actions tried."""

    @property
    def cpu_s(self) -> float:
        """Processor time in seconds."""


R = TypeVar("R")
T = TypeVar("T", bound=WorkerResult)


class SearchUnavailable(Exception):
    """There are no search workers."""


class SearchPool:
    """A pool of workers. They start when they are first needed, and again after one dies."""

    def __init__(self, workers: int, think_ms: int = THINK_MS, idle_s: float = IDLE_S) -> None:
        self._workers = workers
        self._think_ms = think_ms
        self._idle_s = idle_s
        self._executor: Executor | None = None
        self._running: Executor | None = None
        """The executor of the last worker that returned a result."""
        self._jobs = 0
        self._urgent = 0
        """Jobs that share the processor time; a job with fixed `nodes` does not count."""
        self._speeds: dict[str, float] = {}
        self._idle_timer: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def can_think(self) -> bool:
        """Whether the pool may have workers."""
        return self._workers > 0 and not self._closed

    @property
    def think_s(self) -> float:
        """The usual time for a decision, in seconds."""
        return self._think_ms / 1000

    async def ready(self) -> None:
        """Wait until a worker runs. This takes a second or two. Raise SearchUnavailable."""
        if self._running is None or self._running is not self._executor:
            await self._run(lambda: worker.ready)

    async def think(
        self,
        judgement: Judgement[Any],
        view: Any,
        decision: Decision,
        seed: str,
        *,
        share: float = 1.0,
        also: Sequence[Action] = (),
        deadline: float = inf,
    ) -> Sequence[Considered]:
        """Search for a `share` of the usual time, and return the seat's actions, the best first.

        The search ends at the `deadline`, a time of `time.monotonic`. The actions in `also` are
        judged too. Raise SearchUnavailable.
        """
        result = await self._search(
            judgement,
            share,
            lambda nodes: partial(
                worker.consider,
                search.think,
                judgement,
                view,
                decision,
                seed,
                nodes,
                also,
                deadline,
            ),
        )
        return result.moves

    async def weigh(
        self,
        judgement: Judgement[Any],
        view: Any,
        decision: Decision,
        seed: str,
        *,
        share: float = 1.0,
        nodes: int | None = None,
        also: Sequence[Action] = (),
    ) -> Sequence[Considered]:
        """Search like `think`, but without proposals to other seats. Raise SearchUnavailable.

        With a fixed budget of `nodes`, the result is the same on every machine, and the budgets of
        other searches do not shrink: use it for results that no one waits for.
        """
        result = await self._search(
            judgement,
            share,
            lambda nodes: partial(
                worker.consider, search.weigh, judgement, view, decision, seed, nodes, also, inf
            ),
            nodes,
        )
        return result.moves

    async def forecast(
        self,
        judgement: Judgement[Any],
        state: bytes,
        seed: str,
        *,
        share: float = 1.0,
        nodes: int | None = None,
    ) -> Sequence[float]:
        """Return each seat's chance to win from an encoded state; they sum to 1.

        `nodes` is as in `weigh`. Raise SearchUnavailable.
        """
        result = await self._search(
            judgement,
            share,
            lambda nodes: partial(worker.forecast, judgement, state, seed, nodes),
            nodes,
        )
        return result.chances

    async def close(self) -> None:
        """Cancel waiting searches, and end the workers after the running ones."""
        self._closed = True
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        executor, self._executor = self._executor, None
        if executor is not None:
            await in_thread(executor.shutdown, cancel_futures=True)

    async def _search(
        self,
        judgement: Judgement[Any],
        share: float,
        job: Callable[[int], Callable[[], T]],
        nodes: int | None = None,
    ) -> T:
        is_urgent = nodes is None
        self._urgent += is_urgent
        try:
            result = await self._run(
                lambda: job(self._budget(judgement, share) if nodes is None else nodes)
            )
        finally:
            self._urgent -= is_urgent
        self._measure(judgement, result)
        return result

    async def _run(self, job: Callable[[], Callable[[], R]]) -> R:
        self._jobs += 1
        try:
            for _ in range(TRIES):
                executor = self._open()
                try:
                    # Starting a process blocks.
                    call = partial(contained, job())
                    future: Future[R] = await in_thread(partial(executor.submit, call))
                    result = await asyncio.wrap_future(future)
                except BrokenExecutor:
                    logger.warning("search worker died, restarting search")
                    if self._executor is executor:
                        self._executor = None
                    executor.shutdown(wait=False)
                    continue
                except (OSError, RuntimeError) as error:
                    # No process can be started, or the pool was just closed.
                    raise SearchUnavailable(str(error)) from error
                self._running = executor
                return result
            raise SearchUnavailable("search workers keep dying")
        finally:
            self._jobs -= 1
            self._start_idle_timer()

    def _open(self) -> Executor:
        if not self.can_think:
            raise SearchUnavailable("no search workers")
        if self._executor is None:
            # A bot without strong players does not need these modules.
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            self._executor = ProcessPoolExecutor(
                self._workers, multiprocessing.get_context("spawn"), worker.begin
            )
        return self._executor

    def _budget(self, judgement: Judgement[Any], share: float) -> int:
        """Return the number of actions to try in the time, shared by all urgent jobs."""
        speed = self._speeds.get(judgement.module, DEFAULT_SPEED)
        load = max(1.0, self._urgent / self._workers)
        return max(MIN_BUDGET, round(speed * self.think_s * share / load))

    def _measure(self, judgement: Judgement[Any], result: WorkerResult) -> None:
        # A search without a choice takes no time and measures nothing.
        if result.nodes and result.cpu_s > 0:
            average = self._speeds.get(judgement.module, DEFAULT_SPEED)
            speed = min(result.nodes / result.cpu_s, MAX_SPEED)
            self._speeds[judgement.module] = average + NEWEST * (speed - average)

    def _start_idle_timer(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        if not self._closed:
            loop = asyncio.get_running_loop()
            self._idle_timer = loop.call_later(self._idle_s, self._end_if_idle)

    def _end_if_idle(self) -> None:
        if self._jobs:
            # Each job starts the timer again when it ends.
            return
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=False)
