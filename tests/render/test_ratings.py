"""The chart of ratings."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from bot.render.ratings import HEIGHT, MOST, WIDTH, Series, _letters, _ticks, draw
from bot.render.sprites import Painting


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (1000, 1000, [1000, 1010]),
        (985, 1210, [900, 1000, 1100, 1200, 1300]),
        (-40, 20, [-40, -20, 0, 20]),
    ],
)
def test_round_numbers_hold_all_values(low: int, high: int, ticks: list[int]) -> None:
    assert _ticks(low, high) == ticks


@pytest.mark.parametrize("games", [1, 2, 90])
def test_any_number_of_games_is_drawn_the_same_each_time(games: int) -> None:
    series = [Series(f"Title {number}", range(1000, 1000 + games)) for number in range(MOST)]
    png = draw("Anna", series, "games")
    assert png == draw("Anna", series, "games")
    assert Image.open(io.BytesIO(png)).size == (WIDTH, HEIGHT)


def test_letters_of_lines_that_end_together_stand_apart() -> None:
    images = []
    for ends in ([(500.0, 300.0)] * 2, [(500.0, 300.0), (500.0, 340.0)]):
        canvas = Painting(Image.new("RGB", (WIDTH, HEIGHT), "white"))
        _letters(canvas, ends)
        images.append(Image.eval(canvas.image.convert("L"), lambda light: 255 * (light < 200)))
    heights = [box[3] - box[1] for box in (image.getbbox() for image in images) if box]
    assert min(heights) > 40
