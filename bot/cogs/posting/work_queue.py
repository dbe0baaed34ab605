"""A queue of independent jobs: one that fails or hangs does not block the others."""

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

MIN_RETRY_S = 1.0
MAX_RETRY_S = 600.0
"""Seconds until a failed job is retried; doubled after each timed retry, up to the maximum."""
MIN_CLOSED_S = 300.0
MAX_CLOSED_S = 3_600.0
"""The same delays after a channel refused a post; `wake` may retry sooner."""
MAX_DOUBLED = 12
"""Maximum failures counted: more than it takes to reach the longest delay."""
SPREAD = 64
"""Different retry times of tables refused at the same time."""


async def run_all(works: Iterable[Awaitable[None]]) -> None:
    """Run all concurrently. Raise the first error after all have ended."""
    for error in await asyncio.gather(*works, return_exceptions=True):
        if error is not None:
            raise error


async def finish_or_cancel(tasks: Sequence[asyncio.Task[Any]], timeout_s: float) -> None:
    """Wait for the tasks, and cancel those that have not ended after the timeout."""
    if tasks:
        await asyncio.wait(tasks, timeout=timeout_s)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class JobKind(StrEnum):
    """Kinds of jobs, which are sent independently."""

    POST = "post"
    """The posts of turns. The other jobs follow them."""
    LOBBY = "lobby"
    PRIVATE = "private message"
    OFFERS = "closed offers"
    NOTIFY = "notifications"
    NEXT = "heads-up"
    ALERTS = "alerts"
    VOTES = "votes"
    STORY = "story"
    PANELS = "panels"
    """This process's panels of a table for which another process posts."""
    WHISPERS = "whispers"
    WEBHOOK = "webhook"
    OUTBOX = "outbox"
    """Finds the tables with items to send."""


class Job(NamedTuple):
    """Items to send for a table; private messages have a job for each seat."""

    table: int
    kind: JobKind
    seat: Seat | None = None


class _Delayed(NamedTuple):
    """A job to be retried when its timer ends or its channel changes."""

    timer: asyncio.TimerHandle
    home: Home


