"""The drawings on Burgundy's tiles, each in a square of 100 units around its centre."""

from __future__ import annotations

import math
from collections.abc import Callable

from bot.render.burgundy.layout import COLOURS, LAYOUT
from bot.render.burgundy.stencil import Stencil
from bot.render.sprites import Point
from bot.render.theme import Colour, mix

Icon = Callable[[Stencil], None]
Silhouette = Callable[[Stencil, Colour], None]

_WALL = COLOURS.cream
_DOOR = COLOURS.wood
_ROOF = COLOURS.red


def warehouse(at: Stencil) -> None:
    """A broad barn with crossed doors and goods before it."""
    at.polygon([(-46, 40), (-46, -6), (-28, -36), (28, -36), (46, -6), (46, 40)], COLOURS.wood)
    at.polygon([(-50, -4), (-30, -40), (30, -40), (50, -4)], _ROOF)
    at.rect(-24, 4, 24, 40, COLOURS.straw)
    at.line([(-22, 6), (22, 38)], COLOURS.ink)
    at.line([(22, 6), (-22, 38)], COLOURS.ink)


def watchtower(at: Stencil) -> None:
    """A slim tower with battlements and a flag."""
    at.line([(0, -28), (0, -50)], COLOURS.ink)
    at.polygon([(0, -50), (24, -43), (0, -36)], _ROOF)
    at.polygon([(-17, 46), (-13, -6), (13, -6), (17, 46)], COLOURS.stone)
    teeth = [(-24, -30), (-12, -30), (-12, -22), (-6, -22), (-6, -30), (6, -30)]
    teeth += [(6, -22), (12, -22), (12, -30), (24, -30), (20, -4), (-20, -4)]
    at.polygon(teeth, COLOURS.stone)
    at.rect(-5, 4, 5, 20, COLOURS.ink, None)
    at.polygon([(-7, 46), (-7, 36), (0, 30), (7, 36), (7, 46)], _DOOR)


def carpenter(at: Stencil) -> None:
    """A saw and a hammer."""
    at.line([(34, 40), (-20, -22)], COLOURS.straw, 11)
    at.polygon([(-40, -18), (-14, -44), (0, -42), (4, -34), (-28, -2), (-40, -6)], COLOURS.slate)
    blade = [(-46, 34), (26, -30), (38, -16), (-32, 46)]
    at.polygon(blade, COLOURS.silver)
    for step in range(7):
        x, y = -29 + step * 9.6, 43 - step * 8.5
        at.polygon([(x, y), (x + 9.6, y - 8.5), (x + 9, y + 3)], COLOURS.ink, None)
    at.polygon([(22, -32), (32, -50), (50, -44), (50, -26), (38, -10)], COLOURS.wood)
    at.disc(38, -32, 5, COLOURS.cream)


def church(at: Stencil) -> None:
    """A nave beside a steeple with a cross."""
    at.rect(-6, 4, 46, 44, _WALL)
    at.polygon([(-8, 6), (4, -16), (40, -16), (50, 6)], COLOURS.slate)
    at.rect(-36, -14, -8, 44, _WALL)
    at.polygon([(-41, -12), (-22, -40), (-3, -12)], COLOURS.slate)
    at.line([(-22, -54), (-22, -38)], COLOURS.ink, 5)
    at.line([(-29, -48), (-15, -48)], COLOURS.ink, 5)
    at.polygon([(-29, 44), (-29, 28), (-22, 20), (-15, 28), (-15, 44)], _DOOR)
    for x in (8, 28):
        at.polygon([(x, 34), (x, 20), (x + 5, 14), (x + 10, 20), (x + 10, 34)], COLOURS.slate)


def market(at: Stencil) -> None:
    """A stall under a striped awning."""
    at.line([(-38, -10), (-38, 44)], COLOURS.wood, 7)
    at.line([(38, -10), (38, 44)], COLOURS.wood, 7)
    at.rect(-44, 14, 44, 44, COLOURS.straw)
    for x, fill in ((-24, COLOURS.red), (0, COLOURS.gold), (24, COLOURS.leaf)):
        at.disc(x, 12, 11, fill)
    at.polygon([(-36, -42), (36, -42), (50, -12), (-50, -12)], _WALL)
    for x in (-30, 10):
        at.polygon([(x * 0.72, -42), (x * 0.72 + 14, -42), (x + 20, -12), (x, -12)], _ROOF, None)
    at.polygon([(-36, -42), (36, -42), (50, -12), (-50, -12)], None)
    for x in range(-50, 50, 20):
        at.polygon(
            [(x, -12), (x + 20, -12), (x + 17, -2), (x + 10, 2), (x + 3, -2)],
            _ROOF if (x + 50) // 20 % 2 else _WALL,
        )


