"""A thread that checks the event loop 40 times a second, and logs when and where it is blocked.

While the loop is late, the thread samples its stack. It logs places in the code and names of
functions, never values.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic, process_time

log = logging.getLogger(__name__)

PING_S = 0.025
"""Seconds between two checks, and the measurement error."""
IDLE = 0.1
"""Share of CPU time below which the whole process was suspended, not just on a busy machine."""
MAX_FRAMES = 6
"""How many stack frames are logged, the innermost first."""
PROGRAM = Path(__file__).parents[1]


@asynccontextmanager
async def watch_event_loop(
    report: Callable[[float], None], blocked_s: float, program: Path = PROGRAM
) -> AsyncIterator[None]:
    """Within the block, log and report each time that the loop is blocked longer than `blocked_s`.

    `report` is called with seconds, from another thread. Only code in the folder `program` is
    logged. Time in which the whole process was suspended does not count.
    """
    loop, ident, stop = asyncio.get_running_loop(), threading.get_ident(), threading.Event()

    def sample() -> tuple[str, str]:
        task = asyncio.current_task(loop)
        name = getattr(task and task.get_coro(), "__qualname__", "no task")
        places = [
            f"{file.relative_to(program.parent)}:{line}:{frame.f_code.co_name}"
            for frame, line in traceback.walk_stack(sys._current_frames().get(ident))
            if program in (file := Path(frame.f_code.co_filename)).parents
        ]
        return name, " < ".join(places[:MAX_FRAMES]) or "elsewhere"

    def watch() -> None:
        while not stop.wait(PING_S):
            answered, samples = threading.Event(), Counter[tuple[str, str]]()
            loop.call_soon_threadsafe(answered.set)
            pinged = now = monotonic()
            cpu, was_suspended = process_time(), False
            while not stop.is_set():
                is_answered = answered.wait(PING_S)
                previous, now = now, monotonic()
                last_cpu, cpu = cpu, process_time()
                # This thread was late too, and the process used no CPU time.
                was_suspended |= now - previous > blocked_s and cpu - last_cpu < IDLE * (
                    now - previous
                )
                if is_answered:
                    break
                if now - pinged > blocked_s:
                    samples[sample()] += 1
            if now - pinged > blocked_s and not was_suspended:
                task, at = max(samples, key=samples.__getitem__, default=("no task", "not seen"))
                log.warning(
                    "event loop blocked ms=%(ms)s task=%(task)s at=%(at)s",
                    {"ms": round(1000 * (now - pinged)), "task": task, "at": at},
                )
                report(now - pinged)

    thread = threading.Thread(target=watch, name="watchdog", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
