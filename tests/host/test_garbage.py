"""Garbage is looked for while nobody waits; what was freed is given back to the system."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from weakref import ref

import pytest

from bot.host import garbage
from bot.host.garbage import CALM, MOST, PATIENCE_S, THOROUGH_S, WORTH, Garbage, is_time, put_off
from bot.host.memory import give_back, share_heap
from bot.tools.measures.scale.workers import MIB, resident_mib
from tests.waiting import until

BUSY = 0.9
PIECES, BYTES = 40_000, 1000


class Knot:
    """Refers to itself: only a collection finds that nobody needs it."""

    def __init__(self) -> None:
        self.itself = self


def old_knot() -> tuple[list[Knot], ref[Knot]]:
    kept = [Knot()]
    gc.collect(1)
    return kept, ref(kept[0])


def grow_up(times: int) -> None:
    for _ in range(times):
        gc.collect(1)


@contextmanager
def old_looked_through() -> Iterator[list[int]]:
    found: list[int] = []

    def note(phase: str, info: dict[str, Any]) -> None:
        if phase == "start" and info["generation"] == 2:
            found.append(info["generation"])

    gc.callbacks.append(note)
    try:
        yield found
    finally:
        gc.callbacks.remove(note)


@pytest.fixture
def put() -> Iterator[Garbage]:
    """Python looks for young garbage alone, and what there is at time 0 is set aside."""
    with put_off(0.0) as made:
        yield made


def test_what_is_old_is_not_looked_through_where_little_was_done(put: Garbage) -> None:
    with old_looked_through() as looks:
        kept = [[number] for number in range(300_000)]
        assert len(kept) == 300_000
        assert looks == []
    with put_off(0.0) as anew, old_looked_through() as looks:
        anew.look(0.0, 1.0)
        anew.look(0.0, PATIENCE_S * 2)
    assert looks == []


def test_in_a_calm_moment_old_garbage_is_found(put: Garbage) -> None:
    (kept, seen), needed = old_knot(), [[number] for number in range(10_000)]
    grow_up(WORTH)
    put.look(BUSY, 1.0)
    kept.clear()
    put.look(BUSY, 2.0)
    assert seen() is not None
    put.look(CALM, 3.0)
    assert seen() is None
    # What is needed is not walked through again.
    assert not any(each is needed[0] for each in gc.get_objects())


def test_a_loop_that_is_never_calm_does_not_grow_for_ever() -> None:
    before = gc.get_threshold(), gc.get_freeze_count() > 0
    for looks, now in ((WORTH, PATIENCE_S), (MOST, 1.0)):
        with put_off(0.0) as put:
            kept, seen = old_knot()
            kept.clear()
            grow_up(looks)
            put.look(1.0, now)
            assert seen() is None
    # Afterwards Python does as before.
    assert (gc.get_threshold(), gc.get_freeze_count() > 0) == before


def test_garbage_among_what_was_set_aside_is_found_in_a_look_through_everything(
    put: Garbage,
) -> None:
    kept, seen = old_knot()
    grow_up(WORTH)
    put.look(0.0, 1.0)
    kept.clear()
    grow_up(WORTH)
    put.look(0.0, THOROUGH_S - 1)
    assert seen() is not None
    put.look(BUSY, THOROUGH_S + 1)
    assert seen() is not None
    put.look(0.0, THOROUGH_S + 2)
    assert seen() is None

    # Nor is one put off for ever.
    kept, seen = old_knot()
    grow_up(WORTH)
    put.look(0.0, THOROUGH_S + 3)
    kept.clear()
    put.look(1.0, 4 * THOROUGH_S)
    assert seen() is None


def test_the_more_urgent_it_is_the_busier_the_loop_may_be() -> None:
    assert [is_time(0.4, each) for each in (0.0, 0.5, 1.0)] == [False, True, True]
    assert [is_time(1.0, each) for each in (0.0, 0.5, 1.0)] == [False, False, True]


async def test_a_loop_with_nothing_to_do_is_calm(
    put: Garbage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage, "CHECK_S", 0.01)
    kept, seen = old_knot()
    kept.clear()
    grow_up(WORTH)
    looking = asyncio.create_task(garbage.look_when_calm(put))
    await until(lambda: seen() is None)
    looking.cancel()


def test_what_is_free_is_given_back_once_a_busy_loop_has_become_calm(
    put: Garbage, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []
    for now, busy in enumerate([BUSY, CALM, 0.0, BUSY, BUSY, CALM, 0.0]):
        monkeypatch.setattr(garbage, "give_back", partial(given.append, now))
        put.look(busy, now)
    assert given == [1, 5]


@pytest.mark.skipif(sys.platform != "linux", reason="memory is looked up as Linux says it")
def test_what_is_free_below_something_needed_is_given_back() -> None:
    share_heap()
    pieces = [bytearray(BYTES) for _ in range(PIECES)]
    needed = bytearray(BYTES)
    held = resident_mib()
    pieces.clear()
    give_back()
    assert held - resident_mib() > PIECES * BYTES / MIB / 2
    assert len(needed) == BYTES


def test_another_c_library_is_asked_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other:
        """A library that has neither function."""

    monkeypatch.setattr(ctypes, "CDLL", lambda _: Other())
    for platform in ("darwin", "win32", "linux"):
        monkeypatch.setattr(sys, "platform", platform)
        share_heap()
        give_back()
