"""Everything around the map: the bar, the market and the players' panels; and a seat's close-up,
with the map, the seat's pieces below it, and the market or the bids to its right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.game.contract import Seat
from bot.game.frames import question_of
from bot.game.kogge.common import development_points, offices_of
from bot.game.kogge.data import CHIT_KEYS, CITIES, CONTENT, GOOD_LETTERS
from bot.game.kogge.state import Auction, KoggePlayer, KoggeState, KoggeView, markers_in_the_bag
from bot.render.asked import LayeredCanvas, Place, rectangle
from bot.render.fonts import Face, fit, label, width
from bot.render.kogge import pieces
from bot.render.kogge.cities import draw_map
from bot.render.kogge.pieces import COLOURS, LETTERS
from bot.render.kogge.sea import BAR, CAPTIONS, MAP, MARKET, PANEL_HEADER, SIZE, base, panel
from bot.render.panels import draw_count, draw_header, draw_order, draw_place, draw_to_act
from bot.render.picture import Scene
from bot.render.sides import SIDE_LOOKS, stamp_emblems
from bot.render.sprites import Align, Backdrop, Canvas, Spot
from bot.render.theme import Colour

PHASES: Mapping[str, str] = {
    "found": label("First offices"),
    "bid": label("Auction"),
    "advance": label("Guild master"),
    "move": label("Movement"),
    "act": label("Actions"),
    "split": label("Raid"),
    "choose": label("Raid"),
    "push": label("Sent away"),
    "tax": label("Taxes"),
    "exchange": label("First look"),
    "challenge": label("Conflict?"),
    "conflict": label("Conflict"),
    "demand": label("Conflict"),
    "over": label("The end"),
}
"""By question."""
EDITION: Mapping[str, str] = {
    "english": label("English rules"),
    "italian": label("Italian rules"),
    "either_price": label("Office: goods or markers"),
    "failed_route_keeps_step": label("Failed route: no step lost"),
    "open": label("Open hands"),
    "hidden": label("Hidden hands"),
    "taxes": label("Taxes"),
    "offices": label("Deals with offices"),
    "conflicts": label("Conflicts"),
    "memory": label("Memory"),
    "three_fur": label("Start: three fur"),
}
_ORDER = 764
"""The left edge of the turn order."""
_BID = 40
_PAIRS = CONTENT.display_pairs
_SLIP = 232
"""Width of a line on the slip with the edition."""
_OFFICES = 4
"""Offices of each seat."""


def base_of(scene: Scene[KoggeView]) -> Backdrop:
    """Return the picture without pieces."""
    return base(scene.looks, tuple(scene.say(each) for each, _ in CAPTIONS), scene.say(LETTERS))


def draw_above(canvas: LayeredCanvas, scene: Scene[KoggeView]) -> None:
    """Draw the bar (round, laps, phase, seat to act, turn order with bids) and the market."""
    known, say, middle = scene.view.known, scene.say, BAR // 2
    x = 18
    if known.round:
        now, laps = f"{say('Round')} {known.round}", f"{known.laps}/{CONTENT.laps_to_end}"
        x = canvas.text(x, middle, now, COLOURS.cream, 38, Face.TITLE) + 18
        x = canvas.stamp_beside(pieces.figure("guild_badge"), x, middle) + 4
        x = canvas.text(x, middle, laps, COLOURS.cream, 38) + 22
    phase = say(PHASES[question_of(known)])
    x = canvas.text(x, middle, phase, COLOURS.gold, 38, Face.TITLE) + 18
    draw_to_act(canvas, scene, (x, middle), _ORDER - 20)
    # Emblems from first to last, each with its bid.
    room = (SIZE[0] - _ORDER - 6) // len(SIDE_LOOKS)
    draw_order(canvas, scene, (_ORDER, middle), room, COLOURS.lettering)
    for place, seat in enumerate(known.order):
        x = _ORDER + place * room
        _bid(canvas, known.bids[seat], x + 47, x + room - 17, middle - _BID // 2, COLOURS.cream)
    top, middle = MARKET[1] + 32, MARKET[1] + 53
    _pairs(canvas, known, [(12 + number * 95, top) for number in range(_PAIRS)], 42, 4)
    canvas.stamp(pieces.icon("bag", 42), 396, top)
    canvas.text(440, middle, _in_bag(known), COLOURS.ink, 38)
    for kind, count in enumerate(known.reserve):
        sign = pieces.good(say(LETTERS), kind, 36)
        draw_count(
            canvas, canvas.stamp_beside(sign, 486 + kind * 77, middle) + 2, middle, count, 36
        )
    piles = [(800 + kind * 49, top + 1) for kind in range(len(CHIT_KEYS))]
    _chits_left(canvas, known, piles, 40, 6, _pile)
    draw_variants(canvas, scene)


def draw_variants(canvas: Canvas, scene: Scene[KoggeView]) -> None:
    """Draw the edition and its variants on a slip in the corner of the map."""
    lines: list[str] = []
    for text in (scene.say(EDITION[name]) for name in scene.view.known.rules.edition):
        # As few lines as possible: pieces may be right below the slip.
        for index, line in enumerate(lines):
            if width(f"{line} · {text}", pieces.SMALL) <= _SLIP:
                lines[index] = f"{line} · {text}"
                break
        else:
            lines.append(fit(text, pieces.SMALL, _SLIP))
    slip = pieces.slip(tuple(lines))
    canvas.stamp(slip, MAP[2] - slip.width - 6, MAP[1] + 6)


def _bid(canvas: Canvas, bid: str, left: int, right: int, top: int, tone: Colour) -> None:
    """Draw the markers of a bid: wide or slim ones, or each number with its count, as they fit.

    If even that does not fit, the count of the remaining markers comes last.
    """
    for step, tile in ((_BID + 2, pieces.marker), (pieces.SLIM, pieces.slim_marker)):
        if len(bid) * step <= right - left:
            for index, number in enumerate(map(int, bid)):
                canvas.stamp(tile(number, _BID), left + index * step, top)
            return
    x, rest, middle = left, len(bid), top + _BID // 2
    for letter in sorted(set(bid), reverse=True):
        count = bid.count(letter)
        text = f"×{count}" if count > 1 else ""
        after = x + pieces.SLIM + width(text, 26) + 2
        rest -= count
        if after + (width(f"+{rest}", 26) if rest else 0) > right:
            canvas.text(x, middle, f"+{rest + count}", tone, 26)
            return
        canvas.stamp(pieces.slim_marker(int(letter), _BID), x, top)
        canvas.text(x + pieces.SLIM, middle, text, tone, 26)
        x = after


def _pairs(
    canvas: LayeredCanvas, known: KoggeState, at: Sequence[Spot], size: int, edge: int
) -> None:
    """Draw the pairs of markers for sale, or their empty places."""
    for number, (x, y) in enumerate(at):
        pair = known.display[number] if number < len(known.display) else ""
        for side in range(2):
            tile = pieces.marker(int(pair[side]), size) if pair else pieces.no_marker("", size)
            canvas.stamp(tile, x + side * (size + 1), y)
        area = (x - edge, y - edge, x + 2 * size + edge + 1, y + size + edge)
        canvas.note("pair", str(number + 1), rectangle, area)


def _chits_left(
    canvas: LayeredCanvas,
    known: KoggeState,
    at: Sequence[Spot],
    size: int,
    step: int,
    place: Callable[[int, int], Place],
) -> None:
    """Draw the piles of chits for sale; `place` makes the place of a pile from its corner."""
    for (x, y), key, count in zip(at, CHIT_KEYS, known.chits, strict=True):
        if not count:
            canvas.stamp(pieces.icon("no_chit", size), x, y)
        for layer in reversed(range(count)):
            canvas.stamp(pieces.chit(key, size), x + step * layer, y - 3 * layer)
        canvas.note("chit", key, place, x, y)


def _pile(x: int, y: int) -> Place:
    return rectangle((x, y - 6, x + 48, y + 44))


def _pile_beside_map(x: int, y: int) -> Place:
    """Return a place whose tag is on the map."""
    return rectangle((x - 3, y - 6, x + 46, y + 41))._replace(tag=(x - 63, y + 17.5))


def _in_bag(known: KoggeState) -> str:
    count = markers_in_the_bag(known)
    return "?" if count is None else str(count)


_PAD = 10
_COUNT = 38
_BACK = 46
_MAX_BACKS, _FAN = 9, 31
"""The markers drawn of a face-down hand, and pixels from one to the next."""
_POINTS = 46


def draw_panel(canvas: LayeredCanvas, scene: Scene[KoggeView], seat: Seat) -> None:
    """Draw the panel of a seat, as far as the observer may know its pieces."""
    known, player = scene.view.known, scene.view.known.players[seat]
    left, top, right, bottom = panel(seat)
    # Development points and the place in the turn order, at the right of the header.
    middle, points = top + PANEL_HEADER // 2, str(development_points(known, seat))
    end = right - 8 - width(points, _POINTS)
    canvas.text(end, middle, points, SIDE_LOOKS[seat].writing, _POINTS)
    end = canvas.stamp_beside(pieces.icon("star", 40), end - 3, middle, Align.RIGHT)
    end = draw_place(canvas, scene, seat, end - 8, middle)
    draw_header(canvas, scene, seat, panel(seat), PANEL_HEADER, end)
    x, middle = left + _PAD, top + PANEL_HEADER + 29
    if not player.goods:
        x = canvas.stamp_beside(pieces.icon("lock", 40), x, middle) + 14
    room = (right - _PAD - x) // len(GOOD_LETTERS)
    for kind, letter in enumerate(GOOD_LETTERS):
        end = canvas.stamp_beside(pieces.good(scene.say(LETTERS), kind, 40), x, middle)
        if player.goods:
            draw_count(canvas, end + 5, middle, player.goods[kind], _COUNT)
        area = (x - 4, middle - 24, x + room - 12, middle + 24)
        canvas.note(f"piece {seat}", letter, rectangle, area)
        x += room
    x, y = left + _PAD, top + PANEL_HEADER + 56
    if len(player.markers) == CITIES:
        _numbers(canvas, seat, player, (x, y), large=False)
    else:
        _backs(canvas, player, x, y + 12)
    # Offices left, Raids in hand, chits.
    x, middle = left + _PAD - 2, bottom - 28
    x = canvas.stamp_beside(pieces.office(seat, 44), x, middle - 3) + 3
    x = draw_count(canvas, x, middle, _offices_left(known, seat), _COUNT) + 16
    x = canvas.stamp_beside(pieces.raid(seat, 42), x, middle + 1) + 4
    x = draw_count(canvas, x, middle, player.raids, _COUNT) + 16
    _chits(canvas, player, (x, middle - 21), 42, (44, right - _PAD + 4 - x - 42))


def _offices_left(known: KoggeState, seat: Seat) -> int:
    return max(0, _OFFICES - offices_of(known, seat))


def _backs(canvas: Canvas, player: KoggePlayer, x: int, top: int) -> None:
    """Draw a fan of backs with their count; a lock and three backs if the count is secret."""
    back = pieces.icon("unseen", _BACK)
    if not player.markers:
        canvas.stamp(pieces.icon("lock", _BACK), x, top)
        for index in range(3):
            canvas.stamp(back, x + 64 + index * 54, top)
        return
    (count,) = player.markers
    if not count:
        canvas.stamp(pieces.no_marker("", _BACK), x, top)
    for index in range(min(count, _MAX_BACKS)):
        canvas.stamp(back, x + index * _FAN, top)
    x += max(0, min(count, _MAX_BACKS) - 1) * _FAN + _BACK + 8
    canvas.text(x, top + _BACK // 2, f"×{count}", COLOURS.ink if count else COLOURS.soft, _COUNT)


def _numbers(
    canvas: LayeredCanvas, seat: Seat, player: KoggePlayer, at: tuple[int, int], *, large: bool
) -> None:
    """Draw nine columns, each with a number above its count."""
    tile, step, gap, size, below = (_OWN, _STEP, 22, 40, 20) if large else (38, 42, 19, 36, 17)
    middle = at[1] + tile + gap
    for number, count in enumerate(player.markers):
        x = at[0] + number * step
        sign = pieces.marker(number, tile) if count else pieces.no_marker(str(number), tile)
        canvas.stamp(sign, x, at[1])
        if count or large:
            draw_count(canvas, x + tile // 2, middle, count, size, Align.CENTRE)
        area = (x - 1, at[1] - 2, x + tile + 1, middle + below)
        canvas.note(f"piece {seat}", str(number), rectangle, area)


def _chits(
    canvas: Canvas, player: KoggePlayer, at: tuple[int, int], size: int, room: tuple[int, int]
) -> None:
    """Draw a seat's chits in a row. `room` is the maximum distance between two, and between the
    first and the last."""
    keys = [key for key, count in zip(CHIT_KEYS, player.chits, strict=True) for _ in range(count)]
    step = min(room[0], room[1] // max(1, len(keys) - 1))
    for number, key in enumerate(keys):
        canvas.stamp(pieces.chit(key, size), at[0] + number * step, at[1])


_SIDE, _FOOT = 106, 112
"""Width of the strip right of the map, and height of the one below it."""
_WIDE = MAP[2] + _SIDE
_OWN, _STEP = 56, 63
"""Pixels of a good or a marker of the seat, and from one to the next."""
_MARKERS = 82
_GOODS = _MARKERS + CITIES * _STEP + 16
_MARKS = _GOODS + len(GOOD_LETTERS) * _STEP + 12
_TOP = MAP[3] + 10
_COUNTS = _TOP + _OWN + 22


def draw_seat(scene: Scene[KoggeView], seat: Seat) -> LayeredCanvas:
    """Draw the close-up of a seat, as far as the observer may know its pieces."""
    known = scene.view.known
    player = known.players[seat]
    whole = LayeredCanvas(_WIDE, MAP[3] - MAP[1] + _FOOT)
    canvas = whole.at(0, -MAP[1])
    canvas.lay(base_of(scene), 0, 0)
    right, bottom, foot = MAP[2], MAP[3], MAP[3] + _FOOT
    for area, fill in (
        ((right, MAP[1], _WIDE, bottom), COLOURS.paper),
        ((right, MAP[1], right + 3, bottom), COLOURS.ink),
        ((0, bottom, _WIDE, foot), COLOURS.paper),
        ((0, bottom, _MARKERS - 14, foot), SIDE_LOOKS[seat].fill),
        ((0, bottom, _WIDE, bottom + 3), COLOURS.ink),
        ((_MARKERS - 14, bottom + 3, _MARKERS - 12, foot), COLOURS.soft),
        ((_GOODS - 12, bottom + 3, _GOODS - 10, foot), COLOURS.soft),
        ((_MARKS - 10, bottom + 3, _MARKS - 8, foot), COLOURS.soft),
    ):
        canvas.rect(area, fill)
    draw_map(canvas, scene)
    draw_variants(canvas, scene)
    stamp_emblems(canvas, scene.looks[seat], 12, MAP[3] + _FOOT // 2, 58)
    if len(player.markers) == CITIES:
        _numbers(canvas, seat, player, (_MARKERS, _TOP), large=True)
    else:
        count = player.markers[0] if player.markers else None
        for number in range(3 if count is None else min(count, CITIES - 1)):
            canvas.stamp(pieces.icon("unseen", _OWN), _MARKERS + number * _STEP, _TOP + 18)
        text, middle = "?" if count is None else f"×{count}", _TOP + 18 + _OWN // 2
        canvas.text(_GOODS - 20, middle, text, COLOURS.ink, 44, align=Align.RIGHT)
    for kind, letter in enumerate(GOOD_LETTERS):
        x = _GOODS + kind * _STEP
        canvas.stamp(pieces.good(scene.say(LETTERS), kind, _OWN), x, _TOP)
        if player.goods:
            draw_count(canvas, x + _OWN // 2, _COUNTS, player.goods[kind], 40, Align.CENTRE)
        else:
            canvas.text(x + _OWN // 2, _COUNTS, "?", COLOURS.soft, 40, align=Align.CENTRE)
        area = (x - 1, _TOP - 2, x + _OWN + 1, _COUNTS + 20)
        canvas.note(f"piece {seat}", letter, rectangle, area)
    # Development points and offices left, below them Raids in hand and chits.
    points, middle, low = development_points(known, seat), _TOP + 24, _TOP + 74
    x = canvas.stamp_beside(pieces.icon("star" if points else "no_star", 50), _MARKS, middle) + 4
    x = draw_count(canvas, x, middle, points, 52) + 16
    x = canvas.stamp_beside(pieces.office(seat, 44), x, middle - 3) + 2
    draw_count(canvas, x, middle, _offices_left(known, seat), 40)
    x = canvas.stamp_beside(pieces.raid(seat, 40), _MARKS + 4, low) + 2
    x = draw_count(canvas, x, low, player.raids, 38) + 8
    _chits(canvas, player, (x, low - 19), 38, (40, _WIDE - 44 - x))
    # The market, and below it the bids or the reserve.
    left, y = right + 9, MAP[1] + 16
    _caption(canvas, scene, "For sale", y)
    _pairs(canvas, known, [(left, y + 18 + number * 53) for number in range(_PAIRS)], 44, 3)
    y += 36 + _PAIRS * 53
    _caption(canvas, scene, "Chits", y)
    piles = [(left + kind % 2 * 48, y + 22 + kind // 2 * 52) for kind in range(len(CHIT_KEYS))]
    _chits_left(canvas, known, piles, 38, 5, _pile_beside_map)
    draw_rest = _bids if isinstance(known.frames[-1], Auction) else _reserve
    draw_rest(canvas, scene, y + 154)
    return whole


def _reserve(canvas: LayeredCanvas, scene: Scene[KoggeView], y: int) -> None:
    """Draw the count of the bag, and below it the goods of the reserve."""
    left = MAP[2] + 12
    _caption(canvas, scene, "Bag", y)
    canvas.stamp_beside(pieces.icon("bag", 40), left, y + 38)
    canvas.text(left + 44, y + 38, _in_bag(scene.view.known), COLOURS.ink, 36)
    _caption(canvas, scene, "Reserve", y + 96)
    for kind, count in enumerate(scene.view.known.reserve):
        middle = y + 96 + 46 * (kind + 1) - 8
        sign = pieces.good(scene.say(LETTERS), kind, 38)
        draw_count(canvas, canvas.stamp_beside(sign, left, middle) + 6, middle, count, 36)


def _bids(canvas: LayeredCanvas, scene: Scene[KoggeView], y: int) -> None:
    """Draw the bids so far, in the turn order of the last round."""
    known = scene.view.known
    _caption(canvas, scene, "Auction", y)
    for place, seat in enumerate(known.order):
        middle = y + 40 + place * 52
        x = stamp_emblems(canvas, scene.looks[seat], MAP[2] + 8, middle, 40) + 4
        if bid := known.bids[seat]:
            _bid(canvas, bid, x, _WIDE - 2, middle - 20, COLOURS.ink)
        else:
            canvas.text(x + 6, middle, "…", COLOURS.soft, 36)


def _caption(canvas: LayeredCanvas, scene: Scene[KoggeView], text: str, y: int) -> None:
    canvas.text(MAP[2] + 9, y, fit(scene.say(text), 22, _SIDE - 14), COLOURS.soft, 22)
