"""Animations of games."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw

from bot.render import png
from bot.render.film import _BAR as BAR
from bot.render.film import _PAD as PAD
from bot.render.film import _STRIP as STRIP
from bot.render.film import Chapter, Film

COLOURS = ((0, 0, 0), (200, 40, 30), (250, 240, 220))


def board(at: int, colour: int = 1, size: tuple[int, int] = (120, 80)) -> bytes:
    image = Image.new("P", size, 2)
    image.putpalette([part for each in COLOURS for part in each])
    ImageDraw.Draw(image).rectangle((at, 20, at + 19, 39), fill=colour)
    return png.encode(image)


def frames(data: bytes) -> list[Image.Image]:
    shown = []
    with Image.open(io.BytesIO(data)) as film:
        assert film.format == "GIF"
        assert film.info["loop"] == 0
        for number in range(film.n_frames):  # type: ignore[attr-defined]
            film.seek(number)
            shown.append(film.convert("RGB"))
    return shown


def test_every_frame_shows_its_board() -> None:
    boards = [board(0), board(50), board(50), board(90, colour=0)]
    film = Film(width=120)
    for each in boards:
        film.add(each, hold_ms=500)

    shown = frames(film.gif())

    # An unchanged board is a frame too, or the animation would be shorter.
    assert len(shown) == len(boards)
    for frame, each in zip(shown, boards, strict=True):
        with Image.open(io.BytesIO(each)) as still:
            assert frame.tobytes() == still.convert("RGB").tobytes()
    assert film.size == len(film.gif())


def test_wide_boards_are_scaled_down_and_a_frame_stores_only_changes() -> None:
    film = Film(width=60)
    film.add(board(0), hold_ms=500)
    first = film.size
    film.add(board(0, colour=0), hold_ms=500)

    assert {frame.size for frame in frames(film.gif())} == {(60, 40)}
    assert film.size - first < 100


@pytest.mark.parametrize("hold_ms", [100, 6000])
def test_a_frame_has_the_given_duration(hold_ms: int) -> None:
    film = Film(width=120)
    film.add(board(0), hold_ms)

    with Image.open(io.BytesIO(film.gif())) as opened:
        assert opened.info["duration"] == hold_ms


@pytest.mark.parametrize("rounds", [1, 5, 25, 120])
def test_a_strip_below_the_board_shows_the_place_of_its_round(rounds: int) -> None:
    size = (700, 80)
    film = Film()
    places = [0, rounds // 2, rounds - 1]
    for place in places:
        film.add(board(0, size=size), 500, Chapter(f"Round {place + 1}", place, rounds))
    shown = frames(film.gif())

    # The board has only three colours, so the cell of the chapter is the red one.
    for frame, place in zip(shown, places, strict=True):
        assert frame.size == (700, 80 + STRIP)
        assert frame.crop((0, 0, *size)).tobytes() == shown[0].crop((0, 0, *size)).tobytes()
        strip = frame.crop((BAR, 80, 700, 80 + STRIP))
        light = [
            x for x in range(strip.width) if strip.getpixel((x, STRIP // 2 - 15)) != COLOURS[0]
        ]
        assert round((light[0] + 1) / (strip.width - PAD) * rounds, 1) // 1 == place
        assert light[-1] - light[0] < strip.width / rounds
    assert len({frame.crop((0, 80, BAR, 80 + STRIP)).tobytes() for frame in shown}) == len(
        set(places)
    )
