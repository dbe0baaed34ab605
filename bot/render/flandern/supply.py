"""What lies beside the board: pieces of wood, the church and the grey guild, the drawn cards."""

from __future__ import annotations

from collections.abc import Callable

from bot.game.flandern.city import NONE
from bot.game.flandern.data import CHURCH, FIRST_SPECIAL, GREY
from bot.game.flandern.plan import SPECIAL
from bot.game.flandern.state import FlandernView, two_players
from bot.render.asked import Sheet
from bot.render.flandern import pieces
from bot.render.flandern.pieces import DECKS, GOLDEN, face
from bot.render.flandern.quarters import tile
from bot.render.flandern.seats import FlandernMarks, draw_stock
from bot.render.panels import draw_count, frame, gain
from bot.render.picture import Scene
from bot.render.sides import stamp_emblems
from bot.render.sprites import Area, Sprite

STRIP = (6, 1170, 1394, 1262)
"""Where it lies if all cities are in play; otherwise it lies in the cell of the missing one."""
_PILE, _LARGE = 79, 92
_ICON, _SPECIAL, _OWNER, _CARD, _BACK = 52, 47, 44, 56, 50
_GROUP = 9


def draw_supply(sheet: Sheet, scene: Scene[FlandernView], area: Area, marks: FlandernMarks) -> None:
    """All of it in groups, beside each other, or below each other where a city is missing."""
    state = scene.view.known
    high = _PILE if area == STRIP else _LARGE

    def counted(sign: Sprite, x: int, middle: int, count: int) -> int:
        x = sheet.stamp_beside(sign, x, middle) + 4
        return draw_count(sheet, x, middle, count, 40) + 10

    def wood(x: int, middle: int) -> int:
        x = counted(pieces.icon("site", _ICON), x, middle, state.site_pieces)
        if not two_players(state):
            x = counted(pieces.icon("cathedral", _ICON), x, middle, state.cathedral_pieces)
            x = counted(pieces.icon("leader", _ICON), x, middle, state.leader_pieces)
        return x

    def church(x: int, middle: int) -> int:
        return draw_stock(sheet, state, CHURCH, x, middle, high)

    def special(x: int, middle: int) -> int:
        """Those of the church that are not yet built."""
        for kind in range(FIRST_SPECIAL, FIRST_SPECIAL + len(SPECIAL)):
            if state.stock[CHURCH][kind]:
                x = sheet.stamp_beside(tile(CHURCH, kind, _SPECIAL), x, middle) + 2
        return x

    def grey(x: int, middle: int) -> int:
        x = draw_stock(sheet, state, GREY, x, middle, high) + 4
        if points := sum(state.points[GREY]):
            end = sheet.stamp_beside(pieces.plate(points, 36, False), x, middle)
            if gained := marks.points[GREY]:
                sheet.stamp_beside(gain(gained, 26), x + 4, middle + 34)
            x = end
        return x

    def decks(x: int, middle: int) -> int:
        """The golden decks, whose the card of the round is, and that card, face down to whom it is
        unknown; with two players their deck and the card drawn last."""
        for deck, cards in zip(DECKS, state.golden, strict=False):
            x = counted(pieces.back(deck, _BACK), x, middle, sum(cards))
        guild, drawn = state.drawn
        if two_players(state):
            x = counted(pieces.back(NONE, _BACK), x, middle, sum(map(sum, state.deck)))
        if guild != NONE:
            card = face(scene.say, drawn, guild, _CARD)
        elif state.golden_deck == NONE:
            return x
        else:
            x = stamp_emblems(sheet, scene.looks[state.first], x, middle, _OWNER) + 4
            card = pieces.back(DECKS[state.golden_deck], _CARD)
            if state.golden_card >= 0:
                card = face(scene.say, state.golden_card, GOLDEN, _CARD)
        end = sheet.stamp_beside(card, x, middle)
        if marks.turned and (guild != NONE or state.revealed):
            sheet.stamp_centred(frame(card.width, card.height), x + card.width / 2, middle)
        return end

    groups: list[Callable[[int, int], int]] = [church]
    if any(state.stock[CHURCH][FIRST_SPECIAL:]):
        groups.append(special)
    groups.append(grey)
    if state.round:
        groups = [wood, *groups, decks]
    left, top, _, bottom = area
    if area == STRIP:
        x = left + 10
        for group in groups:
            x = group(x, (top + bottom) // 2) + _GROUP
        return
    step = (bottom - top) // len(groups)
    for number, group in enumerate(groups):
        group(left + 24, top + step * number + step // 2)
