"""The layout of the board's picture, read and checked once from data/kogge/layout.toml."""

from __future__ import annotations

from enum import StrEnum

from bot.game.content import Strict, read
from bot.game.kogge.data import CITIES, GOODS
from bot.game.kogge.state import KoggeRules
from bot.game.kogge.turn import TURNS
from bot.render.layout import (
    Area,
    GameLayout,
    Look,
    Spot,
    check_counts,
    check_names,
)
from bot.render.palettes import colours
from bot.render.sides import SIDE_LOOKS
from bot.render.sprites import Point
from bot.render.theme import Colour, Palette
from bot.resources import Traversable, data

DATA = data("kogge", "layout.toml")

CAPTIONS = ("pairs", "bag", "reserve", "chits")
"""The labels of the market."""
LETTERS = "letters"
"""The label that has the letter of each good."""
_OTHERS = (LETTERS, "round", "english", "italian", "free", "legend")
"""Labels beside those of what is asked, and of variants."""

Outline = tuple[Point, ...]


class Quay(StrEnum):
    """The side of a city's board on which ships moor."""

    ABOVE = "above"
    BELOW = "below"


class KoggeGoodLook(Look, frozen=True):
    """How a good, its cities and their markers look."""

    light: Colour


class CitySpot(Strict, frozen=True):
    """Where a city's board lies (its centre), its quay, and where courses begin and end."""

    at: Spot
    quay: Quay
    port: Spot


class Coast(Strict, frozen=True):
    """A closed smooth coastline."""

    points: tuple[Spot, ...]


class Rose(Strict, frozen=True):
    """The wind rose."""

    at: Spot
    radius: int


class Lettering(Strict, frozen=True):
    """A name written on the map."""

    text: str
    at: Spot
    size: int


class Spots(Strict, frozen=True):
    """Places of something that is there several times."""

    at: tuple[Spot, ...]


class Outlines(Strict, frozen=True):
    """The outlines of pieces in a unit square."""

    sack: Outline
    sack_neck: Outline
    pelt: Outline
    ingot: Outline
    ingot_top: Outline
    gable: Outline


class KoggeLayout(GameLayout, frozen=True):
    """The whole data file."""

    size: Spot
    bar: int
    market: Area
    map: Area
    panels: Area
    panel_gap: int
    plaque: Spot
    middle: Spot
    goods: tuple[KoggeGoodLook, ...]
    cities: tuple[CitySpot, ...]
    coasts: tuple[Coast, ...]
    fairways: Spots
    unknown: Spots
    rose: Rose
    sea_name: Lettering
    hills: Spots
    waves: Spots
    outlines: Outlines


def load(path: Traversable = DATA) -> KoggeLayout:
    """The layout of a data file. Raises msgspec.ValidationError or ValueError if it is invalid."""
    layout = read(path, KoggeLayout)
    labels = (*TURNS.answers, *KoggeRules.__struct_fields__, *CAPTIONS, *_OTHERS)
    check_names(path, layout, labels)
    check_counts(path, ("goods", len(layout.goods), GOODS), ("cities", len(layout.cities), CITIES))
    width, height = layout.size
    left, top, right, bottom = layout.map
    for number, city in enumerate(layout.cities):
        x, y = city.at
        half_width, half_height = layout.plaque[0] // 2, layout.plaque[1] // 2
        if not (left + half_width <= x <= right - half_width):
            raise ValueError(f"{path}: city {number} at x {x} does not fit on the map")
        if not (top + half_height <= y <= bottom - half_height):
            raise ValueError(f"{path}: city {number} at y {y} does not fit on the map")
    if right > width or bottom > height or layout.panels[2] > width or layout.panels[3] > height:
        raise ValueError(f"{path}: the map or the panels reach over the edge of the picture")
    return layout


LAYOUT = load()
OUTLINES = LAYOUT.outlines
COLOURS = colours("kogge")


def _palette() -> Palette:
    """The picture's palette."""
    flat = [shade for seat in SIDE_LOOKS for shade in (seat.fill, seat.dark)]
    flat += [shade for good in LAYOUT.goods for shade in (good.fill, good.light)]
    flat += COLOURS.values()
    return Palette(flat, [COLOURS.ink, COLOURS.paper, COLOURS.sea])


PALETTE = _palette()
