"""A player's panel: money, sacks and tiles, and what each plantation would score now."""

from __future__ import annotations

from dataclasses import dataclass

from bot.game.guatemala.data import COLOUR_KEYS, CONTENT
from bot.game.guatemala.view import GuatemalaSeatView, GuatemalaView, PlantationView
from bot.render.asked import Sheet, square
from bot.render.guatemala import pieces, signs
from bot.render.guatemala.layout import COLOURS, PanelPlan
from bot.render.guatemala.marks import GuatemalaMarks
from bot.render.layout import Area, Spot
from bot.render.panels import draw_count, draw_header
from bot.render.picture import Scene
from bot.render.sides import emblem
from bot.render.sprites import Align, Sprite

HEADER = 50
"""Height of the band with emblem and name on a panel."""

_ICON = 46
_PIECE = 50
_SACK = 40


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
            x = self.sheet.stamp_beside(signs.gain(change, 30), x - 4, level, Align.RIGHT)
        draw_header(self.sheet, self.scene, self.seat, area, HEADER, x)

    def _counted(self, spot: Spot, sign: Sprite, count: int, change: int) -> None:
        x, level = self._at(spot)
        end = self.sheet.stamp_beside(sign, x, level)
        end = draw_count(self.sheet, end + 6, level, count, 42)
        if change:
            self.sheet.stamp_centred(signs.gain(change, 24), x + _ICON // 2, level + 20)

    def _plantation(self, place: int, colour: str) -> None:
        """A column: the piece that stands for the plantation, its points, and how they come about:
        workers times ships and one.
        """
        x, level = self._column(place)
        found = next((each for each in self._owned.plantations if each.colour == colour), None)
        if found is None:
            self.sheet.stamp_centred(
                signs.no_plantation(CONTENT.colours[place].letter, _PIECE), x, level
            )
            return
        kind = "worker" if found.hut is None else "hut"
        sprite = pieces.piece(kind, colour, _PIECE)
        self.sheet.stamp_centred(sprite, x, level)
        if (self.seat, colour) in self.marks.harvested:
            self.sheet.stamp_centred(signs.frame(_PIECE - 2, _PIECE - 2), x, level)
        dx, dy = self.plan.points
        draw_count(self.sheet, x + dx, level + dy, found.points, 40, Align.CENTRE)
        dx, dy = self.plan.times
        text = self._times(found)
        self.sheet.text(x + dx, level + dy, text, COLOURS.soft, 28, align=Align.CENTRE)

    def _times(self, plantation: PlantationView) -> str:
        workers = len(plantation.workers)
        return f"{workers}×{plantation.ships + 1}" if plantation.ships else str(workers)

    def _hand(self, place: int, colour: str) -> None:
        """The sacks of a colour in hand, as far as the observer knows them."""
        count = self._owned.hand[place] if self._owned.hand else 0
        if not count:
            return
        x, _ = self._column(place)
        level = self.at[1] + self.plan.hand
        self.sheet.stamp_centred(pieces.piece("sack", colour, _SACK), x - 12, level)
        self.sheet.text(x + 10, level + 4, f"×{count}", COLOURS.ink, 28)
        self.sheet.note("sack", colour, square, x - 34, level - 24, 46)

    def _column(self, place: int) -> Spot:
        x, level = self._at(self.plan.first)
        return x + place * self.plan.step, level

    def _at(self, spot: Spot) -> Spot:
        return self.at[0] + spot[0], self.at[1] + spot[1]
