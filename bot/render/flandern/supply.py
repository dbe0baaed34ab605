"""What lies beside the board: pieces of wood, the church and the grey guild, the drawn cards."""

from __future__ import annotations

from bot.game.flandern.data import CHURCH, EMBLEM_KEYS, FIRST_SPECIAL, GREY, WITH_LEADER
from bot.game.flandern.plan import CITIES, SHAPES, SPECIAL
from bot.game.flandern.view import FlandernView
from bot.render.asked import Sheet
from bot.render.flandern import cards, pieces, quarters, signs
from bot.render.flandern.layout import FEWEST, LAYOUT
from bot.render.flandern.marks import FlandernMarks
from bot.render.layout import Labels
from bot.render.panels import draw_count
from bot.render.picture import Scene
from bot.render.sides import stamp_emblems
from bot.render.sprites import Canvas, Sprite

GOLDEN = "golden"
"""Whose the golden cards are."""
UNCHOSEN = "silver"
"""Whose cards are of no guild, or while guilds are chosen."""

_ICON = 44
_TILE = 46
_COUNT = 36
_GAP = 14
_GROUP = 24
_OWNER = 40
_DRAWN = 310
_CARD = 44
_BACK = 36


def face(labels: Labels, card: str, owner: str, wide: int) -> Sprite:
    """A card so wide; on that of a city stands the beginning of its name."""
    return cards.card(card, labels[card][:2] if card in CITIES else "", owner, wide)


def draw_supply(sheet: Sheet, scene: Scene[FlandernView], marks: FlandernMarks) -> None:
    """From the left: site pieces, cathedrals and leaders; then how many quarters of each shape are
    left of the church and of the grey guild; and the cards that are drawn.
    """
    view = scene.view
    left, top, right, bottom = LAYOUT.supply
    x, middle = left + 12, (top + bottom) // 2
    two = len(view.seats) == FEWEST
    wood = (("site", view.sites), ("cathedral", view.cathedrals), ("leader", view.leaders))
    for name, count in wood[:1] if two else wood:
        x = _counted(sheet, pieces.icon(name, _ICON), x, middle, count)
    for emblem in (CHURCH, GREY):
        x = draw_stock(sheet, view, emblem, x + _GROUP, middle)
    _draw_decks(sheet, scene, right - _DRAWN, middle, bool(marks.turned))


def draw_stock(canvas: Canvas, view: FlandernView, emblem: int, x: int, middle: int) -> int:
    """How many quarters of an emblem are left of each shape, and its special ones; returns where
    they end."""
    key, stock = EMBLEM_KEYS[emblem], view.stock[emblem]
    for number, shape in enumerate(SHAPES):
        count = stock[number] + stock[number + WITH_LEADER]
        x = _counted(canvas, quarters.tile(key, shape, _TILE), x, middle, count)
    for number, special in enumerate(SPECIAL):
        if stock[FIRST_SPECIAL + number]:
            x = canvas.stamp_beside(quarters.tile(key, special, _TILE), x, middle) + 4
    return x


def _draw_decks(
    canvas: Canvas, scene: Scene[FlandernView], x: int, middle: int, turned: bool
) -> None:
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
        x = stamp_emblems(canvas, scene.looks[view.first], x + _GROUP, middle, _OWNER) + 4
        turned = turned and view.revealed
        card = cards.back(view.golden_deck, _CARD)
        if view.golden_card is not None:
            card = face(scene.labels, view.golden_card, GOLDEN, _CARD)
    else:
        return
    canvas.stamp_beside(card, x, middle)
    if turned:
        frame = signs.frame(card.width, card.height)
        canvas.stamp_centred(frame, x + card.width / 2, middle)


def _counted(canvas: Canvas, sign: Sprite, x: int, middle: int, count: int) -> int:
    x = canvas.stamp_beside(sign, x, middle) + 4
    return draw_count(canvas, x, middle, count, _COUNT) + _GAP
