"""The pieces of Kogge, and the signs beside them, as sprites. Each is painted once and kept.

Whatever a colour shows, a shape, a letter or a number shows too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from bot.game.content import read
from bot.game.hidden import UNSEEN
from bot.game.kogge.data import CHIT_KEYS, CITIES, CITY_GOOD, GOOD_KEYS
from bot.game.kogge.state import Route
from bot.render.asked import Sheet
from bot.render.drawing import Drawings, Stencil, Stroke
from bot.render.fonts import Face, label, width
from bot.render.kept import kept
from bot.render.legend import LegendLine, legend_sheet
from bot.render.palettes import colours
from bot.render.panels import place
from bot.render.sides import SIDE_LOOKS
from bot.render.signs import SIZE, Signs
from bot.render.sprites import Pen, Point, Sprite, paint, painted, shaped, sized, square, turned
from bot.render.theme import Colour, Palette
from bot.resources import data

Outline = tuple[Point, ...]
"""In a unit square."""

COLOURS = colours("kogge")

LETTERS = label("OFAS")
"""Of ore, fur, amber and salt."""
BOARD = (240, 152)
"""Width and height of a city's board."""
RING = 11
"""How far a ring reaches out beyond it, in pixels."""
SLIM = 27
"""Pixels that a slim marker is wide."""
SMALL = 22
"""Size of the small print."""


class GoodLook(NamedTuple):
    """How a good, its cities and their markers look. Of two outlines the second is `light`; the
    letter stands at this height of them."""

    fill: Colour
    light: Colour
    writing: Colour
    letter: float
    outlines: tuple[Outline, ...]


_TURNS = [math.radians(degrees) for degrees in range(-35, 216, 8)]
_SACK: Outline = (
    *((0.36, 0.3), (0.64, 0.3), (0.8, 0.44), (0.92, 0.66), (0.9, 0.84), (0.78, 0.95)),
    *((0.22, 0.95), (0.1, 0.84), (0.08, 0.66), (0.2, 0.44)),
)
_SACK_NECK: Outline = (
    *((0.26, 0.06), (0.4, 0.12), (0.5, 0.06), (0.6, 0.12), (0.74, 0.06)),
    *((0.64, 0.3), (0.36, 0.3)),
)
_INGOT: Outline = ((0.2, 0.38), (0.8, 0.38), (0.96, 0.88), (0.04, 0.88))
_INGOT_TOP: Outline = ((0.2, 0.38), (0.32, 0.14), (0.68, 0.14), (0.8, 0.38))
_PELT: Outline = (
    *((0.5, 0.03), (0.62, 0.12), (0.64, 0.22), (0.82, 0.14), (0.96, 0.2), (0.9, 0.34)),
    *((0.76, 0.4), (0.76, 0.66), (0.93, 0.72), (0.95, 0.86), (0.8, 0.9), (0.64, 0.8)),
    *((0.56, 0.86), (0.5, 0.98), (0.44, 0.86), (0.36, 0.8), (0.2, 0.9), (0.05, 0.86)),
    *((0.07, 0.72), (0.24, 0.66), (0.24, 0.4), (0.1, 0.34), (0.04, 0.2), (0.18, 0.14)),
    *((0.36, 0.22), (0.38, 0.12)),
)
_DROP: Outline = (
    *((0.5, 0.03), (0.6, 0.2)),
    *[(0.5 + 0.34 * math.cos(turn), 0.6 + 0.34 * math.sin(turn)) for turn in _TURNS],
    (0.4, 0.2),
)
GOODS = (
    GoodLook("#6d7883", "#a9b4bd", "#ffffff", 0.63, (_INGOT, _INGOT_TOP)),
    GoodLook("#ee8f2b", "#f7b76d", "#2b2a33", 0.6, (_PELT,)),
    GoodLook("#7b4a9e", "#b58fd0", "#ffffff", 0.62, (_DROP,)),
    GoodLook("#ffffff", "#dfe7ee", "#2b2a33", 0.66, (_SACK, _SACK_NECK)),
)
"""Ore an ingot, fur a pelt, amber a drop, salt a sack."""
CITY_LOOKS = tuple(GOODS[good] for good in CITY_GOOD)
"""By city, also those of its markers."""

PALETTE = Palette(
    [
        *(shade for seat in SIDE_LOOKS for shade in (seat.fill, seat.dark)),
        *(shade for good in GOODS for shade in (good.fill, good.light)),
        *COLOURS.values(),
    ],
    [COLOURS.ink, COLOURS.paper, COLOURS.sea],
)
"""The pictures' palette."""