def boarding_house(at: Stencil) -> None:
    """A bed under a roof."""
    at.polygon([(-50, -10), (0, -50), (50, -10), (40, -2), (0, -34), (-40, -2)], COLOURS.slate)
    at.line([(-42, 4), (-42, 44)], COLOURS.wood, 9)
    at.line([(42, 20), (42, 44)], COLOURS.wood, 9)
    at.rect(-40, 22, 40, 36, COLOURS.red)
    at.rect(-36, 4, -10, 24, COLOURS.white, radius=7)
    at.polygon([(-10, 24), (-8, 8), (30, 10), (40, 24)], COLOURS.pink)


def bank(at: Stencil) -> None:
    """Columns under a gable, and a coin in it."""
    at.rect(-46, 34, 46, 45, COLOURS.stone)
    for x in (-34, -12, 12, 34):
        at.rect(x - 6, -6, x + 6, 34, _WALL)
    at.rect(-46, -14, 46, -4, COLOURS.stone)
    at.polygon([(-50, -14), (0, -48), (50, -14)], COLOURS.stone)
    at.disc(0, -25, 9, COLOURS.gold)


def city_hall(at: Stencil) -> None:
    """A broad house with a clock tower."""
    at.rect(-46, 2, 46, 44, _WALL)
    at.polygon([(-50, 4), (-38, -18), (38, -18), (50, 4)], _ROOF)
    at.rect(-17, -28, 17, 44, _WALL)
    at.polygon([(-22, -26), (0, -54), (22, -26)], _ROOF)
    at.disc(0, -12, 11, COLOURS.white)
    at.line([(0, -18), (0, -12), (5, -12)], COLOURS.ink, 3)
    at.polygon([(-9, 44), (-9, 22), (0, 13), (9, 22), (9, 44)], _DOOR)
    for x in (-38, 26):
        at.rect(x, 16, x + 12, 32, COLOURS.slate)


def house(at: Stencil, fill: Colour) -> None:
    """The symbol of buildings."""
    outline = [(-34, 42), (-34, 0), (-46, 0), (0, -44), (46, 0), (34, 0), (34, 42)]
    at.polygon([*outline, (10, 42), (10, 14), (-10, 14), (-10, 42)], fill, None)


_COW = (
    (-46, -18),
    (-52, -26),
    (-42, -26),
    (-36, -34),
    (-31, -26),
    (-22, -25),
    (-14, -22),
    (36, -22),
    (44, -16),
    (48, 6),
    (50, 26),
    (45, 26),
    (43, 4),
    (40, 8),
    (38, 38),
    (28, 38),
    (27, 16),
    (20, 18),
    (14, 24),
    (6, 18),
    (-10, 16),
    (-11, 38),
    (-21, 38),
    (-22, 10),
    (-28, -2),
    (-34, 0),
    (-46, 0),
    (-52, -6),
)
_PIG = (
    (-50, -4), (-40, -14), (-40, -28), (-28, -20), (-16, -26), (10, -28), (32, -24), (42, -12),
    (48, -18), (53, -12), (47, -6), (45, 8), (38, 20), (37, 36), (26, 36), (24, 24), (-12, 24),
    (-14, 36), (-25, 36), (-28, 20), (-38, 12), (-50, 8),
)  # fmt: skip


def cow(at: Stencil) -> None:
    """A spotted cow."""
    at.polygon(_COW, COLOURS.white)
    at.polygon([(-8, -22), (14, -22), (12, -8), (2, -2), (-8, -8)], COLOURS.ink, None)
    at.polygon([(26, -22), (38, -20), (43, -6), (36, 4), (26, -2)], COLOURS.ink, None)
    at.polygon([(-46, 0), (-52, -6), (-50, -14), (-40, -12), (-38, -1)], COLOURS.pink, None)
    at.polygon(_COW, None)


def pig(at: Stencil) -> None:
    """A pink pig."""
    at.polygon(_PIG, COLOURS.pink)
    at.disc(-33, -6, 3, COLOURS.ink, None)
    at.line([(-40, -14), (-30, -12)], COLOURS.ink, 3)


def sheep(at: Stencil) -> None:
    """A woolly sheep."""
    for x in (-16, -4, 18, 30):
        at.line([(x, 16), (x, 38)], COLOURS.ink, 6)
    lobes = [(-18, -10, 15), (0, -18, 16), (20, -16, 16), (36, -4, 14), (30, 10, 14)]
    lobes += [(8, 14, 15), (-14, 10, 14)]
    for x, y, radius in lobes:
        at.disc(x, y, radius, COLOURS.white)
    for x, y, radius in lobes:
        at.disc(x, y, radius - 3, COLOURS.white, None)
    at.oval(8, -2, 28, 14, COLOURS.white, None)
    at.polygon(
        [(-28, -18), (-20, -12), (-24, 2), (-34, 12), (-44, 8), (-44, -4), (-38, -14)], COLOURS.ink
    )
    at.line([(-28, -12), (-16, -6)], COLOURS.ink, 7)
    at.disc(-36, -3, 2.5, COLOURS.white, None)


