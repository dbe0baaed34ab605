"""What an observer may know of a table of Burgundy, in the words of its notation.

Tiles are keys (``cow3``, ``k7``), spaces names (``a1`` to ``g4``), depots ``1`` to ``6`` and
``black``, goods ``1`` to ``6``, colours keys. What is printed on a board is in boards.py.
"""

from __future__ import annotations

import msgspec

from bot.game.burgundy.state import BurgundyState
from bot.game.contract import Outcome
from bot.game.hidden import View

Counts = tuple[int, ...]
Rows = tuple[tuple[str, int], ...]
"""Names with a number each."""


class Take(msgspec.Struct, frozen=True):
    """Tiles that a die can take from a depot for so many workers."""

    depot: str
    tiles: tuple[str, ...]
    workers: int


class EstatePlace(msgspec.Struct, frozen=True):
    """A tile that a die can place on a space for so many workers.

    `points` are scored immediately: animals, a watchtower, region, phase and colour.
    """

    tile: str
    space: str
    workers: int
    points: int


class Sale(msgspec.Struct, frozen=True):
    """Goods that a die can sell for so many workers, and what that brings."""

    good: str
    count: int
    workers: int
    points: int
    silverlings: int


class Use(msgspec.Struct, frozen=True):
    """What can be done with a die (``1`` to ``6``, or ``any`` for an effect).

    `gain` are the workers and silverlings of the action that takes workers, None where it is not
    possible.
    """

    die: str
    takes: tuple[Take, ...]
    places: tuple[EstatePlace, ...]
    sales: tuple[Sale, ...]
    gain: tuple[int, int] | None


class RegionView(msgspec.Struct, frozen=True):
    """A region of an estate: its empty spaces, and the points for completing it now.

    The points include those for the phase. They are 0 for a completed one.
    """

    colour: str
    spaces: tuple[str, ...]
    empty: tuple[str, ...]
    points: int


class ColourView(msgspec.Struct, frozen=True):
    """A colour: the seats that have covered all of it, in order, and the bonuses not yet taken.

    The first of the seats own a bonus tile each.
    """

    colour: str
    seats: tuple[int, ...]
    left: Counts


class DepotView(msgspec.Struct, frozen=True):
    """A depot with its tiles, and its goods by number (none on the black depot)."""

    depot: str
    tiles: tuple[str, ...]
    goods: Counts


class BurgundySeatView(msgspec.Struct, frozen=True):
    """A seat. `board` is 0 before it has one; `estate` lists a tile or None by space.

    `goods` and `sold` count by number; `sold` is None where it is hidden from this observer.
    `points` are the rows of what has been scored, `prospects` those of what would be scored if
    the game ended now, as far as the observer can know. `worth` has, by space, the points for
    completion that covering it now would bring. `empty` counts the empty spaces by colour.
    """

    board: int
    estate: tuple[str | None, ...]
    storage: tuple[str, ...]
    goods: Counts
    sold: Counts | None
    sold_count: int
    silverlings: int
    workers: int
    dice: Counts
    knowledge: Counts
    track: int
    """The space on the turn track, 1 to 7."""
    total: int
    points: Rows
    prospects: Rows
    regions: tuple[RegionView, ...]
    worth: Counts
    empty: Rows
    bonuses: Rows
    """The bonus tiles owned: colours and points."""


class BurgundyView(View[BurgundyState], frozen=True):
    """The table as `observer` may know it.

    `asked` is the kind of what is being asked: board, castle, turn, extra (a castle's action),
    warehouse, carpenter, church, market, city_hall, load, over. `active` lists the seats
    everybody waits for. `phase` is a letter, '' during the set-up, `round` 1 to 5 in it.
    """

    asked: str
    active: Counts
    phase: str
    round: int
    order: Counts
    """The seats in the order of this round."""
    next_order: Counts
    """The order as it would be in the next round."""
    track: tuple[Counts, ...]
    """By space of the turn track, the seats on it from the bottom to the top."""
    turn: int | None
    """Whose turn it is; None outside turns."""
    left: Counts
    """The dice not used yet in this turn."""
    bought: bool
    """Whether a tile has been bought in this turn."""
    white: int
    """The white die of this round; 0 before the first."""
    depots: tuple[DepotView, ...]
    """The six numbered depots and the black one."""
    coming: tuple[str, ...]
    """The goods of this phase that are still to come, the next one first."""
    stacks: Rows
    """Tiles still to be drawn: by colour, and with black backs as ``black``."""
    removed: Counts
    """Tiles that have left the game before everybody's eyes, counted in the order of tiles."""
    colours: tuple[ColourView, ...]
    uses: tuple[Use, ...]
    """What the seat on turn can do with each die now, or with an effect."""
    purchases: tuple[tuple[str, tuple[str, ...]], ...]
    """What the seat on turn can buy now: depots and their tiles."""
    seats: tuple[BurgundySeatView, ...]
    chosen: str | None
    """The observer's own sealed choice of a space for the castle."""
    loaded: str | None
    """The depot that a ship with knowledge tile 5 has loaded from already."""
    loads: tuple[str, ...]
    """The depots with goods that a ship can load now, while it is asked for one."""
    variants: tuple[str, ...]
    """Departures from the default rules: names of fields of `Rules`."""
    outcome: Outcome | None
