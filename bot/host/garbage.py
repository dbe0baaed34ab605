"""Garbage in cycles is looked for while nobody waits.

Python walks through all that it knows whenever it happens to have made enough of it, mostly in the
middle of somebody's press, and everybody waits. Here only what is young is looked through then,
which is short. What has grown old is looked through in a calm second, and what is still
needed then is set aside (`gc.freeze`), so that the next look is as short. What was set aside and
became garbage later is found by a look through everything, a few times a day.

In the first calm second after busy ones, memory that is free goes back to the system. C's library
keeps it otherwise: what was needed once, to start or to draw, would be the bot's for ever.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, thread_time

from bot.host.memory import give_back

CHECK_S = 1.0
"""How long a moment is, by which the loop is found to be calm or busy."""
CALM = 0.02
"""The share of a moment that a calm loop works: less than one press costs."""
WORTH = 2
"""Looks through what is young after which a look through what is old is worth while."""
MOST = 12
"""After so many nothing is put off any longer, however busy the loop is: each object is walked
through once, so many short looks cost no more than one that holds everybody up."""
PATIENCE_S = 300.0
"""Nor after so many seconds."""
THOROUGH_S = 6 * 3600.0
"""Seconds from one look through everything to the next; put off as long again at most."""
YOUNG = 4
"""Looks through what has just been made before what has survived one is looked through as well: by
Python's own ten that takes 9 ms on a slow machine."""
NEVER = 1_000_000_000
"""Looks through what is young before Python itself looks through what is old."""


class Garbage:
    """When to look for it."""

    def __init__(self, now: float) -> None:
        self._looked = self._looked_through = now
        self._was_busy = True

    def look(self, busy: float, now: float) -> None:
        """Looks for it where there may be some and the moment is as calm as can be hoped for, and
        gives back what is free where a calm moment follows a busy one.

        `busy` is the share of the last moment that the loop has worked, `now` in seconds.
        """
        self._look(busy, now)
        if self._was_busy and busy <= CALM:
            give_back()
        self._was_busy = busy > CALM

    def _look(self, busy: float, now: float) -> None:
        waited = now - self._looked_through - THOROUGH_S
        if waited >= 0 and is_time(busy, waited / THOROUGH_S):
            self.look_through(now)
            return
        young = gc.get_count()[2]
        if young < WORTH:
            self._looked = now
        elif is_time(busy, max((now - self._looked) / PATIENCE_S, young / MOST)):
            gc.collect()
            gc.freeze()
            self._looked = now

    def look_through(self, now: float) -> None:
        """Looks through everything, what was set aside as well."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._looked = self._looked_through = now


def is_time(busy: float, urgency: float) -> bool:
    """Whether the loop is calm enough: the more urgent, the busier it may be; at 1 it is time."""
    return urgency >= 1 or busy <= CALM + urgency * (1 - CALM)


@contextmanager
def put_off(now: float) -> Iterator[Garbage]:
    """Within the block Python looks through what is young alone; what there is at that time is
    looked through first."""
    thresholds, was_set_aside = gc.get_threshold(), gc.get_freeze_count() > 0
    # Where two bots share a process, the first to begin is the one that ends it.
    is_first = thresholds[2] != NEVER
    gc.set_threshold(thresholds[0], YOUNG, NEVER)
    garbage = Garbage(now)
    garbage.look_through(now)
    try:
        yield garbage
    finally:
        if is_first:
            gc.set_threshold(*thresholds)
        if not was_set_aside:
            gc.unfreeze()


async def look_when_calm(garbage: Garbage) -> None:
    """Looks for garbage again and again, until cancelled."""
    while True:
        began, worked = monotonic(), thread_time()
        await asyncio.sleep(CHECK_S)
        now = monotonic()
        garbage.look((thread_time() - worked) / (now - began), now)
