"""Pictures drawn from cached tiles."""

from __future__ import annotations

from random import Random

import pytest

from bot.render import tiles
from bot.render.asked import LayeredCanvas
from bot.render.sides import emblem
from bot.render.sprites import Backdrop, ground
from bot.render.theme import Palette
from tests.render.compare import forget, read

TONES = ("#c43020", "#2050c0", "#fbf5e6", "#203040", "#ffffff")
PALETTE = Palette(TONES, TONES[2:4])
SIZES = [(400, 300), (128, 64), (129, 65), (1, 1), (1000, 63)]
GROUND = Backdrop(ground(90, 50, TONES[2], lambda pen: pen.ellipse((0, 0, 90, 50), TONES[1])))


def random_canvas(width: int, height: int, rng: Random) -> LayeredCanvas:
    """Return a canvas with sprites, text and backdrops, some of them beyond the edges."""
    canvas = LayeredCanvas(width, height)
    for _ in range(rng.randrange(40)):
        x, y = rng.randrange(-60, width + 60), rng.randrange(-60, height + 60)
        match rng.randrange(4):
            case 0:
                canvas.stamp(emblem(rng.randrange(4), rng.choice((20, 90))), x, y)
            case 1:
                canvas.text(x, y, f"Round {rng.randrange(9)}", rng.choice(TONES), 38)
            case 2:
                canvas.lay(GROUND, x, y)
            case _:
                canvas.rect((x, y, x + rng.randrange(1, 300), y + 70), rng.choice(TONES))
    return canvas


@pytest.fixture(autouse=True)
def empty_caches() -> None:
    forget()


@pytest.mark.parametrize("size", SIZES)
def test_a_picture_does_not_depend_on_the_cache(
    size: tuple[int, int],
) -> None:
    rng = Random(1)
    for _ in range(12):
        canvas = random_canvas(*size, rng)
        whole = PALETTE.reduce(canvas.image).convert("RGB")
        before = canvas.image.tobytes()
        picture = tiles.encode(canvas, PALETTE)
        assert canvas.image.tobytes() == before
        assert read(picture).tobytes() == whole.tobytes()
        assert tiles.encode(canvas, PALETTE) == picture
        forget()
        assert tiles.encode(canvas, PALETTE) == picture


def test_tiles_are_not_shared_between_palettes() -> None:
    grey = Palette(("#000000", "#808080", "#ffffff"), ())
    canvas = LayeredCanvas(50, 50)
    canvas.rect((0, 0, 50, 50), "#c43020")
    for palette in (PALETTE, grey):
        shown = read(tiles.encode(canvas, palette))
        assert shown.tobytes() == palette.reduce(canvas.image).convert("RGB").tobytes()


def test_a_change_anywhere_is_drawn() -> None:
    pictures = set()
    for x in range(0, 300, 11):
        for y in range(0, 150, 11):
            canvas = LayeredCanvas(300, 150)
            canvas.lay(GROUND, 20, 20)
            canvas.text(x, y, "8", "#ffffff", 30)
            pictures.add(tiles.encode(canvas, PALETTE))
    assert len(pictures) == 28 * 14
