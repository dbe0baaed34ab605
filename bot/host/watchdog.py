"""Notices when the event loop is held, and what holds it.

The loop beats; a thread listens. When a beat is late the thread samples where the loop's thread is,
until it goes on. It reports places in the code and names of functions, never values.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import traceback
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic, process_time
from typing import NamedTuple

log = logging.getLogger(__name__)

BEAT_S = 0.025
"""Seconds between two beats; a hold seems longer by at most this."""
IDLE = 0.1
"""A process with less than this share of the time stood still; on a busy machine it has more."""
DEEP = 6
"""Places reported in the code, the innermost first."""
PROGRAM = Path(__file__).parents[1]
NOBODY = "no task"
HELD = "event loop held ms=%(ms)s task=%(task)s at=%(at)s"


class Sample(NamedTuple):
    """What the loop's thread was doing: the task, and the places in the program's code."""

    task: str
    places: str


class Watchdog:
    """Reports each time that the loop is held for more than `held_s` seconds.

    It reports to the log, and to `report` in seconds, from a thread. Time in which the whole
    process stood still does not count. `program` is the folder whose places are reported.
    """

    def __init__(
        self, report: Callable[[float], None], held_s: float, program: Path = PROGRAM
    ) -> None:
        self._report = report
        self._held_s = held_s
        self._program = program
        self._beat = 0.0
        self._late: deque[tuple[float, float]] = deque()
        self._stop = threading.Event()

    @asynccontextmanager
    async def on_guard(self) -> AsyncIterator[None]:
        """Within the block the running loop is watched."""
        loop, ident = asyncio.get_running_loop(), threading.get_ident()
        self._stop.clear()
        self._beat = monotonic()
        beating = asyncio.create_task(self._go_on_beating())
        watching = threading.Thread(
            target=self._watch, args=(loop, ident), name="watchdog", daemon=True
        )
        watching.start()
        try:
            yield
        finally:
            self._stop.set()
            beating.cancel()
            watching.join()
            await asyncio.gather(beating, return_exceptions=True)

    async def _go_on_beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            before, self._beat = self._beat, monotonic()
            if self._beat - before > self._held_s:
                self._late.append((before, self._beat))

    def _watch(self, loop: asyncio.AbstractEventLoop, ident: int) -> None:
        samples: Counter[Sample] = Counter()
        looked, used = monotonic(), process_time()
        excused = 0.0
        while not self._stop.wait(BEAT_S):
            now, by_now = monotonic(), process_time()
            if now - looked > self._held_s and by_now - used < IDLE * (now - looked):
                # This thread was late as well, and nothing ran: the process stood still.
                excused = now
                samples.clear()
            looked, used = now, by_now
            while self._late:
                before, after = self._late.popleft()
                if before >= excused:
                    self._tell(after - before, samples)
                samples.clear()
            if self._beat >= excused and now - self._beat > self._held_s:
                samples[self._sample(loop, ident)] += 1

    def _sample(self, loop: asyncio.AbstractEventLoop, ident: int) -> Sample:
        task = asyncio.current_task(loop)
        coroutine = None if task is None else task.get_coro()
        stack = traceback.walk_stack(sys._current_frames().get(ident))
        places = [
            f"{Path(frame.f_code.co_filename).relative_to(self._program.parent)}"
            f":{line}:{frame.f_code.co_name}"
            for frame, line in stack
            if self._program in Path(frame.f_code.co_filename).parents
        ]
        return Sample(
            getattr(coroutine, "__qualname__", NOBODY), " < ".join(places[:DEEP]) or "elsewhere"
        )

    def _tell(self, seconds: float, samples: Counter[Sample]) -> None:
        ((most, _),) = samples.most_common(1) or [(Sample(NOBODY, "not seen"), 0)]
        log.warning(HELD, {"ms": round(1000 * seconds), "task": most.task, "at": most.places})
        self._report(seconds)
