"""The bar (round, phase, who is awaited, laps, order with bids) and the market under it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.kogge.data import CHIT_KEYS, CONTENT, GOODS
from bot.game.kogge.view import KoggeView
from bot.render.fonts import Face, fit, width
from bot.render.kogge import pieces, signs
from bot.render.kogge.layout import COLOURS, LAYOUT, KoggeLabels
from bot.render.layout import Area
from bot.render.seats import SEATS, draw_awaited, emblem, then
from bot.render.sprites import Canvas

_PAIR = 42
_BID = 40
_SLIM = 27
_SLIP = 232
"""Room for a line of the slip with the edition."""
_ORDER = 764
"""Where the order of play begins."""


def draw_ribbon(canvas: Canvas, view: KoggeView, names: Sequence[str], labels: KoggeLabels) -> None:
    """Everything above the map."""
    _bar(canvas, view, names, labels)
    _order(canvas, view)
    _pairs(canvas, view)
    _stocks(canvas, view)
    _variants(canvas, view, labels)


def pair_area(place: int) -> Area:
    """A pair for sale, counted from 0."""
    left, top = 12 + place * 95, LAYOUT.market[1] + 32
    return left - 4, top - 4, left + 2 * _PAIR + 5, top + _PAIR + 4


def chit_area(kind: int) -> Area:
    """The pile of a kind of bonus chits."""
    left, middle = 800 + kind * 49, LAYOUT.market[1] + 32 + _PAIR // 2
    return left, middle - 26, left + 48, middle + 24


def _bar(canvas: Canvas, view: KoggeView, names: Sequence[str], labels: KoggeLabels) -> None:
    middle = LAYOUT.bar // 2
    x = 18
    if view.round:
        text = f"{labels.round} {view.round}"
        x = canvas.text(x, middle, text, COLOURS.cream, 38, Face.TITLE) + 18
        canvas.stamp(signs.guild_badge(), x, middle - 26)
        laps = f"{view.laps}/{CONTENT.laps_to_end}"
        x = canvas.text(x + 44, middle, laps, COLOURS.cream, 38) + 22
    x = canvas.text(x, middle, labels.of(view.phase), COLOURS.gold, 38, Face.TITLE) + 18
    draw_awaited(canvas, (x, middle), _ORDER - 20, view.active, names)


def _order(canvas: Canvas, view: KoggeView) -> None:
    """Emblems from first to last, each with its bid."""
    middle = LAYOUT.bar // 2
    room = (LAYOUT.size[0] - _ORDER - 6) // len(SEATS)
    for place, seat in enumerate(view.order):
        x = _ORDER + place * room
        if place:
            canvas.stamp(then(COLOURS.lettering), x - 17, middle - 12)
        canvas.stamp(emblem(seat, 44), x, middle - 22)
        _bid(canvas, view.seats[seat].bid, x + 47, x + room - 17)


def _bid(canvas: Canvas, bid: str, left: int, right: int) -> None:
    """The markers of a bid: broad, slim, or each number once with how often, as they fit."""
    top = LAYOUT.bar // 2 - _BID // 2
    if len(bid) * (_BID + 2) <= right - left:
        for place, letter in enumerate(bid):
            canvas.stamp(pieces.marker(int(letter), _BID), left + place * (_BID + 2), top)
        return
    fits = (right - left) // _SLIM
    if len(bid) <= fits:
        for place, letter in enumerate(bid):
            canvas.stamp(pieces.slim_marker(int(letter), _SLIM, _BID), left + place * _SLIM, top)
        return
    _groups(canvas, bid, left, right, top)


def _groups(canvas: Canvas, bid: str, left: int, right: int, top: int) -> None:
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
        canvas.text(x + _SLIM, top + _BID // 2, text, COLOURS.cream, 26)
        x, shown = after, shown + count
    if shown < len(bid):
        canvas.text(x, top + _BID // 2, f"+{len(bid) - shown}", COLOURS.cream, 26)


def _pairs(canvas: Canvas, view: KoggeView) -> None:
    top = LAYOUT.market[1] + 32
    for place in range(CONTENT.display_pairs):
        x = 12 + place * 95
        pair = view.display[place] if place < len(view.display) else ""
        for side in range(2):
            sprite = pieces.marker(int(pair[side]), _PAIR) if pair else signs.empty_marker(_PAIR)
            canvas.stamp(sprite, x + side * (_PAIR + 1), top)


def _stocks(canvas: Canvas, view: KoggeView) -> None:
    """The bag, the reserve by good, the chits left as piles."""
    top = LAYOUT.market[1] + 32
    middle = top + _PAIR // 2
    canvas.stamp(signs.bag(42), 396, top)
    bag = "?" if view.bag is None else str(view.bag)
    canvas.text(440, middle, bag, COLOURS.ink, 38)
    for kind in range(GOODS):
        x = 486 + kind * 77
        canvas.stamp(pieces.good(kind, 36), x, middle - 18)
        count = view.reserve[kind]
        shade = COLOURS.ink if count else COLOURS.soft
        canvas.text(x + 38, middle, str(count), shade, 36)
    for kind, key in enumerate(CHIT_KEYS):
        left = view.chits_left[kind]
        x = 800 + kind * 49
        if not left:
            canvas.stamp(signs.no_chit(40), x, middle - 20)
        for layer in reversed(range(left)):
            canvas.stamp(pieces.chit(key, 40), x + 6 * layer, middle - 20 - 3 * layer)


def _variants(canvas: Canvas, view: KoggeView, labels: KoggeLabels) -> None:
    """The edition and what departs from it, small, on a slip in the corner of the map."""
    _, top, right, _ = LAYOUT.map
    lines: list[str] = []
    for label in map(labels.of, view.edition):
        # As few lines as possible: pieces may be right below the slip.
        for place, line in enumerate(lines):
            if width(f"{line} · {label}", signs.SMALL) <= _SLIP:
                lines[place] = f"{line} · {label}"
                break
        else:
            lines.append(fit(label, signs.SMALL, _SLIP))
    slip = signs.slip(tuple(lines))
    canvas.stamp(slip, right - slip.width - 6, top + 6)
