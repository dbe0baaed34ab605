"""The map without pieces: the sea with its coasts, the cities' boards, and the paths of ships.

The background is drawn once for each number of seats and each language. The coasts were drawn from
memory for this project.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from bot.game.kogge.data import CITIES, CITY_GOOD, CITY_NAMES
from bot.game.sides import Looks
from bot.render.cache import cached
from bot.render.fonts import Face, label
from bot.render.kogge.pieces import BOARD, CITY_LOOKS, COLOURS, draw, good
from bot.render.panels import paint_board, paint_panel
from bot.render.sides import SIDE_LOOKS
from bot.render.sprites import Align, Area, Backdrop, Painting, Pen, Point, Spot, ground

SIZE = (1400, 1050)
BAR = 72
"""Height of the bar at the top."""
MARKET: Area = (0, BAR, 1000, 158)
MAP: Area = (0, 158, 1000, 1050)
HEADER = 46
"""Height of the band with number, good and name on a city's board."""
PANEL_HEADER = 48
CAPTIONS = (
    (label("For sale"), 14),
    (label("Bag"), 398),
    (label("Reserve"), 488),
    (label("Chits"), 802),
)
"""The captions of the market, and their left edges."""


class Harbour(NamedTuple):
    """The middle of a city's board, whether ships are below or above it, and its port, where
    courses begin and end."""

    at: Spot
    below: bool
    port: Spot


HARBOURS = (
    Harbour((128, 300), True, (214, 452)),
    Harbour((376, 296), True, (512, 404)),
    Harbour((624, 292), True, (656, 424)),
    Harbour((872, 402), False, (722, 440)),
    Harbour((872, 664), False, (772, 516)),
    Harbour((780, 962), False, (648, 838)),
    Harbour((462, 964), False, (594, 846)),
    Harbour((144, 960), False, (284, 838)),
    Harbour((140, 612), True, (292, 722)),
)
"""By city."""

