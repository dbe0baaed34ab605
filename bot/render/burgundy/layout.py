"""The layout of Burgundy's pictures, read and checked once from data/burgundy/layout.toml."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from bot.game.burgundy.data import COLOUR_KEYS, DEPOTS, SIDES
from bot.render.layout import Area, CommonLabels, Spot, Strict, check_counts, read
from bot.render.seats import SEATS
from bot.render.theme import Colour, Mix, Palette
from bot.resources import Traversable, data

DATA = data("burgundy", "layout.toml")
FEWEST = 2
"""Players of the smallest table; `Layout.tables` begins with it."""

RIM = 0.45
"""White in the line along the inside of a tile's edge."""

GONE = (0.45, 0.78)
"""What is under it in the symbol, and in the rest, of the place of a tile that is gone."""


class BurgundyColours(Strict, frozen=True):
    """Colours by what they are for."""

    ink: Colour
    soft: Colour
    paper: Colour
    shade: Colour
    bar: Colour
    dusk: Colour
    cream: Colour
    gold: Colour
    white: Colour
    slope: Colour
    vine: Colour
    leaf: Colour
    night: Colour
    dim: Colour
    earth: Colour
    mark: Colour
    fresh: Colour
    red: Colour
    wood: Colour
    straw: Colour
    stone: Colour
    slate: Colour
    silver: Colour
    skin: Colour
    pink: Colour


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


class BurgundyGoodLook(Strict, frozen=True):
    """How a kind of goods looks."""

    fill: Colour
    writing: Colour


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
    legend: int
    """Height of a line of the legend."""


class BurgundyLabels(CommonLabels, frozen=True):
    """The words on the picture, in one language; the data file has them in English."""

    track: str
    board: str
    castle: str
    turn: str
    extra: str
    warehouse: str
    carpenter: str
    church: str
    market: str
    city_hall: str
    load: str


class BurgundyLayout(Strict, frozen=True):
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
    colours: BurgundyColours
    tiles: dict[str, TileLook]
    goods: tuple[BurgundyGoodLook, ...]
    labels: BurgundyLabels


def load(path: Traversable = DATA) -> BurgundyLayout:
    """The layout of a data file. Raises msgspec.ValidationError or ValueError if it is invalid."""
    layout = read(path, BurgundyLayout)
    check_counts(
        path,
        ("depots", len(layout.depots), DEPOTS),
        ("large depots", len(layout.depots_close_up.depots), DEPOTS),
        ("goods", len(layout.goods), SIDES),
        ("tables", len(layout.tables), len(SEATS) - FEWEST + 1),
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
LABELS = LAYOUT.labels
ON_BOARD = DepotPlan(LAYOUT.depots, LAYOUT.black, LAYOUT.tile, 6)
COLOURS = LAYOUT.colours
LOOKS = tuple(LAYOUT.tiles[key] for key in COLOUR_KEYS)
"""By number of the tiles' colour."""


@lru_cache(maxsize=1)
def palette() -> Palette:
    """The pictures' palette."""
    flat = [shade for look in LOOKS for shade in (look.fill, look.pale, look.deep)]
    flat += [good.fill for good in LAYOUT.goods] + [seat.fill for seat in SEATS]
    flat += msgspec.structs.astuple(COLOURS)
    mixes = [each for look in LOOKS for each in (look.faint, look.edge)]
    # The rims of tiles, and the empty places they leave.
    mixes += [(look.fill, COLOURS.white, RIM) for look in LOOKS]
    grounds = (COLOURS.paper, COLOURS.night)
    mixes += [(look.fill, each, share) for look in LOOKS for each in grounds for share in GONE]
    return Palette(flat, [COLOURS.ink, COLOURS.paper], mixes)
