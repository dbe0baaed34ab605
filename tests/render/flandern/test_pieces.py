"""The quarters, pieces and cards of Flandern 1302: what tells them apart, and their file."""

from __future__ import annotations

from inspect import unwrap
from itertools import combinations, pairwise
from pathlib import Path

import msgspec
import pytest
from PIL import ImageChops

from bot.game.flandern.data import CARDS, EMBLEM_KEYS, PLAYER_GUILDS
from bot.game.flandern.plan import CITIES, PLOT_NAMES, PRINTED, members
from bot.render.drawing import Stencil
from bot.render.flandern import quarters
from bot.render.flandern.cards import GOLDEN, SILVER, back, card
from bot.render.flandern.layout import palette
from bot.render.flandern.outlines import bounds, inset, outline
from bot.render.flandern.pieces import DATA, FILE, FLAT, ICONS, LOOKS, load, sign
from bot.render.flandern.quarters import city_plan, cover, free_plot, quarter, tile
from bot.render.sprites import Point, Sprite, paint
from tests.render.mistakes import check_is_named

SMALL = 20
"""Pixels to a unit where the whole picture is 550 wide."""
GUILDS = EMBLEM_KEYS[:PLAYER_GUILDS]
SPECIAL = {"a": "p1", "b": "r1", "c": "r1", "d": "p1"}


def plain(key: str, plot: str = "p1", unit: int = SMALL, *, site: bool = False) -> Sprite:
    """A quarter of an emblem with nothing on it."""
    return quarter(key, plot, plot[0], "", site, False, 0, unit)


def anew(key: str, plot: str) -> Sprite:
    """The same, painted now."""
    drawn: Sprite = unwrap(quarter)(key, plot, plot[0], "", False, False, 0, SMALL)
    return drawn


def differing(one: Sprite, other: Sprite, step: int = 40) -> float:
    """The share of a sprite in which another of its outline differs by so many steps of a part of
    its light.
    """
    red, green, blue = ImageChops.difference(one.image, other.image).split()
    apart = ImageChops.lighter(red, ImageChops.lighter(green, blue))
    within = apart.histogram(one.mask.point(lambda cover: 255 if cover > 127 else 0))
    return sum(within[step:]) / sum(within)


def area(path: tuple[Point, ...]) -> float:
    """Of what a line encloses, clockwise as it is seen."""
    return sum(x * down - across * y for (x, y), (across, down) in pairwise((*path, path[0]))) / 2


@pytest.fixture
def colourless(monkeypatch: pytest.MonkeyPatch) -> None:
    """All emblems in the colours of one."""
    tiles = FILE.emblems["blue"].tiles
    drawings = {
        key: msgspec.structs.replace(drawing, tiles=tiles) for key, drawing in FILE.emblems.items()
    }
    monkeypatch.setattr(quarters, "FILE", msgspec.structs.replace(FILE, emblems=drawings))
    for key in EMBLEM_KEYS:
        monkeypatch.setitem(LOOKS, key, LOOKS["blue"])


@pytest.mark.usefixtures("colourless")
@pytest.mark.parametrize("plot", ["t1", "p1", "p2", "r1", "r2"])
def test_an_emblem_is_known_without_its_colour(plot: str) -> None:
    for one, other in combinations([anew(key, plot) for key in EMBLEM_KEYS], 2):
        assert differing(one, other) > 0.15


@pytest.mark.usefixtures("colourless")
@pytest.mark.parametrize("plot", ["t1", "p1", "r1"])
def test_an_emblem_is_known_by_its_roofs_alone(plot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quarters, "_signs", lambda *_: [lambda _at: None])
    for one, other in combinations([anew(key, plot) for key in EMBLEM_KEYS], 2):
        assert differing(one, other, 20) > 0.06


