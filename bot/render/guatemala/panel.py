"""A player's panel: money, sacks and tiles, and what each plantation would score now."""

from __future__ import annotations

from dataclasses import dataclass

from bot.game.guatemala.data import COLOUR_KEYS, CONTENT
from bot.game.guatemala.view import GuatemalaSeatView, GuatemalaView
from bot.render.asked import Sheet, square
from bot.render.guatemala import pieces, signs
from bot.render.guatemala.layout import COLOURS, PanelPlan
from bot.render.guatemala.marks import GuatemalaMarks
from bot.render.layout import Area, Spot
from bot.render.panels import draw_count, draw_header, gain
from bot.render.picture import Scene
from bot.render.sides import emblem
from bot.render.sprites import Align, Sprite

HEADER = 50
"""Height of the band with emblem and name on a panel."""

_ICON = 46
_PIECE = 54
_SACK = 40
_PORT = 26


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
    def _owned(self) -> GuatemalaSeatView:
        return self.scene.view.seats[self.seat]

    def draw(self) -> None:
        """The whole panel."""
        self._header()
        tiles = len(COLOUR_KEYS) - len(self._owned.plantations)
        money, sacks = self.marks.money[self.seat], self.marks.sacks[self.seat]
        self._counted(self.plan.money, pieces.icon("coin", _ICON), self._owned.money, money)
        self._counted(self.plan.sacks, pieces.icon("hidden_sack", _ICON), self._owned.sacks, sacks)
        self._counted(self.plan.tiles, emblem(self.seat, _ICON), tiles, 0)
        for place, colour in enumerate(COLOUR_KEYS):
            self._plantation(place, colour)
            self._hand(place, colour)

    def _header(self) -> None:
        """From the right: points, what has been added to them, and whose panel it is."""
        _, top, right, _ = area = panel_area(self.at, self.plan)
        level = top + HEADER // 2
        total = signs.total(self._owned.score, 38)
        x = self.sheet.stamp_beside(total, right - 8, level, Align.RIGHT)
        if change := self.marks.points[self.seat]:
            x = self.sheet.stamp_beside(
                gain(change, 30, COLOURS.fresh, COLOURS.mark), x - 4, level, Align.RIGHT
            )
        draw_header(self.sheet, self.scene, self.seat, area, HEADER, x)

    def _counted(self, spot: Spot, sign: Sprite, count: int, change: int) -> None:
        x, level = _added(self.at, spot)
        end = self.sheet.stamp_beside(sign, x, level)
        end = draw_count(self.sheet, end + 6, level, count, 42)
        if change:
            self.sheet.stamp_centred(
                gain(change, 24, COLOURS.fresh, COLOURS.mark), x + _ICON // 2, level + 20
            )

    def _plantation(self, place: int, colour: str) -> None:
        """A card: the piece that stands for the plantation, how its points come about, which is
        workers times ships and one if there is a hut, and the points; the pennants of its ports.
        """
        at, plan = self._card(place), self.plan
        found = next((each for each in self._owned.plantations if each.colour == colour), None)
        letter = CONTENT.colours[place].letter
        self.sheet.stamp(signs.card(*plan.card, "" if found else letter), *at)
        if found is None:
            return
        kind = "worker" if found.hut is None else "hut"
        x, y = _added(at, plan.piece)
        self.sheet.stamp_centred(pieces.piece(kind, colour, _PIECE), x, y)
        for number, name in enumerate(found.ports):
            sign = signs.port(int(name.removeprefix("port")), _PORT)
            left = at[0] + plan.card[0] - 4 - (number + 1) * (_PORT + 1)
            self.sheet.stamp(sign, left, at[1] + 4)
        if (self.seat, colour) in self.marks.harvested:
            wide, high = plan.card
            self.sheet.stamp(signs.frame(wide, high), at[0] - 4, at[1] - 4)
        x, y = _added(at, plan.times)
        text = str(len(found.workers))
        if found.hut is not None:
            text += f" × {found.ships + 1}"
        self.sheet.text(x, y, text, COLOURS.ink, 30, align=Align.CENTRE)
        x, y = _added(at, plan.points)
        if found.points:
            self.sheet.stamp_centred(signs.total(found.points, 34), x, y)
        else:
            self.sheet.text(x, y, "0", COLOURS.soft, 34, align=Align.CENTRE)

    def _hand(self, place: int, colour: str) -> None:
        """The sacks of a colour in hand, as far as the observer knows them."""
        count = self._owned.hand[place] if self._owned.hand else 0
        if not count:
            return
        x = self._card(place)[0] + self.plan.card[0] // 2
        level = self.at[1] + self.plan.hand
        self.sheet.stamp_centred(pieces.piece("sack", colour, _SACK), x - 14, level)
        self.sheet.text(x + 8, level + 3, f"×{count}", COLOURS.ink, 30)
        self.sheet.note("sack", colour, square, x - 36, level - 23, 46)

    def _card(self, place: int) -> Spot:
        x, y = _added(self.at, self.plan.cards)
        return x + place * self.plan.step, y


def _added(at: Spot, spot: Spot) -> Spot:
    return at[0] + spot[0], at[1] + spot[1]
