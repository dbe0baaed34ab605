"""A turn takes few presses: whatever the usual computer player wants is reached in a panel."""

from __future__ import annotations

import asyncio
from statistics import median

import pytest

from bot.titles import TITLES
from bot.tools.measures import presses

MOST = {"kogge": 5, "burgundy": 4, "guatemala": 4, "flandern": 4}
"""Presses a round of one player, the opening of the panel included: half of the games' turns."""
TURNS = 5


def test_half_of_all_turns_take_few_presses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presses, "MOST_TURNS", TURNS)
    for game, most in MOST.items():
        found = asyncio.run(presses.counted(TITLES[game], (1,)))
        assert len(found.turns) >= TURNS, game
        assert median(found.turns.values()) <= most, game
