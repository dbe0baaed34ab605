"""The standings of a cup or league: a row for each person, with a mark for each of their games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from PIL import Image

from bot.render import png
from bot.render.fonts import ELLIPSIS, Face, fit, fit_name, printable, width
from bot.render.palettes import Recolouring
from bot.render.sides import TONES
from bot.render.sprites import Align, Canvas, Painting, Pen, painted
from bot.render.theme import Palette

WIDTH = 900
_BAR, _HEADING, _ROW, _FOOT = 76, 54, 48, 60
_MARK = 34
_EDGE, _ZONE, _PLACE, _NAME, _MARKS = 22, 24, 78, 92, 628
"""The margin, the middle of arrows, the right edge of places, the left one of names, and the right
one of marks."""
_COUNTS = (678, 760, 846)
"""The middles of the columns."""
_TITLE, _TEXT, _SMALL = 42, 34, 25
PALETTE = Palette(
    [TONES[tone] for tone in ("ink", "soft", "paper", "shade", "cream", "gold", "fresh", "mark")],
    (TONES.ink, TONES.paper),
)
COLOURS = Recolouring(PALETTE)


class Mark(StrEnum):
    """A sign: what came of a game without a place, or the zone of a row."""

    RUNNING = ""
    VOID = "×"
    BYE = "–"
    UP = "up"
    DOWN = "down"


class StandingsRow(NamedTuple):
    """A person. `marks` has their places, or why there is none, by round; None if they missed it.

    `counts` are games played, wins and points. The name of a person who has left is struck out.
    """

    place: int
    name: str
    marks: Sequence[int | Mark | None]
    counts: tuple[int, int, int]
    has_left: bool = False


class StandingsSection(NamedTuple):
    """A group or tier. At the end of a season, the first `up` rows go up, the last `down` ones
    down."""

    heading: str
    rows: Sequence[StandingsRow]
    up: int = 0
    down: int = 0


def draw_standings(
    title: str,
    note: str,
    columns: tuple[str, str, str],
    sections: Sequence[StandingsSection],
    legend: Mapping[Mark, str],
) -> bytes:
    """Return the PNG. It is deterministic. All texts are in the viewers' language.

    `note` stands at the right of the title. `columns` are headings for games played, wins and
    points, `legend` explains marks below the rows.
    """
    high = _BAR + sum(_HEADING + len(section.rows) * _ROW for section in sections) + _FOOT
    canvas = Painting(Image.new("RGB", (WIDTH, high), TONES.paper))
    canvas.rect((0, 0, WIDTH, _BAR), TONES.ink)
    room = WIDTH - 3 * _EDGE - width(note, _TEXT)
    title = fit(printable(title, Face.TITLE), _TITLE, room, Face.TITLE)
    canvas.text(_EDGE, _BAR // 2, title, TONES.gold, _TITLE, Face.TITLE)
    canvas.text(WIDTH - _EDGE, _BAR // 2, note, TONES.cream, _TEXT, align=Align.RIGHT)
    top = _BAR
    for section in sections:
        _draw_section(canvas, columns, section, top)
        top += _HEADING + len(section.rows) * _ROW
    x = _EDGE
    for mark, meaning in legend.items():
        canvas.stamp_centred(_mark(mark), x + _MARK // 2, top + _FOOT // 2)
        x = canvas.text(x + _MARK + 8, top + _FOOT // 2, meaning, TONES.ink, _SMALL) + _EDGE
    return png.encode(PALETTE.reduce(canvas.image))


def _draw_section(
    canvas: Canvas, columns: Sequence[str], section: StandingsSection, top: int
) -> None:
    canvas.rect((0, top, WIDTH, top + _HEADING), TONES.soft)
    middle = top + _HEADING // 2
    canvas.text(_EDGE, middle, printable(section.heading, Face.TEXT), TONES.cream, _TEXT)
    for x, caption in zip(_COUNTS, columns, strict=True):
        canvas.text(x, middle, caption, TONES.cream, _SMALL, align=Align.CENTRE)
    names = [printable(row.name, Face.TEXT) or ELLIPSIS for row in section.rows]
    down = len(section.rows) - section.down
    top += _HEADING
    for at, row in enumerate(section.rows):
        middle = top + at * _ROW + _ROW // 2
        if at % 2:
            canvas.rect((0, middle - _ROW // 2, WIDTH, middle + _ROW // 2), TONES.shade)
        if at < section.up or at >= down:
            zone = Mark.UP if at < section.up else Mark.DOWN
            canvas.stamp_centred(_mark(zone), _ZONE, middle)
        tone = TONES.soft if row.has_left else TONES.ink
        canvas.text(_PLACE, middle, str(row.place), tone, _TEXT, align=Align.RIGHT)
        start = _MARKS - len(row.marks) * _MARK
        room = start - _NAME - _EDGE
        end = canvas.text(_NAME, middle, fit_name(names, at, _TEXT, room), tone, _TEXT)
        if row.has_left:
            canvas.rect((_NAME, middle - 1, end, middle + 2), tone)
        for number, mark in enumerate(row.marks):
            if mark is not None:
                canvas.stamp_centred(_mark(mark), start + (number + 0.5) * _MARK, middle)
        for x, count in zip(_COUNTS, row.counts, strict=True):
            canvas.text(x, middle, str(count), tone, _TEXT, align=Align.CENTRE)
    for at, tone in ((section.up, TONES.fresh), (down, TONES.mark)):
        if 0 < at < len(section.rows):
            canvas.rect((0, top + at * _ROW - 2, WIDTH, top + at * _ROW + 2), tone)


@painted(_MARK, _MARK)
def _mark(pen: Pen, mark: int | Mark) -> None:
    if mark in (Mark.UP, Mark.DOWN):
        base, tone = (25, TONES.fresh) if mark == Mark.UP else (9, TONES.mark)
        pen.polygon([(7, base), (17, _MARK - base), (27, base)], tone)
        return
    if mark not in (Mark.VOID, Mark.BYE):
        fill = TONES.gold if mark == 1 else TONES.cream
        pen.ellipse((2, 2, _MARK - 2, _MARK - 2), fill, TONES.ink, 1.5)
    pen.text(pen.middle, str(mark), TONES.ink, _MARK - 8, Face.TEXT)
