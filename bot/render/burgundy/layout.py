"""The layout of Burgundy's pictures, read and checked once from data/burgundy/layout.toml."""

from __future__ import annotations

from bot.game.burgundy.data import COLOUR_KEYS, CONTENT, DEPOTS, SIDES
from bot.game.burgundy.game import TURNS
from bot.game.content import Strict, read
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
from bot.render.theme import Colour, Mix, Palette
from bot.resources import Traversable, data

DATA = data("burgundy", "layout.toml")
FEWEST = 2
"""Players of the smallest table; `Layout.tables` begins with it."""

GONE = (0.45, 0.78)
"""What is under it in the symbol, and in the rest, of the place of a tile that is gone."""


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
    """Where everything lies in a player's panel, from its top left corner: left edges and middles.

    The estate and the tiles in storage have their middles instead.
    """

    size: Spot
    head: int
    """Height of the band with emblem and name."""
    radius: int
    """Of a space of the estate."""
    centre: Spot
    purse: tuple[Spot, Spot]
    """Of workers and silverlings."""
    goods: tuple[Spot, ...]
    sold: Spot
    bonuses: tuple[Spot, ...]
    storage: tuple[Spot, ...]
    store: int
    """Radius of a tile in the storage."""
    icon: int
    """Pixels of the signs of the purse."""
    good: int
    """Pixels of goods."""
    named: bool = False
    """Whether each space of the estate says what it is called."""


class DepotPlan(Strict, frozen=True):
    """Where the numbered depots lie, and things in one of them, from its top left corner."""

    areas: tuple[Area, ...]
    tiles: tuple[int, ...]
    """Radius of a tile by the number of players."""
    die: int
    at: Spot
    """The corner of the die."""
    first: Spot
    """Left edge and middle of the first tile."""
    goods: tuple[Area, ...]
    """Where its goods lie by the number of players, from its top left corner."""
    loaded: Spot
    """Left edge and middle of a ship that has just loaded."""
    in_a_row: int
    """Tiles of the black depot."""


class TableLayout(Strict, frozen=True):
    """The picture for a number of players: its height, the corners of their panels, the black depot
    and the bonus tiles."""

    height: int
    at: tuple[Spot, ...]
    black: Area
    bonuses: Area


class DepotsPlan(Strict, frozen=True):
    """A picture with the depots, without the legend under it."""

    width: int
    height: int
    depots: DepotPlan
    black: Area


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
    track: Area
    steps: int
    """From the left edge of the turn track to its first space."""
    depots: DepotPlan
    tables: tuple[TableLayout, ...]
    panel: PanelLayout
    close_up: EstatePlan
    depots_close_up: DepotsPlan
    turn: DepotsPlan
    """The depots of the picture with one's own estate, which lies beside them as in its panel."""
    tiles: dict[str, TileLook]
    goods: tuple[Look, ...]


def load(path: Traversable = DATA) -> BurgundyLayout:
    """The layout of a data file. Raises msgspec.ValidationError or ValueError if it is invalid."""
    layout = read(path, BurgundyLayout)
    check_names(
        path,
        layout,
        (*TURNS.answers, "track", "legend", "phase", "round", "black"),
    )
    check_counts(path, ("goods", len(layout.goods), SIDES))
    check_counts(path, ("tables", len(layout.tables), len(SIDE_LOOKS) - FEWEST + 1))
    for plan in (layout.depots, layout.depots_close_up.depots, layout.turn.depots):
        check_counts(path, ("depots", len(plan.areas), DEPOTS))
        check_counts(path, ("sizes of tiles in depots", len(plan.tiles), len(layout.tables)))
        check_counts(path, ("places for goods in depots", len(plan.goods), len(layout.tables)))
    for panel in (layout.panel, layout.close_up.panel):
        check_counts(
            path,
            ("places for goods", len(panel.goods), CONTENT.goods_spaces),
            ("places in the storage", len(panel.storage), CONTENT.storage_spaces),
            ("places for bonus tiles", len(panel.bonuses), len(COLOUR_KEYS)),
        )
    if tuple(layout.tiles) != COLOUR_KEYS:
        raise ValueError(f"{path}: the tiles are {list(layout.tiles)}, not {list(COLOUR_KEYS)}")
    for players, table in enumerate(layout.tables, FEWEST):
        if len(table.at) != players:
            raise ValueError(f"{path}: {len(table.at)} panels for {players} players")
        width, height = layout.panel.size
        for x, y in table.at:
            if x + width > layout.width or y + height > table.height:
                raise ValueError(f"{path}: the panel at {x}, {y} reaches over the picture's edge")
    return layout


LAYOUT = load()
COLOURS = colours("burgundy")
LOOKS = tuple(LAYOUT.tiles[key] for key in COLOUR_KEYS)
"""By number of the tiles' colour."""


def _palette() -> Palette:
    """The pictures' palette."""
    flat = [shade for look in LOOKS for shade in (look.fill, look.pale, look.deep)]
    flat += [good.fill for good in LAYOUT.goods] + [seat.fill for seat in SIDE_LOOKS]
    flat += COLOURS.values()
    mixes = [each for look in LOOKS for each in (look.faint, look.edge)]
    # The empty places that tiles leave.
    grounds = (COLOURS.paper, COLOURS.night)
    mixes += [(look.fill, each, share) for look in LOOKS for each in grounds for share in GONE]
    return Palette(flat, [COLOURS.ink, COLOURS.paper], mixes)


PALETTE = _palette()
