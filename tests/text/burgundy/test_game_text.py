"""Burgundy in words: events, questions, choices, estates, and what actions would change."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from bot.game.burgundy import GAME
from bot.game.burgundy.boards import SPACE_NAMES
from bot.game.burgundy.data import DEPOT_WORDS, TILE_KEYS, kind_of
from bot.game.burgundy.dice import WorkersTaken
from bot.game.burgundy.placing import Placed, RegionCompleted
from bot.game.burgundy.state import BurgundyState
from bot.game.burgundy.storing import Taken
from bot.game.burgundy.turn import Lapsed
from bot.game.chance import RandomChance
from bot.game.choices import Bundle, Done, OneOf
from bot.game.contract import SPECTATOR, Event
from bot.game.events import TurnEnded
from bot.game.trial import foreseen
from bot.text.burgundy import tiles
from tests.game.burgundy.positions import play, table
from tests.text.people import called
from tests.text.told import EN, Told

BURGUNDY = Told("burgundy")
TEXT, NAMES = BURGUNDY.text, called("Anna", "Bob", 3, "Do_ra")


def told(event: Event) -> str:
    return TEXT.event(EN, event, NAMES) or ""


def labels(state: BurgundyState, line: str = "") -> list[str]:
    """What seat 0's choices after a line say."""
    return [*BURGUNDY.labels(state, line).values()]


def begun(**options: str) -> BurgundyState:
    """A game of three at its first question."""
    state: BurgundyState = GAME.setup(3, options, RandomChance(Random(1)))
    return state


# What happened


def test_a_die_is_named_only_where_workers_change_it() -> None:
    taken = Taken(seat=3, tile="cow3", depot="4", die="4", spent=0)
    assert told(taken) == r"**Do\_ra** takes 🐄 3 cows from depot 4."
    assert "(⚄ 5, 1 worker)" in told(replace(taken, die="5", spent=1))


def test_a_whole_turn_with_its_effects_is_one_line() -> None:
    events: list[Event] = [
        Placed(seat=2, tile="market", space="c3", die="2", spent=1),
        RegionCompleted(seat=2, colour="building", count=3, points=6, bonus=8),
        Taken(seat=2, tile="ship", depot="1", die="any", spent=0),
        WorkersTaken(seat=2, die="4", workers=2, silverlings=0),
        TurnEnded(seat=2),
    ]
    assert TEXT.story(EN, events, NAMES) == [
        "**<@3>** places 🏠 Market on **c3** (⚁ 2, 1 worker), completes the 3-space 🏠 city: "
        "6 points, +8 for the phase, takes ⛵ Ship from depot 1, takes 2 workers."
    ]


def test_in_short_what_is_placed_goes_before_what_is_taken() -> None:
    events: list[Event] = [
        Taken(seat=0, tile="boarding_house", depot="6", die="5", spent=1),
        Placed(seat=0, tile="boarding_house", space="c3", die="4", spent=1),
        RegionCompleted(seat=0, colour="building", count=1, points=1, bonus=10),
        Lapsed(seat=0, tile="city_hall"),
    ]
    (line,) = TEXT.brief(EN, events, NAMES)
    assert line.untold == 2
    assert "places 🏠 Boarding House on **c3**" in line.text
    assert "completes" in line.text


# What is asked


def test_after_both_dice_a_purchase_is_named_while_one_is_possible() -> None:
    for silverlings, what in ((1, "end your turn, or take something back."), (2, "buy a tile, ")):
        state = table(dice=(5, 2), left=(), silverlings=silverlings, depots={"black": "k7"})
        assert f"Both dice are used: {what}" in BURGUNDY.question(state).splitlines()[0]


def test_a_sealed_castle_is_said_back_to_its_owner_alone() -> None:
    state = begun(boards="random")
    (castle, *_) = BURGUNDY.labels(state, "castle")
    play(state, 0, f"castle {castle}")
    assert f"**{castle}**" in BURGUNDY.question(state)
    assert "Nobody sees it" in BURGUNDY.question(state, 1)


