"""The pieces and signs of Kogge as cached sprites.

Colour is never the only difference: there is always a shape, a letter or a number too.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from bot.game.content import read
from bot.game.hidden import UNSEEN
from bot.game.kogge.data import CHIT_KEYS, CITIES, CITY_GOOD, GOOD_KEYS
from bot.game.kogge.state import Route
from bot.render.cache import cached
from bot.render.drawing import Drawings, ScaledPen, Stroke
from bot.render.fonts import Face, label, width
from bot.render.legend import Legend
from bot.render.palettes import colours
from bot.render.panels import place
from bot.render.sides import SIDE_LOOKS
from bot.render.signs import SIZE, Signs
from bot.render.sprites import Pen, Point, Sprite, paint, painted, shaped, square, turned
from bot.render.theme import Colour, Palette
from bot.resources import data

COLOURS = colours("kogge")

LETTERS = label("OFAS")
"""The letters of ore, fur, amber and salt."""
BOARD = (240, 152)
"""Width and height of a city's board."""
RING = 11
"""Pixels between the board and the outer edge of a ring around it."""
SLIM = 27
"""Width of a slim marker."""
SMALL = 22
"""Size of the small print."""


class GoodLook(NamedTuple):
    """The look of a good, its cities and their markers.

    `letter` is the height of the good's letter, as a part of its size.
    """

    fill: Colour
    light: Colour
    writing: Colour
    letter: float


GOODS = (
    GoodLook("#6d7883", "#a9b4bd", "#ffffff", 0.63),
    GoodLook("#ee8f2b", "#f7b76d", "#2b2a33", 0.6),
    GoodLook("#7b4a9e", "#b58fd0", "#ffffff", 0.62),
    GoodLook("#ffffff", "#dfe7ee", "#2b2a33", 0.66),
)
"""Ore, fur, amber, salt."""
CITY_LOOKS = tuple(GOODS[good] for good in CITY_GOOD)
"""By city: its look, and that of its markers."""

PALETTE = Palette(
    [
        *(shade for seat in SIDE_LOOKS for shade in (seat.fill, seat.dark)),
        *(shade for good in GOODS for shade in (good.fill, good.light)),
        *COLOURS.values(),
    ],
    [COLOURS.ink, COLOURS.paper, COLOURS.sea],
)
_DRAWINGS = read(data("kogge", "drawings.toml"), dict[str, tuple[Stroke, ...]])
_FIGURES = {
    "guild_master": (38, 56),
    "guild_badge": (40, 52),
    "end_marker": (36, 48),
    "frame": (58, 58),
}


def draw(
    pen: Pen, name: str, unit: float, at: Point = (0, 0), finest: float = 1, **tones: Colour
) -> None:
    """Paint a drawing from drawings.toml at a point, scaled by `unit`, with further colours."""
    drawings = Drawings(_DRAWINGS, {}, {**COLOURS, **tones}.__getitem__)
    drawings[name](ScaledPen(pen, *at, 100 * unit, finest))


@square
def icon(pen: Pen, name: str, size: int) -> None:
    """A drawing without a side's colour or a number: ``bag``, ``lock``, ``star``."""
    draw(pen, name, size)


@shaped(_FIGURES.__getitem__)
def figure(pen: Pen, name: str) -> None:
    """A drawing of fixed size: ``guild_master``, ``end_marker``."""
    draw(pen, name, 1)


@square
def marker(pen: Pen, number: int, size: int) -> None:
    """A route marker, face up, in the colour of its city."""
    look = CITY_LOOKS[number]
    pen.rect((0, 0, size, size), look.fill, COLOURS.ink, 2, size * 0.18)
    pen.text((size / 2, size / 2), str(number), look.writing, round(size * 0.84), Face.TEXT)


@shaped(lambda _, height: (SLIM, height))
def slim_marker(pen: Pen, number: int, height: int) -> None:
    """A narrow route marker, face up."""
    look = CITY_LOOKS[number]
    pen.rect((0, 0, SLIM, height), look.fill, COLOURS.ink, 2, SLIM * 0.2)
    pen.text(pen.middle, str(number), look.writing, round(height * 0.84), Face.TEXT)


@square
def no_marker(pen: Pen, text: str, size: int) -> None:
    """The empty place of a marker, with its number, if any."""
    pen.rect((0, 0, size, size), COLOURS.shade, None if text else COLOURS.soft, 2, size * 0.18)
    pen.text((size / 2, size / 2), text, COLOURS.soft, round(size * 0.7), Face.TEXT)


@square
def seen_marker(pen: Pen, number: int, size: int) -> None:
    """A face-down route marker whose number the observer knows."""
    look = CITY_LOOKS[number]
    draw(pen, "seen", size, good=look.fill)
    pen.text((size / 2, size * 0.64), str(number), look.writing, round(size * 0.66), Face.TEXT)


def route(route: Route, size: int) -> Sprite:
    """Return a route marker as the observer knows it."""
    if route.marker == UNSEEN:
        return icon("unseen", size)
    return (seen_marker if route.hidden else marker)(route.marker, size)


@square
def good(pen: Pen, letters: str, kind: int, size: int) -> None:
    """A good with its letter, if any."""
    look = GOODS[kind]
    draw(pen, GOOD_KEYS[kind], size, finest=1.5, good=look.fill, light=look.light)
    if letters and size >= 26:
        point = (size / 2, size * look.letter)
        pen.text(point, letters[kind], look.writing, round(size * 0.5), Face.TEXT)