def chicken(at: Stencil) -> None:
    """A hen."""
    at.line([(-2, 22), (-4, 42), (-14, 42)], COLOURS.straw, 6)
    at.line([(10, 22), (10, 42), (0, 42)], COLOURS.straw, 6)
    for x, y in ((-30, -38), (-22, -43), (-14, -38)):
        at.disc(x, y, 7, COLOURS.red)
    at.polygon([(-38, -26), (-53, -19), (-38, -14)], COLOURS.gold)
    at.disc(-34, -8, 6, COLOURS.red)
    body = [(-38, -26), (-30, -36), (-18, -36), (-10, -26), (-4, -10), (18, -12), (32, -34)]
    body += [(48, -30), (46, -8), (36, 14), (18, 26), (-6, 26), (-24, 14), (-32, -4)]
    at.polygon(body, COLOURS.cream)
    at.polygon([(0, 0), (28, -4), (22, 10), (8, 12)], COLOURS.straw)
    at.disc(-26, -24, 3, COLOURS.ink, None)


def herd(at: Stencil, fill: Colour) -> None:
    """The symbol of animals: a cow."""
    at.polygon(_COW, fill, None)


def ship(at: Stencil) -> None:
    """A river boat under sail."""
    at.line([(0, -46), (0, 18)], COLOURS.ink, 6)
    at.polygon([(0, -50), (22, -44), (0, -38)], COLOURS.red)
    at.polygon([(4, -34), (32, -28), (40, 2), (4, 10)], COLOURS.cream)
    at.polygon([(-5, -34), (-30, -4), (-34, 8), (-5, 10)], COLOURS.cream)
    at.polygon([(-46, 18), (48, 18), (36, 42), (-34, 42)], COLOURS.wood)
    at.line([(-38, 28), (40, 28)], COLOURS.straw, 4)


def boat(at: Stencil, fill: Colour) -> None:
    """The symbol of ships."""
    at.polygon([(4, -44), (38, 6), (4, 8)], fill, None)
    at.polygon([(-5, -32), (-32, 8), (-5, 8)], fill, None)
    at.polygon([(-46, 16), (46, 16), (32, 42), (-32, 42)], fill, None)


def mine(at: Stencil) -> None:
    """The mouth of a gallery in a hill, and a nugget of silver."""
    at.polygon(
        [(-50, 40), (-34, -8), (-16, -28), (4, -38), (24, -22), (40, 4), (50, 40)], COLOURS.slate
    )
    at.polygon([(-24, 40), (-24, 2), (-12, -12), (12, -12), (24, 2), (24, 40)], COLOURS.straw)
    at.polygon([(-15, 40), (-15, 8), (-7, -2), (7, -2), (15, 8), (15, 40)], COLOURS.ink)
    at.rect(-13, 22, 13, 40, COLOURS.dim, radius=3)
    for x in (-7, 1, 8):
        at.disc(x, 22, 6, COLOURS.silver)


def picks(at: Stencil, fill: Colour) -> None:
    """The symbol of mines: crossed tools."""
    at.line([(-32, 38), (26, -26)], fill, 11)
    at.line([(32, 38), (-26, -26)], fill, 11)
    at.line([(-46, -8), (-34, -30), (-12, -42)], fill, 12)
    at.line([(46, -8), (34, -30), (12, -42)], fill, 12)


def castle(at: Stencil) -> None:
    """A castle with two towers and a flag."""
    at.line([(0, -26), (0, -52)], COLOURS.cream, 4)
    at.polygon([(1, -53), (24, -46), (1, -39)], COLOURS.red)
    at.rect(-26, -6, 26, 44, COLOURS.stone)
    at.polygon(_battlements(-18, 18, -28, 20), COLOURS.stone)
    for left in (-48, 22):
        at.polygon(_battlements(left, left + 26, -20, 64), COLOURS.stone)
        at.rect(left + 10, 2, left + 16, 18, COLOURS.ink, None)
    at.polygon([(-13, 44), (-13, 18), (0, 6), (13, 18), (13, 44)], _DOOR)
    at.rect(-4, -14, 4, -4, COLOURS.ink, None)


