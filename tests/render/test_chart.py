"""The charts of points, chances and ratings."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from PIL import Image, ImageColor

from bot.render import chart
from bot.render.chart import Course, Turning
from bot.render.fonts import fit_name
from bot.render.sides import SIDE_LOOKS
from tests.render.compare import assert_golden

NAMES = ("Anna", "Bert", "Clara", "Dirk")
TITLES = ("Kogge", "The Castles of Burgundy", "Guatemala Café", "Flandern 1302")


def course(*points: tuple[int, ...], names: tuple[str, ...] = NAMES) -> Course:
    """Return a course with two turns a round."""
    rounds = [(turn + 1) // 2 for turn in range(len(points))]
    lines = [*zip(*points, strict=True)]
    return Course("Points, turn by turn", "Round", names[: len(lines)], lines, rounds)


def ratings(*lines: Sequence[int]) -> Course:
    """Return one player's ratings by title."""
    rounds = range(1, max(map(len, lines)) + 1)
    return Course("Anna's ratings", "games", TITLES[: len(lines)], lines, rounds, ratings=True)


@pytest.mark.parametrize(
    "drawn",
    [
        course((0, 0)),
        course((0, 0, 0, 0), (0, 0, 0, 0)),
        course((0, 0, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 2, 0), (1, 1, 2, 5)),
        course(*((3 * n, 2 * n, n) for n in range(90))),
        course((0, 4), (-3, 260), names=("𝕬nna 🦊" * 9, "🦊")),
        ratings((1000, 1000)),
        ratings(range(1000, 1090), (1000, 900, 1210), (980, -40), range(1300, 1250, -1)),
    ],
    ids=["set-up alone", "no one scores", "four", "ninety turns", "odd names and a debt", "1", "4"],
)
def test_drawing_a_course_is_deterministic(drawn: Course) -> None:
    data = chart.draw(drawn)

    assert data == chart.draw(drawn)
    with Image.open(io.BytesIO(data)) as opened:
        assert opened.size == chart.SIZE
    assert len(data) < 100_000


def test_a_seats_line_has_the_colour_of_its_first_side_and_the_emblems_of_all() -> None:
    points = [(0, 0), (3, 1), (5, 2)]
    plain = course(*points)
    guilds = plain._replace(looks=((2,), (3, 1)))

    def fills(drawn: Course) -> set[str]:
        with Image.open(io.BytesIO(chart.draw(drawn))) as opened:
            colours = {colour for _, colour in opened.convert("RGB").getcolors(9999) or ()}
        return {look.letter for look in SIDE_LOOKS if ImageColor.getrgb(look.fill) in colours}

    assert fills(plain) == {"A", "B"}
    assert fills(guilds) == {"C", "D", "B"}


def test_lines_with_equal_points_are_all_visible() -> None:
    data = chart.draw(course(*((3, 3, 3, 3) for _ in range(6))))

    with Image.open(io.BytesIO(data)) as opened:
        between_emblems = opened.convert("RGB").crop((300, 60, 400, 200))
    colours = {colour for _, colour in between_emblems.getcolors(9999) or ()}
    assert {ImageColor.getrgb(look.fill) for look in SIDE_LOOKS} <= colours


def chances(*turnings: Turning, seats: int = 4) -> Course:
    """Return chances over twenty turns; the first seat wins."""
    rng, parts = Random(6), [40] * seats
    points = []
    for turn in range(20):
        parts = [
            max(part + rng.randint(-9, 9) + (turn if seat == 0 else -1), 2)
            for seat, part in enumerate(parts)
        ]
        points.append(tuple(100 * part // sum(parts) for part in parts))
    result = tuple(100 * (seat == 0) for seat in range(seats))
    drawn = course(*points, result)
    return drawn._replace(title="Chances, turn by turn", percent=True, turnings=turnings)


def test_chances_are_in_per_cent_and_turning_points_have_numbers() -> None:
    turnings = (Turning(3, 1, 1), Turning(8, 0, 2), Turning(8, 3, 3), Turning(15, 2, 4))
    assert_golden("chances", chart.draw(chances(*turnings, Turning(19, 1, 5))))


def test_turning_points_at_one_place_are_stacked() -> None:
    same = [Turning(8, 0, number) for number in (1, 2, 3)]
    spots = [spot for _, spot in chart._Plot(chances(*same)).turnings]
    assert len({x for x, _ in spots}) == 1
    heights = [y for _, y in spots]
    assert all(above <= below - 46 for below, above in pairwise(heights))


def test_no_emblem_covers_the_number_of_a_turning_point() -> None:
    plot = chart._Plot(chances(*(Turning(turn, 0, 1) for turn in range(1, 20, 4))))
    spots = [spot for _, spot in plot.turnings]
    assert plot.marks()
    for _, emblem in plot.marks():
        assert all(math.dist(emblem, spot) >= 46 for spot in spots)


def test_rounds_are_marked_at_even_steps() -> None:
    for turns, marked in (
        (6, [1, 2, 3]),
        (50, [5, 10, 15, 20, 25]),
        (110, [5 * n for n in range(1, 12)]),
    ):
        plot = chart._Plot(course(*((n,) for n in range(turns + 1))))
        assert [number for number, _, _ in plot.marked_rounds()] == marked


def test_names_are_cut_in_the_middle_if_their_beginnings_are_alike() -> None:
    names = ("Maximilian Alexander (A)", "Maximilian Alexander (B)", "Anna")
    shown = [fit_name(names, seat, 28, 150) for seat in range(3)]
    assert len(set(shown)) == 3
    assert shown[0].endswith("(A)")
    assert shown[2] == "Anna"


def test_the_axis_of_ratings_covers_all_of_them_in_even_steps() -> None:
    for lines, grid in (
        ([(1000, 1000)], [1000, 1001]),
        ([(985, 1210), (1000, 990, 1100)], [950, 1000, 1050, 1100, 1150, 1200, 1250]),
        ([(-40, 20)], [-40, -20, 0, 20]),
    ):
        assert [*chart._Plot(ratings(*lines)).grid] == grid


def test_labels_of_lines_that_end_together_do_not_overlap() -> None:
    heights = []
    for lines in ([(0, 5), (0, 5), (0, 5)], [(0, 5), (0, 2), (0, 0)]):
        with Image.open(io.BytesIO(chart.draw(course(*zip(*lines, strict=True))))) as opened:
            labels = opened.convert("L").crop((804, 60, 860, 620))
        rows = Image.eval(labels, lambda light: 255 * (light < 100)).getbbox()
        assert rows is not None
        heights.append(rows[3] - rows[1])
    assert min(heights) > 2 * 62