class WorkQueue:
    """Runs up to `limit` jobs concurrently, first in, first out, and each job once at a time.

    A job added while it runs is run again. `work` returns the seconds until it should run again, or
    None; after an error the job is retried. Only timed retries lengthen the delay, not players who
    act in between. `home` returns the place of a job's table. With `is_patient`, a job added after
    an error still waits for its retry.
    """

    def __init__(
        self,
        work: Callable[[Job], Awaitable[float | None]],
        home: Callable[[Job], Awaitable[Home]],
        limit: int,
        *,
        is_patient: bool = False,
    ) -> None:
        self._work = work
        self._is_patient = is_patient
        self._home = home
        self._limit = limit
        self._waiting: OrderedDict[Job, None] = OrderedDict()
        self._running: dict[Job, asyncio.Task[None]] = {}
        self._rerun: set[Job] = set()
        """Running jobs that were added again."""
        self._delayed: dict[Job, _Delayed] = {}
        self._failures: dict[Job, int] = {}
        self._timed: set[Job] = set()
        """Jobs whose next run was started by their timer."""
        self._failed: set[Job] = set()
        """Jobs whose last timed retry failed; they are retried once anything succeeds."""
        self._wakes = 0
        """Number of calls of `wake`: a refusal from before the last one is out of date."""
        self._waking: asyncio.Task[None] | None = None
        self._context: contextvars.Context | None = None

    def open(self) -> None:
        """Start accepting jobs."""
        # Jobs must not run in the context of the request that added them.
        self._context = contextvars.copy_context()

    async def close(self, timeout_s: float) -> None:
        """Drop waiting jobs, wait for running jobs, and cancel them after the timeout."""
        self._context = None
        self._waiting.clear()
        for delayed in self._delayed.values():
            delayed.timer.cancel()
        self._delayed.clear()
        running = [*self._running.values(), *filter(None, [self._waking])]
        await finish_or_cancel(running, timeout_s)

    def add(self, job: Job) -> None:
        """Run the job soon."""
        if self._context is None or (self._is_patient and job in self._delayed):
            return
        delayed = self._delayed.pop(job, None)
        if delayed is not None:
            delayed.timer.cancel()
        if job in self._running:
            self._rerun.add(job)
        else:
            self._waiting[job] = None
            self._start_next()

    def is_delayed(self, job: Job) -> bool:
        """Return whether the job waits for a retry."""
        return job in self._delayed

    def is_busy(self, table: int) -> bool:
        """Return whether a job of the table is waiting, running or delayed."""
        queues = (self._waiting, self._running, self._delayed)
        return any(job.table == table for jobs in queues for job in jobs)

    async def ended(self) -> None:
        """Wait until no job is running or waiting to run again."""
        while self._running:
            await asyncio.gather(*self._running.values())

    async def wake(self, matches: Callable[[Home], bool]) -> None:
        """Retry the delayed jobs of matching places now."""
        self._wakes += 1
        time_slice = TimeSlice()
        for job, delayed in list(self._delayed.items()):
            if matches(delayed.home):
                self.add(job)
            await time_slice.take()

    def succeeded(self) -> None:
        """Retry failed jobs, because a request has reached Discord."""
        is_idle = self._waking is None or self._waking.done()
        if self._failed and self._context is not None and is_idle:
            self._waking = self._context.copy().run(asyncio.create_task, self._wake_failed())

    async def _wake_failed(self) -> None:
        time_slice = TimeSlice()
        while self._failed:
            job = self._failed.pop()
            if job in self._delayed:
                self.add(job)
            await time_slice.take()

    def _start_next(self) -> None:
        while self._waiting and len(self._running) < self._limit and self._context is not None:
            job, _ = self._waiting.popitem(last=False)
            self._running[job] = self._context.copy().run(asyncio.create_task, self._do(job))

    async def _do(self, job: Job) -> None:
        retry_s: float | None = None
        home, wakes = UNKNOWN, self._wakes
        try:
            retry_s = await self._try(job)
            if retry_s is not None and wakes == self._wakes:
                with suppress(Rejected):
                    home = await self._home(job)
        finally:
            del self._running[job]
            may_rerun = retry_s is None or not self._is_patient
            run_now = may_rerun and job in self._rerun
            run_now |= retry_s is not None and wakes != self._wakes
            self._rerun.discard(job)
            if run_now:
                self.add(job)
            elif retry_s is not None and self._context is not None:
                loop = asyncio.get_running_loop()
                timer = loop.call_later(retry_s, self._on_timer, job, context=self._context)
                self._delayed[job] = _Delayed(timer, home)
            self._start_next()

    def _on_timer(self, job: Job) -> None:
        self._timed.add(job)
        self._delayed.pop(job, None)
        self.add(job)

    async def _try(self, job: Job) -> float | None:
        try:
            retry_s = await self._work(job)
        except (NotOurs, UnknownTable, Held):
            # The items stay in the outbox for another process or the end of quiet hours, or were
            # deleted with the table.
            retry_s = None
        except Closed:
            wait = self._wait(job, MIN_CLOSED_S, MAX_CLOSED_S)
            self._failed.discard(job)
            # Thousands of tables may be refused at the same time: spread their retries.
            return wait * (1 - job.table % SPREAD / (4 * SPREAD))
        except (*SEND_ERRORS, Rejected) as error:
            wait = self._wait(job, MIN_RETRY_S, MAX_RETRY_S)
            if isinstance(error, discord.RateLimited):
                wait = max(wait, error.retry_after)
            # The store logs its own outage once for all tables.
            level = logging.DEBUG if isinstance(error, StoreUnavailable) else logging.WARNING
            content = "post failed, retrying table=%s kind=%s retry_s=%.0f error=%s"
            log.log(level, content, job.table, job.kind, wait, reason(error))
            return wait
        except Exception:
            # A bug in a picture or text must not silence the table for ever.
            wait = self._wait(job, MIN_RETRY_S, MAX_RETRY_S)
            log.exception(
                "post failed, retrying table=%s kind=%s retry_s=%.0f", job.table, job.kind, wait
            )
            return wait
        self._failures.pop(job, None)
        self._failed.discard(job)
        self._timed.discard(job)
        return retry_s

    def _wait(self, job: Job, first: float, last: float) -> float:
        failures = self._failures.get(job, 0)
        if job in self._timed or not failures:
            self._failed.add(job)
            failures = min(failures + 1, MAX_DOUBLED)
        self._timed.discard(job)
        self._failures[job] = failures
        return float(min(first * 2.0 ** (failures - 1), last))