def keep(at: Stencil, fill: Colour) -> None:
    """The symbol of castles."""
    outline = [(-44, 44), (-44, -40), (-30, -40), (-30, -26), (-18, -26), (-18, -40), (-6, -40)]
    outline += [(-6, -26), (6, -26), (6, -40), (18, -40), (18, -26), (30, -26), (30, -40)]
    at.polygon([*outline, (44, -40), (44, 44), (12, 44), (12, 8), (-12, 8), (-12, 44)], fill, None)


def book(at: Stencil, fill: Colour) -> None:
    """The symbol of knowledge: an open book."""
    for side in (-1, 1):
        page = [(side * 4, -24), (side * 20, -34), (side * 46, -32), (side * 46, 30)]
        at.polygon([*page, (side * 20, 28), (side * 4, 38)], fill, None)


def _battlements(left: float, right: float, top: float, high: float) -> list[Point]:
    tooth = (right - left) / 5
    points: list[Point] = [(left, top + high)]
    for step in range(5):
        level = top if step % 2 == 0 else top + 9
        points += [(left + step * tooth, level), (left + (step + 1) * tooth, level)]
    return [*points, (right, top + high)]


def worker(at: Stencil) -> None:
    """A worker under a straw hat."""
    at.polygon([(-36, 46), (-30, 12), (-16, 2), (16, 2), (30, 12), (36, 46)], COLOURS.slate)
    at.polygon([(-12, 3), (12, 3), (0, 18)], COLOURS.cream)
    at.disc(0, -14, 19, COLOURS.skin)
    at.polygon([(-20, -20), (-14, -42), (14, -42), (20, -20)], COLOURS.straw)
    at.oval(0, -19, 36, 7, COLOURS.straw)


def silverling(at: Stencil) -> None:
    """A silver coin."""
    at.disc(0, 0, 44, COLOURS.silver)
    at.disc(0, 0, 31, None, COLOURS.slate)
    at.polygon([(0, -20), (14, 0), (0, 20), (-14, 0)], COLOURS.white, COLOURS.slate)


def barrel(at: Stencil, kind: int) -> None:
    """A barrel of goods with its number, 0 the first kind."""
    look = LAYOUT.goods[kind]
    _barrel(at, look.fill, mix(look.fill, COLOURS.ink, 0.45))
    at.text(0, 0, str(kind + 1), look.writing, 70)


def sealed_barrel(at: Stencil) -> None:
    """A barrel whose goods do not matter or are not known."""
    _barrel(at, COLOURS.straw, COLOURS.wood)


def _barrel(at: Stencil, fill: Colour, hoop: Colour) -> None:
    staves = [(-32, -46), (32, -46), (42, -24), (45, 0), (42, 24), (32, 46), (-32, 46)]
    staves += [(-42, 24), (-45, 0), (-42, -24)]
    at.polygon(staves, fill, None)
    at.polygon([(-38, -34), (38, -34), (41, -27), (-41, -27)], hoop, None)
    at.polygon([(-41, 27), (41, 27), (38, 34), (-38, 34)], hoop, None)
    at.polygon(staves, None)


def die(at: Stencil, value: int, face: Colour = COLOURS.white, pip: Colour = COLOURS.ink) -> None:
    """A die showing a value."""
    at.rect(-48, -48, 48, 48, face, radius=18)
    for x, y in _PIPS[value - 1]:
        at.disc(25 * x, 25 * y, 10.5, pip, None)


def points(at: Stencil, text: str) -> None:
    """Points: white on a red seal."""
    at.polygon(_seal(), COLOURS.bar, COLOURS.cream)
    at.text(0, 0, text, COLOURS.white, (62, 54, 44)[len(text) - 1])


def bonus(at: Stencil, text: str = "") -> None:
    """A bonus tile: a golden shield."""
    at.polygon([(-38, -46), (38, -46), (38, 20), (0, 48), (-38, 20)], COLOURS.gold)
    at.text(0, -6, text, COLOURS.ink, 66)


def _seal() -> list[Point]:
    found = []
    for step in range(24):
        turn = math.pi * step / 12
        radius = 48 if step % 2 == 0 else 41
        found.append((radius * math.cos(turn), radius * math.sin(turn)))
    return found


_PIPS: tuple[tuple[Point, ...], ...] = (
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
)

SYMBOLS: dict[str, Silhouette] = {
    "building": house,
    "animal": herd,
    "ship": boat,
    "knowledge": book,
    "mine": picks,
    "castle": keep,
}
"""What tells the colours apart beside the colour."""

BUILDINGS: dict[str, Icon] = {
    "warehouse": warehouse,
    "watchtower": watchtower,
    "carpenter": carpenter,
    "church": church,
    "market": market,
    "boarding_house": boarding_house,
    "bank": bank,
    "city_hall": city_hall,
}
ANIMALS: dict[str, Icon] = {"cow": cow, "pig": pig, "sheep": sheep, "chicken": chicken}
