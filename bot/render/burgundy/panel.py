"""A player's panel: the estate with its tiles, and everything that lies beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVarTuple

from bot.game.burgundy.data import CASTLE_TILE, COLOUR_KEYS, GOODS_LETTERS, SPACE_OF_NAME, TILE_KEYS
from bot.game.burgundy.view import BurgundySeatView, BurgundyView
from bot.render.asked import Place, Sheet, square
from bot.render.burgundy import pieces
from bot.render.burgundy.base import panel_area
from bot.render.burgundy.estate import corner, estate, middle
from bot.render.burgundy.layout import COLOURS, PanelLayout
from bot.render.burgundy.marks import Marks
from bot.render.burgundy.pieces import hexagon, tagged
from bot.render.layout import Spot
from bot.render.panels import draw_count, draw_header, draw_place, gain
from bot.render.picture import Scene
from bot.render.sprites import Align, Point, Sprite

_PAD = 10
_INSIDE = 0.93
"""Share of a space that its frame goes around, so that those of neighbours stand apart."""
Ts = TypeVarTuple("Ts")
_CASTLE = TILE_KEYS[CASTLE_TILE]


@dataclass(frozen=True)
class PanelArtist:
    """Draws the panel of one seat, whose upper left corner on the sheet is `at`.

    Where things lie is noted for the observer's own panel alone.
    """

    sheet: Sheet
    plan: PanelLayout
    at: Spot
    scene: Scene[BurgundyView]
    seat: int
    marks: Marks

    @property
    def _owned(self) -> BurgundySeatView:
        return self.scene.view.seats[self.seat]

    def draw(self) -> None:
        """The whole panel."""
        self._header()
        self._estate()
        self._purse()
        self._goods()
        self._sold()
        self._bonuses()
        self._storage()

    def _note(self, what: str, word: str, place: Callable[[*Ts], Place], *args: *Ts) -> None:
        if self.seat == self.scene.view.observer:
            self.sheet.note(what, word, place, *args)

    def _header(self) -> None:
        """From the right: points, place in the order, dice; then whose panel it is."""
        _, top, right, _ = area = panel_area(self.at, self.plan)
        level, size = top + self.plan.head // 2, self.plan.head - 8
        total = pieces.total(self._owned.total, self.plan.head - 2)
        x = self.sheet.stamp_beside(total, right - _PAD + 2, level, Align.RIGHT)
        if change := self.marks.points[self.seat]:
            x = self.sheet.stamp_beside(gain(change, 30), x - 4, level, Align.RIGHT)
        else:
            x -= 4
        x = draw_place(self.sheet, self.scene, self.seat, x - 6, level)
        for value, used in reversed(self._dice()):
            x -= size + 6
            self.sheet.stamp(pieces.die(value, used, size), x, level - size // 2)
            if not used:
                self._note("die", str(value), square, x, level - size // 2, size)
        draw_header(self.sheet, self.scene, self.seat, area, self.plan.head, x)

    def _dice(self) -> list[tuple[int, bool]]:
        """The dice, and whether each has been used in this round."""
        view = self.scene.view
        left = list(view.left if view.turn == self.seat else self._owned.dice)
        if view.outcome is not None or self._has_played():
            left = []
        shown = []
        for value in self._owned.dice:
            used = value not in left
            if not used:
                left.remove(value)
            shown.append((value, used))
        return shown

    def _has_played(self) -> bool:
        order, turn = self.scene.view.order, self.scene.view.turn
        return turn is not None and order.index(self.seat) < order.index(turn)

    def _estate(self) -> None:
        """The tiles on their spaces; the tag of a space lies on its lower edge."""
        view, radius = self.scene.view, self.plan.radius
        board = estate(self._owned.board, radius, self.plan.named)
        self.sheet.lay(board, *self._at(corner(self.plan)))
        for space, key in enumerate(self._owned.estate):
            if key is not None:
                self._on_space(pieces.tile(key, radius), space)
        if view.chosen is not None and self.seat == view.observer:
            space = SPACE_OF_NAME[view.chosen]
            self._on_space(pieces.tile(_CASTLE, radius), space)
            self._on_space(pieces.ring(radius), space)
        for seat, name in sorted(self.marks.spaces):
            if seat == self.seat:
                self._on_space(pieces.ring(radius), SPACE_OF_NAME[name])
        if self.seat == view.observer:
            for name, space in SPACE_OF_NAME.items():
                self.sheet.note("space", name, _framed, self.plan, self.at, space)

    def _on_space(self, sprite: Sprite, space: int) -> None:
        self.sheet.stamp_centred(sprite, *_middle(self.plan, self.at, space))

    def _purse(self) -> None:
        """Workers and silverlings."""
        size = self.plan.icon
        for spot, name, count, changes in zip(
            self.plan.purse,
            ("worker", "silverling"),
            (self._owned.workers, self._owned.silverlings),
            (self.marks.workers, self.marks.silverlings),
            strict=True,
        ):
            x, level = self._at(spot)
            end = self.sheet.stamp_beside(pieces.icon(name, size), x, level)
            draw_count(self.sheet, end + 4, level, count, size - 4)
            self._change(changes[self.seat], x + size // 2, level)

    def _change(self, change: int, x: int, level: int) -> None:
        """How much more or less there is of what lies at x, at its foot."""
        if change:
            sign = gain(change, 25)
            left, _, _, bottom = panel_area(self.at, self.plan)
            y = min(level + 24, bottom - sign.height // 2 - 3)
            self.sheet.stamp_centred(sign, max(x, left + sign.width // 2 + 3), y)

    def _goods(self) -> None:
        """The three places for goods."""
        size = self.plan.good
        held = [(kind, count) for kind, count in enumerate(self._owned.goods) if count]
        for place, spot in enumerate(self.plan.goods):
            x, level = self._at(spot)
            if place >= len(held):
                self.sheet.stamp_beside(pieces.no_good(size), x, level)
                continue
            kind, count = held[place]
            word = GOODS_LETTERS[kind]
            if (self.seat, word) in self.marks.goods:
                self.sheet.stamp_centred(pieces.halo(size + 12), x + size // 2, level)
            end = self.sheet.stamp_beside(pieces.good(kind, size), x, level)
            if count > 1:
                self.sheet.text(end + 6, level, f"×{count}", COLOURS.ink, round(0.66 * size))
            self._note("good", word, _barrel, x, level, size)

    def _sold(self) -> None:
        """The pile of sold goods."""
        if not self._owned.sold_count:
            return
        x, level = self._at(self.plan.sold)
        end = self.sheet.stamp_beside(pieces.icon("sold", self.plan.good), x, level)
        draw_count(self.sheet, end + 4, level, self._owned.sold_count, self.plan.good - 3)
        self._change(self.marks.sold[self.seat], x + self.plan.good // 2, level)

    def _bonuses(self) -> None:
        """The bonus tiles of colours, each with the symbol of its colour."""
        for (colour, points), spot in zip(self._owned.bonuses, self.plan.bonuses, strict=False):
            sign = pieces.own_bonus(COLOUR_KEYS.index(colour), str(points))
            self.sheet.stamp_beside(sign, *self._at(spot))

    def _storage(self) -> None:
        radius, held = self.plan.store, self._owned.storage
        fresh = [tile for seat, tile in self.marks.stored if seat == self.seat]
        for spot in self.plan.storage:
            self.sheet.stamp_centred(pieces.tray(radius), *self._at(spot))
        for place, spot in enumerate(self.plan.storage):
            x, y = self._at(spot)
            if place >= len(held):
                self.sheet.stamp_centred(pieces.slot(radius), x, y)
                continue
            key = held[place]
            self.sheet.stamp_centred(pieces.tile(key, radius), x, y)
            if key in fresh:
                fresh.remove(key)
                self.sheet.stamp_centred(pieces.ring(radius), x, y)
            self._note("stored", key, tagged, x, y, radius, place)

    def _at(self, spot: Spot) -> Spot:
        return self.at[0] + spot[0], self.at[1] + spot[1]


def _middle(plan: PanelLayout, at: Spot, space: int) -> Point:
    x, y = middle(plan, space)
    return at[0] + x, at[1] + y


def _barrel(x: float, level: float, size: float) -> Place:
    """One kind of goods, with its name under it."""
    return square(x, level - size / 2, size)._replace(tag=(x + size / 2, level + size))


def _framed(plan: PanelLayout, at: Spot, space: int) -> Place:
    x, y = _middle(plan, at, space)
    return hexagon(x, y, plan.radius * _INSIDE)._replace(tag=(x, y + plan.radius * 0.5))
