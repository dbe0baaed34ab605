"""Quarters, pieces and cards of Flandern 1302 differ visibly."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import unwrap
from itertools import combinations, pairwise, product
from typing import Any

import msgspec
import pytest
from PIL import ImageChops

from bot.game.flandern.cards import DECKS
from bot.game.flandern.city import NONE, Quarter, build
from bot.game.flandern.data import (
    CARDS,
    CENTRE,
    CHURCH,
    CITIES,
    EMBLEMS,
    FIRST_SPECIAL,
    PLAYER_GUILDS,
    PLOT_OF_NAME,
    PLOTS,
    SHAPES,
    A,
    B,
    C,
    D,
    members,
)
from bot.render.flandern import pieces, quarters
from bot.render.flandern.city import SMALL as CELL
from bot.render.flandern.city import fitted
from bot.render.flandern.pieces import (
    EMBLEM_DRAWINGS,
    GOLDEN,
    LOOKS,
    Owner,
    back,
    card_face,
)
from bot.render.flandern.quarters import bounds, cover, free_plot, outline, quarter
from bot.render.sprites import Point, Sprite
from tests.game.flandern.positions import city_of

SMALL = 20
"""Pixels of a unit in a whole picture of 550 pixels width."""
GUILDS = range(PLAYER_GUILDS)
RED, BLUE = 0, 2
T1, P1, P2, R1 = (PLOT_OF_NAME[name] for name in ("t1", "p1", "p2", "r1"))


def plain(emblem: int, plot: int = P1, **fields: Any) -> Quarter:
    """Return a quarter of an emblem without pieces."""
    kind = SHAPES.index(PLOTS[plot].shape) if plot != CENTRE else NONE
    return Quarter(emblem, plot, kind, False, False, 0, 0, NONE)._replace(**fields)


def painted(emblem: int, plot: int) -> Sprite:
    """Return the sprite of a quarter, not from the cache."""
    drawn: Sprite = unwrap(quarter)(plain(emblem, plot), SMALL)
    return drawn


def differing(one: Sprite, other: Sprite, step: int = 40) -> float:
    """Return the share of a sprite's pixels in which another sprite of this outline differs by at
    least `step` in red, green or blue.
    """
    red, green, blue = ImageChops.difference(one.image, other.image).split()
    apart = ImageChops.lighter(red, ImageChops.lighter(green, blue))
    within = apart.histogram(one.mask.point(lambda cover: 255 if cover > 127 else 0))
    return sum(within[step:]) / sum(within)


def area(path: Sequence[Point]) -> float:
    """Return the area that a clockwise line encloses."""
    return sum(x * down - across * y for (x, y), (across, down) in pairwise((*path, path[0]))) / 2


def test_emblems_differ_without_colours_by_their_roofs_and_guilds_by_their_letters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tiles = EMBLEM_DRAWINGS[BLUE].tiles
    drawings = [msgspec.structs.replace(drawing, tiles=tiles) for drawing in EMBLEM_DRAWINGS]
    monkeypatch.setattr(quarters, "EMBLEM_DRAWINGS", drawings)
    for module in (pieces, quarters):
        monkeypatch.setattr(module, "LOOKS", [LOOKS[BLUE]] * EMBLEMS)

    def check(emblems: Sequence[int], minimum: float, step: int, *plots: int) -> None:
        for plot in plots:
            for one, other in combinations([painted(emblem, plot) for emblem in emblems], 2):
                assert differing(one, other, step) > minimum, plot

    check(range(EMBLEMS), 0.15, 40, T1, P1, P2, R1)
    with monkeypatch.context() as alone:
        alone.setattr(quarters, "_signs", lambda *_: [lambda _at: None])
        check(range(EMBLEMS), 0.06, 20, T1, P1, R1)
    with monkeypatch.context() as alone:
        for painter in ("_houses", "craft"):
            alone.setattr(quarters, painter, lambda *_, **__: None)
        check(GUILDS, 0.02, 40, T1, P1, R1)


def test_sites_quarters_and_free_plots_differ_and_a_site_shows_its_emblem() -> None:
    for plot in (T1, P1, R1):
        sites = [quarter(plain(emblem, plot, site=True), SMALL) for emblem in range(EMBLEMS)]
        free = free_plot(plot, SMALL)
        assert differing(free, cover(plot, SMALL)) > 0.8
        for emblem, site in enumerate(sites):
            built = quarter(plain(emblem, plot), SMALL)
            assert differing(site, built) > 0.25, (emblem, plot)
            assert differing(free, built) > 0.3, (emblem, plot)
        for one, other in combinations(sites, 2):
            assert differing(one, other, 20) > 0.05, plot


def test_a_sprite_covers_its_plot_and_a_special_quarter_its_own_outline() -> None:
    """D also covers a bar next to its plot."""
    shown: list[tuple[Sprite, Sequence[Point]]] = []
    for plot in range(1, len(PLOTS)):
        sprites = free_plot(plot, 52), cover(plot, 52), quarter(plain(RED, plot), 52)
        shown += [(sprite, outline(plot)) for sprite in sprites]
    for special, plot, bar in ((A, P1, NONE), (B, R1, NONE), (C, R1, NONE), (D, P1, R1)):
        kind = FIRST_SPECIAL + special
        sprite = quarter(plain(CHURCH, plot, kind=kind, bar=bar), 52)
        shown.append((sprite, outline(plot, kind, bar)))
    for sprite, path in shown:
        covered = sum(sprite.mask.histogram()[128:]) / 52**2
        assert covered == pytest.approx(area(path), rel=0.2)
    both = outline(P1, FIRST_SPECIAL + D, R1)
    assert area(both) == pytest.approx(area(outline(P1)) + area(outline(R1)))


def test_a_city_with_added_plots_fits_into_its_cell() -> None:
    for long, bar in product(("p1", "p2", "p3", "p4"), ("r1", "r2", "r3")):
        city = city_of("luik")
        build(city, CHURCH, FIRST_SPECIAL + A, PLOT_OF_NAME[long], site=False)
        build(city, CHURCH, FIRST_SPECIAL + C, PLOT_OF_NAME[bar], site=False)
        where = fitted(CELL.land, city.free, CELL.max_unit)
        for plot in members(city.free):
            left, top, right, bottom = bounds(map(where.at, outline(plot)))
            assert CELL.land[0] <= left < right <= CELL.land[2], (long, bar, plot)
            assert CELL.land[1] <= top < bottom <= CELL.land[3], (long, bar, plot)


def test_each_leader_and_cathedral_is_visible() -> None:
    for plot in (T1, P1, R1, CENTRE):
        shown = [quarter(plain(RED, plot, placed_leaders=count), 52) for count in range(5)]
        if plot != CENTRE:
            printed = plain(RED, plot)._replace(printed_leaders=1)
            shown.append(quarter(printed, 52))
        assert len({each.image.tobytes() for each in shown}) == len(shown)
        bare, adorned = (
            quarter(plain(CHURCH, plot, cathedral=cathedral), 52) for cathedral in (False, True)
        )
        assert differing(bare, adorned) > 0.02


def test_each_card_has_its_own_face() -> None:
    owners: tuple[Owner, ...] = (*GUILDS, GOLDEN, NONE)
    faces = [
        card_face(card, key[:2] if key in CITIES else "", owner, 40)
        for card, key in enumerate(CARDS)
        for owner in owners
    ]
    assert len({face.image.tobytes() for face in faces}) == len(faces)
    for one, other in combinations([card_face(n, "", GOLDEN, 40) for n in range(len(CARDS))], 2):
        assert differing(one, other) > 0.05
    backs = [back(owner, 40) for owner in (*owners, *DECKS)]
    assert len({each.image.tobytes() for each in backs}) == len(backs)
    assert card_face(6, "", RED, 50).image.size == back(RED, 50).image.size == (50, 70)
