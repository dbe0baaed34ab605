"""What C's library keeps of the memory that was freed."""

from __future__ import annotations

import ctypes
import sys

import pytest

from bot.host.memory import give_back, share_heap
from bot.tools.measures.scale.workers import MIB, resident_mib

PIECES, BYTES = 40_000, 1000
ON_LINUX = pytest.mark.skipif(
    sys.platform != "linux", reason="memory is looked up as Linux says it"
)


@ON_LINUX
def test_what_is_free_below_something_needed_is_given_back() -> None:
    share_heap()
    pieces = [bytearray(BYTES) for _ in range(PIECES)]
    needed = bytearray(BYTES)
    held = resident_mib()
    pieces.clear()
    give_back()
    assert held - resident_mib() > PIECES * BYTES / MIB / 2
    assert len(needed) == BYTES


@pytest.mark.parametrize("platform", ["darwin", "win32", "linux"])
def test_another_c_library_is_asked_for_nothing(
    monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    class Other:
        """A library that has neither function."""

    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(ctypes, "CDLL", lambda _: Other())
    share_heap()
    give_back()
