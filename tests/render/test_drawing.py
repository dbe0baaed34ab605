"""Drawings from data: strokes, parts and errors."""

from __future__ import annotations

import msgspec
import pytest

from bot.render.drawing import Drawings, Icon, ScaledPen, Stroke
from bot.render.sprites import paint

COLOURS = {"ink": "#000000", "red": "#ff0000", "gold": "#ffcc00"}


def pixel(icon: Icon, at: tuple[int, int], fill: str | None = None) -> tuple[int, ...]:
    """Return the colour of a pixel in a drawing of 100 by 100 pixels."""
    sprite = paint(100, 100, lambda pen: icon(ScaledPen(pen, 50, 50, 100), fill))
    colour = sprite.image.getpixel(at)
    assert isinstance(colour, tuple)
    return colour


def drawings(**strokes: list[dict[str, object]]) -> Drawings:
    converted = {name: msgspec.convert(each, tuple[Stroke, ...]) for name, each in strokes.items()}
    return Drawings(converted, {}, COLOURS.__getitem__)


@pytest.mark.parametrize(
    "shape",
    [
        {"polygon": [[-40, -40], [40, -40], [40, 40], [-40, 40]]},
        {"line": [[-40, 0], [40, 0]], "width": 30},
        {"disc": [0, 0, 40]},
        {"oval": [0, 0, 40, 20]},
        {"rect": [-40, -40, 40, 40], "radius": 5},
    ],
)
def test_every_shape_is_filled(shape: dict[str, object]) -> None:
    assert pixel(drawings(it=[{**shape, "fill": "red"}])["it"], (50, 50)) == (255, 0, 0)


def test_an_outline_is_ink_by_default() -> None:
    square = {"rect": [-40, -40, 40, 40], "fill": "red"}
    for outline, shade in (({}, (0, 0, 0)), ({"outline": "gold"}, (255, 204, 0))):
        assert pixel(drawings(it=[{**square, **outline}])["it"], (12, 50)) == shade
    assert pixel(drawings(it=[{**square, "outline": ""}])["it"], (12, 50)) == (255, 0, 0)


def test_a_part_is_another_drawing_in_the_given_colour() -> None:
    both = drawings(
        dot=[{"disc": [0, 0, 50], "fill": "fill", "outline": ""}],
        two=[{"part": "dot", "at": [25, 0], "size": 40, "fill": "gold"}],
    )
    assert pixel(both["two"], (75, 50)) == (255, 204, 0)
    assert pixel(both["dot"], (50, 50), "#ff0000") == (255, 0, 0)


def test_an_unknown_part_is_an_error() -> None:
    with pytest.raises(KeyError, match="hat"):
        drawings(head=[{"part": "hat"}])


def test_an_unknown_field_is_an_error() -> None:
    with pytest.raises(msgspec.ValidationError, match="colour"):
        drawings(it=[{"disc": [0, 0, 9], "colour": "red"}])