@square
def ship(pen: Pen, seat: int, size: int) -> None:
    """A cog with the seat's letter and shape on its sail."""
    look, unit = SIDE_LOOKS[seat], size / 56
    for part in ("mast", f"sail_{look.shape}", "hull"):
        draw(pen, part, unit, side=look.fill, dark=look.dark)
    pen.text((28 * unit, 24 * unit), look.letter, look.writing, round(31 * unit), Face.TEXT)


@square
def office(pen: Pen, seat: int, size: int) -> None:
    """A house with a stepped gable, in its owner's colour and with their letter."""
    look = SIDE_LOOKS[seat]
    draw(pen, "office", size, side=look.fill, dark=look.dark)
    pen.text((size / 2, size * 0.58), look.letter, look.writing, round(size * 0.62), Face.TEXT)


@shaped(lambda _, size: (round(size * 0.86), size))
def raid(pen: Pen, seat: int, size: int) -> None:
    """The swallow-tailed flag of a Raid with its owner's letter; `size` is its height."""
    look, unit = SIDE_LOOKS[seat], size / 48
    draw(pen, "raid", unit, side=look.fill)
    pen.text((18 * unit, 16 * unit), look.letter, look.writing, round(26 * unit), Face.TEXT)


@square
def chit(pen: Pen, key: str, size: int) -> None:
    """A bonus chit, a golden coin."""
    draw(pen, key, size / 44)


@shaped(lambda count: (width(f"+{count}", 30) + 14, 34))
def plus(pen: Pen, count: int) -> None:
    """The count of new goods."""
    pen.rect((0, 0, pen.width, 34), COLOURS.fresh, None, 0, 10)
    pen.text(pen.middle, f"+{count}", COLOURS.white, 30, Face.TEXT)


@painted(*(side + 2 * RING for side in BOARD))
def ring(pen: Pen, fill: Colour) -> None:
    """A ring around a city's board."""
    pen.rect((0, 0, pen.width, pen.height), None, COLOURS.cream, 10, 20)
    pen.rect((2, 2, pen.width - 2, pen.height - 2), None, fill, 6, 18)


@painted(13, 13)
def dot(pen: Pen, fill: Colour) -> None:
    """A dot of a course."""
    pen.ellipse((0, 0, 13, 13), COLOURS.cream)
    pen.ellipse((2, 2, 11, 11), fill)


@square
def bead(pen: Pen, fill: Colour, size: int) -> None:
    """A piece of a line of width `size`."""
    pen.ellipse((0, 0, size, size), fill)


@shaped(lambda text: (width(text, 28) + 16, 34))
def price(pen: Pen, text: str) -> None:
    """The price of a step, on a slip of paper."""
    pen.rect((0, 0, pen.width, pen.height), COLOURS.paper, COLOURS.ink, 2, 9)
    pen.text(pen.middle, text, COLOURS.ink, 28, Face.TEXT)


@cached
def arrow(fill: Colour, degrees: int) -> Sprite:
    """The head of a course; 0 degrees points right, 90 up."""

    def draw(pen: Pen) -> None:
        head = [(38.0, 22.0), (10.0, 36.0), (17.0, 22.0), (10.0, 8.0)]
        pen.polygon(head, fill, COLOURS.cream, 6)
        pen.polygon(head, fill)

    return turned(paint(44, 44, draw), degrees)


@shaped(lambda lines: (max(width(line, SMALL) for line in lines) + 16, 27 * len(lines) + 10))
def slip(pen: Pen, lines: tuple[str, ...]) -> None:
    """A slip of paper with lines of small text."""
    pen.rect((0, 0, pen.width, pen.height), COLOURS.paper, COLOURS.coast, 2, 8)
    for number, line in enumerate(lines):
        pen.text((pen.width / 2, 18 + 27 * number), line, COLOURS.ink, SMALL, Face.TEXT)


SIGNS: Signs = {
    **{f"kogge_{key}": partial(good, "", kind, SIZE) for kind, key in enumerate(GOOD_KEYS)},
    **{f"kogge_marker_{city}": partial(marker, city, SIZE) for city in range(CITIES)},
    **{f"kogge_chit_{key}": partial(chit, key, SIZE) for key in CHIT_KEYS},
    "kogge_marker_back": partial(icon, "unseen", SIZE),
    "kogge_guild_master": partial(figure, "guild_master"),
}
"""The emoji: goods, route markers by number, bonus chits, a face-down marker, the guild master."""


def legend(letters: str) -> Legend:
    """Return the signs of the legend, by the key of their explanation, in order.

    `letters` are those of the goods.
    """
    return {
        "star": lambda: [icon("star", 58), icon("no_star", 58)],
        "points": lambda: [office(1, 58), chit("three", 58)],
        "goods": lambda: [good(letters, kind, 46) for kind in range(len(GOODS))],
        "office": lambda: [office(0, 58), office(1, 58)],
        "raid": lambda: [raid(0, 58), raid(1, 58)],
        "order": lambda: [place(1), marker(6, 58), marker(6, 58)],
        "guild": lambda: [figure("guild_master"), figure("guild_badge")],
        "end": lambda: [figure("end_marker")],
        "marker": lambda: [marker(4, 58), marker(7, 58)],
        "hidden": lambda: [icon("unseen", 58), seen_marker(4, 58)],
        "ways": lambda: [ship(0, 58), arrow(COLOURS.gold, 0), price("−1")],
        "three": lambda: [chit("three", 58)],
        "marker_chit": lambda: [chit("marker", 58)],
        "spaces": lambda: [chit("spaces", 58)],
        "secret": lambda: [chit("secret", 58)],
    }
