"""Logs when the event loop is held, and by what: a thread asks it to answer 40 times a second.

While the answer is late, the thread samples where the loop's thread is. It logs places in the code
and names of functions, never values.
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

BEAT_S = 0.025
"""Seconds between two questions; a hold seems shorter by at most this."""
IDLE = 0.1
"""A process with less than this share of the time stood still; on a busy machine it has more."""
DEEP = 6
"""Places logged, the innermost first."""
PROGRAM = Path(__file__).parents[1]


@asynccontextmanager
async def watched(
    report: Callable[[float], None], held_s: float, program: Path = PROGRAM
) -> AsyncIterator[None]:
    """Within the block, log each hold of the loop longer than `held_s`, and report its seconds.

    `report` is called from a thread. `program` is the folder whose places are logged. Time in which
    the whole process stood still does not count.
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
        return name, " < ".join(places[:DEEP]) or "elsewhere"

    def watch() -> None:
        while not stop.wait(BEAT_S):
            answered, samples = threading.Event(), Counter[tuple[str, str]]()
            loop.call_soon_threadsafe(answered.set)
            asked = now = monotonic()
            used, stood_still = process_time(), False
            while not stop.is_set():
                has_answered = answered.wait(BEAT_S)
                looked, now = now, monotonic()
                before, used = used, process_time()
                # This thread was late as well, and nothing ran.
                stood_still |= now - looked > held_s and used - before < IDLE * (now - looked)
                if has_answered:
                    break
                if now - asked > held_s:
                    samples[sample()] += 1
            if now - asked > held_s and not stood_still:
                task, at = max(samples, key=samples.__getitem__, default=("no task", "not seen"))
                log.warning(
                    "event loop blocked ms=%(ms)s task=%(task)s at=%(at)s",
                    {"ms": round(1000 * (now - asked)), "task": task, "at": at},
                )
                report(now - asked)

    thread = threading.Thread(target=watch, name="watchdog", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
