"""The main board: the bar with the time, the turn track, the bonus tiles; or all the estates, while
they are being chosen."""

from __future__ import annotations

from bot.game.burgundy.boards import BOARDS
from bot.game.burgundy.data import COLOUR_KEYS, CONTENT, numbers_for
from bot.game.burgundy.view import BurgundyView
from bot.render.asked import Sheet, rectangle
from bot.render.burgundy import pieces
from bot.render.burgundy.base import track_row
from bot.render.burgundy.depots import draw_depots
from bot.render.burgundy.estate import estate, size
from bot.render.burgundy.layout import COLOURS, LAYOUT
from bot.render.burgundy.marks import Marks
from bot.render.fonts import Face
from bot.render.panels import draw_awaited, draw_order
from bot.render.picture import Scene
from bot.render.sides import SIDE_LOOKS, emblem
from bot.render.sprites import Align, Canvas

_LETTER = 48
_ROUND = 56
_ORDER = 64
_ESTATE = 18
_IN_A_ROW = 5
_GAP = 8


def draw_bar(canvas: Canvas, scene: Scene[BurgundyView]) -> None:
    """Phases, rounds with the goods to come and the white die, who is asked what, the order."""
    view, middle = scene.view, LAYOUT.bar // 2 - 1
    x = _phases(canvas, view, middle)
    if view.phase:
        x = _rounds(canvas, view, x + 14, middle)
    end = LAYOUT.width - 8 - _ORDER * len(view.order)
    asked = scene.labels[view.asked]
    x = canvas.text(x + 24, middle, asked, COLOURS.gold, 36, Face.TITLE) + 16
    draw_awaited(canvas, scene, (x, middle), end - 34)
    draw_order(canvas, scene, (end, middle), _ORDER, COLOURS.dusk)


def draw_board(sheet: Sheet, view: BurgundyView, marks: Marks) -> None:
    """Everything between the bar and the players' panels."""
    draw_depots(sheet, view, marks)
    _bonuses(sheet, view, marks)
    _track(sheet, view, marks)


def _phases(canvas: Canvas, view: BurgundyView, middle: int) -> int:
    """The phases, and the points for completing a region in the present one."""
    now = CONTENT.phases.index(view.phase) if view.phase else -1
    for place, letter in enumerate(CONTENT.phases):
        canvas.stamp(pieces.phase(letter, place - now), 14 + place * _LETTER, middle - 22)
    x = 14 + len(CONTENT.phases) * _LETTER
    if view.phase:
        x = canvas.stamp_beside(pieces.seal(str(CONTENT.phase_points[now]), 44), x + 4, middle) + 2
    return x


def _rounds(canvas: Canvas, view: BurgundyView, x: int, middle: int) -> int:
    """A place a round: a number, the white die for the present one, goods for those to come."""
    first = CONTENT.rounds - len(view.coming)
    for place in range(CONTENT.rounds):
        centre = x + place * _ROUND + _ROUND // 2
        now = place + 1 == view.round
        canvas.stamp_centred(pieces.round_place(now), centre, middle)
        if now and view.white:
            canvas.stamp_centred(pieces.die(view.white, False, 40), centre, middle)
        elif place >= first:
            good = int(view.coming[place - first]) - 1
            canvas.stamp_centred(pieces.good(good, 40), centre, middle)
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
        large = 42 if len(stack) < len(SIDE_LOOKS) else 36
        step = min(44, (LAYOUT.track[2] - 10 - large - start) // max(1, len(stack) - 1))
        for place, seat in enumerate(stack):
            x = start + place * step
            if seat in marks.ahead:
                canvas.stamp_centred(pieces.halo(large + 10), x + large // 2, middle)
            canvas.stamp(emblem(seat, large), x, middle - large // 2)


def draw_gallery(sheet: Sheet, view: BurgundyView) -> None:
    """Every estate with its number, and the emblems of those who have it, in place of the board."""
    left, top, right, bottom = LAYOUT.board
    sheet.rect((left, top, right, bottom - 2), COLOURS.paper)
    wide, high = size(_ESTATE)
    for place, number in enumerate(BOARDS):
        row, column = divmod(place, _IN_A_ROW)
        x = left + 14 + column * ((right - left - 20) // _IN_A_ROW)
        y = top + _GAP + row * (high + _GAP)
        sheet.text(x + 18, y + 28, str(number), COLOURS.ink, 44, align=Align.CENTRE)
        sheet.image.paste(estate(number, _ESTATE), (x + 36, y))
        owners = [seat for seat, each in enumerate(view.seats) if each.board == number]
        for line, seat in enumerate(owners):
            sheet.stamp(emblem(seat, 42), x - 4, y + 62 + 46 * line)
        sheet.note("board", str(number), rectangle, (x - 6, y, x + 36 + wide, y + high))
