"""What is asked of the memory's owners: Python's collector and C's library."""

from __future__ import annotations

import ctypes
import gc
import sys

import pytest

from bot.host.memory import prepare_memory


def test_a_c_library_without_settings_is_asked_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds = gc.get_threshold()
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    try:
        for platform in ("darwin", "win32", "linux"):
            monkeypatch.setattr(sys, "platform", platform)
            prepare_memory()
            assert gc.get_threshold()[:2] == thresholds[:2]
    finally:
        gc.set_threshold(*thresholds)
