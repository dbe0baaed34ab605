"""Colours and palettes."""

from __future__ import annotations

from PIL import Image

from bot.render.theme import PALETTE_SIZE, Palette, mix


def test_half_of_white_in_black_is_grey() -> None:
    assert mix("#000000", "#ffffff", 0.5) == "#808080"


def test_a_palette_never_holds_more_than_a_png_can() -> None:
    shades = [f"#{value:02x}4080" for value in range(0, 240, 4)]
    palette = Palette(shades, ["#000000", "#ffffff", "#00ff00"])
    assert len(palette.colours) == PALETTE_SIZE
    assert palette.colours[: len(shades)] == tuple(shades)


def test_flat_colours_survive_the_reduction() -> None:
    image = Image.new("RGB", (2, 1), "#c43020")
    image.putpixel((1, 0), (32, 96, 176))
    reduced = Palette(["#c43020", "#2060b0"], ["#000000"]).reduce(image).convert("RGB")
    assert reduced.tobytes() == image.tobytes()
