"""What is to be sent, job by job: each alone, so that one that fails or hangs holds up no other."""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Any, NamedTuple

import discord

from bot.cogs.ui import SEND_ERRORS, Held, Home, reason
from bot.cogs.ui.channels import UNKNOWN, Closed
from bot.game.contract import Seat
from bot.tables import NotOurs, Rejected, StoreUnavailable, UnknownTable
from bot.workers import TimeSlice

log = logging.getLogger(__name__)

FIRST_RETRY = 1.0
LAST_RETRY = 600.0
"""Seconds until what has failed is tried again; doubled with each timed try."""
CLOSED_TIME = 300.0
LONGEST_CLOSED = 3_600.0
"""The same for a place that has refused, unless it is known to be open sooner."""
MAX_DOUBLED = 12
"""How often a wait is doubled at most, which is more than it takes to reach the longest."""
SPREAD = 64
"""Tables refused at one moment are tried again at this many different moments."""


async def apart(works: Iterable[Awaitable[None]]) -> None:
    """Run all at once; the first error is raised after all have ended."""
    for failed in await asyncio.gather(*works, return_exceptions=True):
        if failed is not None:
            raise failed


async def ended_or_cancelled(tasks: Sequence[asyncio.Task[Any]], farewell_s: float) -> None:
    """Wait at most that long for tasks, then cancel those that have not ended."""
    if tasks:
        await asyncio.wait(tasks, timeout=farewell_s)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class JobKind(StrEnum):
    """What is sent independently of all else at a table."""

    POST = "post"
    """The posts of turns, on which everything else follows."""
    LOBBY = "lobby"
    PRIVATE = "private message"
    OFFERS = "closed offers"
    CALLS = "calls"
    NEXT = "heads-up"
    ALERTS = "alerts"
    VOTES = "votes"
    STORY = "story"
    PANELS = "panels"
    """The panels that are here of a table for which another process posts."""
    OUTBOX = "outbox"
    """Which tables have anything to be sent."""


class Job(NamedTuple):
    """Something to be sent for a table: of private messages, those of one seat."""

    table: int
    kind: JobKind
    seat: Seat | None = None


class _Later(NamedTuple):
    """A job to be tried again when its time has come, or its channel has changed."""

    timer: asyncio.TimerHandle
    home: Home


