"""The pictures of Guatemala Café as a whole."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import pairwise

import msgspec
import pytest

from bot.game.contract import SPECTATOR, Event, Fact, in_turn, parse_action
from bot.game.events import event_of
from bot.game.guatemala import GAME
from bot.game.guatemala.plantation import board_for
from bot.game.guatemala.production import SPACE_NAMES
from bot.game.guatemala.view import GuatemalaView, PortView
from bot.game.trial import views_before
from bot.render.asked import WHOLE, AskedWords, Sheet, square
from bot.render.guatemala import draw, draw_part
from bot.render.guatemala.close_up import PLANTATIONS, PRODUCTION, part_asked, parts, places_of
from bot.render.guatemala.layout import LAYOUT
from bot.render.guatemala.legend import SIGNS
from bot.render.guatemala.track import track_spaces
from bot.render.legend import LEGEND
from bot.render.sprites import Box
from bot.text.guatemala.game_text import GuatemalaText
from bot.text.words import words_for
from tests.game.guatemala.positions import table
from tests.render.compare import TOLERATED, assert_golden, different, read
from tests.render.guatemala.samples import (
    SAMPLES,
    Sample,
    beginning,
    blocked,
    extreme,
    filled,
    harvested,
    middle_game,
)
from tests.render.sameness import draws_twins_alike, printed_elsewhere

_KILOBYTES = 220


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - {"extreme"}))
def test_the_picture_is_the_golden_one(name: str) -> None:
    assert_golden(f"guatemala_{name}", draw(*SAMPLES[name]()))


@pytest.mark.parametrize(("sample", "part"), [(middle_game, "path3"), (blocked, "right")])
def test_a_large_part_is_the_golden_one(sample: Callable[[], Sample], part: str) -> None:
    assert_golden(f"guatemala_{part}", draw_part(*sample(), part, {}))


ASKED: dict[str, tuple[Callable[[], Sample], str, AskedWords]] = {
    "positions": (
        beginning,
        PRODUCTION,
        AskedWords(("place",), "position", ("t1", "t2", "r9", "b5", "l1")),
    ),
    "steps": (
        middle_game,
        PRODUCTION,
        AskedWords(("move",), "steps", ("1", "2", "3", "4"), ("1", "2", "3", "4 · −2")),
    ),
    "pieces": (
        middle_game,
        PRODUCTION,
        AskedWords(("buy",), "piece", ("51", "54", "58", "59")),
    ),
    "cells": (
        blocked,
        "left",
        AskedWords(("buy", "44"), "place", ("d3", "c1", "c3", "b2", "b1")),
    ),
    "huts": (
        middle_game,
        "path1",
        AskedWords(("buy", "58"), "place", ("a5", "d8", "a2")),
    ),
    "roads": (
        blocked,
        "right",
        AskedWords(("buy", "24"), "place", ("h1-i1", "h1-h2", "j5-j6")),
    ),
    "ports": (
        middle_game,
        PLANTATIONS,
        AskedWords(
            ("buy", "56"), "place", ("port1", "port2", "port4"), ("Port 1", "Port 2", "Port 4")
        ),
    ),
    "regions": (
        middle_game,
        PLANTATIONS,
        AskedWords(
            ("buy", "54"),
            "place",
            ("e1", "f1", "g1", "e4", "j9", "k9", "o7"),
            (
                *("Path 2, coast",) * 3,
                "Path 2, middle",
                *("Path 3, mountains",) * 2,
                "Path 4, mountains",
            ),
        ),
    ),
    "sacks": (
        harvested,
        PRODUCTION,
        AskedWords(("refill",), "colour", ("black", "red", "white"), ("Black", "Red", "White")),
    ),
    "menu": (
        blocked,
        PLANTATIONS,
        AskedWords(
            (),
            WHOLE,
            (
                *("buy 94 k2 + buy 34 b4 + end", "buy 14 c3", "buy 14 b2", "buy 54 port1"),
                *("buy 24 h1-i1", "end"),
            ),
            ("Buy brown hut k2, beige worker b4", "c3", "b2", "Port 1", "h1-i1", "End your turn"),
            views={"buy 94 k2 + buy 34 b4 + end": [blocked()[0]] * 2},
        ),
    ),
}
"""Questions: the view they are asked of, the part of the table in which they lie, and the words."""


@pytest.mark.parametrize("name", ASKED)
def test_what_is_asked_is_lit_where_it_lies(name: str) -> None:
    sample, part, asked = ASKED[name]
    view, names, events = sample()
    assert part_asked(view, asked) == part
    lit = draw_part(view, names, events, part, {}, asked)
    assert lit != draw_part(view, names, events, part, {})
    assert_golden(f"guatemala_asked_{name}", lit)


def test_an_entry_of_several_purchases_lights_all_their_places_by_name() -> None:
    sheet = Sheet(1, 1)
    for place in ("d2", "c2", "port1"):
        sheet.note("place", place, square, 0, 0, len(place))
    entry = "buy 51 d2 + buy 54 c2 + buy 56 port1 + end"
    view = middle_game()[0]
    asked = AskedWords((), WHOLE, (entry, "buy 51 d2"), views={entry: [view] * 3})
    lit = places_of(view, asked, sheet)
    said = [(place.box[2], place.name, place.needs_tag) for place in lit[entry]]
    assert said == [(2, "d2", True), (2, "c2", True), (5, "port1", False)]
    assert [place.name for place in lit["buy 51 d2"]] == [""]


def test_the_sack_that_may_be_taken_is_lit_without_a_name() -> None:
    sheet = Sheet(1, 1)
    sheet.note("piece", "14", square, 0, 0, 1)
    (lit,) = places_of(blocked()[0], AskedWords((), WHOLE, ("take",)), sheet)["take"]
    assert not lit.needs_tag


@pytest.mark.parametrize(
    ("entry", "lit"),
    [
        ("move 1 + take", [("1", True), ("14", False)]),
        ("move 1 + buy 24 a1", [("1", True), ("24", False)]),
        ("move 2 + take", [("2", True)]),
    ],
)
def test_what_is_done_after_a_step_is_lit_in_the_line_that_it_reaches(
    entry: str, lit: list[tuple[str, bool]]
) -> None:
    # The buyer stands before the red sack 43, reaches the black one 14, and then none.
    view = GAME.view(table(asked="step", buyer="t3"), 0)
    views = {entry: views_before(GAME, view, in_turn(parse_action(entry)))}
    asked = AskedWords((), WHOLE, (entry,), views=views)
    assert part_asked(view, asked) == PRODUCTION
    sheet = Sheet(1, 1)
    for word in SPACE_NAMES:
        sheet.note("piece", word, square, 0, 0, int(word))
    for word in "12":
        sheet.note("steps", word, square, 0, 0, int(word))
    found = [(f"{place.box[2]}", place.needs_tag) for place in places_of(view, asked, sheet)[entry]]
    assert found == lit
    png = draw_part(view, ("Anna", "Bert"), (), PRODUCTION, {}, asked)
    assert png != draw_part(view, ("Anna", "Bert"), (), PRODUCTION, {})


def test_the_price_of_every_hut_is_kept_free_of_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Box] = []
    monkeypatch.setattr(Sheet, "keep", lambda _sheet, box: kept.append(box))
    draw_part(*beginning(), PLANTATIONS, {})
    board = board_for(len(beginning()[0].seats))
    assert len(kept) == board.hut_cells.bit_count()


@pytest.mark.parametrize("prefix", [("take",), ("block",), ("end",), ("pass",)])
def test_an_action_without_a_place_lights_nothing(prefix: tuple[str, ...]) -> None:
    assert part_asked(middle_game()[0], AskedWords(prefix, "answer", ("yes", "no"))) is None


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("move 1", "move 2", "pass"), PRODUCTION),
        (("place t1", "place l9"), PRODUCTION),
        (("refill red",), PRODUCTION),
        (("take", "end"), PRODUCTION),
        (("buy 51 d2", "take", "end"), "path1"),
        (("buy 51 d2", "buy 51 i2", "end"), PLANTATIONS),
        (("buy 51 d2 + buy 54 c2 + end", "end"), "path1"),
        (("block no", "block yes"), None),
        (("end",), None),
    ],
)
def test_whole_actions_lie_where_they_take_effect(words: tuple[str, ...], part: str | None) -> None:
    assert part_asked(middle_game()[0], AskedWords((), WHOLE, words)) == part


def test_each_path_is_a_part_and_without_paths_each_half() -> None:
    paths = ("path1", "path2", "path3", "path4")
    assert parts(middle_game()[0]) == (PLANTATIONS, *paths, PRODUCTION, LEGEND)
    assert parts(blocked()[0]) == (PLANTATIONS, "left", "right", PRODUCTION, LEGEND)
    with pytest.raises(ValueError, match="no part 'left'"):
        draw_part(*middle_game(), "left", {})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_place_lies_in_a_part(players: int) -> None:
    sample = {2: blocked, 3: harvested, 4: middle_game}[players]
    view, board = sample()[0], board_for(players)
    words = [*board.names, *(road.name for road in board.roads)]
    found = {part_asked(view, AskedWords(("buy", "11"), "place", (word,))) for word in words}
    assert found == set(parts(view)) - {PLANTATIONS, PRODUCTION, LEGEND}
    for word in board.port_of_name:
        assert part_asked(view, AskedWords(("buy", "11"), "place", (word,))) == PLANTATIONS


def test_the_legend_explains_every_sign_and_is_the_golden_one() -> None:
    close = GuatemalaText().close_up(words_for("en"), middle_game()[0], LEGEND, ())
    assert close is not None
    assert tuple(close.legend) == tuple(SIGNS)
    assert_golden("guatemala_legend", draw_part(*middle_game(), LEGEND, close.legend))


def test_nothing_is_lit_in_another_part_than_that_of_the_question() -> None:
    _, part, asked = ASKED["cells"]
    assert part == "left"
    assert draw_part(*blocked(), "right", {}, asked) == draw_part(*blocked(), "right", {})


@pytest.mark.parametrize("last", [79, 99])
def test_the_score_track_goes_once_around_the_board(last: int) -> None:
    plan = LAYOUT.plantations[0]
    spaces = track_spaces(plan, last)
    assert len(spaces) == last + 1 == len(set(spaces))
    assert spaces[0][:2] == plan.area[:2]
    for one, other in pairwise((*spaces, spaces[0])):
        shared = sorted({*one} & {*other})
        assert len(shared) >= 3, "neighbours have a side in common"


def _changed(view: GuatemalaView, seat: int, **fields: object) -> GuatemalaView:
    seats = list(view.seats)
    seats[seat] = msgspec.structs.replace(seats[seat], **fields)
    return msgspec.structs.replace(view, seats=tuple(seats))


def test_another_piece_or_another_number_is_more_than_the_tolerance() -> None:
    view, names, events = middle_game()
    here = read(draw(view, names, events))
    plantation = view.seats[0].plantations[0]
    other = msgspec.structs.replace(plantation, colour="brown")
    for changed in (
        _changed(view, 2, money=9),
        _changed(view, 2, score=18),
        _changed(view, 3, plantations=view.seats[3].plantations[:1]),
        _changed(view, 0, plantations=(other, *view.seats[0].plantations[1:])),
        msgspec.structs.replace(view, roads=view.roads[:-1]),
        msgspec.structs.replace(view, track=(*view.track, "red")),
        msgspec.structs.replace(view, stock=7),
        msgspec.structs.replace(
            view, ports=(PortView("port1", ("white",), is_open=True), *view.ports[1:])
        ),
    ):
        assert different(here, read(draw(changed, names, events))) > TOLERATED


def test_whose_a_plantation_is_shows_without_colours() -> None:
    view, names, events = middle_game()
    first, second, *others = view.seats
    mine, theirs = first.plantations, second.plantations
    seats = (
        msgspec.structs.replace(first, plantations=theirs),
        msgspec.structs.replace(second, plantations=mine),
        *others,
    )
    swapped = msgspec.structs.replace(view, seats=seats)
    grey = [
        read(draw_part(each, names, events, "path1", {})).convert("L").point(_TWO_TONES)
        for each in (view, swapped)
    ]
    assert different(*(each.convert("RGB") for each in grey)) > TOLERATED


_TWO_TONES = [0] * 200 + [255] * 56

FACTS: dict[str, Fact] = {
    "seat": 2,
    "position": "t4",
    "piece": "worker",
    "colour": "white",
    "space": "47",
    "place": "m4",
    "spaces": ("11", "12"),
    "at": 70,
    "port": "port2",
    "answer": "block",
    "ending": "met",
}
"""An example of each fact; those not listed are numbers."""
MARKED = frozenset(
    {
        *("buyer_moved", "piece_bought", "roads_filled", "sack_taken", "blocked", "refilled"),
        *("refilled_blindly", "harvested", "ship_left"),
    }
)


@pytest.mark.parametrize("kind", GAME.events)
def test_every_kind_of_event_draws(kind: str, unmarked: bytes) -> None:
    view, names, _ = middle_game()
    fields = set(GAME.events[kind].__struct_fields__) - set(Event.__struct_fields__)
    event = event_of(GAME.events, kind, {name: FACTS.get(name, 2) for name in fields})
    assert (draw(view, names, (event,)) != unmarked) == (kind in MARKED)


@pytest.fixture(scope="module")
def unmarked() -> bytes:
    view, names, _ = middle_game()
    return draw(view, names)


@pytest.mark.parametrize("place", ["m4", "j5-k5", "port2"])
def test_what_was_built_is_marked_on_its_close_up(place: str) -> None:
    view, names, _ = middle_game()
    facts = {**FACTS, "seat": 1, "price": 2, "place": place}
    event = event_of(GAME.events, "piece_bought", facts)
    part = "path2" if place == "port2" else "path3"
    marked = draw_part(view, names, (event,), part, {})
    assert marked != draw_part(view, names, (), part, {})


def test_there_is_room_for_all_there_can_be() -> None:
    view, names, events = extreme()
    assert len(draw(view, names, events)) < _KILOBYTES * 1000
    for part in parts(view):
        assert len(draw_part(view, names, events, part, {})) < _KILOBYTES * 1000


def test_sacks_in_a_hand_are_shown_to_whom_they_belong() -> None:
    view, names, events = middle_game()
    fewer = _changed(view, 1, hand=(0, 2, 1, 1, 0))
    assert draw(view, names, events) != draw(fewer, names, events)


def test_a_close_up_tells_observers_their_own_money_and_spectators_nobodys() -> None:
    view, names, events = middle_game()
    for observer, tells in ((1, False), (3, True), (SPECTATOR, False)):
        seen = msgspec.structs.replace(view, observer=observer)
        here, there = (
            draw_part(each, names, events, PRODUCTION, {})
            for each in (seen, _changed(seen, 3, money=5))
        )
        assert (here != there) == tells


def test_another_process_with_another_hash_seed_gives_the_same_bytes() -> None:
    program = (
        "from hashlib import sha256; from bot.render.guatemala import draw;"
        "from tests.render.guatemala.samples import filled, harvested;"
        "print(*(sha256(draw(*each())).hexdigest() for each in (harvested, filled)))"
    )
    here = [sha256(draw(*each())).hexdigest() for each in (harvested, filled)]
    assert printed_elsewhere(program, "4242") == here


def test_four_threads_at_once_draw_what_one_draws() -> None:
    samples: list[Sample] = [sample() for sample in SAMPLES.values()]
    alone = [draw(*sample) for sample in samples]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda sample: draw(*sample), samples)) == alone


def test_words_can_be_given_in_another_language() -> None:
    italian = words_for("it").drawn
    assert draw(*middle_game(), say=italian) != draw(*middle_game())


@pytest.mark.parametrize(("seats", "setup", "track"), [(2, "printed", "79"), (4, "random", "99")])
def test_a_random_game_draws_and_betrays_no_secret(seats: int, setup: str, track: str) -> None:
    options = {"setup": setup, "track": track}
    assert draws_twins_alike(
        GAME, draw, seats, options, 900, lambda move: move in (1, seats + 1) or move % 70 == 0
    )
