"""The production board: where its words lie, the line that is faced, and what has just changed."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import msgspec
import pytest
from PIL import ImageChops

from bot.game.chance import RandomChance
from bot.game.guatemala.game import GAME
from bot.game.guatemala.production import (
    FRAMED,
    POSITION_NAMES,
    POSITION_OF_NAME,
    SPACE_NAMES,
    SPACE_OF_NAME,
    line_of,
)
from bot.game.guatemala.view import GuatemalaView
from bot.render.asked import Sheet
from bot.render.guatemala.layout import COLOURS
from bot.render.guatemala.marks import GuatemalaMarks
from bot.render.guatemala.pieces import OWN
from bot.render.guatemala.production import (
    draw_line,
    draw_production,
    letter_production,
    paint_production,
    yard,
)
from bot.render.layout import Area
from bot.render.sides import SIDE_LOOKS
from bot.render.sprites import Backdrop, Box, ground

AREA = (10, 20, 632, 642)
LARGE = (0, 0, 800, 800)


def base(area: Area) -> Backdrop:
    empty = ground(area[2] + 8, area[3] + 8, "#000000", lambda pen: paint_production(pen, area))
    return Backdrop(empty)


def shown(buyer: str | None = None, emptied: tuple[str, ...] = (), turn: int = 0) -> GuatemalaView:
    """The printed set-up, the buyer there, these spaces emptied by the seat on turn."""
    chance = RandomChance(Random(1))
    view = GAME.view(GAME.setup(4, {"setup": "printed", "track": "79"}, chance), 0)
    left = tuple(
        None if name in emptied else piece
        for name, piece in zip(SPACE_NAMES, view.production, strict=True)
    )
    return msgspec.structs.replace(view, buyer=buyer, emptied=emptied, turn=turn, production=left)


def drawn(view: GuatemalaView, marks: GuatemalaMarks | None = None, area: Area = AREA) -> Sheet:
    sheet = Sheet.over(base(area))
    letter_production(sheet, area)
    draw_production(sheet, view, marks or GuatemalaMarks(), area)
    return sheet


def shades(sheet: Sheet, place: Area) -> set[tuple[int, ...]]:
    found = sheet.image.crop(place).getcolors(10_000)
    return {colour for _, colour in found or () if isinstance(colour, tuple)}


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


@pytest.mark.parametrize("area", [AREA, LARGE])
def test_spaces_and_positions_lie_side_by_side_within_the_board(area: Area) -> None:
    sheet = drawn(shown("t1"), area=area)
    places: list[Box] = [yard(area).of(space) for space in range(len(SPACE_NAMES))]
    places += [sheet.find("position", name)[0].box for name in POSITION_NAMES]
    assert len(places) == 81 + 36
    for number, (left, top, right, bottom) in enumerate(places):
        assert area[0] <= left < right <= area[2]
        assert area[1] <= top < bottom <= area[3]
        for other in places[:number]:
            across = min(right, other[2]) - max(left, other[0])
            down = min(bottom, other[3]) - max(top, other[1])
            assert across <= 0 or down <= 0


@pytest.mark.parametrize("position", ["t4", "r9", "b1", "l7"])
def test_the_spaces_that_the_buyer_faces_and_no_others_are_lit(position: str) -> None:
    sheet = drawn(shown(position))
    line = line_of(POSITION_OF_NAME[position])
    lit = [
        space
        for space in range(len(SPACE_NAMES))
        if rgb(OWN["lit"]) in shades(sheet, yard(AREA).of(space))
    ]
    assert tuple(lit) == line
    before = drawn(shown())
    for name in POSITION_NAMES:
        place = yard(AREA).position(name)
        assert (rgb(COLOURS.gold) in shades(sheet, place)) is (name == position)
        assert rgb(COLOURS.gold) not in shades(before, place)


def test_the_arrow_of_the_buyer_points_into_the_line() -> None:
    before = drawn(shown())
    for position in POSITION_NAMES:
        lit = drawn(shown(position))
        first = line_of(POSITION_OF_NAME[position])[0 if position[0] in "tl" else -1]
        assert rgb(COLOURS.gold) not in shades(before, yard(AREA).of(first))
        assert rgb(COLOURS.gold) in shades(lit, yard(AREA).of(first))


def test_only_spaces_of_sacks_have_white_frames() -> None:
    board = Sheet.over(base(AREA))
    white = rgb(COLOURS.white)
    framed = [s for s in range(len(SPACE_NAMES)) if white in shades(board, yard(AREA).of(s))]
    assert sorted(framed) == sorted(FRAMED)


def test_a_step_is_the_position_reached_and_its_whole_line() -> None:
    sheet, on = drawn(shown("t8")), yard(AREA)
    for steps, position in (("1", "t9"), ("2", "r1"), ("4", "r3")):
        (place,) = sheet.find("steps", steps)
        left, top, right, bottom = place.box
        for x1, y1, x2, y2 in (on.position(position), on.line(position)):
            assert left <= x1
            assert top <= y1
            assert right >= x2
            assert bottom >= y2
        assert place.tag is not None
        x1, y1, x2, y2 = on.position(position)
        assert x1 < place.tag[0] < x2
        assert y1 < place.tag[1] < y2
    assert not drawn(shown()).find("steps", "1")


def test_an_emptied_space_shows_who_emptied_it() -> None:
    for seat in range(len(SIDE_LOOKS)):
        sheet = drawn(shown("t1", ("31", "51"), seat))
        for name in ("31", "51"):
            assert rgb(SIDE_LOOKS[seat].fill) in shades(sheet, yard(AREA).of(SPACE_OF_NAME[name]))
    since = drawn(shown("t1", ("31",)), GuatemalaMarks(emptied={"31": 2}))
    assert rgb(SIDE_LOOKS[2].fill) in shades(since, yard(AREA).of(SPACE_OF_NAME["31"]))


def test_what_has_just_changed_is_framed_and_nothing_else() -> None:
    marks = GuatemalaMarks(emptied={"31": 1}, put=["14"], moved=["r9", "t1"])
    marked = drawn(shown("t1"), marks)
    mark = rgb(COLOURS.mark)
    for name in SPACE_NAMES:
        framed = mark in shades(marked, yard(AREA).of(SPACE_OF_NAME[name]))
        assert framed is (name in ("31", "14"))
    assert mark in shades(marked, yard(AREA).position("t1"))
    assert mark not in shades(marked, yard(AREA).position("r9"))


def test_the_line_by_itself_has_a_place_for_each_piece_and_tells_it_from_what_was_bought() -> None:
    area, line = (0, 0, 1000, 110), ("11", "21", "31", "41", "51", "61", "71", "81", "91")
    view, fewer = shown("t1"), shown("t1", ("31",), 2)
    sheets = [Sheet(*area[2:]) for _ in range(2)]
    for sheet, seen in zip(sheets, (view, fewer), strict=True):
        draw_line(sheet, seen, area)
    boxes = [sheets[0].find("piece", name)[0].box for name in line]
    assert all(one[2] < other[0] for one, other in pairwise(boxes))
    changed = ImageChops.difference(sheets[0].image, sheets[1].image).getbbox()
    assert changed is not None
    assert boxes[2][0] <= changed[0] < changed[2] <= boxes[2][2]
