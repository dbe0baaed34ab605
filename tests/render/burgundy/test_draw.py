"""The pictures of Burgundy as a whole."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256

import msgspec
import pytest

from bot.game.burgundy import GAME
from bot.game.burgundy.boards import BOARDS
from bot.game.burgundy.data import TILE_KEYS
from bot.game.burgundy.view import BurgundyView
from bot.game.contract import SPECTATOR, Event, Fact, canonical
from bot.game.events import event_of
from bot.policy.burgundy.menu import menu
from bot.render import picture
from bot.render.asked import WHOLE, AskedWords, Places
from bot.render.burgundy import draw, draw_part, pieces
from bot.render.burgundy.close_up import DEPOTS, TURN, part_asked, parts
from bot.render.burgundy.estate import estate
from bot.render.burgundy.layout import LAYOUT
from bot.render.burgundy.legend import SIGNS
from bot.render.legend import LEGEND
from bot.tables.core.record import fold
from bot.text.burgundy.game_text import BurgundyText
from bot.text.words import words_for
from tests.recorded.results import read_record
from tests.render.burgundy.samples import NAMES, SAMPLES, Sample, choosing, extreme, middle_game
from tests.render.compare import TOLERATED, assert_golden, different, read
from tests.render.sameness import draws_twins_alike, printed_elsewhere

_KILOBYTES = 250

WORDS = {
    "k3": "A sale pays two silverlings.",
    "k12": "Taking a tile from a numbered depot: one free step of the die.",
    "k15": "At the end three points for each kind of goods that you have sold.",
    "k23": "At the end four points for each city hall in your estate, however many they are.",
}
FACTS: dict[str, Fact] = {
    "seats": (2, 0, 1),
    "seat": 2,
    "board": 4,
    "space": "d4",
    "phase": "B",
    "goods": "123",
    "depot": "4",
    "tiles": ("cow2", "mine"),
    "dice": (1, 6),
    "good": "4",
    "tile": "cow2",
    "die": "any",
    "action": "take 5 4 cow3",
    "colour": "animal",
    "item": "workers",
    "ending": "points",
}
"""An example of each fact; those not listed are numbers."""


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - {"extreme"}))
def test_the_picture_is_the_golden_one(name: str) -> None:
    assert_golden(f"burgundy_{name}", draw(*SAMPLES[name]()))


def test_the_large_estate_is_the_golden_one() -> None:
    assert_golden("burgundy_estate", draw_part(*middle_game(), "1", WORDS))


ASKED: dict[str, tuple[Callable[[], Sample], str | None, AskedWords]] = {
    "boards": (
        choosing,
        None,
        AskedWords(("board",), "board", ("1", "4", "9"), ("Board 1", "Board 4", "Board 9")),
    ),
    "dice": (middle_game, TURN, AskedWords(("take",), "die", ("6",), ("⚅ 6",))),
    "spaces": (
        middle_game,
        "1",
        AskedWords(("place", "4", "sheep3"), "space", ("a1", "b1", "b2", "c1", "c2", "d5")),
    ),
    "stored": (
        middle_game,
        "1",
        AskedWords(("place", "4"), "tile", ("sheep3", "k23"), ("3 sheep", "Knowledge 23")),
    ),
    "goods": (
        middle_game,
        "1",
        AskedWords(("sell", "4"), "good", ("1", "4"), ("type 1", "type 4")),
    ),
    "depots": (
        middle_game,
        TURN,
        AskedWords(("take", "4"), "depot", ("1", "2", "6"), ("Depot 1", "Depot 2", "Depot 6")),
    ),
    "loads": (
        middle_game,
        TURN,
        AskedWords(("load", "4"), "goods", ("2", "4"), ("type 2", "type 4"), tagged=False),
    ),
    "whole": (
        middle_game,
        TURN,
        AskedWords(
            (),
            WHOLE,
            (
                "place 6 sheep3 b1",
                "place 6 sheep3 c2",
                "take 6 6 castle -",
                "take 6 1 cow2 -",
                "sell 6 6",
                "workers 6",
                "buy black k25 -",
                "end",
            ),
            ("b1", "c2", "Castle", "2 cows", "type 6", "Take 2 workers", "Knowledge 25", "End"),
        ),
    ),
    "tiles": (
        middle_game,
        TURN,
        AskedWords(
            ("take", "4", "2"),
            "tile",
            ("k20", "church", "castle", "city_hall"),
            ("Knowledge 20", "Church", "Castle", "City Hall"),
        ),
    ),
}
"""Questions: the view they are asked of, the part of the table in which they lie, and the words."""


@pytest.mark.parametrize("name", ASKED)
def test_what_is_asked_is_lit_where_it_lies(name: str) -> None:
    sample, part, asked = ASKED[name]
    view, names, events = sample()
    assert part_asked(view, asked) == (part or "")
    if part is None:
        lit = draw(view, names, events, asked)
        unlit = draw(view, names, events)
    else:
        lit = draw_part(view, names, events, part, WORDS, asked)
        unlit = draw_part(view, names, events, part, WORDS)
    assert lit != unlit
    assert_golden(f"burgundy_asked_{name}", lit)


def test_the_large_depots_are_the_golden_ones() -> None:
    assert_golden("burgundy_depots", draw_part(*middle_game(), DEPOTS, WORDS))


def test_the_large_depots_are_a_part_once_there_are_tiles_in_them() -> None:
    assert DEPOTS in parts(middle_game()[0])
    assert DEPOTS not in parts(choosing()[0])
    with pytest.raises(ValueError, match="no part 'depots'"):
        draw_part(*choosing(), DEPOTS, {})


def test_the_legend_explains_every_sign_and_is_the_golden_one() -> None:
    view = middle_game()[0]
    assert parts(view)[-1] == parts(choosing()[0])[-1] == LEGEND
    close = BurgundyText().close_up(words_for("en"), view, LEGEND, ())
    assert close is not None
    assert set(close.legend) == set(SIGNS)
    assert_golden("burgundy_legend", draw_part(*middle_game(), LEGEND, close.legend))


def test_a_menu_is_lit_in_the_close_up_that_holds_all_of_it() -> None:
    view, names, _ = middle_game()

    def part_of(*actions: str) -> str | None:
        return part_asked(view, AskedWords((), WHOLE, actions))

    assert part_of("place 6 sheep3 b1", "workers 6") == "1"
    assert part_of("load 3 5", "decline") == TURN
    assert part_of("take any 3 ship -", "sell any 6") == TURN
    assert part_of("board 4") == ""
    assert part_of("end") is None
    spectator = msgspec.structs.replace(view, observer=SPECTATOR)
    assert TURN not in parts(spectator)
    with pytest.raises(ValueError, match="no part 'turn'"):
        draw_part(spectator, names, (), TURN, {})


def test_every_action_that_is_offered_has_a_place_in_its_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lit: list[Places] = []
    monkeypatch.setattr(picture, "draw_asked", lambda _sheet, places, _asked: lit.append(places))
    shown = set()
    for number, folded in enumerate(fold(GAME, read_record(GAME, "2-board-1"))):
        for decision in GAME.pending(folded.state) if number % 19 == 0 else ():
            view = GAME.view(folded.state, decision.seat)
            lines = [
                canonical(each)
                for each in menu(view, decision, partial(GAME.legal, folded.state, decision.seat))
                # What is neither a place nor a piece.
                if not {"end", "decline"} & {each[0]} and each[:2] != ("workers", "any")
            ]
            asked = AskedWords((), WHOLE, tuple(lines))
            part = part_asked(view, asked)
            if part:
                draw_part(view, NAMES[:2], (), part, {}, asked)
                places = lit.pop()
                assert [line for line in lines if not places[line]] == []
                shown.add(part)
    assert TURN in shown
    assert shown & {"0", "1"}


def test_nothing_is_lit_on_the_estate_of_another() -> None:
    _, part, asked = ASKED["spaces"]
    assert part == "1"
    other = draw_part(*middle_game(), "2", WORDS, asked)
    assert other == draw_part(*middle_game(), "2", WORDS)


def _with_estate(view: BurgundyView, seat: int, space: int, tile: str | None) -> BurgundyView:
    estate = list(view.seats[seat].estate)
    estate[space] = tile
    seats = list(view.seats)
    seats[seat] = msgspec.structs.replace(seats[seat], estate=tuple(estate))
    return msgspec.structs.replace(view, seats=tuple(seats))


def test_another_tile_or_another_number_is_more_than_the_tolerance() -> None:
    view, names, events = middle_game()
    here = read(draw(view, names, events))
    richer = msgspec.structs.replace(view.seats[2], workers=9)
    for changed in (
        _with_estate(view, 2, 36, "warehouse"),
        _with_estate(view, 0, 3, "ship"),
        msgspec.structs.replace(view, seats=(*view.seats[:2], richer, view.seats[3])),
        msgspec.structs.replace(view, coming=view.coming[1:]),
    ):
        assert different(here, read(draw(changed, names, events))) > TOLERATED


def test_every_tile_and_every_board_looks_its_own() -> None:
    radius = LAYOUT.panel.radius
    tiles = {pieces.tile(key, radius).image.tobytes() for key in TILE_KEYS}
    assert len(tiles) == len(TILE_KEYS)
    estates = {estate(number, radius, False).image.tobytes() for number in (0, *BOARDS)}
    assert len(estates) == len(BOARDS) + 1


def _fields(kind: str) -> set[str]:
    return set(GAME.events[kind].__struct_fields__) - set(Event.__struct_fields__)


@pytest.mark.parametrize("kind", GAME.events)
def test_every_kind_of_event_draws(kind: str, unmarked: bytes) -> None:
    view, names, _ = middle_game()
    facts = {name: FACTS.get(name, 2) for name in _fields(kind)}
    if kind == "phase_began":
        facts["goods"] = ("1", "2")
    event = event_of(GAME.events, kind, facts)
    assert read(draw_part(view, names, (event,), "2", {})).width == LAYOUT.close_up.width
    if kind in MARKED:
        assert draw(view, names, (event,)) != unmarked


@pytest.fixture(scope="module")
def unmarked() -> bytes:
    view, names, _ = middle_game()
    return draw(view, names)


MARKED = frozenset(
    {
        *("castle_placed", "goods_placed", "mines_paid", "taken", "bought", "placed", "sold"),
        *("workers_taken", "workers_given", "silverlings_given", "moved_ahead", "loaded"),
        *("region_completed", "animals_scored", "watchtower_scored", "scored"),
    }
)


def test_there_is_room_for_all_there_can_be() -> None:
    words = {f"k{number}": "Every turn one more of everything. " * 9 for number in range(1, 27)}
    assert len(draw(*extreme())) < _KILOBYTES * 1000
    assert len(draw_part(*extreme(), "3", words)) < _KILOBYTES * 1000


def test_the_legend_lists_what_there_are_words_for() -> None:
    sample = middle_game()
    plain, short, long = (
        read(draw_part(*sample, "1", words)).height for words in ({}, {"k12": "Free."}, WORDS)
    )
    assert plain == LAYOUT.close_up.height < short < long
    assert read(draw_part(*sample, "1", {"k1": "Nowhere to be seen."})).height == plain


def test_another_process_with_another_hash_seed_gives_the_same_bytes() -> None:
    program = (
        "from hashlib import sha256; from bot.render.burgundy import draw;"
        "from tests.render.burgundy.samples import choosing;"
        "print(sha256(draw(*choosing())).hexdigest())"
    )
    here = sha256(draw(*choosing())).hexdigest()
    assert printed_elsewhere(program, "4242") == [here]


def test_four_threads_at_once_draw_what_one_draws() -> None:
    samples: list[Sample] = [sample() for sample in SAMPLES.values()]
    alone = [draw(*sample) for sample in samples]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda sample: draw(*sample), samples)) == alone


def test_words_can_be_given_in_another_language() -> None:
    italian = words_for("it").drawn
    assert draw(*middle_game(), say=italian) != draw(*middle_game())


def test_a_sealed_choice_is_shown_to_whom_it_belongs() -> None:
    view, names, events = SAMPLES["castles"]()
    unseen = msgspec.structs.replace(view, chosen=None)
    assert draw(view, names, events) != draw(unseen, names, events)


@pytest.mark.parametrize(("seats", "boards"), [(2, "beginner"), (3, "choose"), (4, "random")])
def test_a_random_game_draws_and_betrays_no_secret(seats: int, boards: str) -> None:
    options = {"boards": boards, "sold_goods": "hidden"}
    assert draws_twins_alike(
        GAME, draw, seats, options, 400, lambda move: move in (1, seats + 1) or move % 60 == 0
    )