_DRAWINGS = read(data("kogge", "drawings.toml"), dict[str, tuple[Stroke, ...]])


def draw(pen: Pen, name: str, unit: float, at: Point = (0, 0), **tones: Colour) -> None:
    """A drawing of the file from there on, enlarged, with these colours beside those of all."""
    drawings = Drawings(_DRAWINGS, {}, {**COLOURS, **tones}.__getitem__)
    drawings[name](Stencil(pen, *at, 100 * unit, finest=1))


@square
def marker(pen: Pen, number: int, size: int) -> None:
    """A route marker, face up, in the colour of its city."""
    look = CITY_LOOKS[number]
    pen.rect((0, 0, size, size), look.fill, COLOURS.ink, 2, size * 0.18)
    pen.text((size / 2, size / 2), str(number), look.writing, round(size * 0.84), Face.TEXT)


@shaped(lambda _, height: (SLIM, height))
def slim_marker(pen: Pen, number: int, height: int) -> None:
    """A route marker for where there is little room."""
    look = CITY_LOOKS[number]
    pen.rect((0, 0, SLIM, height), look.fill, COLOURS.ink, 2, SLIM * 0.2)
    pen.text(pen.middle, str(number), look.writing, round(height * 0.84), Face.TEXT)


@square
def marker_back(pen: Pen, number: int, size: int) -> None:
    """A route marker, face down: `UNSEEN`, or a number that the observer has seen."""
    pen.rect((0, 0, size, size), COLOURS.back, COLOURS.ink, 2, size * 0.18)
    if number == UNSEEN:
        inset = size * 0.12
        pen.rect((inset, inset, size - inset, size - inset), None, COLOURS.dusk, 2, size * 0.1)
        pen.text((size / 2, size / 2), "?", COLOURS.cream, round(size * 0.74), Face.TEXT)
        return
    look = CITY_LOOKS[number]
    box = (size * 0.16, size * 0.34, size * 0.84, size * 0.94)
    pen.rect(box, look.fill, None, 0, size * 0.12)
    pen.text((size / 2, size * 0.64), str(number), look.writing, round(size * 0.66), Face.TEXT)
    # An eye above it.
    x, y, wide = size / 2, size * 0.19, size * 0.56
    high, pupil = wide * 0.27, wide * 0.27 * 0.62
    lid = [
        *((x - wide / 2, y), (x - wide / 4, y - high * 0.8), (x, y - high)),
        *((x + wide / 4, y - high * 0.8), (x + wide / 2, y), (x + wide / 4, y + high * 0.8)),
        *((x, y + high), (x - wide / 4, y + high * 0.8)),
    ]
    pen.polygon(lid, COLOURS.cream)
    pen.ellipse((x - pupil, y - pupil, x + pupil, y + pupil), COLOURS.ink)


def route(route: Route, size: int) -> Sprite:
    """The marker on a route square, as the observer knows it."""
    return (marker_back if route.hidden else marker)(route.marker, size)


@square
def good(pen: Pen, letters: str, kind: int, size: int) -> None:
    """A good with its letter, if any."""
    look = GOODS[kind]
    for fill, outline in zip((look.fill, look.light), look.outlines, strict=False):
        pen.polygon(sized(outline, size), fill, COLOURS.ink, max(1.5, size / 18))
    if letters and size >= 26:
        point = (size / 2, size * look.letter)
        pen.text(point, letters[kind], look.writing, round(size * 0.5), Face.TEXT)


@square
def ship(pen: Pen, seat: int, size: int) -> None:
    """A cog under sail; the sail bears the seat's letter and pattern."""
    look, unit = SIDE_LOOKS[seat], size / 56
    for part in ("mast", f"sail_{look.shape}", "hull"):
        draw(pen, part, unit, side=look.fill, dark=look.dark)
    pen.text((28 * unit, 24 * unit), look.letter, look.writing, round(31 * unit), Face.TEXT)


@square
def office(pen: Pen, seat: int, size: int) -> None:
    """A brick house with a stepped gable, in its owner's colour and with the letter."""
    look = SIDE_LOOKS[seat]
    draw(pen, "office", size, side=look.fill, dark=look.dark)
    pen.text((size / 2, size * 0.58), look.letter, look.writing, round(size * 0.62), Face.TEXT)


@shaped(lambda _, size: (round(size * 0.86), size))
def raid(pen: Pen, seat: int, size: int) -> None:
    """The flag of a Raid, swallow-tailed, with its owner's letter; as high as `size`."""
    look, unit = SIDE_LOOKS[seat], size / 48
    draw(pen, "raid", unit, side=look.fill)
    pen.text((18 * unit, 16 * unit), look.letter, look.writing, round(26 * unit), Face.TEXT)


