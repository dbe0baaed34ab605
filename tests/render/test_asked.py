"""Highlights: legal choices glow and have readable names."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageColor

from bot.render import asked as module
from bot.render import tiles
from bot.render.asked import WHOLE, AskedWords, LayeredCanvas, Place, draw_asked, rectangle, square
from bot.render.sides import TONES
from bot.render.sprites import Box, Sprite
from bot.render.theme import GLOW, Palette

SIZE = (1400, 1050)
PAPER = "#cfd8c0"
PALETTE = Palette((PAPER, TONES.ink, TONES.gold, TONES.cream), (TONES.ink,))


def cells() -> dict[str, list[Place]]:
    """Return ten rows of twelve cells, the maximum of any game."""
    return {
        f"{'abcdefghij'[row]}{column + 1}": [square(30 + column * 112, 30 + row * 100, 86)]
        for row in range(10)
        for column in range(12)
    }


def edges() -> dict[str, list[Place]]:
    """Return the 206 edges between cells: thin places, close together."""
    found = {}
    for row in range(10):
        for column in range(12):
            x, y = 30 + column * 112, 30 + row * 100
            name = f"{'abcdefghij'[row]}{column + 1}"
            if column < 11:
                found[f"{name}r"] = [rectangle((x + 94, y + 4, x + 106, y + 82))]
            if row < 8:
                found[f"{name}d"] = [rectangle((x + 4, y + 88, x + 82, y + 98))]
    return found


def drawn(
    places: dict[str, list[Place]], question: AskedWords, reserved: Sequence[Box] = ()
) -> Image.Image:
    """Draw a picture with nothing but the highlights."""
    canvas = LayeredCanvas(*SIZE)
    canvas.rect((0, 0, *SIZE), PAPER)
    for box in reserved:
        canvas.reserve(box)
    draw_asked(canvas, places, question)
    return Image.open(BytesIO(tiles.encode(canvas, PALETTE))).convert("RGB")


@pytest.fixture
def tags(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Sprite, int, int]]:
    """The tags that are drawn, with their corners."""
    placed: list[tuple[Sprite, int, int]] = []
    arrange = module._arrange

    def record(*args: object) -> list[tuple[Sprite, int, int]]:
        placed.extend(arrange(*args))  # type: ignore[arg-type]
        return placed

    monkeypatch.setattr(module, "_arrange", record)
    return placed


def boxes(tags: list[tuple[Sprite, int, int]]) -> list[Box]:
    return [(x, y, x + tag.width, y + tag.height) for tag, x, y in tags]


def overlap(one: Box, other: Box) -> bool:
    across = min(one[2], other[2]) > max(one[0], other[0])
    return across and min(one[3], other[3]) > max(one[1], other[1])


def test_the_names_of_very_many_places_do_not_overlap(
    tags: list[tuple[Sprite, int, int]],
) -> None:
    for places in (cells(), edges()):
        tags.clear()
        drawn(places, AskedWords(("lay",), "cell", tuple(places)))
        placed = boxes(tags)
        assert len(placed) == len(places)
        assert not any(overlap(one, other) for one, other in combinations(placed, 2))
        assert all(box[0] >= 0 and box[2] <= SIZE[0] and box[3] <= SIZE[1] for box in placed)


def test_a_name_does_not_cover_a_number_next_to_its_place(
    tags: list[tuple[Sprite, int, int]],
) -> None:
    road, question = {"a": [rectangle((100, 100, 112, 200))]}, AskedWords(("lay",), "cell", ("a",))
    drawn(road, question)
    (beneath,) = boxes(tags)
    tags.clear()
    drawn(road, question, reserved=[beneath])
    assert not overlap(boxes(tags)[0], beneath)


def test_places_of_one_word_may_have_different_names(
    tags: list[tuple[Sprite, int, int]],
) -> None:
    cell = {word: place for word, (place,) in cells().items()}
    both = [cell["a1"]._replace(name="a1"), cell["c7"]._replace(name="c7")]
    question = AskedWords((), WHOLE, ("a1 + c7", "a1"), ("Both", "a1"))
    drawn({"a1 + c7": both, "a1": [cell["a1"]]}, question)
    assert len(tags) == 2
    assert all(overlap(box, place.box) for box, place in zip(boxes(tags), both, strict=True))


def test_exactly_the_choices_are_lit_and_the_rest_is_dimmed() -> None:
    places, some = cells(), ("a1", "c7", "j12")
    # The tags are on the edges of their places, so pixels just inside the corners are visible.
    lit = drawn(places, AskedWords(("lay",), "cell", some))

    for word, (place,) in places.items():
        left, top, _, _ = (round(side) for side in place.box)
        shade = lit.getpixel((left + 8, top + 8))
        assert isinstance(shade, tuple)
        paper = ImageColor.getrgb(PAPER)
        assert shade == paper if word in some else sum(shade) < sum(paper) - 100, word
    glows = {ImageColor.getrgb(tone) for tone in GLOW[:2]}
    assert glows <= {colour for _, colour in lit.getcolors(1 << 16) or ()}


def test_words_of_a_group_share_its_tag(tags: list[tuple[Sprite, int, int]]) -> None:
    places = cells()
    rows = tuple(f"row {word[0]}" for word in places)
    drawn(places, AskedWords(("lay",), "cell", tuple(places), rows))
    assert len(tags) == 10


def test_words_of_a_group_that_share_a_place_glow_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row, glow, glows = rectangle((30, 30, 1300, 116)), module._glow, list[object]()

    def record(path: module.Outline) -> Sprite:
        glows.append(path)
        return glow(path)

    monkeypatch.setattr(module, "_glow", record)
    words = ("a1", "a2", "a3")
    drawn({word: [row] for word in words}, AskedWords(("lay",), "cell", words, ("row a",) * 3))
    assert len(glows) == 1


def test_words_without_a_place_and_unprintable_names_get_no_tag(
    tags: list[tuple[Sprite, int, int]],
) -> None:
    places = cells()
    drawn(places, AskedWords(("lay",), "cell", ("a1", "pass", "a2"), ("👑", "Pass", "⚂ a2")))
    (tag, _, _) = tags[0]
    assert len(tags) == 1
    assert tag.width < 80


def test_a_place_shared_by_several_names_has_no_tag(
    tags: list[tuple[Sprite, int, int]],
) -> None:
    places = {"red": [square(300, 300, 86)], "grey": [square(300, 300, 86)]}
    lit = drawn(places, AskedWords(("build",), "tile", ("red", "grey"), ("Red", "Grey")))
    assert tags == []
    frame = drawn(places, AskedWords(("build",), "tile", ("red",), tagged=False))
    assert lit.tobytes() == frame.tobytes()