# What can be chosen


def test_a_ship_is_told_what_fits() -> None:
    state = table(
        stored="ship", dice=(2, 4), goods_of=("12",), goods_at={"1": "113", "2": "36", "3": "2"}
    )
    play(state, 0, "place 2 ship d3")
    assert labels(state, "load") == [
        "Depot 1: 2 of type 1 and 1 of type 3",
        "Depot 2: 1 of type 3 and 1 of type 6 · not all fit",
        "Depot 3: 1 of type 2",
        *(f"Depot {number}: nothing" for number in (4, 5, 6)),
    ]
    assert BURGUNDY.whole(state, "load 1 3").text == (
        "Load 2 of type 1 and 1 of type 3 from depot 1"
    )
    assert BURGUNDY.whole(state, "load 2 6").text == "Load 1 of type 6 from depot 2"
    assert BURGUNDY.whole(state, "load 4 -").text == "Load nothing"


def test_the_second_load_names_only_what_can_be_chosen() -> None:
    """Depot 3 is no neighbour, and what lies on 5 does not fit."""
    state = table(
        stored="ship",
        dice=(5, 1),
        goods_of=("13",),
        goods_at={"6": "22", "1": "3", "5": "4", "3": "6"},
        estates=({"d4": "castle", "c4": "k5"},),
    )
    play(state, 0, "place 5 ship d5")
    play(state, 0, "load 6 2")
    assert "You may decline." in BURGUNDY.question(state)
    assert labels(state, "load") == ["Depot 1: 1 of type 3"]
    assert BURGUNDY.labels(state)["decline"] == "Load no more"
    events = play(state, 0, "decline")
    assert "loads from one depot only" in " ".join(BURGUNDY.heard(events))


def test_where_nothing_was_to_be_loaded_nothing_is_said_of_it() -> None:
    """After the first depot of knowledge tile 5, no neighbour has goods."""
    state = table(
        stored="ship",
        dice=(5, 1),
        goods_at={"6": "22", "3": "6"},
        estates=({"d4": "castle", "c4": "k5"},),
    )
    play(state, 0, "place 5 ship d5")
    heard = " ".join(BURGUNDY.heard(play(state, 0, "load 6 2")))
    assert "loads" in heard
    assert "nothing" not in heard
    assert "no goods" not in heard


# Whole actions as entries of a menu


def test_an_entry_says_what_leaves_a_full_storage_and_that_the_turn_ends() -> None:
    full = table(stored="ship k12 bank", dice=(2, 4), depots={"2": "castle"})
    taken = BURGUNDY.whole(full, "take 2 2 castle bank").text
    assert taken == "Take Castle from depot 2, discard Bank (die 2)"
    state = table(dice=(2, 4), left=(2,), depots={"2": "castle"})
    last = BURGUNDY.whole(state, "take 2 2 castle - + end").text
    assert last == "Take Castle from depot 2, end turn"
    assert BURGUNDY.whole(state, "workers 2 + end").name == "Take 2 workers"


# The table in words


def test_an_estate_can_be_seen_before_its_board_is_chosen() -> None:
    close = TEXT.close_up(EN, GAME.view(begun(boards="choose"), 0), "0", NAMES)
    assert close is not None
    assert close.text.startswith("**Dice:** -")


def test_every_tile_has_a_name_and_every_one_but_animals_a_sentence() -> None:
    names = [tiles.name(EN, key) for key in TILE_KEYS]
    assert len(set(names)) == len(names)
    for key in TILE_KEYS:
        assert len(tiles.described(EN, key)) <= 80
        assert bool(tiles.effect(EN, key)) == (kind_of(key).colour != "animal")
    assert tiles.described(EN, "k20") == "Knowledge 20: at the end 4 points for each Market"
    rules = "".join(TEXT.rules(EN, t) for t in ("buildings", "knowledge", "knowledge_points"))
    for key in (*tiles.BUILDINGS, *tiles.KNOWLEDGE):
        assert f"- **{tiles.name(EN, key)}:** {tiles.effect(EN, key)}" in rules


