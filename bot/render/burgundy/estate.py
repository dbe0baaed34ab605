"""A player's panel with the estate, small on the table or large as a close-up; and the marks for
recent events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeVarTuple

from msgspec.structs import asdict
from PIL import Image

from bot.game.bits import members
from bot.game.burgundy.data import (
    ALL,
    BOARDS,
    CASTLE_TILE,
    GOODS_LETTERS,
    SPACE_OF_NAME,
    SPACES,
    TILE_KEYS,
    Board,
)
from bot.game.burgundy.dice import Bought, Taken, dice
from bot.game.burgundy.game import GAME
from bot.game.burgundy.goods import Loaded, MovedAhead, Sold
from bot.game.burgundy.placing import (
    ColourCompleted,
    Placed,
    completed,
    scores,
    total,
    ways_to_place,
)
from bot.game.burgundy.rounds import CastlePlaced, GoodsPlaced, bonus_tiles, castle_chosen
from bot.game.burgundy.state import (
    NONE,
    BurgundyOver,
    BurgundyPlayer,
    BurgundyView,
    knows_sold,
    on_turn,
    turn_of,
)
from bot.game.contract import Event, Seat
from bot.render.asked import LayeredCanvas, Place, square
from bot.render.burgundy import pieces
from bot.render.burgundy.pieces import COLOURS, LOOKS, corners, half_width
from bot.render.cache import cached
from bot.render.drawing import ScaledPen
from bot.render.fonts import Face
from bot.render.panels import draw_count, draw_header, draw_place, gain, paint_panel
from bot.render.picture import Scene
from bot.render.sprites import Align, Area, Backdrop, Pen, Point, Spot, paint
from bot.render.theme import mix


class Marks:
    """What recent events changed, in words of the notation; gains and costs by seat."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.spaces = [
            (each.seat, each.space) for each in events if isinstance(each, CastlePlaced | Placed)
        ]
        self.taken = [
            (each.depot, each.tile, each.seat)
            for each in events
            if isinstance(each, Taken | Bought)
        ]
        """Depots, the tiles taken from them, and the seats that took them."""
        self.placed_goods = [
            (each.depot, each.good) for each in events if isinstance(each, GoodsPlaced)
        ]
        """Depots, and the goods placed there."""
        self.loads = [
            (each.depot, each.seat, each.goods) for each in events if isinstance(each, Loaded)
        ]
        self.ahead = [each.seat for each in events if isinstance(each, MovedAhead)]
        self.colours = [
            (each.seat, each.colour) for each in events if isinstance(each, ColourCompleted)
        ]
        """Completed colours."""
        self.changes: dict[str, Counter[Seat]] = {
            kind: Counter() for kind in ("points", "workers", "silverlings", "sold")
        }
        points, workers, silverlings, sold = self.changes.values()
        for event in events:
            facts = Counter({fact: n for fact, n in asdict(event).items() if isinstance(n, int)})
            points[facts["seat"]] += facts["points"] + facts["bonus"]
            workers[facts["seat"]] += facts["workers"] - facts["spent"]
            silverlings[facts["seat"]] += facts["silverlings"] - facts["price"]
            if isinstance(event, Sold):
                sold[event.seat] += event.count


_HEDGE = 6
"""Width in pixels of the outer hedge beyond the outermost spaces."""


def size(radius: int) -> tuple[int, int]:
    """Return the width and height of an estate whose spaces have this radius."""
    return 14 * half_width(radius) + 2 * _HEDGE, 11 * radius + 2 * _HEDGE


def middle(centre: Point, radius: int, space: int) -> Point:
    """Return the middle of a space in an estate around a point."""
    at = SPACES[space]
    return centre[0] + half_width(radius) * (2 * at.q + at.r), centre[1] + radius * 1.5 * at.r