_COASTS: tuple[tuple[Spot, ...], ...] = (
    # Norway and Sweden
    (
        *((-60, 100), (300, 80), (548, 100), (560, 165), (546, 205), (550, 240), (526, 262)),
        *((532, 300), (518, 330), (524, 356), (500, 366), (450, 362), (404, 372), (384, 388)),
        *((396, 406), (430, 414), (470, 424), (496, 420), (500, 444), (474, 464), (466, 500)),
        *((452, 528), (456, 560), (440, 592), (420, 606), (398, 602), (386, 614), (388, 640)),
        *((376, 656), (350, 660), (338, 646), (340, 620), (326, 596), (324, 566), (308, 544)),
        *((298, 512), (272, 486), (252, 460), (232, 448), (240, 420), (226, 396), (214, 366)),
        *((202, 384), (170, 376), (120, 380), (70, 384), (30, 404), (-60, 420)),
    ),
    # Finland
    (
        *((604, 60), (598, 160), (578, 200), (570, 250), (566, 320), (576, 368), (600, 384)),
        *((628, 378), (650, 392), (676, 380), (704, 384), (728, 366), (752, 356), (770, 330)),
        *((800, 318), (818, 296), (850, 290), (880, 272), (920, 268), (960, 246), (1060, 240)),
        *((1080, 60),),
    ),
    # Estonia, Livonia, Courland, Prussia, Pomerania, Holstein, Jutland
    (
        *((1080, 322), (980, 318), (930, 330), (890, 324), (840, 338), (800, 342), (760, 360)),
        *((744, 386), (748, 410), (734, 428), (746, 452), (770, 470), (800, 478), (808, 506)),
        *((796, 532), (806, 562), (784, 578), (760, 576), (746, 562), (730, 554), (714, 566)),
        *((704, 596), (694, 612), (700, 650), (694, 690), (700, 722), (690, 752), (676, 778)),
        *((684, 796), (712, 800), (732, 812), (744, 836), (734, 862), (700, 878), (668, 872)),
        *((650, 852), (634, 846), (640, 862), (612, 868), (580, 882), (552, 898), (520, 912)),
        *((480, 908), (440, 900), (410, 896), (384, 880), (350, 884), (322, 880), (300, 894)),
        *((268, 884), (240, 892), (214, 908), (186, 902), (172, 878), (150, 866), (120, 862)),
        *((102, 842), (72, 828), (56, 800), (26, 780), (34, 750), (14, 722), (26, 694), (46, 660)),
        *((60, 632), (64, 600), (84, 586), (78, 562), (66, 548), (72, 528), (58, 520), (40, 532)),
        *((14, 536), (4, 560), (-10, 600), (-60, 620), (-80, 1120), (1080, 1120)),
    ),
    # Seeland
    (
        *((170, 664), (220, 648), (262, 612), (278, 640), (282, 676), (262, 694), (230, 700)),
        *((196, 694), (176, 684)),
    ),
    # Lolland and Falster
    (
        *((190, 772), (216, 762), (244, 768), (262, 758), (276, 774), (262, 794), (230, 788)),
        *((204, 792),),
    ),
    # Rügen
    (
        *((362, 846), (378, 832), (398, 836), (404, 818), (418, 830), (414, 848), (426, 862)),
        *((404, 872), (384, 862)),
    ),
    # Bornholm
    (*((424, 706), (444, 700), (458, 714), (448, 728), (430, 724)),),
    # Öland
    (*((492, 506), (500, 512), (490, 560), (476, 590), (470, 584), (482, 546)),),
    # Gotland
    (
        *((604, 470), (618, 476), (610, 504), (598, 536), (580, 556), (570, 546), (574, 516)),
        *((590, 490),),
    ),
    # Ösel
    (
        *((672, 478), (690, 468), (710, 472), (716, 486), (700, 494), (688, 506), (680, 500)),
        *((668, 494),),
    ),
    # Åland
    (*((546, 384), (556, 378), (564, 388), (554, 396)),),
)
"""The control points of smooth closed curves."""

SPOTS: Mapping[str, Spot] = {
    **{str(city): harbour.port for city, harbour in enumerate(HARBOURS)},
    "a": (244, 484),
    "b": (282, 548),
    "c": (298, 612),
    "d": (312, 690),
    "e": (376, 700),
    "g": (440, 764),
    "h": (446, 652),
    "i": (540, 640),
    "j": (536, 520),
    "l": (640, 446),
    "m": (643, 540),
    "n": (712, 532),
    "o": (640, 650),
    "p": (640, 756),
    "q": (530, 772),
    "x": (470, 640),
    "y": (600, 640),
}
"""The points of paths: a digit is the port of a city, a letter a turn on open water. The lines of
unknown routes end at `x` (left) and `y` (right)."""
_TURNS = (
    *("0bdi1", "0bdhm2", "0bdhml3", "0bdh4", "0bd5", "0bd6", "0bc7", "0bc8", "0bdx", "0bdy"),
    *("1idba0", "1lm4", "1ig7", "1i8", "1jx", "1jy", "2mhdba0", "2m4", "2mh7", "2m8", "2mx"),
    *("3lmhdba0", "3lm4", "3l5", "3l6", "3lmh7", "3lm8", "3lmx", "3ly", "4hdba0", "4no5", "4n6"),
    *("4ng7", "4ny", "5dba0", "5p6", "5q7", "6dba0", "6g7", "7cba0", "7gy", "8cba0"),
)
_PATHS = {each[0] + each[-1]: each for each in (*(turns[::-1] for turns in _TURNS), *_TURNS)}
"""By start and end: the turns of a path over water. All other paths are straight."""
_DETOURS = {"23": ("2mn", "nml3"), "32": ("3lmn", "nm2"), "78": ("7e", "e8"), "87": ("8e", "e7")}
"""Longer paths between near ports, with room for a marker."""