# The pieces' own signs


# What people type

TYPES = Bundle("goods", "123456", (0, 1, 0, 1, 1, 0), 2, 2)
TILE, DEPOT, DIE = OneOf("tile", TILE_KEYS), OneOf("depot", DEPOT_WORDS), OneOf("die", ("3", "4"))


def test_what_is_typed_is_understood() -> None:
    tiled = {"Market": "market", " 3 COWS ": "cow3", "cows 3": "cow3", "cow3": "cow3"}
    tiled |= {"knowledge 12": "k12", "k7": "k7", "boarding": "boarding_house"}
    for choices, words in (
        (TILE, {**tiled, "city_hall": "city_hall"}),
        (DEPOT, {"depot 4": "4", "4": "4", "black": "black"}),
        (DIE, {"⚃": "4", "⚃ 4": "4", "5": "5"}),
        (OneOf("space", SPACE_NAMES[:4]), {"C3": "c3"}),
        (OneOf("good", ("2", "5")), {"type 5": "5"}),
        (OneOf("board", ("1", "9")), {"9": "9"}),
        (TYPES, {"2 5": "25", "types 5 and 2": "25", "52": "25", "nothing": ""}),
    ):
        BURGUNDY.check_reading(choices, "take 4", words)


def test_what_is_not_clear_is_refused_with_examples() -> None:
    BURGUNDY.check_unclear(TILE, "zeppelin", "unreadable")
    BURGUNDY.check_unclear(TILE, "cows", "ambiguous")
    BURGUNDY.check_unclear(TYPES, "9", "unreadable")
    BURGUNDY.check_unclear(TYPES, "cows", "unreadable")
    BURGUNDY.check_unclear(Done(), "more", "too_many_words")


def test_a_refusal_says_what_is_wrong_and_what_can_be_done() -> None:
    needed = BURGUNDY.refusal("needs_workers", "take", die="2", number=5, count=3, workers=1)
    assert needed == (
        "⚁ 2 would have to become 5: that costs 3 workers, and you have 1 worker. "
        "Choose something nearer, or exchange a die for workers."
    )
    other = BURGUNDY.refusal("other_colour", "place", space="c3", tile="cow3", colour="building")
    assert other == (
        "**c3** is for 🏠 buildings, so 🐄 3 cows cannot go there. Choose a space of its colour."
    )
    far = BURGUNDY.refusal("not_neighbours", "ships", depot="3", other="1")
    assert far.startswith("Depot 3 is not next to")


# What actions would change


def test_a_region_completed_and_a_colour_covered_are_reasons_with_their_points() -> None:
    estate = {"d4": "castle", **dict.fromkeys(("d1", "d2", "d3", "d5", "d6"), "ship")}
    state = table(estates=(estate,), stored="ship", dice=(1, 2))
    (made,) = foreseen(GAME, GAME.view(state, 0), [("place", "1", "ship", "d7")])
    assert TEXT.reasons(EN, made.events, NAMES) == [
        "Completes the 3-space ⛵ river: 6 points, +10 for the phase",
        "Is first to cover all ⛵ ships: 5 points",
    ]
    assert BURGUNDY.changed(state, "place 1 ship d7") == [
        "Points: 0 → 21",
        "Place on the turn track: 1 → 2",
        "Storage: ⛵ Ship → nothing",
    ]


def test_what_is_sold_and_taken_is_counted_for_whom_it_concerns() -> None:
    state = table(dice=(4, 2), goods_of=("44",), workers=1)
    assert BURGUNDY.changed(state, "sell 4 4", "workers 2") == [
        "Points: 0 → 4",
        "Workers: 1 → 3",
        "Silverlings: 0 → 1",
        "Goods: 2 of type 4 → nothing",
    ]
    state = table(dice=(4, 2), goods_of=("44",))
    assert BURGUNDY.changed(state, "sell 4 4", observer=1) == []
    assert BURGUNDY.changed(state, "workers 2", observer=SPECTATOR) == []
