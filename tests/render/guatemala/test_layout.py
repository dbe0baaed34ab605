"""The layout file is read strictly."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.game.guatemala.plantation import board_for
from bot.render.guatemala.base import ground_of, inside
from bot.render.guatemala.layout import DATA, LAYOUT, load, palette
from tests.render.mistakes import check_is_named


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('jungle = "#3f6b52"', 'jungle = "green"', "regex"),
        ("bar = 76", "barr = 76", "barr"),
        ("[634, 1256]", "[934, 1256]", "934, 1256"),
        ("[zones.coast]", "[zones.beach]", "beach"),
        ('refill = "Put in a sack"', "", "labels has no refill"),
        ('jungle = "#3f6b52"', "", "colours has no jungle"),
        ("[[634, 836], [634, 1151]]", "[[634, 836]]", "1 panels for 2 players"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, old: str, new: str, error: str) -> None:
    check_is_named(load, DATA, tmp_path, old, new, error)


def test_every_flat_colour_is_in_the_palette() -> None:
    assert set(LAYOUT.colours.values()) <= set(palette().colours)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_of_the_land_and_every_port_lie_within_the_score_track(players: int) -> None:
    ground = ground_of(players)
    left, top, right, bottom = inside(ground.plan)
    areas = [ground.land, *map(ground.port, ground.ports)]
    assert len(areas) == 1 + len(board_for(players).ports)
    for area in areas:
        assert left <= area[0] < area[2] <= right
        assert top <= area[1] < area[3] <= bottom