@cached
def estate(number: int, radius: int, named: bool) -> Backdrop:
    """Paint a board without tiles: spaces with colours, numbers and symbols, hedges around regions.

    With `named` each space has its name. Board 0, not chosen yet, is bare hexes.
    """
    wide, high = size(radius)
    spots = [middle((wide / 2, high / 2), radius, space) for space in range(len(SPACES))]
    board, hedge = BOARDS.get(number), max(3.0, radius / 11)

    def draw(pen: Pen) -> None:
        for x, y in spots:
            pen.band(corners(x, y, radius), COLOURS.earth, hedge)
        for space, (x, y) in enumerate(spots):
            if board is None:
                pen.polygon(corners(x, y, radius), COLOURS.shade, COLOURS.soft, 1.5)
            else:
                _space(pen, board, space, x, y, radius, named)
        for edge in _borders(board, radius, spots) if board else ():
            pen.line(edge, COLOURS.earth, hedge)

    drawn = paint(wide, high, draw)
    image = Image.new("RGB", (wide, high), COLOURS.paper)
    image.paste(drawn.image, (0, 0), drawn.mask)
    return Backdrop(image)


def _space(
    pen: Pen, board: Board, space: int, x: float, y: float, radius: int, named: bool
) -> None:
    colour = board.region_of[space].colour
    look, foot = LOOKS[colour], y + radius * 0.46
    pen.polygon(corners(x, y, radius), look.pale, mix(*look.edge), max(1.0, radius / 30))
    number, large = str(SPACES[space].number), round(radius * 0.92)
    pen.text((x, y - radius * 0.3), number, look.deep, large, Face.TEXT)
    if named:
        small = round(radius * 0.54)
        pen.text((x + radius * 0.36, foot), SPACES[space].name, look.deep, small, Face.TEXT)
        x -= radius * 0.36
    pieces.SYMBOLS[colour](ScaledPen(pen, x, foot, radius * 0.6), mix(*look.symbol))


def _borders(board: Board, radius: int, spots: list[Point]) -> Iterator[list[Point]]:
    """Yield the edges of the regions, in the order of `corners`."""
    regions = {(space.q, space.r): board.region_of[number] for number, space in enumerate(SPACES)}
    steps = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
    for space, (x, y) in zip(SPACES, spots, strict=True):
        path = corners(x, y, radius)
        for side, (q, r) in enumerate(steps):
            if regions.get((space.q + q, space.r + r)) is not regions[space.q, space.r]:
                yield [path[side], path[(side + 1) % 6]]


HEAD = (48, 64)
"""Height of the band with the name, in a small panel and a large one."""
RADIUS = (40, 58)
"""Radius of a space, in a small panel and a large one."""


def panel_area(at: Spot, large: bool) -> Area:
    """Return the area of a panel with its upper left corner at `at`."""
    width, height = (1072, 734) if large else (543, 512)
    return (*at, at[0] + width, at[1] + height)


def paint_empty(pen: Pen, at: Spot, large: bool, looks: Sequence[int]) -> None:
    paint_panel(pen, panel_area(at, large), HEAD[large], looks)


Ts = TypeVarTuple("Ts")


