"""A player's panel: the estate with its tiles, and everything that lies beside it."""

from __future__ import annotations

from bot.game.burgundy.boards import SPACE_OF_NAME
from bot.game.burgundy.data import (
    CASTLE_TILE,
    COLOUR_KEYS,
    CONTENT,
    GOODS_LETTERS,
    TILE_KEYS,
)
from bot.game.burgundy.view import BurgundySeatView, BurgundyView
from bot.render.asked import Place, square
from bot.render.burgundy import pieces
from bot.render.burgundy.base import HEADER
from bot.render.burgundy.estate import corner, estate, middle
from bot.render.burgundy.layout import COLOURS, BurgundyLabels, PanelLayout
from bot.render.burgundy.marks import Marks
from bot.render.burgundy.pieces import corners, half_width
from bot.render.fonts import fit
from bot.render.layout import Spot
from bot.render.seats import SEATS, letter, place, spotlight, tag
from bot.render.sprites import Canvas, Sprite

_PAD = 10
_ICON = 46
_COUNT = 42
_BONUS = 41
_INSIDE = 0.93
"""Share of a space that its frame goes around, so that those of neighbours stand apart."""
_CASTLE = TILE_KEYS[CASTLE_TILE]


class PanelArtist:
    """Draws the panel of one seat, whose upper left corner on the canvas is `at`."""

    def __init__(
        self,
        canvas: Canvas,
        plan: PanelLayout,
        at: Spot,
        view: BurgundyView,
        seat: int,
        marks: Marks,
    ) -> None:
        self._canvas = canvas
        self._plan = plan
        self._left, self._top = at
        self._view = view
        self._seat = seat
        self._owned: BurgundySeatView = view.seats[seat]
        self._marks = marks
        self.dice: dict[str, list[Place]] = {}
        """Where the dice not used yet have been drawn, by their word."""

    def draw(self, name: str, labels: BurgundyLabels) -> None:
        """The whole panel."""
        self._header(name, labels)
        self._estate()
        self._purse()
        self._goods()
        self._sold()
        self._bonuses()
        self._storage()

    def space(self, name: str) -> Place:
        """A space of the estate; its tag lies on its lower edge."""
        x, y = middle(self._plan, SPACE_OF_NAME[name])
        x, y, radius = self._left + x, self._top + y, self._plan.radius
        return Place(tuple(corners(x, y, radius * _INSIDE)), (x, y + radius * 0.5))

    def stored(self, key: str) -> list[Place]:
        """The tiles of a kind in the storage."""
        x, level = self._at(self._plan.storage)
        radius = self._plan.store
        return [
            Place(tuple(corners(x + at * self._plan.step + half_width(radius), level, radius)))
            for at, each in enumerate(self._owned.storage)
            if each == key
        ]

    def good(self, letter: str) -> list[Place]:
        """A type of goods that the seat has."""
        x, level = self._at(self._plan.goods)
        held = [kind for kind, count in enumerate(self._owned.goods) if count]
        kind = GOODS_LETTERS.index(letter)
        if kind not in held:
            return []
        return [square(x + 78 * held.index(kind) - 3, level - 25, 50)]

    def _header(self, name: str, labels: BurgundyLabels) -> None:
        """Emblem and name; from the right: points, place in the order, dice, whose view it is."""
        canvas, look = self._canvas, SEATS[self._seat]
        wide, high = self._plan.size
        level = self._top + HEADER // 2
        total = pieces.total(self._owned.total)
        x = self._left + wide - _PAD + 2 - total.width
        canvas.stamp(total, x, level - total.height // 2)
        x = self._gain(self._marks.points[self._seat], x - 4, level)
        if self._seat in self._view.order:
            sign = place(self._view.order.index(self._seat) + 1)
            x -= sign.width + 6
            canvas.stamp(sign, x, level - sign.height // 2)
        for value, used in reversed(self._dice()):
            x -= 46
            canvas.stamp(pieces.die(value, 40, used), x, level - 20)
            if not used:
                self.dice.setdefault(str(value), []).append(square(x, level - 20, 40))
        if self._seat == self._view.observer:
            you = tag(labels.you)
            x -= you.width + 8
            canvas.stamp(you, x, level - you.height // 2)
        start = self._left + _PAD
        canvas.stamp(letter(self._seat), start, self._top + 6)
        start += 48
        canvas.text(start, level, fit(name, 36, x - start - 8), look.writing, 36)
        if self._seat in self._view.active:
            spotlight(canvas, (self._left, self._top, self._left + wide, self._top + high))

    def _dice(self) -> list[tuple[int, bool]]:
        """The dice, and whether each has been used in this round."""
        view = self._view
        left = list(view.left if view.turn == self._seat else self._owned.dice)
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
        order, turn = self._view.order, self._view.turn
        return turn is not None and order.index(self._seat) < order.index(turn)

    def _gain(self, change: int, right: int, level: int) -> int:
        """What has been gained or spent, ending at `right`; returns where it begins."""
        if not change:
            return right
        sign = pieces.gain(change, 30)
        self._canvas.stamp(sign, right - sign.width, level - sign.height // 2)
        return right - sign.width

    def _estate(self) -> None:
        plan, radius = self._plan, self._plan.radius
        x, y = corner(plan)
        at = (self._left + x, self._top + y)
        self._canvas.image.paste(estate(self._owned.board, radius), at)
        for space, key in enumerate(self._owned.estate):
            if key is not None:
                self._on_space(pieces.tile(key, radius), space)
        if self._view.chosen is not None and self._seat == self._view.observer:
            space = SPACE_OF_NAME[self._view.chosen]
            self._on_space(pieces.tile(_CASTLE, radius), space)
            self._on_space(pieces.ring(radius), space)
        for seat, name in sorted(self._marks.spaces):
            if seat == self._seat:
                self._on_space(pieces.ring(radius), SPACE_OF_NAME[name])

    def _on_space(self, sprite: Sprite, space: int) -> None:
        x, y = middle(self._plan, space)
        self._canvas.stamp_centred(sprite, self._left + x, self._top + y)

    def _purse(self) -> None:
        """Workers and silverlings."""
        x, level = self._at(self._plan.purse)
        for name, count, change in (
            ("worker", self._owned.workers, self._marks.workers[self._seat]),
            ("silverling", self._owned.silverlings, self._marks.silverlings[self._seat]),
        ):
            self._canvas.stamp(pieces.icon(name, _ICON), x, level - _ICON // 2)
            shade = COLOURS.ink if count else COLOURS.soft
            self._canvas.text(x + _ICON + 6, level, str(count), shade, _COUNT)
            if change:
                self._canvas.stamp_centred(pieces.gain(change, 25), x + _ICON // 2, level + 20)
            x += 116

    def _goods(self) -> None:
        """The three places for goods."""
        x, level = self._at(self._plan.goods)
        held = [(kind, count) for kind, count in enumerate(self._owned.goods) if count]
        for number in range(CONTENT.goods_spaces):
            if number < len(held):
                kind, count = held[number]
                if (self._seat, str(kind + 1)) in self._marks.goods:
                    self._canvas.stamp_centred(pieces.halo(56), x + 22, level)
                self._canvas.stamp(pieces.good(kind, 44), x, level - 22)
                if count > 1:
                    self._canvas.text(x + 45, level, f"×{count}", COLOURS.ink, 30)
            else:
                self._canvas.stamp(pieces.no_good(44), x, level - 22)
            x += 78

    def _sold(self) -> None:
        """The pile of sold goods."""
        count = self._owned.sold_count
        if not count:
            return
        x, level = self._at(self._plan.sold)
        self._canvas.stamp(pieces.sold(44), x, level - 22)
        self._canvas.text(x + 50, level, str(count), COLOURS.ink, 36)
        if change := self._marks.sold[self._seat]:
            self._canvas.stamp_centred(pieces.gain(change, 25), x + 22, level + 20)

    def _bonuses(self) -> None:
        """The bonus tiles of colours, each with the symbol of its colour."""
        x, level = self._at(self._plan.bonuses)
        for number, (colour, points) in enumerate(self._owned.bonuses):
            sign = pieces.own_bonus(COLOUR_KEYS.index(colour), str(points))
            self._canvas.stamp(sign, x + number * _BONUS, level - sign.height // 2)

    def _storage(self) -> None:
        x, level = self._at(self._plan.storage)
        radius = self._plan.store
        fresh = [tile for seat, tile in self._marks.stored if seat == self._seat]
        for number in range(CONTENT.storage_spaces):
            left = x + number * self._plan.step
            if number >= len(self._owned.storage):
                self._canvas.stamp(pieces.slot(radius), left, level - radius)
                continue
            key = self._owned.storage[number]
            self._canvas.stamp(pieces.tile(key, radius), left, level - radius)
            if key in fresh:
                fresh.remove(key)
                self._canvas.stamp(pieces.ring(radius), left - 6, level - radius - 6)

    def _at(self, spot: Spot) -> Spot:
        return self._left + spot[0], self._top + spot[1]