_ROSE = (590, 700)
_SEA_NAME = (560, 812)
HILLS: tuple[Spot, ...] = (
    *((330, 490), (372, 476), (350, 540), (300, 466), (416, 480), (410, 546), (330, 590)),
    *((824, 196), (868, 180), (912, 210), (960, 190), (790, 250), (690, 180), (930, 514)),
    *((890, 530), (960, 548), (840, 776), (890, 790), (940, 766), (960, 830), (936, 900)),
    *((40, 880),),
)
"""The middle of the lower edge of each."""
_WAVES: tuple[Spot, ...] = (
    *((520, 460), (540, 600), (640, 430), (640, 580), (512, 640), (640, 790), (480, 780)),
    *((330, 740), (400, 770), (110, 770), (90, 470), (160, 440)),
)
_PORT = 11
"""Radius of a port."""
_SMOOTH = 8
"""Points of a coastline between two control points."""
STEP = 4
"""Pixels between two points of a path."""


def board(city: int) -> Area:
    """Return the area of a city's board."""
    (x, y), (width, height) = HARBOURS[city].at, BOARD
    return x - width // 2, y - height // 2, x + width // 2, y + height // 2


def on_a_board(point: Point, margin: float) -> bool:
    """Return whether a point is on a city's board or within `margin` of one."""
    x, y = point
    return any(
        left - margin < x < right + margin and top - margin < y < bottom + margin
        for left, top, right, bottom in map(board, range(CITIES))
    )


def panel(place: int) -> Area:
    """Return the area of a player's panel, counted from the top."""
    top = 76 + place * 243
    return 1004, top, 1396, top + 238


@cached
def base(looks: Looks, captions: tuple[str, ...], letters: str) -> Backdrop:
    """Return the picture without pieces, with the captions of the market and letters of goods."""
    canvas = Painting(ground(*SIZE, COLOURS.sea, lambda pen: _ground(pen, looks)))
    canvas.text(*_SEA_NAME, "Mare Balticum", COLOURS.lettering, 40, Face.TITLE, Align.CENTRE)
    for city, look in enumerate(CITY_LOOKS):
        left, top, _, _ = board(city)
        middle = top + HEADER // 2
        canvas.text(left + 24, middle, str(city), look.writing, 44, align=Align.CENTRE)
        canvas.stamp_centred(good(letters, CITY_GOOD[city], 30), left + 54, middle)
        canvas.text(left + 72, middle, CITY_NAMES[city], look.writing, 30, Face.TITLE)
    for (_, x), caption in zip(CAPTIONS, captions, strict=True):
        canvas.text(x, MARKET[1] + 17, caption, COLOURS.soft, 22)
    return Backdrop(canvas.image)


def _ground(pen: Pen, looks: Looks) -> None:
    """Paint the rhumb lines, the land, the compass rose, the boards and the panels."""
    for step in range(16):
        turn = math.pi * step / 8
        far = (_ROSE[0] + 1500 * math.cos(turn), _ROSE[1] + 1500 * math.sin(turn))
        pen.line([_ROSE, far], COLOURS.rhumb, 1.5)
    _land(pen)
    draw(pen, "rose", 1, _ROSE)
    for city in range(CITIES):
        _harbour(pen, city)
    (_, _, right, bottom), (width, height) = MARKET, SIZE
    for area, fill in (
        ((right, 0, width, height), COLOURS.dusk),
        (MARKET, COLOURS.paper),
        ((0, bottom - 3, right, bottom), COLOURS.ink),
        ((0, 0, width, BAR), COLOURS.bar),
        ((right, BAR, right + 3, height), COLOURS.ink),
    ):
        pen.rect(area, fill)
    for place, own in enumerate(looks):
        paint_panel(pen, panel(place), PANEL_HEADER, own)
    if len(looks) < len(SIDE_LOOKS):
        _cog(pen, len(looks))


