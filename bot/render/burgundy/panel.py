"""A player's panel: the estate with its tiles, and everything that lies beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVarTuple

from bot.game.burgundy.boards import SPACE_OF_NAME
from bot.game.burgundy.data import CASTLE_TILE, COLOUR_KEYS, CONTENT, GOODS_LETTERS, TILE_KEYS
from bot.game.burgundy.view import BurgundySeatView, BurgundyView
from bot.render.asked import Place, Sheet, square
from bot.render.burgundy import pieces
from bot.render.burgundy.base import HEADER, panel_area
from bot.render.burgundy.estate import corner, estate, middle
from bot.render.burgundy.layout import COLOURS, PanelLayout
from bot.render.burgundy.marks import Marks
from bot.render.burgundy.pieces import half_width, hexagon
from bot.render.layout import Spot
from bot.render.panels import draw_count, draw_header, draw_place, gain
from bot.render.picture import Scene
from bot.render.sprites import Align, Point, Sprite

_PAD = 10
_ICON = 46
_GOOD = 44
_BONUS = 41
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
        level = top + HEADER // 2
        total = pieces.total(self._owned.total)
        x = self.sheet.stamp_beside(total, right - _PAD + 2, level, Align.RIGHT)
        if change := self.marks.points[self.seat]:
            x = self.sheet.stamp_beside(
                gain(change, 30, COLOURS.fresh, COLOURS.mark), x - 4, level, Align.RIGHT
            )
        else:
            x -= 4
        x = draw_place(self.sheet, self.scene, self.seat, x - 6, level)
        for value, used in reversed(self._dice()):
            x -= 46
            self.sheet.stamp(pieces.die(value, used, 40), x, level - 20)
            if not used:
                self._note("die", str(value), square, x, level - 20, 40)
        draw_header(self.sheet, self.scene, self.seat, area, HEADER, x)

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
        board = estate(self._owned.board, radius)
        self.sheet.image.paste(board, self._at(corner(self.plan)))
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
        x, level = self._at(self.plan.purse)
        for name, count, changes in (
            ("worker", self._owned.workers, self.marks.workers),
            ("silverling", self._owned.silverlings, self.marks.silverlings),
        ):
            end = self.sheet.stamp_beside(pieces.icon(name, _ICON), x, level)
            draw_count(self.sheet, end + 6, level, count, 42)
            self._change(changes[self.seat], x + _ICON // 2, level)
            x += 116

    def _change(self, change: int, x: int, level: int) -> None:
        """How much more or less there is of what lies at x, at its foot."""
        if change:
            self.sheet.stamp_centred(gain(change, 25, COLOURS.fresh, COLOURS.mark), x, level + 20)

    def _goods(self) -> None:
        """The three places for goods."""
        x, level = self._at(self.plan.goods)
        held = [(kind, count) for kind, count in enumerate(self._owned.goods) if count]
        for kind, count in held:
            word = GOODS_LETTERS[kind]
            if (self.seat, word) in self.marks.goods:
                self.sheet.stamp_centred(pieces.halo(56), x + 22, level)
            end = self.sheet.stamp_beside(pieces.good(kind, _GOOD), x, level)
            if count > 1:
                self.sheet.text(end + 1, level, f"×{count}", COLOURS.ink, 30)
            self._note("good", word, square, x - 3, level - 25, 50)
            x += 78
        for _ in range(CONTENT.goods_spaces - len(held)):
            self.sheet.stamp_beside(pieces.no_good(_GOOD), x, level)
            x += 78

    def _sold(self) -> None:
        """The pile of sold goods."""
        if not self._owned.sold_count:
            return
        x, level = self._at(self.plan.sold)
        end = self.sheet.stamp_beside(pieces.icon("sold", _GOOD), x, level)
        draw_count(self.sheet, end + 6, level, self._owned.sold_count, 36)
        self._change(self.marks.sold[self.seat], x + 22, level)

    def _bonuses(self) -> None:
        """The bonus tiles of colours, each with the symbol of its colour."""
        x, level = self._at(self.plan.bonuses)
        for number, (colour, points) in enumerate(self._owned.bonuses):
            sign = pieces.own_bonus(COLOUR_KEYS.index(colour), str(points))
            self.sheet.stamp_beside(sign, x + number * _BONUS, level)

    def _storage(self) -> None:
        x, level = self._at(self.plan.storage)
        radius = self.plan.store
        fresh = [tile for seat, tile in self.marks.stored if seat == self.seat]
        for key in self._owned.storage:
            self.sheet.stamp(pieces.tile(key, radius), x, level - radius)
            if key in fresh:
                fresh.remove(key)
                self.sheet.stamp(pieces.ring(radius), x - 6, level - radius - 6)
            self._note("stored", key, hexagon, x + half_width(radius), level, radius)
            x += self.plan.step
        for _ in range(CONTENT.storage_spaces - len(self._owned.storage)):
            self.sheet.stamp(pieces.slot(radius), x, level - radius)
            x += self.plan.step

    def _at(self, spot: Spot) -> Spot:
        return self.at[0] + spot[0], self.at[1] + spot[1]


def _middle(plan: PanelLayout, at: Spot, space: int) -> Point:
    x, y = middle(plan, space)
    return at[0] + x, at[1] + y


def _framed(plan: PanelLayout, at: Spot, space: int) -> Place:
    x, y = _middle(plan, at, space)
    return hexagon(x, y, plan.radius * _INSIDE)._replace(tag=(x, y + plan.radius * 0.5))
