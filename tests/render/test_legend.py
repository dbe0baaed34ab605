"""Legends under a picture, and as a picture."""

from __future__ import annotations

from PIL import Image

from bot.render.legend import LegendEntry, LegendLine, legend_sheet, over_legend
from bot.render.sides import TONES, emblem
from bot.render.sprites import Backdrop

PICTURE = Image.new("RGB", (800, 100), "#c43020")
BACKDROP = Backdrop(PICTURE)


def entries(count: int, words: str = "One more.") -> list[LegendEntry]:
    return [LegendEntry(emblem(0, 84), emblem(1, 38), words)] * count


def test_a_picture_without_entries_is_unchanged() -> None:
    assert over_legend(BACKDROP, []).image.tobytes() == PICTURE.tobytes()


def test_two_entries_share_a_line_under_the_picture() -> None:
    one, two, three = (over_legend(BACKDROP, entries(count)).image for count in (1, 2, 3))
    assert PICTURE.height < one.height == two.height < three.height
    assert one.crop((0, 0, 800, 100)).tobytes() == PICTURE.tobytes()
    left, right = one.crop((0, 100, 400, one.height)), one.crop((410, 100, 800, one.height))
    assert right.getcolors() == [(right.width * right.height, (0xFB, 0xF5, 0xE6))]
    assert two.crop((0, 100, 400, two.height)).tobytes() == left.tobytes()
    assert two.crop((410, 100, 800, two.height)).getcolors(1) is None


def test_long_explanations_are_cut_and_never_reach_another_entry() -> None:
    long = over_legend(BACKDROP, entries(1, "Every turn one more of everything. " * 6)).image
    beyond = long.crop((405, 100, 800, long.height))
    assert {colour for _, colour in beyond.getcolors() or ()} == {(0xFB, 0xF5, 0xE6)}
    assert TONES.paper == "#fbf5e6"


def test_a_legend_picture_has_a_line_of_fitting_height_for_each_sign() -> None:
    short, long = LegendLine([emblem(0, 50)], "A sign."), LegendLine([emblem(1, 50)], "More. " * 40)
    one, two = legend_sheet("Legend", [short]).image, legend_sheet("Legend", [short, long]).image
    assert one.height < two.height
    assert one.crop((0, 0, one.width, one.height - 14)).tobytes() == (
        two.crop((0, 0, one.width, one.height - 14)).tobytes()
    )
    margin = two.crop((two.width - 10, 70, two.width, two.height))
    assert margin.getcolors() == [(margin.width * margin.height, (0xFB, 0xF5, 0xE6))]