@painted(38, 56)
def guild_master(pen: Pen) -> None:
    """The guild master: a man in robe and beret with his chain of office, 38 by 56."""
    draw(pen, "guild_master", 1)


@painted(40, 52)
def guild_badge(pen: Pen) -> None:
    """The guild master's head, as the sign of its laps, 40 by 52."""
    draw(pen, "guild_badge", 1)


@painted(36, 48)
def end_marker(pen: Pen) -> None:
    """Where the guild master's laps are counted: a chequered flag, 36 by 48."""
    draw(pen, "end_marker", 1)


@square
def chit(pen: Pen, key: str, size: int) -> None:
    """A bonus chit, a golden coin: 3:1, one marker more, two spaces, the secret route."""
    pen.ellipse((0, 0, size, size), COLOURS.gold, COLOURS.ink, 2)
    unit = size / 44
    middle = (22 * unit, 22 * unit)
    match key:
        case "three":
            pen.text(middle, "3:1", COLOURS.ink, round(26 * unit), Face.TEXT)
        case "marker":
            box = (9 * unit, 9 * unit, 35 * unit, 35 * unit)
            pen.rect(box, COLOURS.cream, COLOURS.ink, 2, 5 * unit)
            pen.text(middle, "+1", COLOURS.ink, round(21 * unit), Face.TEXT)
        case "spaces":
            for left in (10, 22):
                path = [(left, 11), (left + 10, 22), (left, 33)]
                pen.line(sized(path, unit), COLOURS.ink, 5 * unit)
        case "secret":
            # A dotted way to the guild master's hat.
            for x, y in ((9, 33), (16, 31), (22, 27)):
                corners = sized([(x - 2.5, y - 2.5), (x + 2.5, y + 2.5)], unit)
                pen.ellipse((*corners[0], *corners[1]), COLOURS.ink)
            hat = [(17, 19), (20, 10), (28, 7), (35, 11), (38, 20), (28, 23)]
            pen.polygon(sized(hat, unit), COLOURS.robe, COLOURS.ink, 1.5)


@square
def no_chit(pen: Pen, size: int) -> None:
    """The place of chits that are all taken."""
    pen.ellipse((0, 0, size, size), COLOURS.shade, COLOURS.soft, 2)


@square
def pip(pen: Pen, full: bool, size: int) -> None:
    """A development point, gained or not yet: a star, or its empty place."""
    points = [
        (size / 2 + radius * math.cos(turn), size * 0.53 + radius * math.sin(turn))
        for step in range(10)
        for turn, radius in [(math.radians(36 * step - 90), size * (0.24 if step % 2 else 0.47))]
    ]
    if full:
        pen.polygon(points, COLOURS.gold, COLOURS.ink, 2)
    else:
        pen.polygon(points, COLOURS.shade, COLOURS.soft, 1.5)


@square
def bag(pen: Pen, size: int) -> None:
    """The bag that markers are drawn from."""
    pen.polygon(sized(_SACK, size), COLOURS.back, COLOURS.ink, 2)
    pen.polygon(sized(_SACK_NECK, size), COLOURS.dusk, COLOURS.ink, 2)
    pen.text((size / 2, size * 0.66), "?", COLOURS.cream, round(size * 0.5), Face.TEXT)


@square
def lock(pen: Pen, size: int) -> None:
    """The sign of what is hidden from the observer."""
    bow = (size * 0.26, size * 0.08, size * 0.74, size * 0.72)
    pen.rect(bow, None, COLOURS.back, size * 0.1, size * 0.24)
    body = (size * 0.12, size * 0.42, size * 0.88, size * 0.96)
    pen.rect(body, COLOURS.back, COLOURS.ink, 2, size * 0.1)
    pen.ellipse((size * 0.42, size * 0.56, size * 0.58, size * 0.72), COLOURS.cream)
    pen.rect((size * 0.46, size * 0.64, size * 0.54, size * 0.84), COLOURS.cream)


@square
def no_marker(pen: Pen, text: str, size: int) -> None:
    """The place of a marker that is not there, with its number if it has one of its own."""
    pen.rect((0, 0, size, size), COLOURS.shade, None if text else COLOURS.soft, 2, size * 0.18)
    pen.text((size / 2, size / 2), text, COLOURS.soft, round(size * 0.7), Face.TEXT)


@shaped(lambda count: (width(f"+{count}", 30) + 14, 34))
def plus(pen: Pen, count: int) -> None:
    """So many goods more."""
    pen.rect((0, 0, pen.width, 34), COLOURS.fresh, None, 0, 10)
    pen.text(pen.middle, f"+{count}", COLOURS.white, 30, Face.TEXT)


