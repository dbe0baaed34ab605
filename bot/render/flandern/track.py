"""The points of all guilds along a scale."""

from __future__ import annotations

from bot.game.flandern.view import FlandernView, GuildView
from bot.render.asked import Sheet
from bot.render.flandern import pieces, signs
from bot.render.flandern.layout import COLOURS, LAYOUT
from bot.render.flandern.marks import FlandernMarks
from bot.render.layout import Spot
from bot.render.panels import gain
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
        canvas.stamp_beside(gain(gained, 24, COLOURS.fresh, COLOURS.mark), x + 4, middle - 6)


def _level(points: int, last: int) -> int:
    left, _, right, _ = LAYOUT.track
    return round(left + _EDGE + points * (right - left - 2 * _EDGE) / last)


def _apart(levels: list[int], wide: list[int]) -> list[int]:
    """The left edges of markers so wide around their ascending places, moved as far to the right as
    those before leave no room, and then back from the edge."""
    edge, _, end, _ = LAYOUT.track
    edge += 6
    found = []
    for level, room in zip(levels, wide, strict=True):
        found.append(max(edge, level - room // 2))
        edge = found[-1] + room
    for place in reversed(range(len(found))):
        found[place] = end = min(found[place], end - wide[place])
    return found
