"""The picture of a game's moments."""

from __future__ import annotations

import pytest
from PIL import ImageColor

from bot.game.contract import Outcome
from bot.render import chart
from bot.render.moments import WIDTH, Moments, draw_moments
from bot.render.palettes import NAMES
from bot.render.sides import TONES
from tests.render.compare import assert_golden, read
from tests.render.pictured import unlit
from tests.render.pictured_kogge import KOGGE

PEOPLE = ("Anna", "Maximilian Alexander von Hohenstein", "田中", "Maximilian Alexander (B)")
BAR = KOGGE.title.pictures.bar
WORD = "Maximilian Alexander von Hohenstein takes the lead for good with 24 points. "


def finished(*turnings: str, seats: int = 4) -> Moments:
    """Return a game of ten turns that the second seat wins, with these turning points."""
    lines = [tuple(turn * (3 + (seat == 1)) for turn in range(11)) for seat in range(seats)]
    looks = tuple((seat,) for seat in range(seats))
    marks = [chart.Turning(3 * number, number % seats, number) for number in range(1, 4)]
    rounds = [(turn + 1) // 2 for turn in range(11)]
    course = chart.Course("Points, turn by turn", "Round", PEOPLE[:seats], lines, rounds, looks)
    return Moments(
        title="Kogge",
        note="5 rounds",
        outcome=Outcome("laps", (1,), tuple(40 if seat == 1 else 30 for seat in range(seats))),
        course=course._replace(turnings=marks[: len(turnings)]),
        moments=[(f"Round {number}", each) for number, each in enumerate(turnings, 1)],
    )


def test_moments_show_places_board_chart_and_turning_points() -> None:
    game = finished("Anna raids Riga.", WORD, WORD + "田中 builds in Danzig: 4 points.")
    picture = draw_moments(game, unlit(KOGGE, "two_player_end"), BAR)
    assert picture == draw_moments(game, unlit(KOGGE, "two_player_end"), BAR)
    assert_golden("moments", picture)


def test_a_picture_is_as_high_as_its_content_and_keeps_within_its_edges() -> None:
    board = unlit(KOGGE, "two_player_end")
    heights = []
    for game in (finished(seats=2), finished(WORD), finished(WORD, WORD * 4, "x" * 90)):
        image = read(draw_moments(game, board, BAR))
        assert image.width == WIDTH
        heights.append(image.height)
        edge = image.crop((WIDTH - 30, image.height - 100, WIDTH, image.height))
        assert {colour for _, colour in edge.getcolors() or ()} == {ImageColor.getrgb(TONES.paper)}
    assert heights == sorted(set(heights))


@pytest.mark.parametrize("palette", NAMES)
def test_players_and_chart_have_the_colours_of_the_palette(palette: str) -> None:
    board = KOGGE.title.pictures.colours.of(unlit(KOGGE, "two_player_end"), palette)
    image = read(draw_moments(finished(WORD), board, BAR, palette))
    blue = "#2a62b5"
    wanted = ImageColor.getrgb(chart.COLOURS.tones.get(palette, {}).get(blue, blue))
    # Third place, and the chart.
    for shown in (image.crop((0, 240, WIDTH // 2, 360)), image.crop((0, 1400, WIDTH, 1950))):
        near = [
            count
            for count, colour in shown.getcolors(1 << 20) or ()
            if max(abs(a - b) for a, b in zip(colour, wanted, strict=True)) < 12  # type: ignore[arg-type]
        ]
        assert sum(near) > 100