@painted(*(side + 2 * RING for side in BOARD))
def ring(pen: Pen, fill: Colour) -> None:
    """A ring around a city's board."""
    pen.rect((0, 0, pen.width, pen.height), None, COLOURS.cream, 10, 20)
    pen.rect((2, 2, pen.width - 2, pen.height - 2), None, fill, 6, 18)


@painted(58, 58)
def frame(pen: Pen) -> None:
    """Around a route marker that has just been changed, 58 by 58."""
    pen.rect((0, 0, 58, 58), None, COLOURS.white, 8, 14)
    pen.rect((1.5, 1.5, 56.5, 56.5), None, COLOURS.mark, 5, 13)


@painted(13, 13)
def dot(pen: Pen, fill: Colour) -> None:
    """A dot of a course."""
    pen.ellipse((0, 0, 13, 13), COLOURS.cream)
    pen.ellipse((2, 2, 11, 11), fill)


@square
def bead(pen: Pen, fill: Colour, size: int) -> None:
    """A bit of a line, as thick as `size`."""
    pen.ellipse((0, 0, size, size), fill)


@shaped(lambda text: (width(text, 28) + 16, 34))
def price(pen: Pen, text: str) -> None:
    """What a step costs, on a slip of paper."""
    pen.rect((0, 0, pen.width, pen.height), COLOURS.paper, COLOURS.ink, 2, 9)
    pen.text(pen.middle, text, COLOURS.ink, 28, Face.TEXT)


@kept
def arrow(fill: Colour, degrees: int) -> Sprite:
    """The head of a course; 0 degrees points right, 90 up."""

    def draw(pen: Pen) -> None:
        head = [(38.0, 22.0), (10.0, 36.0), (17.0, 22.0), (10.0, 8.0)]
        pen.polygon(head, fill, COLOURS.cream, 6)
        pen.polygon(head, fill)

    return turned(paint(44, 44, draw), degrees)


@shaped(lambda lines: (max(width(line, SMALL) for line in lines) + 16, 27 * len(lines) + 10))
def slip(pen: Pen, lines: tuple[str, ...]) -> None:
    """A slip of paper with a few lines of small print."""
    pen.rect((0, 0, pen.width, pen.height), COLOURS.paper, COLOURS.coast, 2, 8)
    for number, line in enumerate(lines):
        pen.text((pen.width / 2, 18 + 27 * number), line, COLOURS.ink, SMALL, Face.TEXT)


SIGNS: Signs = {
    **{f"kogge_{key}": partial(good, "", kind, SIZE) for kind, key in enumerate(GOOD_KEYS)},
    **{f"kogge_marker_{city}": partial(marker, city, SIZE) for city in range(CITIES)},
    **{f"kogge_chit_{key}": partial(chit, key, SIZE) for key in CHIT_KEYS},
    "kogge_marker_back": partial(marker_back, UNSEEN, SIZE),
    "kogge_guild_master": guild_master,
}
"""For words: goods, route markers by their number, bonus chits, a marker face down, the guild
master."""

LEGEND: Mapping[str, Callable[[str], Sequence[Sprite]]] = {
    "star": lambda _: (pip(True, 58), pip(False, 58)),
    "points": lambda _: (office(1, 58), chit("three", 58)),
    "goods": lambda letters: [good(letters, kind, 46) for kind in range(len(GOODS))],
    "office": lambda _: (office(0, 58), office(1, 58)),
    "raid": lambda _: (raid(0, 58), raid(1, 58)),
    "order": lambda _: (place(1), marker(6, 58), marker(6, 58)),
    "guild": lambda _: (guild_master(), guild_badge()),
    "end": lambda _: (end_marker(),),
    "marker": lambda _: (marker(4, 58), marker(7, 58)),
    "hidden": lambda _: (marker_back(UNSEEN, 58), marker_back(4, 58)),
    "ways": lambda _: (ship(0, 58), arrow(COLOURS.gold, 0), price("−1")),
    "three": lambda _: (chit("three", 58),),
    "marker_chit": lambda _: (chit("marker", 58),),
    "spaces": lambda _: (chit("spaces", 58),),
    "secret": lambda _: (chit("secret", 58),),
}
"""By the keys of their words, in the order in which they are explained, from the goods' letters."""


def draw_legend(title: str, words: Mapping[str, str], letters: str) -> Sheet:
    """All signs, with what each means by its key."""
    return legend_sheet(
        title, [LegendLine(made(letters), words.get(key, "")) for key, made in LEGEND.items()]
    )
