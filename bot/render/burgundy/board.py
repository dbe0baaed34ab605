"""The main board: the bar with the time, the turn track, the bonus tiles; or all the estates, while
they are being chosen."""

from __future__ import annotations

from bot.game.burgundy.data import BOARDS, COLOUR_KEYS, CONTENT, numbers_for
from bot.game.burgundy.view import BurgundyView
from bot.render.asked import Sheet, rectangle
from bot.render.burgundy import pieces
from bot.render.burgundy.base import table_of, track_space
from bot.render.burgundy.depots import draw_depots
from bot.render.burgundy.estate import estate, size
from bot.render.burgundy.layout import COLOURS, LAYOUT
from bot.render.burgundy.marks import Marks
from bot.render.fonts import Face
from bot.render.layout import Area
from bot.render.panels import draw_awaited
from bot.render.picture import Scene
from bot.render.sides import SIDE_LOOKS, emblem
from bot.render.sprites import Align, Canvas

_LETTER = 47
_ROUND = 50
_LABEL = 28
_COLUMNS = 3
"""Of the bonus tiles."""
_GAP = 8
_NUMBER = 40
"""Pixels for the number of an estate."""


def draw_bar(canvas: Canvas, scene: Scene[BurgundyView]) -> None:
    """Phases, rounds with the goods to come and the white die, who is asked what."""
    view, middle = scene.view, LAYOUT.bar // 2 - 1
    x = canvas.text(12, middle, scene.labels["phase"], COLOURS.cream, _LABEL) + 6
    x = _phases(canvas, view, x, middle)
    if view.phase:
        x = canvas.text(x + 12, middle, scene.labels["round"], COLOURS.cream, _LABEL) + 2
        x = _rounds(canvas, view, x, middle)
    asked = scene.labels[view.asked]
    x = canvas.text(x + 20, middle, asked, COLOURS.gold, 34, Face.TITLE) + 14
    draw_awaited(canvas, scene, (x, middle), LAYOUT.width - 10)


def draw_board(sheet: Sheet, scene: Scene[BurgundyView], marks: Marks) -> None:
    """Everything between the bar and the players' panels."""
    view = scene.view
    table = table_of(len(view.seats))
    draw_depots(sheet, scene, marks, LAYOUT.depots, table.black)
    _bonuses(sheet, view, marks, table.bonuses)
    _track(sheet, view, marks)


def _phases(canvas: Canvas, view: BurgundyView, x: int, middle: int) -> int:
    """The phases, and the points for completing a region in the present one."""
    now = CONTENT.phases.index(view.phase) if view.phase else -1
    for place, letter in enumerate(CONTENT.phases):
        canvas.stamp(pieces.phase(letter, place - now), x + place * _LETTER, middle - 22)
    x += len(CONTENT.phases) * _LETTER
    if view.phase:
        x = canvas.stamp_beside(pieces.seal(f"+{CONTENT.phase_points[now]}", 48), x + 4, middle) + 2
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


def _bonuses(canvas: Canvas, view: BurgundyView, marks: Marks, area: Area) -> None:
    """By colour, both bonus tiles; a taken one is covered by its owner's emblem."""
    left, top, right, bottom = area
    wide = (right - left) / _COLUMNS
    high = (bottom - top) / -(-len(COLOUR_KEYS) // _COLUMNS)
    for colour, shown in enumerate(view.colours):
        row, column = divmod(colour, _COLUMNS)
        x, y = left + (column + 0.5) * wide, top + (row + 0.5) * high
        canvas.stamp_centred(pieces.symbol(colour, 62), x - 52, y)
        for rank, points in enumerate(numbers_for(len(view.seats)).bonus):
            place = x + 8 + 52 * rank
            if rank < len(shown.seats):
                owner = shown.seats[rank]
                if (owner, shown.colour) in marks.colours:
                    canvas.stamp_centred(pieces.halo(58), place, y)
                canvas.stamp_centred(emblem(owner, 44), place, y)
            else:
                canvas.stamp_centred(pieces.bonus(str(points), 52 - 6 * rank), place, y)


def _track(canvas: Canvas, view: BurgundyView, marks: Marks) -> None:
    for space, stack in enumerate(view.track, 1):
        left, top, right, bottom = track_space(space)
        start, middle = left + 27, (top + bottom) // 2
        large = 36 if len(stack) < len(SIDE_LOOKS) else 26
        step = min(38, (right - 2 - large - start) // max(1, len(stack) - 1))
        for place, seat in enumerate(stack):
            x = start + place * step
            if seat in marks.ahead:
                canvas.stamp_centred(pieces.halo(large + 8), x + large // 2, middle)
            canvas.stamp(emblem(seat, large), x, middle - large // 2)


def draw_gallery(sheet: Sheet, view: BurgundyView) -> None:
    """Every estate with its number, and the emblems of those who have it, in place of the board."""
    table = table_of(len(view.seats))
    left, top, right, bottom = 0, LAYOUT.bar, LAYOUT.width, table.at[0][1] - 6
    sheet.rect((left, top, right, bottom), COLOURS.paper)
    radius, columns = max(_fitting(right - left, bottom - top, columns) for columns in (3, 5))
    wide, high = size(radius)
    across, down = (right - left) // columns, (bottom - top) // -(-len(BOARDS) // columns)
    for place, number in enumerate(BOARDS):
        row, column = divmod(place, columns)
        x = left + column * across + (across - wide - _NUMBER) // 2
        y = top + row * down + (down - high) // 2
        sheet.text(x + _NUMBER // 2, y + 22, str(number), COLOURS.ink, 44, align=Align.CENTRE)
        sheet.lay(estate(number, radius, False), x + _NUMBER, y)
        owners = [seat for seat, each in enumerate(view.seats) if each.board == number]
        for line, seat in enumerate(owners):
            sheet.stamp(emblem(seat, 42), x - 4, y + 56 + 46 * line)
        area = (x - 6, y - 3, x + _NUMBER + wide, y + high + 3)
        sheet.note("board", str(number), rectangle, area)


def _fitting(wide: int, high: int, columns: int) -> tuple[int, int]:
    """The largest radius at which all estates fit in so many columns, and these."""
    rows = -(-len(BOARDS) // columns)
    radius = 1
    while True:
        across, down = size(radius + 1)
        if across + _NUMBER + _GAP > wide // columns or down + _GAP > high // rows:
            return radius, columns
        radius += 1