@dataclass(frozen=True)
class PanelArtist:
    """Draws the panel of one seat at the upper left corner of a canvas.

    Pieces are positioned by left edge and middle; the estate and stored tiles by their middles.
    Places are noted only in the observer's own panel.
    """

    canvas: LayeredCanvas
    scene: Scene[BurgundyView]
    marks: Marks
    seat: int
    large: bool = False

    def draw(self) -> None:
        self._header()
        self._estate()
        self._purse()
        self._goods()
        self._bonuses()
        self._storage()

    @property
    def _player(self) -> BurgundyPlayer:
        return self.scene.view.known.players[self.seat]

    def _note(self, kind: str, word: str, place: Callable[[*Ts], Place], *args: *Ts) -> None:
        if self.seat == self.scene.view.observer:
            self.canvas.note(kind, word, place, *args)

    def _header(self) -> None:
        """Draw, from the right, the points, the place in the turn order, the dice and the name."""
        area, high = panel_area((0, 0), self.large), HEAD[self.large]
        level, size = high // 2, high - 8
        total = pieces.total(sum(self._player.points), high - 2)
        x = self.canvas.stamp_beside(total, area[2] - 8, level, Align.RIGHT) - 4
        if change := self.marks.changes["points"][self.seat]:
            x = self.canvas.stamp_beside(gain(change, 30), x, level, Align.RIGHT)
        x = draw_place(self.canvas, self.scene, self.seat, x - 6, level)
        for value, used in reversed(self._dice()):
            x -= size + 6
            self.canvas.stamp(pieces.die(value, used, size), x, level - size // 2)
            if not used:
                self._note("die", str(value), square, x, level - size // 2, size)
        draw_header(self.canvas, self.scene, self.seat, area, high, x)

    def _dice(self) -> list[tuple[int, bool]]:
        """Return the dice, and whether each has been used in this round."""
        table, rolled = self.scene.view.known, self._player.dice
        turn, place, left = turn_of(table), table.order.index(self.seat), rolled
        if turn is not None and place == table.at:
            left = turn.left
        elif isinstance(table.frames[-1], BurgundyOver) or (turn is not None and place < table.at):
            left = []
        # Of two equal dice the second one is shown as used first.
        return [
            (value, rolled[:at].count(value) >= left.count(value))
            for at, value in enumerate(rolled)
        ]

    def _estate(self) -> None:
        """Draw the tiles; in a large panel also the points for covering each space."""
        view, radius = self.scene.view, RADIUS[self.large]
        x, y = centre = (396, 403) if self.large else (271, 278)
        board = estate(self._player.board, radius, True)
        self.canvas.lay(board, x - board.width // 2, y - board.height // 2)
        tiles = {space: tile for space, tile in enumerate(self._player.estate) if tile != NONE}
        fresh = [SPACE_OF_NAME[name] for seat, name in self.marks.spaces if seat == self.seat]
        if self.seat == view.observer:
            for name, space in SPACE_OF_NAME.items():
                self.canvas.note("space", name, _framed, centre, radius, space)
            if (chosen := castle_chosen(view.known, self.seat)) != NONE:
                tiles[chosen] = CASTLE_TILE
                fresh.append(chosen)
        for space, tile in tiles.items():
            self.canvas.stamp_centred(pieces.tile(tile, radius), *middle(centre, radius, space))
        for space in sorted(fresh):
            self.canvas.stamp_centred(pieces.ring(radius), *middle(centre, radius, space))
        if not self.large:
            return
        for row in "abcdefg":
            left, level = middle(centre, radius, SPACE_OF_NAME[f"{row}1"])
            left = round(left - half_width(radius)) - 20
            self.canvas.text(left, round(level), row, COLOURS.soft, 36, align=Align.CENTRE)
        for space, points in self._points_by_space().items():
            left, level = middle(centre, radius, space)
            sign = pieces.seal(points, 38)
            self.canvas.stamp_centred(sign, left + radius * 0.54, level - radius * 0.03)

    def _points_by_space(self) -> dict[int, int]:
        """Return the immediate points for a tile on each empty space.

        They are the highest for a tile that the seat can place there now, else those for completing
        the region.
        """
        table, player = self.scene.view.known, self._player
        if not table.round:
            return {}
        empty = members(ALL & ~player.covered)
        best = {space: total(completed(table, self.seat, space)) for space in empty}
        if self.seat == on_turn(table) and "place" in GAME.answers[GAME.question(table)]:
            for die in dice(table):
                for tile, space, _ in ways_to_place(player, die):
                    points = total(scores(table, self.seat, tile, space))
                    best[space] = max(points, best[space])
        return {space: points for space, points in best.items() if points}

    def _purse(self) -> None:
        """Draw workers and silverlings; in a large panel also the empty spaces by colour."""
        spots, icon = (((776, 108), (910, 108)), 50) if self.large else (((12, 88), (12, 146)), 42)
        player = self._player
        counts = {"worker": player.workers, "silverling": player.silverlings}
        for (x, level), (name, count) in zip(spots, counts.items(), strict=True):
            end = self.canvas.stamp_beside(pieces.icon(name, icon), x, level)
            draw_count(self.canvas, end + 4, level, count, icon - 4)
            self._change(f"{name}s", x + icon // 2, level)
        board = BOARDS.get(player.board)
        for colour, spaces in enumerate(board.of_colour if board and self.large else ()):
            x, empty = 792 + 50 * colour, (spaces & ~player.covered).bit_count()
            self.canvas.stamp_centred(pieces.symbol(colour, 48), x, 658)
            draw_count(self.canvas, x, 700, empty, 32, Align.CENTRE)

    def _change(self, kind: str, x: int, level: int) -> None:
        """Draw the gain or loss of a kind of piece below its icon."""
        if change := self.marks.changes[kind][self.seat]:
            sign, (*_, bottom) = gain(change, 25), panel_area((0, 0), self.large)
            y = min(level + 24, bottom - sign.height // 2 - 3)
            self.canvas.stamp_centred(sign, max(x, sign.width // 2 + 3), y)

    def _goods(self) -> None:
        """Draw the goods and the pile of sold ones; in a large panel also their kinds."""
        spots, size, (sold, foot) = (
            (((774, 182), (866, 182), (958, 182)), 48, (776, 262))
            if self.large
            else (((413, 88), (475, 88), (457, 146)), 34, (415, 476))
        )
        loaded = "".join(goods for _, seat, goods in self.marks.loads if seat == self.seat)
        goods = zip_longest(spots, nonzero(self._player.goods), fillvalue=(0, 0))
        for (x, level), (kind, count) in goods:
            if not count:
                self.canvas.stamp_beside(pieces.no_good(size), x, level)
                continue
            word = GOODS_LETTERS[kind]
            if word in loaded:
                self.canvas.stamp_centred(pieces.halo(size + 12), x + size // 2, level)
            end = self.canvas.stamp_beside(pieces.good(kind, size), x, level)
            if count > 1:
                self.canvas.text(end + 6, level, f"×{count}", COLOURS.ink, round(0.66 * size))
            self._note("good", word, _good_place, x, level, size)
        if count := sum(self._player.sold):
            end = self.canvas.stamp_beside(pieces.icon("sold", size), sold, foot)
            draw_count(self.canvas, end + 4, foot, count, size - 3)
            self._change("sold", sold + size // 2, foot)
        piles = nonzero(self._player.sold) if self.large and knows_sold(self._player) else ()
        for place, (kind, count) in enumerate(piles):
            self.canvas.stamp(pieces.good(kind, 38), 774 + 50 * place, 298)
            draw_count(self.canvas, 793 + 50 * place, 356, count, 28, Align.CENTRE)

    def _bonuses(self) -> None:
        """Draw the seat's bonus tiles with the symbols of their colours."""
        spots = (
            [(774 + 48 * place, 420) for place in range(6)]
            if self.large
            else [(494, 470), (452, 411), (495, 411), (494, 350), (4, 350), (494, 208)]
        )
        owned = bonus_tiles(self.scene.view.known, self.seat)
        for spot, (colour, points) in zip(spots, owned, strict=False):
            self.canvas.stamp_beside(pieces.own_bonus(colour, points), *spot)

    def _storage(self) -> None:
        spots, radius = (
            ([(822, 540), (916, 540), (1010, 540)], 51)
            if self.large
            else ([(37, 465), (95, 465), (66, 415)], 32)
        )
        fresh = [tile for _, tile, seat in self.marks.taken if seat == self.seat]
        for spot in spots:
            self.canvas.stamp_centred(pieces.tray(radius), *spot)
        for place, ((x, y), tile) in enumerate(zip_longest(spots, self._player.storage)):
            if tile is None:
                self.canvas.stamp_centred(pieces.slot(radius), x, y)
                continue
            self.canvas.stamp_centred(pieces.tile(tile, radius), x, y)
            key = TILE_KEYS[tile]
            if key in fresh:
                fresh.remove(key)
                self.canvas.stamp_centred(pieces.ring(radius), x, y)
            self._note("stored", key, pieces.tagged, x, y, radius, place)


def nonzero(goods: Sequence[int]) -> list[tuple[int, int]]:
    """Return the kinds of goods that are not 0, with their counts."""
    return [(kind, count) for kind, count in enumerate(goods) if count]


def _good_place(x: float, level: float, size: float) -> Place:
    """Return the place of one kind of goods, with its tag below it."""
    return square(x, level - size / 2, size)._replace(tag=(x + size / 2, level + size))


def _framed(centre: Spot, radius: int, space: int) -> Place:
    """Return the place of a space, a little smaller so that neighbours do not touch, with its tag
    on its lower edge."""
    x, y = middle(centre, radius, space)
    return pieces.hexagon(x, y, radius * 0.93)._replace(tag=(x, y + radius * 0.5))
