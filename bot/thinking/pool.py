"""Worker processes of low priority that think for the strong player, for hints and for reviews.

How long is thought is a number of milliseconds; what a search gets is a budget of actions tried,
made of that and of how fast the machine has been. Where many wait, each gets less.
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
"""The usual time for a decision; a `share` of 1."""
FEWEST = 150
"""The least budget of a search, however many wait: with less no world is thought through."""
SLOWEST = 500.0
"""Actions tried a second, as long as nothing is known of the machine."""
FASTEST = 20_000.0
"""More than any machine tries: what is measured beyond that is a mistake of the clock."""
NEWEST = 0.2
"""The weight of the newest search in what is known of the machine."""
TRIES = 2
"""A search is begun anew so often where its worker dies."""
IDLE_S = 600.0
"""Workers that nobody has needed for so long end; they begin anew when they are needed."""


MAX_WORKERS = 4
"""As many as are started without being asked for."""


def workers_of(search_pool: int | Literal["auto"]) -> int:
    """How many workers a setting means: `auto` leaves a processor to everybody else, if it can."""
    if search_pool != "auto":
        return search_pool
    return max(1, min((os.cpu_count() or 1) - 1, MAX_WORKERS))


class Timed(Protocol):
    """What a worker gives back."""

    @property
    def nodes(self) -> int:
        """How many actions were tried."""
        ...

    @property
    def cpu_s(self) -> float:
        """The processor time that it took."""
        ...


R = TypeVar("R")
T = TypeVar("T", bound=Timed)


class SearchUnavailable(Exception):
    """Nobody can think now: there are no workers."""


class SearchPool:
    """A pool of workers. They are started when they are first needed, and again when one dies."""

    def __init__(self, workers: int, think_ms: int = THINK_MS, idle_s: float = IDLE_S) -> None:
        self._workers = workers
        self._think_ms = think_ms
        self._idle_s = idle_s
        self._executor: Executor | None = None
        self._running: Executor | None = None
        """The one of which a worker has answered."""
        self._asked = 0
        self._waiting = 0
        """As many of those asked as somebody waits for."""
        self._speeds: dict[str, float] = {}
        self._rest: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def can_think(self) -> bool:
        """Whether there may be workers."""
        return self._workers > 0 and not self._closed

    @property
    def think_s(self) -> float:
        """The usual time for a decision, in seconds."""
        return self._think_ms / 1000

    async def ready(self) -> None:
        """Wait until a worker runs, which takes a second or two. Raises SearchUnavailable."""
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
        """What the seat does, the best first, thought about for a `share` of the usual time, but
        not beyond the `deadline`, a time of `time.monotonic`.

        `also` is judged besides. Raises SearchUnavailable.
        """
        result = await self._ask(
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
        """Search without first proposing anything to others. Raises SearchUnavailable.

        With a budget of `nodes` it gives the same anywhere, and makes nobody's own smaller: for
        what nobody waits for.
        """
        result = await self._ask(
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
        """How likely each seat is to win from an encoded state, 1 in all; `nodes` as in `weigh`.

        Raises SearchUnavailable.
        """
        found = await self._ask(
            judgement,
            share,
            lambda nodes: partial(worker.forecast, judgement, state, seed, nodes),
            nodes,
        )
        return found.chances

    async def close(self) -> None:
        """Ends the workers, after what they are thinking about; what waits is given up."""
        self._closed = True
        if self._rest is not None:
            self._rest.cancel()
        executor, self._executor = self._executor, None
        if executor is not None:
            await in_thread(executor.shutdown, cancel_futures=True)

    async def _ask(
        self,
        judgement: Judgement[Any],
        share: float,
        job: Callable[[int], Callable[[], T]],
        nodes: int | None = None,
    ) -> T:
        is_waited_for = nodes is None
        self._waiting += is_waited_for
        try:
            found = await self._run(
                lambda: job(self._budget(judgement, share) if nodes is None else nodes)
            )
        finally:
            self._waiting -= is_waited_for
        self._learn(judgement, found)
        return found

    async def _run(self, job: Callable[[], Callable[[], R]]) -> R:
        self._asked += 1
        try:
            for _ in range(TRIES):
                executor = self._open()
                try:
                    # Starting a process holds whoever does it.
                    thinking = partial(contained, job())
                    future: Future[R] = await in_thread(partial(executor.submit, thinking))
                    found = await asyncio.wrap_future(future)
                except BrokenExecutor:
                    logger.warning("search worker died, restarting search")
                    if self._executor is executor:
                        self._executor = None
                    executor.shutdown(wait=False)
                    continue
                except (OSError, RuntimeError) as error:
                    # No process can be started, or the pool was closed meanwhile.
                    raise SearchUnavailable(str(error)) from error
                self._running = executor
                return found
            raise SearchUnavailable("search workers keep dying")
        finally:
            self._asked -= 1
            self._rest_later()

    def _open(self) -> Executor:
        if not self.can_think:
            raise SearchUnavailable("no search workers")
        if self._executor is None:
            # Not needed by whoever plays without strong players.
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            self._executor = ProcessPoolExecutor(
                self._workers, multiprocessing.get_context("spawn"), worker.begin
            )
        return self._executor

    def _budget(self, judgement: Judgement[Any], share: float) -> int:
        """Actions to try: what the machine can in that time, shared among those who wait."""
        speed = self._speeds.get(judgement.module, SLOWEST)
        crowd = max(1.0, self._waiting / self._workers)
        return max(FEWEST, round(speed * self.think_s * share / crowd))

    def _learn(self, judgement: Judgement[Any], found: Timed) -> None:
        """A search that had no choice took no time, and tells nothing."""
        if found.nodes and found.cpu_s > 0:
            known = self._speeds.get(judgement.module, SLOWEST)
            speed = min(found.nodes / found.cpu_s, FASTEST)
            self._speeds[judgement.module] = known + NEWEST * (speed - known)

    def _rest_later(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
        if not self._closed:
            self._rest = asyncio.get_running_loop().call_later(self._idle_s, self._rest_now)

    def _rest_now(self) -> None:
        if self._asked:
            # Whoever waits is served first, and looks at the clock again after that.
            return
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=False)