class WorkQueue:
    """Does each job one at a time, and at most `at_once` together, the first first.

    A job added while it is being done is done once more. `work` returns in how many seconds to do
    it again, or None; what it raises has it tried again. Only timed tries make the wait longer:
    people who go on acting meanwhile do not. `home` tells where a job's table is.
    """

    def __init__(
        self,
        work: Callable[[Job], Awaitable[float | None]],
        home: Callable[[Job], Awaitable[Home]],
        at_once: int,
    ) -> None:
        self._work = work
        self._home = home
        self._at_once = at_once
        self._waiting: OrderedDict[Job, None] = OrderedDict()
        self._going: dict[Job, asyncio.Task[None]] = {}
        self._once_more: set[Job] = set()
        """Those in progress that were added meanwhile."""
        self._later: dict[Job, _Later] = {}
        self._failures: dict[Job, int] = {}
        self._timed: set[Job] = set()
        """Those whose next try is one that their timer has set off."""
        self._failed: set[Job] = set()
        """Those whose last timed try has failed; they are tried again once anything succeeds."""
        self._wakes = 0
        """How often something may have been allowed: what was refused meanwhile is out of date."""
        self._waking: asyncio.Task[None] | None = None
        self._context: contextvars.Context | None = None

    def open(self) -> None:
        """Begin to accept jobs."""
        # A job belongs to no request: it must not run in the context of whoever acted.
        self._context = contextvars.copy_context()

    async def close(self, farewell_s: float) -> None:
        """Wait at most that long for jobs in progress; others do not begin any more."""
        self._context = None
        self._waiting.clear()
        for later in self._later.values():
            later.timer.cancel()
        self._later.clear()
        going = [*self._going.values(), *filter(None, [self._waking])]
        await ended_or_cancelled(going, farewell_s)

    def add(self, job: Job) -> None:
        """There is something to do; it is done soon."""
        if self._context is None:
            return
        later = self._later.pop(job, None)
        if later is not None:
            later.timer.cancel()
        if job in self._going:
            self._once_more.add(job)
        else:
            self._waiting[job] = None
            self._begin()

    def is_late(self, job: Job) -> bool:
        """Whether it is to be tried again later."""
        return job in self._later

    def is_busy(self, table: int) -> bool:
        """Whether something is being done for the table, or is to be tried again."""
        every = (self._waiting, self._going, self._later)
        return any(job.table == table for jobs in every for job in jobs)

    async def ended(self) -> None:
        """Wait until what is being done has ended, and what is to be done once more has too."""
        while self._going:
            await asyncio.gather(*self._going.values())

    async def wake(self, concerns: Callable[[Home], bool]) -> None:
        """Try again those that wait there."""
        self._wakes += 1
        time_slice = TimeSlice()
        for job, later in list(self._later.items()):
            if concerns(later.home):
                self.add(job)
            await time_slice.take()

    def succeeded(self) -> None:
        """Something has reached Discord: what has failed may reach it too."""
        is_idle = self._waking is None or self._waking.done()
        if self._failed and self._context is not None and is_idle:
            self._waking = self._context.copy().run(asyncio.create_task, self._wake_failed())

    async def _wake_failed(self) -> None:
        time_slice = TimeSlice()
        while self._failed:
            job = self._failed.pop()
            if job in self._later:
                self.add(job)
            await time_slice.take()

    def _begin(self) -> None:
        while self._waiting and len(self._going) < self._at_once and self._context is not None:
            job, _ = self._waiting.popitem(last=False)
            self._going[job] = self._context.copy().run(asyncio.create_task, self._do(job))

    async def _do(self, job: Job) -> None:
        again: float | None = None
        home, wakes = UNKNOWN, self._wakes
        try:
            again = await self._try(job)
            if again is not None and wakes == self._wakes:
                with suppress(Rejected):
                    home = await self._home(job)
        finally:
            del self._going[job]
            is_wanted = job in self._once_more or (again is not None and wakes != self._wakes)
            self._once_more.discard(job)
            if is_wanted:
                self.add(job)
            elif again is not None and self._context is not None:
                loop = asyncio.get_running_loop()
                timer = loop.call_later(again, self._time_is_up, job, context=self._context)
                self._later[job] = _Later(timer, home)
            self._begin()

    def _time_is_up(self, job: Job) -> None:
        self._timed.add(job)
        self.add(job)

    async def _try(self, job: Job) -> float | None:
        try:
            again = await self._work(job)
        except (NotOurs, UnknownTable, Held):
            # Its items stay in the outbox, for whoever it belongs to now or until somebody's quiet
            # hours end, or are deleted with it.
            again = None
        except Closed:
            wait = self._wait(job, CLOSED_TIME, LONGEST_CLOSED)
            self._failed.discard(job)
            # Thousands may have been refused at once.
            return wait * (1 - job.table % SPREAD / (4 * SPREAD))
        except (*SEND_ERRORS, Rejected) as error:
            wait = self._wait(job, FIRST_RETRY, LAST_RETRY)
            if isinstance(error, discord.RateLimited):
                wait = max(wait, error.retry_after)
            # That the database is away has been logged once for all tables.
            level = logging.DEBUG if isinstance(error, StoreUnavailable) else logging.WARNING
            content = "post failed, retrying table=%s kind=%s retry_s=%.0f error=%s"
            log.log(level, content, job.table, job.kind, wait, reason(error))
            return wait
        except Exception:
            # A fault in a table's picture or words must not silence the table for ever.
            wait = self._wait(job, FIRST_RETRY, LAST_RETRY)
            log.exception(
                "post failed, retrying table=%s kind=%s retry_s=%.0f", job.table, job.kind, wait
            )
            return wait
        self._failures.pop(job, None)
        self._failed.discard(job)
        self._timed.discard(job)
        return again

    def _wait(self, job: Job, first: float, last: float) -> float:
        failures = self._failures.get(job, 0)
        if job in self._timed or not failures:
            self._failed.add(job)
            failures = min(failures + 1, MAX_DOUBLED)
        self._timed.discard(job)
        self._failures[job] = failures
        return float(min(first * 2.0 ** (failures - 1), last))
