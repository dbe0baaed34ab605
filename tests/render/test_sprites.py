"""Sprites, canvases and palettes."""

from __future__ import annotations

from PIL import Image

from bot.render.fonts import width
from bot.render.sprites import Align, Painting, Pen, paint, square
from bot.render.theme import PALETTE_SIZE, Palette, mix
from tests.render.compare import forget


def _disc(pen: Pen) -> None:
    pen.ellipse((0, 0, 20, 20), "#c43020")


def test_a_sprite_covers_its_shape_and_nothing_else() -> None:
    canvas = Painting(Image.new("RGB", (40, 40), "#ffffff"))
    canvas.stamp(paint(20, 20, _disc), 10, 10)
    assert canvas.image.getpixel((20, 20)) == (0xC4, 0x30, 0x20)
    assert canvas.image.getpixel((10, 10)) == (255, 255, 255)
    assert canvas.image.getpixel((35, 20)) == (255, 255, 255)


def test_drawing_text_returns_its_end() -> None:
    canvas = Painting(Image.new("RGB", (200, 60), "#ffffff"))
    assert canvas.text(10, 30, "27", "#000000", 38) == 10 + width("27", 38)
    assert canvas.text(190, 30, "27", "#000000", 38, align=Align.RIGHT) == 190


@square
def _dot(pen: Pen, size: int) -> None:
    pen.ellipse((0, 0, size, size), "#c43020")


def test_an_evicted_sprite_is_painted_again_and_looks_the_same() -> None:
    before = _dot(12)
    assert _dot(12) is before
    forget()
    after = _dot(12)
    assert after.number != before.number
    assert after.image.tobytes() == before.image.tobytes()


def test_a_palette_has_at_most_256_colours_and_flat_ones_first() -> None:
    shades = [f"#{value:02x}4080" for value in range(0, 240, 4)]
    palette = Palette(shades, ["#000000", "#ffffff", "#00ff00"])
    assert len(palette.colours) == PALETTE_SIZE
    assert palette.colours[: len(shades)] == tuple(shades)
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
    # Flat colours survive the reduction.
    image = Image.new("RGB", (2, 1), "#c43020")
    image.putpixel((1, 0), (32, 96, 176))
    reduced = Palette(["#c43020", "#2060b0"], ["#000000"]).reduce(image).convert("RGB")
    assert reduced.tobytes() == image.tobytes()
