"""The score track along the edge of the plantation board."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from PIL import Image, ImageChops, ImageColor

from bot.game.guatemala.view import GuatemalaView
from bot.render.asked import Sheet
from bot.render.guatemala.base import base
from bot.render.guatemala.layout import COLOURS, LAYOUT
from bot.render.guatemala.marks import GuatemalaMarks
from bot.render.guatemala.track import draw_track, track_spaces
from bot.render.sprites import Box
from tests.render.guatemala.samples import middle_game

PLAN, LAST = LAYOUT.plantations[1], 79


def standing(scores: tuple[int, ...], sacks: int) -> GuatemalaView:
    """A view of four players with these points, and as many sacks on the track."""
    view = middle_game()[0]
    scored = zip(view.seats, scores, strict=True)
    seats = tuple(msgspec.structs.replace(seat, score=score) for seat, score in scored)
    return msgspec.structs.replace(view, seats=seats, track=("red",) * sacks)


def writing(track: Image.Image, number: int) -> Box:
    """Where the number of a space is written."""
    left, top, right, bottom = track_spaces(PLAN, LAST)[number]
    fill = ImageColor.getrgb(COLOURS.soft if number % 10 else COLOURS.ink)
    alone = Image.new("RGB", track.size, fill)
    same = ImageChops.difference(track.convert("RGB"), alone).convert("L").point(_SAME)
    box = same.crop((left + 4, top + 4, right - 4, bottom - 4)).getbbox()
    assert box is not None, "there is a number"
    return left + 4 + box[0], top + 4 + box[1], left + 4 + box[2], top + 4 + box[3]


_SAME = [255, *[0] * 255]


@pytest.mark.parametrize("score", [0, 7, 25, 26, 33, 39, 40, 52, 66, 68, 78])
@pytest.mark.parametrize("many", [1, 2, 3, 4])
def test_no_marker_and_no_sack_hides_the_number_of_its_space(score: int, many: int) -> None:
    empty = base(((0,), (1,), (2,), (3,)), LAST)
    sheet, scores = Sheet.over(empty), (score,) * many + (LAST,) * (4 - many)
    laid, gained = set(range(LAST - 13, LAST + 1)), Counter(range(4))
    marks = GuatemalaMarks(laid=laid, points=gained)
    draw_track(sheet, standing(scores, 14), PLAN, marks)
    track, empty_track = sheet.image, empty.image
    assert track.tobytes() != empty_track.tobytes()
    for number in (score, *range(LAST, LAST - 14, -1)):
        box = writing(empty_track, number)
        assert track.crop(box).tobytes() == empty_track.crop(box).tobytes(), number
