"""The layout of Guatemala Café's pictures, read and checked from data/guatemala/layout.toml."""

from __future__ import annotations

from bot.game.content import Strict, read
from bot.game.guatemala import GAME
from bot.game.guatemala.data import CONTENT
from bot.render.guatemala import pieces
from bot.render.layout import (
    Area,
    GameLayout,
    Spot,
    check_counts,
    check_names,
)
from bot.render.palettes import colours
from bot.render.sides import SIDE_LOOKS
from bot.render.theme import Colour, Palette
from bot.resources import Traversable, data

DATA = data("guatemala", "layout.toml")
FEWEST = 2
"""Players of the smallest table; `GuatemalaLayout.tables` begins with it."""

_CAPTIONS = (
    *("round", "blocked", "more"),
    *("production", "plantations", "left", "right", "path", "legend", "coffees"),
)


class ZoneLook(Strict, frozen=True):
    """How a zone looks: its land, and on each cell the shapes of what grows or rises there, in
    hundredths of a cell's height around its middle."""

    land: Colour
    growth: Colour
    shapes: tuple[tuple[tuple[float, float], ...], ...]


class PlantationPlan(Strict, frozen=True):
    """Where a plantation board lies, and how large its cells are."""

    area: Area
    sea: int
    """Height of the sea above the land."""
    land: Spot
    """The upper left corner of cell a1."""
    cell: Spot
    """Width and height of a cell."""
    columns: int
    dock: int
    """From one dock of a port to the next."""


class PanelPlan(Strict, frozen=True):
    """Where everything lies in a player's panel, from its top left corner."""

    size: Spot
    head: int
    """Height of the band with emblem, name and score."""
    sign: int
    """Size of the signs of money and sacks, and of their counts."""
    money: Spot
    sacks: Spot
    cards: Spot
    """Of what the plantations would score: the upper left corner of the first card."""
    card: Spot
    """Width and height of a card."""
    step: int
    """From one card to the next."""
    large: int
    """Size of its piece."""
    piece: Spot
    """The middle of its piece, from the corner of the card."""
    figure: int
    """Size of the points; what stands beside them is smaller."""
    times: Spot
    """The middle of how the points come about, from the corner of the card."""
    points: Spot
    """The same of the points."""
    hand: Spot
    """The same of the sacks of its colour in hand."""


class TablePlan(Strict, frozen=True):
    """The corners of the panels for a number of players."""

    at: tuple[Spot, ...]
    panel: PanelPlan


class CloseUpPlan(Strict, frozen=True):
    """The parts of the table large, under a dark bar."""

    head: int
    """Height of the bar."""
    line: int
    """Height of the buyer's line below a board."""
    production: Area
    plantations: tuple[PlantationPlan, PlantationPlan]
    """Of a half of the board without paths, and of a path."""
    boards: tuple[PlantationPlan, PlantationPlan]
    """Of the whole boards without paths and with them."""


class GuatemalaLayout(GameLayout, frozen=True):
    """The whole data file."""

    width: int
    height: int
    bar: int
    production: Area
    track: Area
    plantations: tuple[PlantationPlan, ...]
    zones: dict[str, ZoneLook]
    tables: tuple[TablePlan, ...]
    close_up: CloseUpPlan


def load(path: Traversable = DATA) -> GuatemalaLayout:
    """The layout of a data file. Raises msgspec.ValidationError or ValueError if it is invalid."""
    layout = read(path, GuatemalaLayout)
    check_names(path, layout, (*GAME.turns.answers, *_CAPTIONS))
    check_counts(path, ("tables", len(layout.tables), len(SIDE_LOOKS) - FEWEST + 1))
    if tuple(layout.zones) != (zones := tuple(zone.key for zone in CONTENT.zones)):
        raise ValueError(f"{path}: the zones are {list(layout.zones)}, not {list(zones)}")
    for players, table in enumerate(layout.tables, FEWEST):
        if len(table.at) != players:
            raise ValueError(f"{path}: {len(table.at)} panels for {players} players")
        width, height = table.panel.size
        for x, y in table.at:
            if x + width > layout.width or y + height > layout.height:
                raise ValueError(f"{path}: the panel at {x}, {y} reaches over the picture's edge")
    return layout


LAYOUT = load()
COLOURS = colours("guatemala")


def _palette() -> Palette:
    """The pictures' palette."""
    flat = [*pieces.FLAT, *COLOURS.values()]
    flat += [tone for zone in LAYOUT.zones.values() for tone in (zone.land, zone.growth)]
    flat += [tone for look in SIDE_LOOKS for tone in (look.fill, look.dark)]
    return Palette(flat, [COLOURS.ink, COLOURS.paper])


PALETTE = _palette()