@pytest.mark.usefixtures("colourless")
@pytest.mark.parametrize("plot", ["t1", "p1", "r1"])
def test_a_guild_is_known_by_its_letter_alone(plot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for painter in ("_houses", "craft"):
        monkeypatch.setattr(quarters, painter, lambda *_, **__: None)
    for one, other in combinations([anew(key, plot) for key in GUILDS], 2):
        assert differing(one, other) > 0.02


@pytest.mark.parametrize("plot", ["t1", "p1", "r1"])
@pytest.mark.parametrize("key", EMBLEM_KEYS)
def test_a_site_is_no_quarter_and_still_tells_its_emblem(key: str, plot: str) -> None:
    site = plain(key, plot, site=True)
    assert differing(site, plain(key, plot)) > 0.25
    for other in set(EMBLEM_KEYS) - {key}:
        assert differing(site, plain(other, plot, site=True), 20) > 0.05


@pytest.mark.parametrize("unit", [SMALL, 52])
@pytest.mark.parametrize("plot", PLOT_NAMES[1:])
def test_a_sprite_covers_its_plot(plot: str, unit: int) -> None:
    left, top, right, bottom = bounds(outline(plot))
    for sprite in (free_plot(plot, unit), cover(plot, unit), plain("red", plot, unit)):
        assert abs(sprite.width - (right - left) * unit) < 4
        assert abs(sprite.height - (bottom - top) * unit) < 4
        covered = sum(sprite.mask.histogram()[128:]) / unit**2
        assert covered == pytest.approx(area(outline(plot)), rel=0.2)


@pytest.mark.parametrize("kind", SPECIAL)
def test_a_quarter_of_the_church_has_the_outline_of_its_own(kind: str) -> None:
    on, bar = SPECIAL[kind], "r1" if kind == "d" else ""
    usual, own = outline(on), outline(on, kind, bar)
    assert (area(own) > area(usual)) == (kind != "b")
    sprite = quarter("church", on, kind, bar, False, False, 0, 52)
    assert sum(sprite.mask.histogram()[128:]) / 52**2 == pytest.approx(area(own), rel=0.1)


@pytest.mark.parametrize("number", range(4))
def test_the_fourth_covers_both_of_its_plots(number: int) -> None:
    on = f"p{number + 1}"
    for bar in (f"r{number + 1}", f"r{(number - 1) % 4 + 1}"):
        both = outline(on, "d", bar)
        assert area(both) == pytest.approx(area(outline(on)) + area(outline(bar)))
        assert set(outline(on)) < {(round(x, 3), round(y, 3)) for x, y in both}


def test_a_line_inside_another_is_shorter_by_the_same_on_all_sides() -> None:
    square = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
    assert inset(square, 0.25) == tuple((x * 0.75, y * 0.75) for x, y in square)
    assert area(inset(square, -1)) == pytest.approx(16)


def test_the_walls_stand_around_all_plots() -> None:
    corners = [corner for plot in members(PRINTED) for corner in outline(PLOT_NAMES[plot])]
    walls = tuple((x / 100, y / 100) for x, y in FILE.walls)
    assert bounds(walls) == pytest.approx(bounds(corners), abs=0.01)
    assert {(round(x, 2), round(y, 2)) for x, y in corners} > set(walls)
    assert area(walls) > sum(area(outline(PLOT_NAMES[plot])) for plot in (0, *members(PRINTED)))


def test_each_leader_and_cathedral_is_seen() -> None:
    for plot in ("t1", "p1", "r1", "c"):
        kind = plot[0].removeprefix("c")
        shown = [quarter("red", plot, kind, "", False, False, count, 52) for count in range(5)]
        if kind:
            shown.append(quarter("red", plot, f"{kind}-leader", "", False, False, 0, 52))
        assert len({each.image.tobytes() for each in shown}) == len(shown)
        bare, adorned = (
            quarter("church", plot, kind, "", False, cathedral, 0, 52)
            for cathedral in (False, True)
        )
        assert differing(bare, adorned) > 0.02


def test_what_can_be_built_on_looks_unlike_what_cannot() -> None:
    for plot in ("t1", "p1", "r1"):
        free, closed = free_plot(plot, SMALL), cover(plot, SMALL)
        assert differing(free, closed) > 0.8
        for key in EMBLEM_KEYS:
            assert differing(free, plain(key, plot)) > 0.3


def test_a_city_has_room_for_all_its_plots() -> None:
    plan = city_plan(SMALL)
    assert plan.width == plan.height > 2 * bounds(FILE.walls)[2] / 100 * SMALL
    assert plan.mask.getbbox() is not None
    assert plan.mask.crop((0, 0, 2 * SMALL, 2)).getbbox() is None


@pytest.mark.parametrize("key", EMBLEM_KEYS)
def test_the_signs_of_the_supply_have_the_size_they_are_asked_for(key: str) -> None:
    for kind in ("t", "p", "r", "t-leader", "p-leader", "r-leader", *SPECIAL):
        assert tile(key, kind, 48).image.size == (48, 48)
    assert (
        len({tile(key, kind, 48).image.tobytes() for kind in ("t", "t-leader", "p", *SPECIAL)}) == 7
    )
    assert sign(key, 38).image.size == (38, 38)


def test_each_card_has_a_face_of_its_own() -> None:
    faces = [
        card(key, key[:2] if key in CITIES else "", owner, 40)
        for key in CARDS
        for owner in (*GUILDS, GOLDEN, SILVER)
    ]
    assert len({face.image.tobytes() for face in faces}) == len(faces)
    for one, other in combinations([card(key, "", GOLDEN, 40) for key in CARDS], 2):
        assert differing(one, other) > 0.05
    backs = [back(owner, 40) for owner in (*GUILDS, GOLDEN, SILVER, "a", "b")]
    assert len({each.image.tobytes() for each in backs}) == len(backs)
    assert card("site", "", "red", 50).image.size == back("red", 50).image.size == (50, 70)


@pytest.mark.parametrize("name", load().drawings)
def test_every_drawing_finds_its_colours(name: str) -> None:
    drawn = paint(100, 100, lambda pen: ICONS[name](Stencil(pen, 50, 50, 100), FLAT[0]))
    assert drawn.mask.getbbox() is not None


def test_every_colour_of_the_drawings_is_in_the_palette_of_the_pictures() -> None:
    assert set(FLAT) <= set(palette().colours)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("[emblems.red]", "[emblems.rot]", "emblems has .*rot"),
        ('d = [["p1"', 'e = [["p1"', "supply has .*e"),
        ("church-a = [", "church-d = [", "spots has .*church-d"),
        ("[[0, 58, 100]]", "[]", "spots has not .* of t"),
        ("cover = [", "covers = [", "drawings has no cover"),
        ("[own.grey]", "[own.gray]", "own has .*gray"),
        ('fill = "#a6abb3"', 'fill = "grey"', "regex"),
        ("polygon", "polygone", "polygone"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, old: str, new: str, error: str) -> None:
    check_is_named(load, DATA, tmp_path, old, new, error)
