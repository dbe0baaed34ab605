"""The points of all guilds along a scale, and what is left beside the board."""

from __future__ import annotations

from bot.game.flandern.view import FlandernView, GuildView
from bot.render.asked import Sheet
from bot.render.flandern import pieces, signs
from bot.render.flandern.layout import COLOURS, LAYOUT
from bot.render.flandern.marks import FlandernMarks
from bot.render.layout import Spot
from bot.render.sprites import Canvas, Pen

_TEN = 10
_FEWEST = 60
"""Points that the scale has at least."""
_EDGE = 34
_RULE = 22
"""Pixels from the foot of the track to the line of its scale."""
_SIGN = 38
_POINTS = 46
"""Pixels of the points of a marker."""
_GAIN = 46
_PIN = 10


def last_ten(view: FlandernView) -> int:
    """Where the scale ends."""
    most = max((guild.score for guild in view.guilds), default=0)
    return max(_FEWEST, -(-most // _TEN) * _TEN)


def paint_track(pen: Pen, last: int) -> None:
    """The scale: a stroke for each point, longer ones at fives and tens."""
    left, _, right, bottom = LAYOUT.track
    pen.rect(LAYOUT.track, COLOURS.paper, COLOURS.ink, 2.5, 12)
    for points in range(last + 1):
        x = _level(points, last)
        high = 12 if points % _TEN == 0 else 8 if points % 5 == 0 else 4
        pen.line([(x, bottom - _RULE), (x, bottom - _RULE + high)], COLOURS.soft, 2)
    pen.line([(left + _EDGE, bottom - _RULE), (right - _EDGE, bottom - _RULE)], COLOURS.soft, 3)


def letter_track(canvas: Canvas, last: int) -> None:
    """The tens."""
    bottom = LAYOUT.track[3]
    for points in range(0, last + 1, _TEN):
        x = _level(points, last)
        canvas.text(x + 4, bottom - 10, str(points), COLOURS.soft, 20)


def draw_track(sheet: Sheet, view: FlandernView, marks: FlandernMarks) -> None:
    """A marker for the guilds of each score, as near to it as others leave room, and a pin; those
    that have just got there by other points have their own."""
    _, top, _, bottom = LAYOUT.track
    last = last_ten(view)
    scores = sorted({(guild.score, marks.points[guild.guild]) for guild in view.guilds})
    markers = [
        [each for each in view.guilds if (each.score, marks.points[each.guild]) == score]
        for score in scores
    ]
    levels = [_level(score, last) for score, _ in scores]
    wide = [
        _SIGN * len(guilds) + _POINTS + (_GAIN if gained else 0)
        for guilds, (_, gained) in zip(markers, scores, strict=True)
    ]
    for guilds, level, x in zip(markers, levels, _apart(levels, wide), strict=True):
        start = min(max(level, x + _SIGN // 2), x + _SIGN * len(guilds) - _SIGN // 2)
        pin = signs.pin(level - start, _PIN)
        sheet.stamp(pin, min(start, level) - 3, bottom - _RULE - _PIN + 2)
        _draw_marker(sheet, guilds, (x, top + _SIGN // 2 + 3), marks)


def _draw_marker(canvas: Canvas, guilds: list[GuildView], at: Spot, marks: FlandernMarks) -> None:
    x, middle = at
    for guild in guilds:
        x = canvas.stamp_beside(pieces.sign(guild.guild, _SIGN), x, middle)
    x = canvas.text(x + 4, middle, str(guilds[0].score), COLOURS.ink, 36)
    if gained := marks.points[guilds[0].guild]:
        canvas.stamp_beside(signs.gain(gained, 24), x + 4, middle - 6)


def _level(points: int, last: int) -> int:
    left, _, right, _ = LAYOUT.track
    return round(left + _EDGE + points * (right - left - 2 * _EDGE) / last)


def _apart(levels: list[int], wide: list[int]) -> list[int]:
    """The left edges of markers so wide, each as near to its ascending place as others leave room:
    those that touch form a row around the mean of their places."""
    rows: list[list[int]] = []
    for marker in range(len(levels)):
        rows.append([marker])
        while len(rows) > 1 and _start(rows[-1], levels, wide) < (
            _start(rows[-2], levels, wide) + sum(wide[each] for each in rows[-2])
        ):
            rows[-2:] = [rows[-2] + rows[-1]]
    found = []
    for row in rows:
        x = _start(row, levels, wide)
        for marker in row:
            found.append(x)
            x += wide[marker]
    return found


def _start(row: list[int], levels: list[int], wide: list[int]) -> int:
    """The left edge of markers in a row."""
    left, _, right, _ = LAYOUT.track
    room = sum(wide[marker] for marker in row)
    middle = sum(levels[marker] for marker in row) // len(row)
    return min(max(middle - room // 2, left + 6), right - 6 - room)
