"""The chart of the points: what is on it can be told without colours."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageColor

from bot.render import chart
from bot.render.chart import Course
from bot.render.sides import SIDE_LOOKS

NAMES = ("Anna", "Bert", "Clara", "Dirk")


def course(*points: tuple[int, ...], names: tuple[str, ...] = NAMES) -> Course:
    """A course with two turns a round."""
    rounds = [(turn + 1) // 2 for turn in range(len(points))]
    return Course("Points, turn by turn", "Round", names[: len(points[0])], points, rounds)


@pytest.mark.parametrize(
    "drawn",
    [
        course((0, 0)),
        course((0, 0, 0, 0), (0, 0, 0, 0)),
        course((0, 0, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 2, 0), (1, 1, 2, 5)),
        course(*((3 * n, 2 * n, n) for n in range(90))),
        course((0, 4), (-3, 260), names=("𝕬nna 🦊" * 9, "🦊")),
    ],
    ids=["set-up alone", "nobody scores", "four", "ninety turns", "odd names and a debt"],
)
def test_any_course_is_drawn_the_same_each_time(drawn: Course) -> None:
    data = chart.draw(drawn)

    assert data == chart.draw(drawn)
    with Image.open(io.BytesIO(data)) as opened:
        assert opened.size == chart.SIZE
    assert len(data) < 100_000


def test_a_seat_is_drawn_in_the_colour_of_its_side_with_the_signs_of_all_its_sides() -> None:
    points = [(0, 0), (3, 1), (5, 2)]
    plain = course(*points)
    guilds = plain._replace(looks=((2,), (3, 1)))

    def fills(drawn: Course) -> set[str]:
        with Image.open(io.BytesIO(chart.draw(drawn))) as opened:
            colours = {colour for _, colour in opened.convert("RGB").getcolors(9999) or ()}
        return {look.letter for look in SIDE_LOOKS if ImageColor.getrgb(look.fill) in colours}

    assert fills(plain) == {"A", "B"}
    assert fills(guilds) == {"C", "D", "B"}


def test_lines_of_equal_points_run_side_by_side() -> None:
    data = chart.draw(course(*((3, 3, 3, 3) for _ in range(6))))

    with Image.open(io.BytesIO(data)) as opened:
        between_emblems = opened.convert("RGB").crop((300, 60, 400, 200))
    colours = {colour for _, colour in between_emblems.getcolors(9999) or ()}
    assert {ImageColor.getrgb(look.fill) for look in SIDE_LOOKS} <= colours
