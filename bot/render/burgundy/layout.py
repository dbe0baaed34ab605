"""The layout of Burgundy's pictures, read and checked once from data/burgundy/layout.toml."""

from __future__ import annotations

from functools import lru_cache

from bot.game.burgundy.data import COLOUR_KEYS, DEPOTS, SIDES
from bot.game.burgundy.turn import TURNS
from bot.game.content import Strict, read
from bot.render.layout import (
    Area,
    CommonColours,
    GameLayout,
    Look,
    Spot,
    check_counts,
    check_names,
    colours_of,
)
from bot.render.sides import SIDE_LOOKS
from bot.render.theme import Colour, Mix, Palette
from bot.resources import Traversable, data

DATA = data("burgundy", "layout.toml")
FEWEST = 2
"""Players of the smallest table; `Layout.tables` begins with it."""

RIM = 0.45
"""White in the line along the inside of a tile's edge."""

GONE = (0.45, 0.78)
"""What is under it in the symbol, and in the rest, of the place of a tile that is gone."""


class BurgundyColours(CommonColours, frozen=True):
    """Colours by what they are for; those of drawings are read by their names."""

    slope: Colour
    vine: Colour
    night: Colour
    earth: Colour
    mark: Colour
    straw: Colour


class TileLook(Strict, frozen=True):
    """How tiles of a colour, their empty spaces, and what is written on these look."""

    fill: Colour
    pale: Colour
    deep: Colour

    @property
    def faint(self) -> Mix:
        """Of the symbol on an empty space."""
        return self.pale, self.deep, 0.6

    @property
    def edge(self) -> Mix:
        """Between empty spaces of one region."""
        return self.pale, self.deep, 0.3


class PanelLayout(Strict, frozen=True):
    """Where everything lies in a player's panel, from its top left corner."""

    size: Spot
    radius: int
    """Of a space of the estate."""
    centre: Spot
    purse: Spot
    goods: Spot
    sold: Spot
    bonuses: Spot
    storage: Spot
    store: int
    """Radius of a tile in the storage."""
    step: int
    """From one tile of the storage to the next."""


class TableLayout(Strict, frozen=True):
    """The picture for a number of players: its height, and the corners of their panels."""

    height: int
    at: tuple[Spot, ...]
    panel: PanelLayout


class DepotPlan(Strict, frozen=True):
    """Where the depots lie, by their number and the black one, and the radius of their tiles."""

    depots: tuple[Area, ...]
    black: Area
    tile: int
    head: int
    """Pixels over the tiles of a numbered depot."""


class DepotsPlan(DepotPlan, frozen=True):
    """The picture of the depots alone, without the legend under it."""

    width: int
    height: int


class EstatePlan(Strict, frozen=True):
    """The picture of one estate, without the legend under it."""

    width: int
    height: int
    at: Spot
    panel: PanelLayout
    worth: int
    """Size of the points for covering a space."""
    kinds: Spot
    """The sold goods by kind."""
    empty: Spot
    """Spaces still to be covered, by colour."""


class BurgundyLayout(GameLayout, frozen=True):
    """The whole data file."""

    width: int
    bar: int
    board: Area
    track: Area
    tile: int
    bonuses: Area
    black: Area
    depots: tuple[Area, ...]
    tables: tuple[TableLayout, ...]
    close_up: EstatePlan
    depots_close_up: DepotsPlan
    tiles: dict[str, TileLook]
    goods: tuple[Look, ...]


def load(path: Traversable = DATA) -> BurgundyLayout:
    """The layout of a data file. Raises msgspec.ValidationError or ValueError if it is invalid."""
    layout = read(path, BurgundyLayout)
    check_names(path, layout, BurgundyColours, (*TURNS.answers, "track"))
    check_counts(
        path,
        ("depots", len(layout.depots), DEPOTS),
        ("large depots", len(layout.depots_close_up.depots), DEPOTS),
        ("goods", len(layout.goods), SIDES),
        ("tables", len(layout.tables), len(SIDE_LOOKS) - FEWEST + 1),
    )
    if tuple(layout.tiles) != COLOUR_KEYS:
        raise ValueError(f"{path}: the tiles are {list(layout.tiles)}, not {list(COLOUR_KEYS)}")
    for players, table in enumerate(layout.tables, FEWEST):
        if len(table.at) != players:
            raise ValueError(f"{path}: {len(table.at)} panels for {players} players")
        width, height = table.panel.size
        for x, y in table.at:
            if x + width > layout.width or y + height > table.height:
                raise ValueError(f"{path}: the panel at {x}, {y} reaches over the picture's edge")
    return layout


LAYOUT = load()
ON_BOARD = DepotPlan(LAYOUT.depots, LAYOUT.black, LAYOUT.tile, 6)
COLOURS = colours_of(LAYOUT, BurgundyColours)
LOOKS = tuple(LAYOUT.tiles[key] for key in COLOUR_KEYS)
"""By number of the tiles' colour."""


@lru_cache(maxsize=1)
def palette() -> Palette:
    """The pictures' palette."""
    flat = [shade for look in LOOKS for shade in (look.fill, look.pale, look.deep)]
    flat += [good.fill for good in LAYOUT.goods] + [seat.fill for seat in SIDE_LOOKS]
    flat += LAYOUT.colours.values()
    mixes = [each for look in LOOKS for each in (look.faint, look.edge)]
    # The rims of tiles, and the empty places they leave.
    mixes += [(look.fill, COLOURS.white, RIM) for look in LOOKS]
    grounds = (COLOURS.paper, COLOURS.night)
    mixes += [(look.fill, each, share) for look in LOOKS for each in grounds for share in GONE]
    return Palette(flat, [COLOURS.ink, COLOURS.paper], mixes)
