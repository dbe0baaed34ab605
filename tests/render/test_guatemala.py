"""The pictures of Guatemala Café: production board, score track, pieces and marked places."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, product
from random import Random

import msgspec
import pytest
from PIL import Image, ImageChops, ImageFilter
from PIL.ImageColor import getrgb

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, in_turn, parse_action
from bot.game.guatemala import GAME
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    EMPTY,
    FACED,
    HUT,
    POSITION_NAMES,
    POSITION_OF_NAME,
    ROAD,
    SACK,
    SHIP,
    SPACE_NAMES,
    SPACE_OF_NAME,
    WORKER,
)
from bot.game.guatemala.data import COLOURS as COFFEES
from bot.game.guatemala.data import piece as piece_of
from bot.game.guatemala.plantation import board_for
from bot.game.guatemala.state import NONE, Buying, GuatemalaRules, GuatemalaState, board_of
from bot.game.trial import views_before
from bot.render import guatemala as pictures
from bot.render.asked import WHOLE, AskedWords, LayeredCanvas, square
from bot.render.guatemala import PLANTATIONS, PRODUCTION, part_asked, parts, places_of
from bot.render.guatemala.pieces import COLOURS, DRAWING_TONES, GuatemalaMarks, piece, rimmed
from bot.render.guatemala.production import ProductionPicture, draw_line
from bot.render.guatemala.seats import draw_track, track_space
from bot.render.legend import LEGEND
from bot.render.sprites import Area, Backdrop, Box, Sprite, ground
from bot.text.words import all_words
from tests.game.guatemala.positions import table
from tests.render.compare import TOLERATED, different, two_tones
from tests.render.pictured_guatemala import GUATEMALA

PICTURE = ProductionPicture((10, 20, 632, 642))
LETTERS = "BNREW"


def printed_table(buyer: str = "", emptied: str = "", turn: int = 0) -> GuatemalaState:
    """Return the printed setup with the buyer there and a space emptied by the active seat."""
    state = GAME.setup(4, {"setup": "printed", "track": "79"}, RandomChance(Random(1)))
    state.buyer, state.turn = POSITION_OF_NAME.get(buyer, NONE), turn
    spaces = [SPACE_OF_NAME[name] for name in (emptied,) if name]
    for space in spaces:
        state.production[space] = EMPTY
    state.frames = [Buying(emptied=spaces)]
    return state


def drawn_board(state: GuatemalaState) -> LayeredCanvas:
    canvas = LayeredCanvas.over(Backdrop(ground(*PICTURE.size, "#000000", PICTURE.paint)))
    PICTURE.draw_labels(canvas)
    PICTURE.draw(canvas, state, LETTERS, GuatemalaMarks())
    return canvas


def shades(image: Image.Image, place: Area) -> set[tuple[int, ...]]:
    found = image.crop(place).getcolors(10_000)
    return {colour for _, colour in found or () if isinstance(colour, tuple)}


def test_only_the_buyers_line_is_lit_and_an_arrow_points_into_it() -> None:
    before = drawn_board(printed_table()).image
    for position in ("t4", "r9", "b1", "l7"):
        image, line = drawn_board(printed_table(position)).image, FACED[POSITION_OF_NAME[position]]
        lit = [
            space
            for space in range(len(SPACE_NAMES))
            if getrgb(DRAWING_TONES["lit"]) in shades(image, PICTURE.space_area(space))
        ]
        assert tuple(lit) == line
        for name in POSITION_NAMES:
            place = PICTURE.position(name)
            assert (getrgb(COLOURS.gold) in shades(image, place)) is (name == position)
            assert getrgb(COLOURS.gold) not in shades(before, place)
        first = PICTURE.space_area(line[0 if position[0] in "tl" else -1])
        assert getrgb(COLOURS.gold) not in shades(before, first)
        assert getrgb(COLOURS.gold) in shades(image, first)


def test_a_step_is_marked_at_its_position_and_line() -> None:
    canvas = drawn_board(printed_table("t8"))
    for steps, position in (("1", "t9"), ("2", "r1"), ("4", "r3")):
        (place,), at = canvas.find("steps", steps), PICTURE.position(position)
        line = PICTURE.line(position)
        assert place.box == (*map(min, at[:2], line[:2]), *map(max, at[2:], line[2:]))
        assert place.tag is not None
        assert at[0] < place.tag[0] < at[2]
        assert at[1] < place.tag[1] < at[3]
    assert not drawn_board(printed_table()).find("steps", "1")


def test_the_line_as_a_row_has_a_place_for_each_piece_and_shows_emptied_spaces() -> None:
    area, line = (0, 0, 1000, 110), ("11", "21", "31", "41", "51", "61", "71", "81", "91")
    states = printed_table("t1"), printed_table("t1", "31", 2)
    sheets = [LayeredCanvas(*area[2:]) for _ in range(2)]
    for canvas, state in zip(sheets, states, strict=True):
        draw_line(canvas, state, LETTERS, area)
    boxes = [sheets[0].find("piece", name)[0].box for name in line]
    assert all(one[2] < other[0] for one, other in pairwise(boxes))
    changed = ImageChops.difference(sheets[0].image, sheets[1].image).getbbox()
    assert changed is not None
    assert boxes[2][0] <= changed[0] < changed[2] <= boxes[2][2]


# The score track

LAST = 79
LOOKS = ((0,), (1,), (2,), (3,))


def on_track(scores: tuple[int, ...], sacks: int) -> GuatemalaState:
    """Return a table of four players with these points and this number of sacks on the track."""
    state: GuatemalaState = GUATEMALA.sample("middle_game")[0].known
    for player, score in zip(state.players, scores, strict=True):
        player.points = [score]
    state.track = [0] * sacks
    state.rules = GuatemalaRules(LAST)
    return state


def test_markers_and_sacks_on_the_track_are_visible_and_a_single_one_hides_no_number() -> None:
    empty = pictures._base(LOOKS, LAST)
    bare = empty.image
    for scores in ((7, 7, 7, 7), (33, 33, 33, 80), (66, 66, 79, 78), (0, 10, 20, 30)):
        canvas, state = LayeredCanvas.over(empty), on_track(scores, 14)
        draw_track(canvas, state, LETTERS, GuatemalaMarks())
        # The first is the backdrop.
        spots = [(each.left, each.top, each.right, each.bottom) for each in canvas.placed[1:]]
        assert len(spots) == 14 + 4
        for one, other in combinations(spots, 2):
            wide = min(one[2], other[2]) - max(one[0], other[0])
            high = min(one[3], other[3]) - max(one[1], other[1])
            assert min(wide, high) < 0.55 * (one[3] - one[1]), "about half of it is visible"
        full, image = Counter(min(score, LAST) for score in scores), canvas.image
        full.update(range(LAST, LAST - 14, -1))
        for number, count in full.items():
            left, top, _, bottom = track_space(number, LAST)
            box = (left, top, left + 27, bottom)
            if count == 1:
                assert image.crop(box).tobytes() == bare.crop(box).tobytes(), number


# Pieces

SMALL = 26
COLOURED = (WORKER, HUT, SHIP, SACK)


def outline(sprite: Sprite) -> Image.Image:
    return sprite.mask.point(lambda cover: 255 if cover > 127 else 0)


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the share of pixels in which two images differ by at least half the maximum."""
    image = ImageChops.difference(one.convert("L"), other.convert("L"))
    return sum(image.histogram()[128:]) / (image.width * image.height)


