"""The bar (round, phase, who is awaited, laps, order with bids) and the market under it."""

from __future__ import annotations

from bot.game.kogge.data import CHIT_KEYS, CONTENT
from bot.game.kogge.view import KoggeView
from bot.render.asked import Sheet, rectangle
from bot.render.fonts import Face, fit, width
from bot.render.kogge import pieces, signs
from bot.render.kogge.layout import COLOURS, LAYOUT, LETTERS
from bot.render.panels import draw_awaited, draw_count, draw_order
from bot.render.picture import Scene
from bot.render.sides import SIDE_LOOKS
from bot.render.sprites import Canvas
from bot.render.theme import Colour

_PAIR = 42
_BID = 40
_SLIM = 27
_SLIP = 232
"""Room for a line of the slip with the edition."""
_ORDER = 764
"""Where the order of play begins."""


def draw_ribbon(sheet: Sheet, scene: Scene[KoggeView]) -> None:
    """Everything above the map."""
    _bar(sheet, scene)
    _order(sheet, scene)
    _pairs(sheet, scene.view)
    _stocks(sheet, scene.view, scene.labels[LETTERS])
    draw_variants(sheet, scene)


def _bar(canvas: Canvas, scene: Scene[KoggeView]) -> None:
    view, middle = scene.view, LAYOUT.bar // 2
    x = 18
    if view.round:
        text = f"{scene.labels['round']} {view.round}"
        x = canvas.text(x, middle, text, COLOURS.cream, 38, Face.TITLE) + 18
        canvas.stamp(signs.guild_badge(), x, middle - 26)
        laps = f"{view.laps}/{CONTENT.laps_to_end}"
        x = canvas.text(x + 44, middle, laps, COLOURS.cream, 38) + 22
    phase = scene.labels[view.phase]
    x = canvas.text(x, middle, phase, COLOURS.gold, 38, Face.TITLE) + 18
    draw_awaited(canvas, scene, (x, middle), _ORDER - 20)


def _order(canvas: Canvas, scene: Scene[KoggeView]) -> None:
    """Emblems from first to last, each with its bid."""
    room = (LAYOUT.size[0] - _ORDER - 6) // len(SIDE_LOOKS)
    draw_order(canvas, scene, (_ORDER, LAYOUT.bar // 2), room, COLOURS.lettering)
    for place, seat in enumerate(scene.view.order):
        x = _ORDER + place * room
        top = LAYOUT.bar // 2 - _BID // 2
        draw_bid(canvas, scene.view.seats[seat].bid, x + 47, x + room - 17, top)


def draw_bid(
    canvas: Canvas, bid: str, left: int, right: int, top: int, tone: Colour = COLOURS.cream
) -> None:
    """The markers of a bid: broad, slim, or each number once with how often, as they fit."""
    if len(bid) * (_BID + 2) <= right - left:
        for place, letter in enumerate(bid):
            canvas.stamp(pieces.marker(int(letter), _BID), left + place * (_BID + 2), top)
        return
    fits = (right - left) // _SLIM
    if len(bid) <= fits:
        for place, letter in enumerate(bid):
            canvas.stamp(pieces.slim_marker(int(letter), _SLIM, _BID), left + place * _SLIM, top)
        return
    _groups(canvas, bid, left, right, top, tone)


def _groups(canvas: Canvas, bid: str, left: int, right: int, top: int, tone: Colour) -> None:
    """As many numbers as fit, the highest first, then how many markers more."""
    x, shown = left, 0
    for letter in sorted(set(bid), reverse=True):
        count = bid.count(letter)
        text = f"×{count}" if count > 1 else ""
        after = x + _SLIM + width(text, 26) + 2
        rest = len(bid) - shown - count
        if after + (width(f"+{rest}", 26) if rest else 0) > right:
            break
        canvas.stamp(pieces.slim_marker(int(letter), _SLIM, _BID), x, top)
        canvas.text(x + _SLIM, top + _BID // 2, text, tone, 26)
        x, shown = after, shown + count
    if shown < len(bid):
        canvas.text(x, top + _BID // 2, f"+{len(bid) - shown}", tone, 26)


def _pairs(sheet: Sheet, view: KoggeView) -> None:
    top = LAYOUT.market[1] + 32
    for place in range(CONTENT.display_pairs):
        x = 12 + place * 95
        pair = view.display[place] if place < len(view.display) else ""
        for side in range(2):
            sprite = pieces.marker(int(pair[side]), _PAIR) if pair else signs.empty_marker(_PAIR)
            sheet.stamp(sprite, x + side * (_PAIR + 1), top)
        area = (x - 4, top - 4, x + 2 * _PAIR + 5, top + _PAIR + 4)
        sheet.note("pair", str(place + 1), rectangle, area)


def _stocks(sheet: Sheet, view: KoggeView, letters: str) -> None:
    """The bag, the reserve by good, the chits left as piles."""
    top = LAYOUT.market[1] + 32
    middle = top + _PAIR // 2
    sheet.stamp(signs.bag(42), 396, top)
    bag = "?" if view.bag is None else str(view.bag)
    sheet.text(440, middle, bag, COLOURS.ink, 38)
    for kind, count in enumerate(view.reserve):
        end = sheet.stamp_beside(pieces.good(letters, kind, 36), 486 + kind * 77, middle)
        draw_count(sheet, end + 2, middle, count, 36)
    for kind, key in enumerate(CHIT_KEYS):
        left = view.chits_left[kind]
        x = 800 + kind * 49
        if not left:
            sheet.stamp(signs.no_chit(40), x, middle - 20)
        for layer in reversed(range(left)):
            sheet.stamp(pieces.chit(key, 40), x + 6 * layer, middle - 20 - 3 * layer)
        sheet.note("chit", key, rectangle, (x, middle - 26, x + 48, middle + 24))


def draw_variants(canvas: Canvas, scene: Scene[KoggeView]) -> None:
    """The edition and what departs from it, small, on a slip in the corner of the map."""
    _, top, right, _ = LAYOUT.map
    lines: list[str] = []
    for label in (scene.labels[name] for name in scene.view.edition):
        # As few lines as possible: pieces may be right below the slip.
        for place, line in enumerate(lines):
            if width(f"{line} · {label}", signs.SMALL) <= _SLIP:
                lines[place] = f"{line} · {label}"
                break
        else:
            lines.append(fit(label, signs.SMALL, _SLIP))
    slip = signs.slip(tuple(lines))
    canvas.stamp(slip, right - slip.width - 6, top + 6)
