"""The main board: the bar with the time, the turn track, the bonus tiles; or all the estates, while
they are being chosen."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.burgundy.boards import BOARDS
from bot.game.burgundy.data import COLOUR_KEYS, CONTENT, numbers_for
from bot.game.burgundy.view import BurgundyView
from bot.render.burgundy import pieces
from bot.render.burgundy.base import track_row
from bot.render.burgundy.depots import Lying, draw_depots
from bot.render.burgundy.estate import estate, size
from bot.render.burgundy.layout import COLOURS, LAYOUT, BurgundyLabels
from bot.render.burgundy.marks import Marks
from bot.render.fonts import Face
from bot.render.layout import Area, Spot
from bot.render.seats import SEATS, draw_awaited, emblem, then
from bot.render.sprites import Align, Canvas

_LETTER = 48
_ROUND = 56
_ORDER = 64
_GOOD = 40
_ESTATE = 18
_IN_A_ROW = 5
_GAP = 8


def draw_bar(
    canvas: Canvas, view: BurgundyView, names: Sequence[str], labels: BurgundyLabels
) -> None:
    """Phases, rounds with the goods to come and the white die, who is asked what, the order."""
    middle = LAYOUT.bar // 2 - 1
    x = _phases(canvas, view, middle)
    if view.phase:
        x = _rounds(canvas, view, x + 14, middle)
    x += 24
    end = LAYOUT.width - 8 - _ORDER * len(view.order)
    text = labels.of(view.asked)
    x = canvas.text(x, middle, text, COLOURS.gold, 36, Face.TITLE) + 16
    draw_awaited(canvas, (x, middle), end - 34, view.active, names)
    for place, seat in enumerate(view.order):
        x = end + place * _ORDER
        if place:
            canvas.stamp(then(COLOURS.dusk), x - 17, middle - 12)
        canvas.stamp(emblem(seat, 44), x, middle - 22)


def draw_board(canvas: Canvas, view: BurgundyView, marks: Marks) -> list[Lying]:
    """Everything between the bar and the players' panels; returns where the tiles lie."""
    lying = draw_depots(canvas, view, marks)
    _bonuses(canvas, view, marks)
    _track(canvas, view, marks)
    return lying


def _phases(canvas: Canvas, view: BurgundyView, middle: int) -> int:
    """The phases, and the points for completing a region in the present one."""
    now = CONTENT.phases.index(view.phase) if view.phase else -1
    for place, letter in enumerate(CONTENT.phases):
        canvas.stamp(pieces.phase(letter, place - now), 14 + place * _LETTER, middle - 22)
    x = 14 + len(CONTENT.phases) * _LETTER
    if view.phase:
        canvas.stamp(pieces.seal(str(CONTENT.phase_points[now]), 44), x + 4, middle - 22)
        x += 50
    return x


def _rounds(canvas: Canvas, view: BurgundyView, x: int, middle: int) -> int:
    """A place a round: a number, the white die for the present one, goods for those to come."""
    first = CONTENT.rounds - len(view.coming)
    for place in range(CONTENT.rounds):
        centre = x + place * _ROUND + _ROUND // 2
        now = place + 1 == view.round
        canvas.stamp_centred(pieces.round_place(now), centre, middle)
        if now and view.white:
            canvas.stamp_centred(pieces.die(view.white, 40), centre, middle)
        elif place >= first:
            good = int(view.coming[place - first]) - 1
            canvas.stamp_centred(pieces.good(good, _GOOD), centre, middle)
        else:
            canvas.text(centre, middle, str(place + 1), COLOURS.dusk, 34, align=Align.CENTRE)
    return x + CONTENT.rounds * _ROUND


def _bonuses(canvas: Canvas, view: BurgundyView, marks: Marks) -> None:
    """By colour, both bonus tiles; a taken one is covered by its owner's emblem."""
    left, top, right, bottom = LAYOUT.bonuses
    room = (right - left - 12) / len(COLOUR_KEYS)
    for colour, shown in enumerate(view.colours):
        centre = left + 6 + room * (colour + 0.5)
        canvas.stamp_centred(pieces.symbol(colour, 52), centre, top + 33)
        for rank, points in enumerate(numbers_for(len(view.seats)).bonus):
            x, y = centre - 18 + 36 * rank, bottom - 27
            if rank < len(shown.seats):
                owner = shown.seats[rank]
                if (owner, shown.colour) in marks.colours:
                    canvas.stamp_centred(pieces.halo(46), x, y)
                canvas.stamp_centred(emblem(owner, 34), x, y)
            else:
                canvas.stamp_centred(pieces.bonus(str(points), 38 - 4 * rank), x, y)


def _track(canvas: Canvas, view: BurgundyView, marks: Marks) -> None:
    for space, stack in enumerate(view.track, 1):
        left, middle = track_row(space)
        start = left + 23
        large = 42 if len(stack) < len(SEATS) else 36
        step = min(44, (LAYOUT.track[2] - 10 - large - start) // max(1, len(stack) - 1))
        for place, seat in enumerate(stack):
            x = start + place * step
            if seat in marks.ahead:
                canvas.stamp_centred(pieces.halo(large + 10), x + large // 2, middle)
            canvas.stamp(emblem(seat, large), x, middle - large // 2)


def board_area(number: int) -> Area:
    """An estate of the gallery, with its number."""
    x, y = _corner(number)
    wide, high = size(_ESTATE)
    return x - 6, y, x + 36 + wide, y + high


def _corner(number: int) -> Spot:
    left, top, right, _ = LAYOUT.board
    _, high = size(_ESTATE)
    row, column = divmod(tuple(BOARDS).index(number), _IN_A_ROW)
    return left + 14 + column * ((right - left - 20) // _IN_A_ROW), top + _GAP + row * (high + _GAP)


def draw_gallery(canvas: Canvas, view: BurgundyView) -> None:
    """Every estate with its number, and the emblems of those who have it, in place of the board."""
    left, top, right, bottom = LAYOUT.board
    canvas.rect((left, top, right, bottom - 2), COLOURS.paper)
    for number in BOARDS:
        x, y = _corner(number)
        canvas.text(x + 18, y + 28, str(number), COLOURS.ink, 44, align=Align.CENTRE)
        canvas.image.paste(estate(number, _ESTATE), (x + 36, y))
        owners = [seat for seat, each in enumerate(view.seats) if each.board == number]
        for line, seat in enumerate(owners):
            canvas.stamp(emblem(seat, 42), x - 4, y + 62 + 46 * line)