def test_the_outline_shows_the_kind_of_a_piece() -> None:
    for size in (SMALL, 48, 90):
        pieces = [*(piece_of(kind, 2) for kind in COLOURED), ROAD]
        outlines = [outline(piece(each, size, "")) for each in pieces]
        for one, other in combinations(outlines, 2):
            assert difference(one, other) > 0.12, size


def test_the_face_shows_the_colour_and_the_outline_does_not() -> None:
    for kind in COLOURED:
        sprites = [piece(piece_of(kind, colour), SMALL, "") for colour in range(COFFEES)]
        assert len({outline(each).tobytes() for each in sprites}) == 1, kind
        for one, other in combinations(sprites, 2):
            assert ImageChops.difference(one.image, other.image).getbbox() is not None, kind


def test_each_coffee_has_its_own_letter_and_pattern() -> None:
    for words in all_words():
        assert len({*words.drawn(LETTERS)}) == len(COLOUR_KEYS)
    area, patterned = (20, 50, 70, 84), set[str]()
    for colour, key in enumerate(COLOUR_KEYS):
        body = piece(piece_of(HUT, colour), 90, "").image.crop(area)
        plain = max(count for count, _ in body.getcolors(999) or ())
        patterned |= {key} if plain < 0.9 * body.width * body.height else set()
    assert patterned == {"brown", "red", "beige"}


