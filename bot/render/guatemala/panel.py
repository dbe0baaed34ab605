"""A player's panel: money and sacks, and what each plantation would score now."""

from __future__ import annotations

from dataclasses import dataclass

from bot.game.guatemala.data import COLOUR_KEYS
from bot.game.guatemala.view import GuatemalaSeatView, GuatemalaView
from bot.render.asked import Sheet, square
from bot.render.guatemala import pieces, signs
from bot.render.guatemala.layout import COLOURS, PanelPlan
from bot.render.guatemala.marks import GuatemalaMarks
from bot.render.guatemala.pieces import Coffees
from bot.render.layout import Area, Spot
from bot.render.panels import draw_count, draw_header, gain
from bot.render.picture import Scene
from bot.render.sprites import Align

_PORT = 22


def panel_area(at: Spot, plan: PanelPlan) -> Area:
    """A panel whose upper left corner is there."""
    return (*at, at[0] + plan.size[0], at[1] + plan.size[1])


@dataclass(frozen=True)
class SeatPanel:
    """Draws the panel of one seat, whose upper left corner on the sheet is `at`."""

    sheet: Sheet
    plan: PanelPlan
    at: Spot
    scene: Scene[GuatemalaView]
    seat: int
    marks: GuatemalaMarks

    @property
    def coffees(self) -> Coffees:
        """The pieces as the reader knows them."""
        return Coffees(self.scene.labels["coffees"])

    @property
    def _owned(self) -> GuatemalaSeatView:
        return self.scene.view.seats[self.seat]

    def draw(self) -> None:
        """The whole panel."""
        self._header()
        money, sacks = self.marks.money[self.seat], self.marks.sacks[self.seat]
        self._counted(self.plan.money, "coin", self._owned.money, money)
        self._counted(self.plan.sacks, "hidden_sack", self._owned.sacks, sacks)
        for place, colour in enumerate(COLOUR_KEYS):
            self._plantation(place, colour)
            self._hand(place, colour)

    def _header(self) -> None:
        """From the right: points, what has been added to them, and whose panel it is."""
        _, top, right, _ = area = panel_area(self.at, self.plan)
        head = self.plan.head
        level = top + head // 2
        total = signs.total(self._owned.score, head - 9)
        x = self.sheet.stamp_beside(total, right - 8, level, Align.RIGHT)
        if change := self.marks.points[self.seat]:
            x = self.sheet.stamp_beside(gain(change, 30), x - 4, level, Align.RIGHT)
        draw_header(self.sheet, self.scene, self.seat, area, head, x)

    def _counted(self, spot: Spot, icon: str, count: int, change: int) -> None:
        (x, level), size = _added(self.at, spot), self.plan.sign
        end = self.sheet.stamp_beside(pieces.icon(icon, size), x, level)
        draw_count(self.sheet, end + 6, level, count, size - 2)
        if change:
            shown = gain(change, 24)
            self.sheet.stamp_centred(shown, x + size // 2, level + size // 2 - 4)

    def _plantation(self, place: int, colour: str) -> None:
        """A card: the piece that stands for the plantation, how its points come about, which is
        workers times ships and one if there is a hut, and the points; the pennants of its ports.
        """
        at, plan = self._card(place), self.plan
        found = next((each for each in self._owned.plantations if each.colour == colour), None)
        x, y = _added(at, plan.piece)
        self.sheet.stamp(signs.card(*plan.card), *at)
        if found is None:
            letter = self.coffees.letter(colour)
            self.sheet.text(x, y, letter, COLOURS.furrow, plan.large, align=Align.CENTRE)
            return
        kind = "worker" if found.hut is None else "hut"
        self.sheet.stamp_centred(self.coffees.piece(kind, colour, plan.large), x, y)
        for number, name in enumerate(found.ports):
            sign = signs.port(int(name.removeprefix("port")), _PORT)
            left = x - plan.large / 3 + number * _PORT
            self.sheet.stamp_centred(sign, left, y + plan.large / 3)
        if (self.seat, colour) in self.marks.harvested:
            wide, high = plan.card
            self.sheet.stamp(signs.frame(wide, high), at[0] - 4, at[1] - 4)
        x, y = _added(at, plan.times)
        text = str(len(found.workers))
        if found.hut is not None:
            text += f"×{found.ships + 1}"
        self.sheet.text(x, y, text, COLOURS.ink, plan.figure - 6, align=Align.CENTRE)
        x, y = _added(at, plan.points)
        if found.points:
            self.sheet.stamp_centred(signs.total(found.points, plan.figure), x, y)
        else:
            self.sheet.text(x, y, "0", COLOURS.soft, plan.figure, align=Align.CENTRE)

    def _hand(self, place: int, colour: str) -> None:
        """The sacks of a colour in hand, as far as the observer knows them."""
        count = self._owned.hand[place] if self._owned.hand else 0
        if not count:
            return
        x, level = _added(self._card(place), self.plan.hand)
        size = self.plan.figure - 6
        self.sheet.stamp_centred(self.coffees.piece("sack", colour, size), x - size // 3, level)
        self.sheet.text(x + size // 4, level, str(count), COLOURS.ink, size)
        self.sheet.note("sack", colour, square, x - size, level - size // 2, size)

    def _card(self, place: int) -> Spot:
        x, y = _added(self.at, self.plan.cards)
        return x + place * self.plan.step, y


def _added(at: Spot, spot: Spot) -> Spot:
    return at[0] + spot[0], at[1] + spot[1]