def _smooth(points: Sequence[Spot]) -> list[Point]:
    """Return a closed Catmull-Rom curve through the points."""
    curve: list[Point] = []
    for at in range(len(points)):
        near = [points[(at + shift) % len(points)] for shift in (-1, 0, 1, 2)]
        for step in range(_SMOOTH):
            t = step / _SMOOTH
            x, y = (
                0.5
                * (
                    2 * b
                    + (c - a) * t
                    + (2 * a - 5 * b + 4 * c - d) * t**2
                    + (3 * b - a - 3 * c + d) * t**3
                )
                for a, b, c, d in zip(*near, strict=True)
            )
            curve.append((x, y))
    return curve


COASTLINES = [_smooth(points) for points in _COASTS]


def _land(pen: Pen) -> None:
    for shade, width in ((COLOURS.shoal, 40), (COLOURS.shallow, 18)):
        for coast in COASTLINES:
            pen.polygon(coast, shade)
            pen.band(coast, shade, width)
    for coast in COASTLINES:
        pen.polygon(coast, COLOURS.land, COLOURS.coast, 3)
    for x, y in HILLS:
        draw(pen, "hill", 1, (x, y))
    for x, y in _WAVES:
        wave = [(x + step * 1.6 - 20, y + 4 * math.sin(step * math.pi / 6)) for step in range(25)]
        pen.line(wave, COLOURS.lettering, 2)


def _harbour(pen: Pen, city: int) -> None:
    """Paint a city's board, and a jetty from it to the port."""
    left, top, right, bottom = board(city)
    x, y = HARBOURS[city].port
    shore = min(max(x, left + 20), right - 20), min(max(y, top + 20), bottom - 20)
    for tone, width in ((COLOURS.ink, 13), (COLOURS.wood, 9)):
        pen.line([shore, (x, y)], tone, width)
    fill = CITY_LOOKS[city].fill
    pen.ellipse((x - _PORT, y - _PORT, x + _PORT, y + _PORT), fill, COLOURS.ink, 2.5)
    pen.rect((left + 3, top + 4, right + 3, bottom + 4), COLOURS.coast, None, 0, 12)
    paint_board(pen, (left, top, right, bottom), HEADER, fill)


def _cog(pen: Pen, seats: int) -> None:
    """Fill the empty panels with a large cog."""
    left, top, right, _ = panel(seats)
    x, y = (left + right) / 2, (top + SIZE[1]) / 2 + 6
    draw(pen, "cog", 4, (x, y))
    for shift in (-34, -12, 10):
        wave = [(shift + step, 31 + 1.2 * math.sin(step * math.pi / 6)) for step in range(25)]
        pen.line([(x + 4 * dx, y + 4 * dy) for dx, dy in wave], COLOURS.back, 5)


@lru_cache(maxsize=4 * CITIES * CITIES)
def path_over(turns: str) -> tuple[Point, ...]:
    """Return points every `STEP` pixels on the path between two of `SPOTS`, such as ``"03"``.

    Further characters in between are turns.
    """
    path: list[Point] = [SPOTS[each] for each in _PATHS.get(turns, turns)]
    for _ in range(2):
        # Cut the corners (Chaikin's algorithm).
        cut = [
            ((1 - share) * x + share * to_x, (1 - share) * y + share * to_y)
            for (x, y), (to_x, to_y) in pairwise(path)
            for share in (0.25, 0.75)
        ]
        path = [path[0], *cut, path[-1]]
    points, distance = [path[0]], float(STEP)
    for (x, y), (to_x, to_y) in pairwise(path):
        length = math.hypot(to_x - x, to_y - y)
        while distance <= length:
            points.append((x + (to_x - x) * distance / length, y + (to_y - y) * distance / length))
            distance += STEP
        distance -= length
    return tuple(points)


def wide_path(ends: str) -> tuple[Point, ...]:
    """Return the path between two of `SPOTS`, with a detour if there is no room for a marker."""
    return tuple(point for turns in _DETOURS.get(ends, (ends,)) for point in path_over(turns))
