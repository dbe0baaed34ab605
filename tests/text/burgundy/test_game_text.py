"""Texts of Burgundy that no recorded game has."""

from __future__ import annotations

from random import Random
from typing import Any

from bot.game.burgundy import GAME
from bot.game.burgundy.data import DEPOT_WORDS, KINDS, SPACE_NAMES, TILE_KEYS
from bot.game.burgundy.dice import Taken
from bot.game.burgundy.game import Lapsed
from bot.game.burgundy.placing import Placed, RegionCompleted
from bot.game.burgundy.state import BurgundyState
from bot.game.chance import RandomChance
from bot.game.choices import Bundle, Done, OneOf
from bot.game.contract import Event
from bot.text.burgundy.table import BUILDINGS, KNOWLEDGE
from bot.text.burgundy.words import BurgundyWords
from tests.game.burgundy.positions import play, table
from tests.text.game_texts import EN, GameTexts
from tests.text.people import called

BURGUNDY = GameTexts("burgundy")
TEXT, NAMES = BURGUNDY.text, called("Anna", "Bob", 3, "Do_ra")


# Events


def test_a_summary_prefers_the_placed_tile_to_the_taken_one() -> None:
    events: list[Event] = [
        Taken(seat=0, tile="boarding_house", depot="6", die="5", spent=1),
        Placed(seat=0, tile="boarding_house", space="c3", die="4", spent=1),
        RegionCompleted(seat=0, colour="building", count=1, points=1, bonus=10),
        Lapsed(seat=0, tile="city_hall"),
    ]
    (line,) = TEXT(EN, NAMES).summary(events)
    assert line.hidden_count == 2
    assert "places 🏠 Boarding House on **c3**" in line.text
    assert "completes" in line.text


# Choices


def test_only_the_owner_reads_the_space_of_a_sealed_castle() -> None:
    state: BurgundyState = GAME.setup(3, {"boards": "random"}, RandomChance(Random(1)))
    (castle, *_) = BURGUNDY.labels(state, "castle")
    play(state, 0, f"castle {castle}")
    assert f"**{castle}**" in BURGUNDY.question(state)
    assert "stay secret" in BURGUNDY.question(state, 1)


def test_the_choices_of_a_ship_show_which_goods_fit() -> None:
    goods = {"1": "113", "2": "36", "3": "2"}
    state = table(stored="ship", dice=(2, 4), goods_of=("12",), goods_at=goods)
    play(state, 0, "place 2 ship d3")
    assert [*BURGUNDY.labels(state, "load").values()] == [
        "Depot 1: 2× type 1, 1× type 3",
        "Depot 2: 1× type 3, 1× type 6 · they don't all fit",
        "Depot 3: 1× type 2",
        *(f"Depot {number}: nothing" for number in (4, 5, 6)),
    ]


def test_the_second_load_offers_only_legal_depots() -> None:
    """Depot 3 is no neighbour, and the goods at depot 5 do not fit."""
    ship: dict[str, Any] = {"stored": "ship", "dice": (5, 1), "goods_of": ("13",)}
    estate = {"d4": "castle", "c4": "k5"}
    state = table(**ship, goods_at={"6": "22", "1": "3", "5": "4", "3": "6"}, estates=(estate,))
    play(state, 0, "place 5 ship d5")
    play(state, 0, "load 6 2")
    assert "You can decline." in BURGUNDY.question(state)
    assert [*BURGUNDY.labels(state, "load").values()] == ["Depot 1: 1× type 3"]
    assert BURGUNDY.labels(state)["decline"] == "Stop loading"
    assert "loads from one depot only" in " ".join(BURGUNDY.story(play(state, 0, "decline")))
    # If no neighbour has goods, the text does not mention a second load.
    state = table(**ship, goods_at={"6": "22", "3": "6"}, estates=(estate,))
    play(state, 0, "place 5 ship d5")
    story = " ".join(BURGUNDY.story(play(state, 0, "load 6 2")))
    assert "loads" in story
    assert "nothing" not in story
    assert "no goods" not in story


# Texts of the table


def test_all_tiles_have_names_and_all_but_animals_have_effects() -> None:
    words = BurgundyWords(EN, rich=False)
    assert len({words.tile_name(key) for key in TILE_KEYS}) == len(TILE_KEYS)
    for key in TILE_KEYS:
        assert len(words.described(key)) <= 80
        assert bool(words.effect(key)) == (KINDS[key].colour != "animal")
    assert words.described("k20") == "Knowledge 20: final scoring: 4 points for each Market"
    rules = "".join(words.rules(topic) for topic in ("buildings", "knowledge", "knowledge_points"))
    for key in (*BUILDINGS, *KNOWLEDGE):
        assert f"- **{words.tile_name(key)}:** {words.effect(key)}" in rules


# Typed words

TYPES = Bundle("goods", "123456", (0, 1, 0, 1, 1, 0), 2, 2)
TILE, DEPOT, DIE = OneOf("tile", TILE_KEYS), OneOf("depot", DEPOT_WORDS), OneOf("die", ("3", "4"))


def test_typed_words_are_understood() -> None:
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


def test_unclear_words_are_refused_with_examples() -> None:
    BURGUNDY.check_unclear(TILE, "zeppelin", "unreadable")
    BURGUNDY.check_unclear(TILE, "cows", "ambiguous")
    BURGUNDY.check_unclear(TYPES, "9", "unreadable")
    BURGUNDY.check_unclear(TYPES, "cows", "unreadable")
    BURGUNDY.check_unclear(Done(), "more", "too_many_words")


def test_a_refusal_says_what_is_wrong_and_what_can_be_done() -> None:
    needed = BURGUNDY.refusal("needs_workers", "take", die="2", number=5, count=3, workers=1)
    assert needed == (
        "Changing ⚁ 2 to 5 costs 3 workers, and you have 1 worker. "
        "Choose something nearer, or take workers."
    )
    other = BURGUNDY.refusal("other_colour", "place", space="c3", tile="cow3", colour="building")
    assert other == (
        "**c3** is for 🏠 buildings, so 🐄 3 cows can't go there. Choose a space of its colour."
    )
    far = BURGUNDY.refusal("not_neighbours", "ships", depot="3", loaded="1")
    assert far.startswith("Depot 3 isn't next to")
