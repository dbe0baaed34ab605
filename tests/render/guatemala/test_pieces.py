"""The pieces of Guatemala Café: outlines, colours, owners, and what is wrong with their file."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFilter

from bot.game.guatemala.data import COLOUR_KEYS, KINDS
from bot.render.drawing import Stencil
from bot.render.guatemala.layout import palette
from bot.render.guatemala.pieces import DATA, FLAT, ICONS, laid_road, load, owner, piece, rimmed
from bot.render.sides import SIDE_LOOKS
from bot.render.sprites import Sprite, paint
from tests.render.mistakes import check_is_named

SMALL = 26
COLOURED = KINDS[:-1]


def outline(sprite: Sprite) -> Image.Image:
    return sprite.mask.point(lambda cover: 255 if cover > 127 else 0)


def differing(one: Image.Image, other: Image.Image) -> float:
    """The share of pixels in which two images differ by half of what is possible."""
    apart = ImageChops.difference(one.convert("L"), other.convert("L"))
    return sum(apart.histogram()[128:]) / (apart.width * apart.height)


@pytest.mark.parametrize("size", [SMALL, 48, 90])
def test_each_kind_is_known_by_its_outline_alone(size: int) -> None:
    outlines = [outline(piece(kind, "red" if kind in COLOURED else "", size)) for kind in KINDS]
    for one, other in combinations(outlines, 2):
        assert differing(one, other) > 0.12


@pytest.mark.parametrize("kind", COLOURED)
def test_the_outline_says_nothing_of_the_colour_and_the_face_all(kind: str) -> None:
    sprites = [piece(kind, colour, SMALL) for colour in COLOUR_KEYS]
    assert len({outline(each).tobytes() for each in sprites}) == 1
    for one, other in combinations(sprites, 2):
        assert ImageChops.difference(one.image, other.image).getbbox() is not None


@pytest.mark.parametrize("size", [22, 40])
def test_an_owner_is_known_by_the_outline_of_their_sign_alone(size: int) -> None:
    signs = [outline(owner(look, size)) for look in range(len(SIDE_LOOKS))]
    for one, other in combinations(signs, 2):
        assert differing(one, other) > 0.1


def test_every_piece_has_the_size_it_is_asked_for() -> None:
    for kind, colour, size in product(COLOURED, COLOUR_KEYS, (SMALL, 51, 90)):
        assert piece(kind, colour, size).image.size == (size, size)
    assert laid_road(60, 14, False).image.size == (60, 14)
    assert laid_road(60, 14, True).image.size == (14, 60)


def test_a_light_rim_goes_all_around_a_piece() -> None:
    for kind, size in product(COLOURED, (SMALL, 50)):
        sprite = rimmed(kind, "black", size)
        assert sprite.image.size == (size, size)
        inside = outline(sprite).filter(ImageFilter.MinFilter(3))
        ring = ImageChops.subtract(outline(sprite), inside)
        tones = sprite.image.convert("L").histogram(ring)
        assert sum(tones[200:]) > 0.95 * sum(tones) > 0


@pytest.mark.parametrize("name", load().drawings)
def test_every_drawing_finds_its_colours(name: str) -> None:
    drawn = paint(100, 100, lambda pen: ICONS[name](Stencil(pen, 50, 50, 100), FLAT[0]))
    assert drawn.mask.getbbox() is not None


def test_every_colour_of_the_drawings_is_in_the_palette_of_the_pictures() -> None:
    assert set(FLAT) <= set(palette().colours)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("[coffee.brown]", "[coffee.braun]", "coffee has .*braun"),
        ("hut = [0", "house = [0", "letters has .*house"),
        ('fill = "#2e2a36"', 'fill = "black"', "regex"),
        ("polygon", "polygone", "polygone"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, old: str, new: str, error: str) -> None:
    check_is_named(load, DATA, tmp_path, old, new, error)
