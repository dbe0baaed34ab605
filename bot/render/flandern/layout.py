"""The layout of the pictures of Flandern 1302, read and checked from data/flandern/layout.toml."""

from __future__ import annotations

from bot.game.content import Strict, read
from bot.game.flandern.game import ASKED
from bot.game.flandern.plan import CITIES
from bot.render.flandern import pieces
from bot.render.layout import (
    Area,
    GameLayout,
    Spot,
    check_counts,
    check_names,
)
from bot.render.palettes import colours
from bot.render.sides import SIDE_LOOKS
from bot.render.theme import Palette
from bot.resources import Traversable, data

DATA = data("flandern", "layout.toml")
FEWEST = 2
"""Players of the smallest table; `FlandernLayout.tables` begins with it."""

_MARGIN = 6
"""Pixels below the panels."""
_CAPTIONS = ("round", "scored", "free", "now", "full", "missing", "golden", "legend")


class CellPlan(Strict, frozen=True):
    """What the cell of a city has of its height for its name, `head`, and for who leads, either
    below it, `foot`, or to its right, `side`; a unit of its plan has at most `widest` pixels."""

    head: int
    widest: int
    foot: int = 0
    side: int = 0


class CityPlan(Strict, frozen=True):
    """How large the cell of a city is, and how it is divided."""

    size: Spot
    cell: CellPlan


class SeatPlan(Strict, frozen=True):
    """Where everything lies in a player's panel, from its top left corner."""

    size: Spot
    laid: Spot
    """The middle of the card laid in this round."""
    stock: Spot
    pile: int
    open: Spot
    """The upper left corner of the first card lying open."""
    room: int
    """For all of these."""
    card: int
    """Their width at most."""
    hand: Spot | None = None
    """How many cards it has; None where they are shown."""
    influence: Spot | None = None
    """Its influence cards, where they are not beside that."""


class SeatsPlan(Strict, frozen=True):
    """The corners of the panels for a number of players."""

    at: tuple[Spot, ...]
    panel: SeatPlan

    @property
    def height(self) -> int:
        """Of the picture."""
        return self.at[0][1] + self.panel.size[1] + _MARGIN


class CardsCloseUp(Strict, frozen=True):
    """The cards of a player large, in a panel: the upper left corner of the first card of the hand,
    and the width of each at most; that of the influence cards, and the `room` for them."""

    hand: Spot
    card: int
    influence: Spot
    room: int
    panel: SeatPlan


class FlandernLayout(GameLayout, frozen=True):
    """The whole data file."""

    width: int
    bar: int
    supply: Area
    cities: tuple[Spot, ...]
    city: CityPlan
    tables: tuple[SeatsPlan, ...]
    close_up: CityPlan
    cards: CardsCloseUp


def load(path: Traversable = DATA) -> FlandernLayout:
    """The layout of a data file. Raises msgspec.ValidationError or ValueError if it is invalid."""
    layout = read(path, FlandernLayout)
    check_names(path, layout, (*ASKED, *CITIES, *_CAPTIONS))
    check_counts(
        path,
        ("cities", len(layout.cities), len(CITIES)),
        ("tables", len(layout.tables), len(SIDE_LOOKS) - FEWEST + 1),
    )
    for players, table in enumerate(layout.tables, FEWEST):
        if len(table.at) != players:
            raise ValueError(f"{path}: {len(table.at)} panels for {players} players")
        for x, y in table.at:
            if x + table.panel.size[0] > layout.width:
                raise ValueError(f"{path}: the panel at {x}, {y} reaches over the picture's edge")
    return layout


LAYOUT = load()
COLOURS = colours("flandern")


def _palette() -> Palette:
    """The pictures' palette. It has few blends: edges are so many that each would be felt in the
    size of the file."""
    flat = [*pieces.FLAT, *COLOURS.values()]
    flat += [tone for look in SIDE_LOOKS for tone in (look.fill, look.dark)]
    blends = [(tone, COLOURS.ink, 0.5) for tone in flat]
    blends += [(COLOURS.ink, COLOURS.paper, share) for share in (0.25, 0.75)]
    return Palette(flat, (), blends)


PALETTE = _palette()
