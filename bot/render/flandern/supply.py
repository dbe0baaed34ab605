"""What lies beside the board: pieces of wood, the church and the grey guild, the drawn cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bot.game.flandern.data import CHURCH, EMBLEM_KEYS, FIRST_SPECIAL, GREY, WITH_LEADER
from bot.game.flandern.plan import CITIES, SHAPES, SPECIAL
from bot.game.flandern.view import FlandernView
from bot.render.asked import Sheet
from bot.render.flandern import cards, pieces, quarters, signs
from bot.render.flandern.layout import FEWEST, LAYOUT
from bot.render.flandern.marks import FlandernMarks
from bot.render.layout import Area, Labels
from bot.render.panels import draw_count, gain
from bot.render.picture import Scene
from bot.render.sides import stamp_emblems
from bot.render.sprites import Canvas, Sprite

GOLDEN = "golden"
"""Whose the golden cards are."""
UNCHOSEN = "silver"
"""Whose cards are of no guild, or while guilds are chosen."""

Group = Callable[[int, int], int]
"""Draws things of one kind from a place around a height; returns where they end."""

_ICON = 52
_PILE, _LARGE = 79, 92
_SPECIAL = 47
_COUNT = 40
_GAP = 10
_GROUP = 9
_OWNER = 44
_CARD = 56
_BACK = 50


def face(labels: Labels, card: str, owner: str, wide: int) -> Sprite:
    """A card so wide; on that of a city stands the beginning of its name."""
    return cards.card(card, labels[card][:2] if card in CITIES else "", owner, wide)


def draw_supply(sheet: Sheet, scene: Scene[FlandernView], marks: FlandernMarks, area: Area) -> None:
    """Pieces of wood, the quarters of the church and of the grey guild with its points, and the
    cards that are drawn: beside each other, or below each other where a city is missing."""
    view = scene.view
    is_strip, gained = area == LAYOUT.supply, marks.points[EMBLEM_KEYS[GREY]]
    high = _PILE if is_strip else _LARGE
    groups: list[Group] = [
        partial(_draw_wood, sheet, view),
        partial(draw_stock, sheet, view, CHURCH, high=high),
        partial(_draw_special, sheet, view),
        partial(_draw_grey, sheet, view, gained, high),
        partial(_draw_decks, sheet, scene, bool(marks.turned)),
    ]
    if not any(view.stock[CHURCH][FIRST_SPECIAL:]):
        del groups[2]
    if not view.round:
        groups = groups[1:-1]
    left, top, _, bottom = area
    if is_strip:
        x = left + 10
        for group in groups:
            x = group(x, (top + bottom) // 2) + _GROUP
        return
    step = (bottom - top) // len(groups)
    for number, group in enumerate(groups):
        group(left + 24, top + step * number + step // 2)


def _draw_wood(canvas: Canvas, view: FlandernView, x: int, middle: int) -> int:
    wood = (("site", view.sites), ("cathedral", view.cathedrals), ("leader", view.leaders))
    for name, count in wood[:1] if len(view.seats) == FEWEST else wood:
        x = _counted(canvas, pieces.icon(name, _ICON), x, middle, count)
    return x


def draw_stock(
    canvas: Canvas, view: FlandernView, emblem: int, x: int, middle: int, high: int
) -> int:
    """How many quarters of an emblem are left of each shape; returns where they end."""
    key, stock = EMBLEM_KEYS[emblem], view.stock[emblem]
    for number, shape in enumerate(SHAPES):
        count = stock[number] + stock[number + WITH_LEADER]
        pile = quarters.pile(key, shape, count, high)
        x = canvas.stamp_beside(pile, x, middle) + 4
    return x


def _draw_special(canvas: Canvas, view: FlandernView, x: int, middle: int) -> int:
    """Those of the church that are not yet built."""
    for number, special in enumerate(SPECIAL):
        if view.stock[CHURCH][FIRST_SPECIAL + number]:
            key = EMBLEM_KEYS[CHURCH]
            x = canvas.stamp_beside(quarters.tile(key, special, _SPECIAL), x, middle) + 2
    return x


def _draw_grey(
    canvas: Canvas, view: FlandernView, gained: int, high: int, x: int, middle: int
) -> int:
    x = draw_stock(canvas, view, GREY, x, middle, high) + 4
    points = sum(each.score for each in view.guilds if each.guild == EMBLEM_KEYS[GREY])
    if points:
        end = canvas.stamp_beside(signs.plate(points, 36, False), x, middle)
        if gained:
            added = gain(gained, 26)
            canvas.stamp_beside(added, x + 4, middle + 34)
        x = end
    return x


def _draw_decks(
    canvas: Canvas, scene: Scene[FlandernView], turned: bool, x: int, middle: int
) -> int:
    """The golden decks, whose the card of the round is, and that card, face down to whom it is
    unknown; with two players their deck and the card drawn last."""
    view = scene.view
    decks = zip("ab", view.golden_left, strict=True) if view.golden_left else ()
    for deck, count in decks or ((UNCHOSEN, view.deck),):
        x = _counted(canvas, cards.back(deck, _BACK), x, middle, count)
    if view.drawn is not None:
        guild, key = view.drawn
        card = face(scene.labels, key, guild, _CARD)
    elif view.golden_deck:
        x = stamp_emblems(canvas, scene.looks[view.first], x, middle, _OWNER) + 4
        turned = turned and view.revealed
        card = cards.back(view.golden_deck, _CARD)
        if view.golden_card is not None:
            card = face(scene.labels, view.golden_card, GOLDEN, _CARD)
    else:
        return x
    end = canvas.stamp_beside(card, x, middle)
    if turned:
        frame = signs.frame(card.width, card.height)
        canvas.stamp_centred(frame, x + card.width / 2, middle)
    return end


def _counted(canvas: Canvas, sign: Sprite, x: int, middle: int, count: int) -> int:
    x = canvas.stamp_beside(sign, x, middle) + 4
    return draw_count(canvas, x, middle, count, _COUNT) + _GAP