def test_a_light_rim_goes_all_around_a_piece() -> None:
    for kind, size in product(COLOURED, (SMALL, 50)):
        sprite = rimmed(piece_of(kind, 0), size, "")
        assert sprite.image.size == (size, size)
        inside = outline(sprite).filter(ImageFilter.MinFilter(3))
        ring = ImageChops.subtract(outline(sprite), inside)
        tones = sprite.image.convert("L").histogram(ring)
        assert sum(tones[200:]) > 0.95 * sum(tones) > 0


# Questions and close-ups


def test_several_purchases_are_marked_at_their_places_with_names() -> None:
    canvas = LayeredCanvas(1, 1)
    for place in ("d2", "c2", "port1"):
        canvas.note("place", place, square, 0, 0, len(place))
    entry = "buy 51 d2 + buy 54 c2 + buy 56 port1 + end"
    view = GUATEMALA.sample("middle_game")[0]
    asked = AskedWords((), WHOLE, (entry, "buy 51 d2"), views={entry: [view] * 3})
    marked = places_of(view, asked, canvas)
    places = [(place.box[2], place.name, place.needs_tag) for place in marked[entry]]
    assert places == [(2, "d2", True), (2, "c2", True), (5, "port1", False)]
    assert [place.name for place in marked["buy 51 d2"]] == [""]


def test_an_action_after_a_step_is_marked_in_the_line_of_its_position() -> None:
    # The buyer faces the red sack 43; one step on it faces the black one 14, two steps on none.
    view = GAME.view(table(asked="step", buyer="t3"), 0)
    canvas = LayeredCanvas(1, 1)
    for word in SPACE_NAMES:
        canvas.note("piece", word, square, 0, 0, int(word))
    for word in "12":
        canvas.note("steps", word, square, 0, 0, int(word))
    for entry, marked in (
        ("move 1 + take", [(1, True), (14, False)]),
        ("move 1 + buy 24 a1", [(1, True), (24, False)]),
        ("move 2 + take", [(2, True)]),
    ):
        views = {entry: views_before(GAME, view, in_turn(parse_action(entry)))}
        asked = AskedWords((), WHOLE, (entry,), views=views)
        assert part_asked(view, asked) == PRODUCTION
        places = places_of(view, asked, canvas)[entry]
        assert [(place.box[2], place.needs_tag) for place in places] == marked, entry


def test_no_tag_covers_the_price_of_a_hut(monkeypatch: pytest.MonkeyPatch) -> None:
    reserved: list[Box] = []
    monkeypatch.setattr(LayeredCanvas, "reserve", lambda _canvas, box: reserved.append(box))
    sample = GUATEMALA.sample("beginning")
    GUATEMALA.draw(sample, PLANTATIONS)
    board = board_of(sample[0].known)
    assert len(reserved) == board.hut_cells.bit_count()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_place_is_in_a_part(players: int) -> None:
    sample = {2: "blocked", 3: "harvested", 4: "middle_game"}[players]
    view, board = GUATEMALA.sample(sample)[0], board_for(players)
    words = [*board.names, *(road.name for road in board.roads)]
    found = {part_asked(view, AskedWords(("buy", "11"), "place", (word,))) for word in words}
    assert found == set(parts(view)) - {PLANTATIONS, PRODUCTION, LEGEND}
    ports = AskedWords(("buy", "11"), "place", tuple(board.port_of_name))
    assert part_asked(view, ports) == PLANTATIONS


def test_the_owner_of_a_plantation_is_visible_without_colours() -> None:
    (view, names, events), (swapped, *_) = [GUATEMALA.sample("middle_game") for _ in range(2)]
    first, second, *_ = swapped.known.players
    first.huts, second.huts = second.huts, first.huts
    first.workers, second.workers = second.workers, first.workers
    grey = [two_tones(GUATEMALA.draw((each, names, events), "path1")) for each in (view, swapped)]
    assert different(*grey) > TOLERATED


def test_a_close_up_shows_the_observers_money_and_none_to_spectators() -> None:
    (view, names, events), (richer, *_) = [GUATEMALA.sample("middle_game") for _ in range(2)]
    richer.known.players[3].money += 1
    for observer, is_shown in ((1, False), (3, True), (SPECTATOR, False)):
        poor, rich = (
            GUATEMALA.draw(
                (msgspec.structs.replace(each, observer=observer), names, events), PRODUCTION
            )
            for each in (view, richer)
        )
        assert (poor != rich) == is_shown, observer
