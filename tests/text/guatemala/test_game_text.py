"""Texts of Guatemala Café that no recorded game has."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from functools import partial
from random import Random
from typing import Any

from bot.game.chance import RandomChance
from bot.game.choices import OneOf
from bot.game.contract import END, in_turn, joined
from bot.game.guatemala import GAME
from bot.game.guatemala.data import COLOUR_OF_KEY, COUNTS, POSITION_NAMES, SACK, WORKER, piece
from bot.game.guatemala.state import GuatemalaState
from bot.game.trial import views_before
from bot.text.guatemala.words import GuatemalaWords
from bot.text.words import all_words, words_for
from bot.titles import TITLES
from tests.game.guatemala.positions import play, table
from tests.policy.menus import offered
from tests.text.game_texts import EN, GameTexts
from tests.text.people import called

GUATEMALA = GameTexts("guatemala")
TEXT, NAMES = GUATEMALA.text, GUATEMALA.names
question, labels, refusal = GUATEMALA.question, GUATEMALA.labels, GUATEMALA.refusal


# Questions and texts of the table


def test_a_turn_shows_the_money_and_the_harvests_of_the_sacks_in_reach() -> None:
    growing: dict[str, Any] = {"huts": ({"brown": "e2"},), "workers": ({"brown": "e1"},)}
    assert question(table(asked="step", buyer="t7", money=2, **growing)).splitlines() == [
        "Round 3. You have 2 centavos.",
        "Column 8 (top), 💰 brown sack: you score 1",
    ]
    far: dict[str, Any] = {"asked": "step", "buyer": "t4", **growing}
    assert len(question(table(**far, money=2)).splitlines()) == 2
    assert len(question(table(**far, money=1)).splitlines()) == 1


def test_without_money_only_roads_are_mentioned() -> None:
    for line, expected in (
        ("road, red worker, road, road", "You have no money, but you can take up to 3 roads."),
        ("red worker", "You have no money, and there are no roads to take."),
    ):
        assert question(table(buyer="r4", money=0, line=line)).endswith(expected)


def test_an_answer_may_be_changed_until_all_have_answered() -> None:
    state = table(seats=3, buyer="r4", sack="red", hands=("", "red", "red"))
    play(state, 0, "take")
    play(state, 2, "block yes")
    assert question(state, 2).startswith("Your answer: **block**. You can change it")
    assert "Your secret answer" in TEXT(EN, NAMES, GAME.view(state, 2)).hand()


def test_texts_of_the_longer_track_standing_orders_and_the_number_of_sacks() -> None:
    view = GAME.view(table(last_space=99), 0)
    assert TEXT(EN, NAMES, view).board().endswith("\nScore track: up to 99 (longer game)")
    assert TEXT(EN).order("block_red", "1") == "Block with a red sack if I have one"
    assert TEXT(EN).order("block_red", "2") == "Block with a red sack if I have 2 or more"
    assert TEXT(EN).order("never_block", "on") == "Never block"
    assert (COUNTS[SACK], "seven sacks of each colour" in TEXT(EN).rules("setup")) == (7, True)


# Choices

JOINED = "b1-c1 c1-c2"
"""Roads from port 1 to the hut cell d2."""


def buying(line: str, **position: Any) -> GuatemalaState:
    """Return a table of four players where the first one may buy in a line."""
    return table(seats=4, buyer="r5", line=line, **position)


def test_every_line_of_the_printed_board_fits_a_button() -> None:
    for position in POSITION_NAMES:
        texts = labels(table(asked="step", buyer=position), "move").values()
        assert all(not text.endswith("…") for text in texts)


def test_a_hut_at_the_end_of_roads_reaches_its_port_and_the_ships_there() -> None:
    state = buying(
        "red hut, white hut",
        workers=({"red": "d1 c1"},),
        ships={"port1": "red"},
        roads=f"{JOINED} f1-g1 g1-g2",
    )
    assert labels(state, "buy 52")["h2"].endswith(" · new plantation; reaches Port 2")
    assert labels(state, "buy 51") == {"d2": "d2 · 6 centavos · harvest 0→4; reaches Port 1"}


def test_a_ship_shows_the_harvests_that_it_would_raise() -> None:
    state = buying(
        "red ship, white ship",
        huts=({"red": "d2"}, {"red": "a2"}),
        workers=({"red": "d1"}, {"red": "a1 b1"}),
        ships={"port1": "red"},
        roads=f"{JOINED} b1-b2",
    )
    texts = labels(state, "buy 51")
    assert texts["port1"] == "Port 1 · 4 centavos · harvests: you 2→3, Bob 4→6"
    assert texts["port2"] == "Port 2 · 2 centavos · doesn't help a harvest yet"
    assert labels(state, "buy 52")["port1"] == "Port 1 · 4 centavos · doesn't help a harvest yet"


def test_a_road_shows_the_hut_that_it_connects_or_the_missing_roads() -> None:
    huts, roads = ({"red": "d5"}, {"white": "m2"}), "b2-c2 b3-c3 b4-c4 n1-o1"
    state = buying("road, road", huts=huts, roads=roads)
    texts = labels(state, "buy 51")
    assert texts["b1-c1"] == "b1-c1 · your red hut: 1 road to Port 1"
    assert texts["n1-n2"] == "n1-n2 · connects Bob's white hut to Port 4"
    assert texts["f1-g1"] == "f1-g1 · doesn't help your huts"
    play(state, 0, "buy 51 b1-c1")
    assert labels(state, "buy 52")["c4-c5"] == "c4-c5 · connects your red hut to Port 1"


def test_columns_on_the_picture_have_only_their_letters() -> None:
    view = GAME.view(table(buyer="r5", line="white worker"), 0)
    for words in all_words():
        regions = OneOf("region", ("1coast", "3mountains"))
        found = [TEXT(words, NAMES, view).label(("buy", "51"), regions, w) for w in regions.values]
        assert [label.name[:4] for label in found] == ["a-c,", "g-i,"]
        assert all(label.name in label.text for label in found)


def test_a_whole_turn_fits_a_label_in_every_language_and_shows_its_end() -> None:
    title, found = TITLES["guatemala"], Counter[bool]()
    players = called("Anna", "Normal 1", "Strong 1", "Elena")
    for each in offered(title, 67):
        for steps in "1234" if each.decision.kind == "step" else "":
            state, seat = deepcopy(each.state), each.decision.seat
            legal = partial(GAME.legal, state, seat)
            if steps not in getattr(GAME.legal(state, seat, ("move",)), "values", ()):
                continue
            GAME.apply(state, seat, ("move", steps), RandomChance(Random(1)))
            (decision,) = GAME.pending(state)
            for entry in title.menu(GAME.view(state, seat), decision, legal)[:4]:
                actions = [("move", steps), *in_turn(entry)]
                views, ends = views_before(GAME, each.view, actions), actions[-1] == (END,)
                for words in all_words():
                    label = TEXT(words, players).action_label(joined(*actions), views)
                    assert len(label.text) <= 80
                    assert not label.text.endswith("…"), label.text
                    if len(actions) > 2:
                        closing = {"en": ", then end turn", "it": ", poi fine turno"}[words.locale]
                        assert label.text.endswith(closing) is ends, label.text
                        found[ends] += 1
    assert found[True]


# Refusals


def test_a_refusal_says_what_is_wrong_and_what_can_be_done() -> None:
    state = table(
        buyer="r4",
        sack="red",
        money=2,
        workers=({"red": "e9"}, {"brown": "e6"}),
        ships={"port1": "black white"},
    )
    for line, expected in {
        "buy 61": "**61** isn't in the row or column the buyer faces.",
        "buy 43": "There's a sack on **43**, and sacks can't be bought.",
        "buy 45 h2": "**h2** is a hut cell, and workers can't go there.",
        "buy 45 port1": "That piece can't go to Port 1: workers and huts go on cells",
        "buy 42 h1": "**h1** isn't a hut cell.",
        "buy 49 c3": "That costs 3 centavos, but you have 2 centavos.",
        "buy 46 h9": "**h9** doesn't touch your red plantation",
        "buy 47 e7": "On **e7** it would touch **Bob**'s brown plantation",
        "buy 46 e9": "**e9** is taken.",
        "buy 41": "There's no legal place for a beige ship that you can afford.",
    }.items():
        assert GUATEMALA.refused(state, line).startswith(expected)


def test_refusals_of_payments_and_blocks_say_what_to_do() -> None:
    unpaid = "A fourth step costs 2 centavos, but you have 1 centavo. Move one to three steps."
    no_sack = "You have no red sack, so you can't block."
    assert refusal("fourth_step_unpaid", money=1, price=2) == unpaid
    assert refusal("hut_built", colour="white").startswith("You already have a white hut")
    assert refusal("no_sack_to_block", colour="red").startswith(no_sack)
    assert refusal("path_closed", place="a2").startswith("**a2** is on the path that is closed")


# Typed words

PLACE = OneOf("place", ("c3", "b1", "b1-c1", "b1-b2", "port2"))
POSITION = OneOf("position", POSITION_NAMES)
COLOUR, ANSWER = OneOf("colour", ("red", "white")), OneOf("answer", ("yes", "no"))


def test_typed_words_are_understood() -> None:
    roads = {"b1 c1": "b1-c1", "b1-c1": "b1-c1", "c1 b1": "b1-c1"}
    for choices, words in (
        (PLACE, {"C3": "c3", "b1": "b1", **roads, "port 2": "port2", "2": "port2", "a5": "a5"}),
        (POSITION, {"t3": "t3", "row 5 right": "r5", "top 3": "t3"}),
        (OneOf("steps", ("1", "2")), {"4": "4"}),
        (COLOUR, {"Red": "red", "black": "black"}),
        (ANSWER, {"block": "yes", "don't block": "no"}),
        (OneOf("answer", ("no",)), {"yes": "yes"}),
    ):
        GUATEMALA.check_reading(choices, "buy 53", words)


def test_unclear_words_are_refused_with_examples() -> None:
    GUATEMALA.check_unclear(PLACE, "zeppelin", "unreadable")
    GUATEMALA.check_unclear(OneOf("place", ("port1", "port2")), "port", "ambiguous")
    GUATEMALA.check_unclear(POSITION, "row 5", "ambiguous")
    GUATEMALA.check_unclear(POSITION, "middle", "unreadable")


def test_names_shown_at_a_table_can_be_typed() -> None:
    """A piece can be typed by its name or its space."""
    italian = GuatemalaWords(words_for("it")).piece(piece(WORKER, COLOUR_OF_KEY["red"]))
    pieces = {**dict.fromkeys(("53", "Red worker · 53", "worker red 53"), "53"), italian: "51"}
    for state, line, words in (
        (
            table(buyer="r5", line="red worker, road, red worker, white ship"),
            "buy",
            {**pieces, "red worker": "51", "white ship": "54", "road": "52"},
        ),
        (
            table(asked="place"),
            "place",
            {"row 4 right": "r4", "column 1 (top)": "t1", "sinistra 2": "l2"},
        ),
        (
            table(buyer="r5", line="road", huts=({"red": "e2"},)),
            "buy 51",
            {"b1 c1": "b1-c1", "c1 b1": "b1-c1", "d2-d1": "d1-d2"},
        ),
    ):
        choices = GAME.legal(state, 0, tuple(line.split()))
        GUATEMALA.check_reading(choices, line, words, GAME.view(state, 0))


def test_changes_include_missing_roads_and_the_harvests_of_others() -> None:
    position: dict[str, Any] = {
        "line": "red worker, road, red ship, white worker, white hut",
        "huts": ({"red": "d2"}, {"red": "a2"}),
        "workers": ({"red": "d1 c1"}, {"red": "a1"}),
    }
    hut = GUATEMALA.changes(buying(**position, roads="b1-c1"), "buy 55 h2")
    assert "White hut: 2 roads to Port 2" in hut
    road = buying("road, road", huts=({"white": "h2"},))
    assert GUATEMALA.changes(road, "buy 52 f1-g1") == ["White hut: 1 road to Port 2"]
    ship = buying(**position, roads="b1-c1 c1-c2 b1-b2")
    assert GUATEMALA.changes(ship, "buy 53 port1") == [
        "Red plantation, next harvest: 2 → 4",
        "Money: 15 → 13",
        "**Bob**, red plantation, next harvest: 1 → 2",
    ]
