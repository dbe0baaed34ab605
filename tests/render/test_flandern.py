"""What tells the quarters, pieces and cards of Flandern 1302 apart, on pictures and alone."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import unwrap
from itertools import combinations, pairwise, product

import msgspec
import pytest
from PIL import ImageChops

from bot.game.flandern.data import CARDS, EMBLEM_KEYS, PLAYER_GUILDS
from bot.game.flandern.plan import CITIES, PLOT_NAMES
from bot.render.flandern import quarters
from bot.render.flandern.cards import GOLDEN, SILVER, back, card
from bot.render.flandern.outlines import bounds, inset, outline
from bot.render.flandern.pieces import FILE, LOOKS, sign
from bot.render.flandern.quarters import cover, free_plot, quarter, tile
from bot.render.sprites import Point, Sprite
from tests.render.compare import TOLERATED, different, two_tones
from tests.render.pictured import with_city, with_seat
from tests.render.pictured_flandern import FLANDERN

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


def test_an_emblem_is_known_without_its_colour_even_by_its_roofs_and_a_guild_by_its_letter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tiles = FILE.emblems["blue"].tiles
    drawings = {
        key: msgspec.structs.replace(drawing, tiles=tiles) for key, drawing in FILE.emblems.items()
    }
    monkeypatch.setattr(quarters, "FILE", msgspec.structs.replace(FILE, emblems=drawings))
    for key in EMBLEM_KEYS:
        monkeypatch.setitem(LOOKS, key, LOOKS["blue"])

    def check(keys: Sequence[str], least: float, step: int, *plots: str) -> None:
        for plot in plots:
            for one, other in combinations([anew(key, plot) for key in keys], 2):
                assert differing(one, other, step) > least, plot

    check(EMBLEM_KEYS, 0.15, 40, "t1", "p1", "p2", "r1", "r2")
    with monkeypatch.context() as alone:
        alone.setattr(quarters, "_signs", lambda *_: [lambda _at: None])
        check(EMBLEM_KEYS, 0.06, 20, "t1", "p1", "r1")
    with monkeypatch.context() as alone:
        for painter in ("_houses", "craft"):
            alone.setattr(quarters, painter, lambda *_, **__: None)
        check(GUILDS, 0.02, 40, "t1", "p1", "r1")


def test_a_site_is_no_quarter_and_still_tells_its_emblem() -> None:
    for plot in ("t1", "p1", "r1"):
        sites = {key: plain(key, plot, site=True) for key in EMBLEM_KEYS}
        for key, site in sites.items():
            assert differing(site, plain(key, plot)) > 0.25, (key, plot)
        for one, other in combinations(sites, 2):
            assert differing(sites[one], sites[other], 20) > 0.05, (one, other, plot)


def test_a_sprite_covers_its_plot() -> None:
    for plot, unit in product(PLOT_NAMES[1:], (SMALL, 52)):
        left, top, right, bottom = bounds(outline(plot))
        for sprite in (free_plot(plot, unit), cover(plot, unit), plain("red", plot, unit)):
            assert abs(sprite.width - (right - left) * unit) < 4, plot
            assert abs(sprite.height - (bottom - top) * unit) < 4, plot
            covered = sum(sprite.mask.histogram()[128:]) / unit**2
            assert covered == pytest.approx(area(outline(plot)), rel=0.2), plot


def test_a_quarter_of_the_church_has_the_outline_of_its_own() -> None:
    for kind, on in SPECIAL.items():
        bar = "r1" if kind == "d" else ""
        own = area(outline(on, kind, bar))
        assert (own > area(outline(on))) == (kind != "b"), kind
        sprite = quarter("church", on, kind, bar, False, False, 0, 52)
        assert sum(sprite.mask.histogram()[128:]) / 52**2 == pytest.approx(own, rel=0.1), kind


def test_the_fourth_covers_both_of_its_plots() -> None:
    for number in range(4):
        on = f"p{number + 1}"
        for bar in (f"r{number + 1}", f"r{(number - 1) % 4 + 1}"):
            both = outline(on, "d", bar)
            assert area(both) == pytest.approx(area(outline(on)) + area(outline(bar)))
            assert set(outline(on)) < {(round(x, 3), round(y, 3)) for x, y in both}


def test_a_line_inside_another_is_shorter_by_the_same_on_all_sides() -> None:
    square = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
    assert inset(square, 0.25) == tuple((x * 0.75, y * 0.75) for x, y in square)
    assert area(inset(square, -1)) == pytest.approx(16)


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


def test_the_signs_of_the_supply_have_the_size_they_are_asked_for() -> None:
    kinds = ("t", "t-leader", "p", *SPECIAL)
    for key in EMBLEM_KEYS:
        for kind in (*kinds, "r", "p-leader", "r-leader"):
            assert tile(key, kind, 48).image.size == (48, 48), (key, kind)
        assert len({tile(key, kind, 48).image.tobytes() for kind in kinds}) == len(kinds), key
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


def test_whose_a_quarter_is_shows_without_colours() -> None:
    view, names, events = FLANDERN.sample("middle_game")
    centre, first, *others = view.city("gent").quarters
    quarters = (centre, msgspec.structs.replace(first, emblem="blue"), *others)
    views = (view, with_city(view, 1, quarters=quarters))
    grey = [two_tones(FLANDERN.draw((each, names, events))) for each in views]
    assert different(*grey) > TOLERATED


def test_what_a_city_is_worth_stands_beside_cards_that_the_observer_knows_alone() -> None:
    view, names, events = FLANDERN.sample("choosing")
    unknown = with_seat(msgspec.structs.replace(view, observer=0), 1, hand=None)
    one, other = (
        FLANDERN.draw((each, names, events), "1")
        for each in (unknown, with_city(unknown, 2, value=17))
    )
    assert one == other
