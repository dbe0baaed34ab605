"""A player's panel: the card laid in this round, the hand, the stock, the cards lying open."""

from __future__ import annotations

from bot.game.flandern.data import EMBLEM_OF_KEY
from bot.game.flandern.view import FlandernView
from bot.render.asked import Sheet
from bot.render.flandern import cards, signs
from bot.render.flandern.base import HEADER, panel_base
from bot.render.flandern.layout import SeatPlan
from bot.render.flandern.marks import FlandernMarks
from bot.render.flandern.supply import UNCHOSEN, draw_stock, face
from bot.render.layout import Area, Spot
from bot.render.panels import draw_count, draw_header, gain
from bot.render.picture import Scene
from bot.render.sprites import Align

_LAID = 72
"""Width of the card laid in this round."""
_BACK = 34
_GAP = 3


def draw_panel(
    sheet: Sheet,
    plan: SeatPlan,
    at: Spot,
    scene: Scene[FlandernView],
    seat: int,
    marks: FlandernMarks,
) -> None:
    """The whole panel of a seat, whose upper left corner is `at`."""
    own = scene.view.seats[seat]
    sheet.lay(panel_base(scene.looks[seat], plan.size), *at)
    _draw_header(sheet, scene, seat, (*at, *_added(at, plan.size)), marks)
    if len(scene.view.seats) > 2:
        _draw_laid(sheet, scene, seat, _added(at, plan.laid), seat in marks.laid)
    owner = own.guild or UNCHOSEN
    if plan.hand and scene.view.round:
        x, level = _added(at, plan.hand)
        x = sheet.stamp_beside(cards.back(owner, _BACK), x, level) + 6
        x = draw_count(sheet, x, level, own.cards, 40) + 18
        if own.influence:
            if plan.influence:
                x, level = _added(at, plan.influence)
            x = sheet.stamp_beside(face(scene.labels, "influence", owner, _BACK), x, level) + 6
            draw_count(sheet, x, level, own.influence, 40)
    for row, guild in enumerate(own.guilds):
        x, level = _added(at, plan.stock)
        draw_stock(
            sheet, scene.view, EMBLEM_OF_KEY[guild], x, level + (plan.pile + 4) * row, plan.pile
        )
    _draw_open(sheet, scene, seat, _added(at, plan.open), plan)


def _draw_header(
    sheet: Sheet, scene: Scene[FlandernView], seat: int, area: Area, marks: FlandernMarks
) -> None:
    """From the right: points, what has been added to them, and whose panel it is."""
    own = scene.view.seats[seat]
    _, top, right, _ = area
    level = top + HEADER // 2
    x = sheet.stamp_beside(signs.plate(own.score, 44, False), right - 8, level, Align.RIGHT)
    gained = marks.bonus[seat] + marks.points[own.guild] + marks.points[own.controlled]
    if gained:
        added = gain(gained, 30)
        x = sheet.stamp_beside(added, x - 6, level, Align.RIGHT)
    draw_header(sheet, scene, seat, area, HEADER, x)


def _draw_laid(sheet: Sheet, scene: Scene[FlandernView], seat: int, at: Spot, marked: bool) -> None:
    """The card of the round and how many influence cards with it; face down as long as it is
    secret."""
    own = scene.view.seats[seat]
    owner = own.guild or UNCHOSEN
    if own.card is not None:
        card = face(scene.labels, own.card, owner, _LAID)
    elif own.chosen:
        card = cards.back(owner, _LAID)
    else:
        card = signs.gap(_LAID, round(_LAID * 1.4))
    x, y = at
    sheet.stamp_centred(card, x, y)
    if marked and own.card is not None and scene.view.asked != "choose":
        sheet.stamp_centred(signs.frame(card.width, card.height), x, y)
    if own.chosen and scene.view.asked == "choose":
        sheet.stamp_centred(signs.tick(30), x + _LAID // 2 - 6, y - card.height // 2 + 8)
    if own.laid:
        badge = signs.plate(own.laid, 28, True)
        sheet.stamp_centred(badge, x - _LAID // 2 + 8, y - card.height // 2 + 8)


def _draw_open(
    sheet: Sheet, scene: Scene[FlandernView], seat: int, at: Spot, plan: SeatPlan
) -> None:
    """Those played before the card of this round."""
    own = scene.view.seats[seat]
    shown = [key for key in own.open if key != own.card]
    x, y = at
    count = max(1, len(shown))
    wide = min(plan.card, (plan.room - _GAP * (count - 1)) // count)
    for number, key in enumerate(shown):
        card = face(scene.labels, key, own.guild, wide)
        sheet.stamp(card, x + number * (wide + _GAP), y)


def _added(at: Spot, spot: Spot) -> Spot:
    return at[0] + spot[0], at[1] + spot[1]
