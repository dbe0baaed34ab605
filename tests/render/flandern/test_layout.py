"""The layout file is read strictly, and every city fits its cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.game.flandern.city import build
from bot.game.flandern.data import CHURCH, FIRST_SPECIAL
from bot.game.flandern.plan import PLOT_NAMES, PLOT_OF_NAME, A, C, members
from bot.render.flandern.ground import fitted
from bot.render.flandern.layout import DATA, LAYOUT, load, palette
from bot.render.flandern.outlines import bounds, outline
from tests.game.flandern.positions import city_of
from tests.render.mistakes import check_is_named


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('field = "#a9b77f"', 'field = "green"', "regex"),
        ("bar = 76", "barr = 76", "barr"),
        ("[704, 1286]", "[1104, 1286]", "1104, 1286"),
        ('site = "Put up a site"', "", "labels has no site"),
        ('luik = "Luik"', "", "labels has no luik"),
        ('mark = "#b0127b"', "", "colours has no mark"),
        ("[[6, 1286], [703, 1286]]", "[[6, 1286]]", "1 panels for 2 players"),
        ("[6, 82], [470, 82], ", "[6, 82], ", "5 cities"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, old: str, new: str, error: str) -> None:
    check_is_named(load, DATA, tmp_path, old, new, error)


def test_every_flat_colour_is_in_the_palette() -> None:
    assert set(LAYOUT.colours.values()) <= set(palette().colours)


@pytest.mark.parametrize("long", ["p1", "p2", "p3", "p4"])
@pytest.mark.parametrize("bar", ["r1", "r2", "r3", "r4"])
def test_a_city_that_the_church_has_made_larger_lies_within_its_cell(long: str, bar: str) -> None:
    city = city_of("luik")
    build(city, CHURCH, FIRST_SPECIAL + A, PLOT_OF_NAME[long], site=False)
    build(city, CHURCH, FIRST_SPECIAL + C, PLOT_OF_NAME[bar], site=False)
    names = [PLOT_NAMES[plot] for plot in members(city.free)]
    area = (7, 53, 450, 440)
    ground = fitted(area, tuple(names), LAYOUT.city.cell.widest)
    for name in names:
        left, top, right, bottom = bounds(map(ground.at, outline(name)))
        assert area[0] <= left < right <= area[2]
        assert area[1] <= top < bottom <= area[3]
