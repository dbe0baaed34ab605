"""Guatemala Café in words: events, questions, the board, and what actions would change."""

from __future__ import annotations

from typing import Any

from bot.game.choices import OneOf
from bot.game.contract import SPECTATOR, Event
from bot.game.events import TurnEnded
from bot.game.guatemala import GAME
from bot.game.guatemala.buying import PieceBought
from bot.game.guatemala.data import CONTENT
from bot.game.guatemala.moving import BuyerMoved
from bot.game.guatemala.production import POSITION_NAMES
from bot.game.guatemala.state import GuatemalaState
from bot.text.guatemala.speech import GuatemalaSpeech
from bot.text.words import all_words, words_for
from tests.game.guatemala.positions import harvest, play, table
from tests.text.told import EN, Told

GUATEMALA = Told("guatemala")
TEXT, NAMES, question, labels = (
    *(GUATEMALA.text, GUATEMALA.names),
    *(GUATEMALA.question, GUATEMALA.labels),
)
heard, said = GUATEMALA.heard, GUATEMALA.refusal


# What happened


def test_a_turn_of_buying_is_one_line() -> None:
    events: list[Event] = [
        BuyerMoved(seat=3, steps=2, position="r5", paid=0),
        PieceBought(seat=3, piece="worker", colour="red", space="52", place="c3", price=3),
        PieceBought(seat=3, piece="ship", colour="beige", space="53", place="port2", price=2),
        PieceBought(seat=3, piece="road", colour="", space="54", place="b1-c1", price=0),
        TurnEnded(seat=3),
    ]
    assert heard(events) == [
        r"**Do\_ra**: buyer → right 5 · 👷 red worker → **c3** (−3) · "
        "🚢 beige ship → Port 2 (−2) · 🛤️ road → **b1-c1**."
    ]


def test_a_block_is_told_of_the_one_that_counts_alone() -> None:
    state = table(seats=4, buyer="r4", sack="red", hands=("", "white", "red", "red"))
    events = play(state, 0, "take")
    sealed = play(state, 3, "block yes")
    assert heard(sealed, 0) == []
    assert heard(sealed, 3) == ["Your answer: block. Nobody else knows it."]
    events = play(state, 1, "block no") + play(state, 2, "block yes")
    assert heard(events, 0) == ["**Cleo**: blocks with a red sack on **43**: nobody scores."]


def test_an_empty_hand_draws_and_an_empty_bag_leaves_the_space_empty() -> None:
    state = table(buyer="r4", sack="red", bag="black")
    assert heard(harvest(state))[-1].startswith("**Anna**: puts a black sack of the bag on")
    state = table(buyer="r4", sack="red", bag="")
    assert heard(harvest(state))[-1].startswith("**Anna**: leaves **43** empty")


# What is asked, and the table in words


def test_a_turn_tells_the_money_and_who_would_score_for_the_sacks_in_reach() -> None:
    growing: dict[str, Any] = {"huts": ({"brown": "e2"},), "workers": ({"brown": "e1"},)}
    assert question(table(asked="step", buyer="t7", money=2, **growing)).splitlines() == [
        "Your turn in round 3. You have 2 centavos.",
        "Column 8 (top), 💰 brown sack: you +1",
    ]
    far: dict[str, Any] = {"asked": "step", "buyer": "t4", **growing}
    assert len(question(table(**far, money=2)).splitlines()) == 2
    assert len(question(table(**far, money=1)).splitlines()) == 1


def test_without_money_one_is_told_of_roads_alone() -> None:
    state = table(buyer="r4", money=0)
    assert question(state).endswith("You have no money, and may take up to 3 roads.")


def test_a_block_is_asked_with_what_would_be_scored_and_what_the_own_hand_allows() -> None:
    state = table(
        seats=4,
        buyer="r4",
        sack="red",
        hands=("", "red red", "white", "red"),
        huts=({"red": "h2"},),
        workers=({"red": "h1 g1"},),
    )
    play(state, 0, "take")
    assert question(state, 1).splitlines() == [
        "**Anna** has taken the red sack from **43**. Unless somebody blocks: **Anna** +2.",
        "You have 2 of that colour and may block with one, or let it be.",
        "Your answer stays secret, unless yours is the block that counts.",
    ]
    assert "You have no red sack, so you can only let it be." in question(state, 2)
    assert "You have 1 red sack and may block with it" in question(state, 3)
    play(state, 3, "block yes")
    assert question(state, 3).startswith("Your answer: **block**. You may change it")


def test_nobody_else_is_told_what_a_seat_could_answer() -> None:
    """What is said of a block to the others is the same whatever the hands."""
    told = []
    for hands in (("", "red", "white"), ("", "white", "red")):
        state = table(seats=3, buyer="r4", sack="red", hands=hands)
        play(state, 0, "take")
        view = GAME.view(state, SPECTATOR)
        pending = GAME.pending(state)
        told.append(
            [TEXT.awaited(EN, each, NAMES) for each in pending]
            + [TEXT.question(EN, each, view, NAMES) for each in pending]
            + [TEXT.board(EN, view, NAMES), TEXT.alt(EN, view, (), NAMES)]
        )
    assert told[0] == told[1]


def test_the_sacks_of_a_hand_are_told_to_their_owner_alone() -> None:
    state = table(hands=("red red white", "black"))
    assert "🔴 red ×2, ⚪ white" in TEXT.hand(EN, GAME.view(state, 0), NAMES)
    assert "3 sacks" in TEXT.board(EN, GAME.view(state, 1), NAMES)


def test_there_is_no_other_part() -> None:
    for seats, part in ((2, "path1"), (3, "left"), (4, "path5"), (4, "x")):
        assert TEXT.close_up(EN, GAME.view(table(seats=seats), 1), part, NAMES) is None


def test_a_longer_track_is_said_on_the_board() -> None:
    view = GAME.view(table(last_space=99), 0)
    assert TEXT.board(EN, view, NAMES).endswith("\nScore track: up to 99, a longer game")
    assert "longer" not in TEXT.board(EN, GAME.view(table(), 0), NAMES)


def test_standing_orders_are_said_with_the_sacks_they_need() -> None:
    assert TEXT.order(EN, "block_red", "1") == "Block with a red sack if I have one"
    assert TEXT.order(EN, "block_red", "2") == "Block with a red sack if I have 2 or more"


def test_the_rules_tell_how_many_sacks_of_a_colour_there_are() -> None:
    assert CONTENT.sacks == 7
    assert "seven sacks of each colour" in TEXT.rules(EN, "setup")


# What can be chosen

JOINED = "b1-c1 c1-c2"
"""Roads from port 1 to the hut cell d2."""


def buying(line: str, **position: Any) -> GuatemalaState:
    """Four players; the first may buy what lies in a line."""
    return table(seats=4, buyer="r5", line=line, **position)


def test_every_line_of_the_printed_board_fits_a_button_whole() -> None:
    for edge in "trbl":
        for number in range(1, 10):
            said = labels(table(asked="step", buyer=f"{edge}{number}"), "move").values()
            assert all(not text.endswith("…") for text in said)


def test_a_worker_says_what_its_plantation_then_scores() -> None:
    """Ships at a joined port multiply it; without a hut it is nothing yet."""
    position: dict[str, Any] = {
        "huts": ({"red": "d2", "brown": "m8"},),
        "workers": ({"red": "d1 c1 b1 c2", "beige": "j1"},),
    }
    state = buying("red worker, white worker, brown worker, beige worker", **position)
    assert labels(state, "buy 51")["b2"] == "b2 · 3 centavos · harvest 4→5"
    assert labels(state, "buy 52")["k4"] == "k4 · 2 centavos · new plantation"
    assert labels(state, "buy 53")["n8"] == "n8 · 1 centavo · harvest 0→1"
    none = labels(state, "buy 54")["i1"]
    assert none == "i1 · 3 centavos · 2 beige workers then, but no hut yet"
    joined = buying("red worker", **position, ships={"port1": "red red black"}, roads=JOINED)
    assert labels(joined, "buy 51")["b2"] == "b2 · 3 centavos · harvest 12→15"


def test_a_hut_says_what_its_plantation_would_score_and_how_far_the_port_is() -> None:
    state = buying("red hut, white hut", workers=({"red": "d1 c1"},), roads="b1-c1")
    assert labels(state, "buy 51") == {"d2": "d2 · 6 centavos · harvest 0→2; Port 1 is 1 road away"}
    said = labels(state, "buy 52")
    assert said["h2"] == "h2 · 6 centavos · new plantation; Port 2 is 2 roads away"


def test_a_hut_at_the_end_of_roads_reaches_its_port_and_the_ships_there() -> None:
    state = buying(
        "red hut, white hut",
        workers=({"red": "d1 c1"},),
        ships={"port1": "red"},
        roads=f"{JOINED} f1-g1 g1-g2",
    )
    assert labels(state, "buy 52")["h2"].endswith(" · new plantation; reaches Port 2")
    assert labels(state, "buy 51") == {"d2": "d2 · 6 centavos · harvest 0→4; reaches Port 1"}


def test_a_ship_says_whose_harvest_it_would_raise() -> None:
    state = buying(
        "red ship, white ship",
        huts=({"red": "d2"}, {"red": "a2"}),
        workers=({"red": "d1"}, {"red": "a1 b1"}),
        ships={"port1": "red"},
        roads=f"{JOINED} b1-b2",
    )
    said = labels(state, "buy 51")
    assert said["port1"] == "Port 1 · 4 centavos · harvests: you 2→3, Bob 4→6"
    assert said["port2"] == "Port 2 · 2 centavos · raises no harvest yet"
    assert labels(state, "buy 52")["port1"] == "Port 1 · 4 centavos · raises no harvest yet"


def test_a_road_says_which_hut_it_joins_or_how_many_are_still_missing() -> None:
    huts, roads = ({"red": "d5"}, {"white": "m2"}), "b2-c2 b3-c3 b4-c4 n1-o1"
    state = buying("road, road", huts=huts, roads=roads)
    said = labels(state, "buy 51")
    assert said["b1-c1"] == "b1-c1 · your red hut: Port 1 is 1 road away"
    assert said["n1-n2"] == "n1-n2 · joins the white hut of Bob to Port 4"
    assert said["f1-g1"] == "f1-g1 · brings you no nearer to a port"
    play(state, 0, "buy 51 b1-c1")
    assert labels(state, "buy 52")["c4-c5"] == "c4-c5 · joins your red hut to Port 1"


def test_on_the_board_for_two_roads_lead_everywhere_and_the_shortest_way_counts() -> None:
    state = table(buyer="r5", line="road, road", huts=({"red": "e2"},))
    said = labels(state, "buy 51")
    assert said["f1-g1"] == "f1-g1 · your red hut: Port 1 is 1 road away"
    assert said["a8-a9"] == "a8-a9 · brings you no nearer to a port"
    play(state, 0, "buy 51 f1-g1")
    assert labels(state, "buy 52")["f1-f2"] == "f1-f2 · joins your red hut to Port 1"


def test_on_the_picture_columns_are_called_by_their_letters_alone() -> None:
    view = GAME.view(table(buyer="r5", line="white worker"), 0)
    for words in all_words():
        regions = OneOf("region", ("1coast", "3mountains"))
        made = [TEXT.label(words, ("buy", "51"), regions, w, view, NAMES) for w in regions.values]
        assert [label.name[:4] for label in made] == ["a-c,", "g-i,"]
        assert all(label.name in label.text for label in made)


def test_an_answer_about_a_block_says_what_it_would_prevent() -> None:
    state = table(
        buyer="r4",
        sack="red",
        hands=("white white", "red red"),
        huts=({"red": "h2"}, {"red": "e2"}),
        workers=({"red": "h1 g1"}, {"red": "e1"}),
    )
    play(state, 0, "take")
    assert labels(state, "block", 1) == {
        "yes": "Block, and prevent: you +1, Anna +2",
        "no": "Let it be: you +1, Anna +2",
    }
    useless = table(buyer="r4", sack="red", hands=("white white", "red red"))
    play(useless, 0, "take")
    assert labels(useless, "block", 1)["yes"] == "Block, though nobody would score"


def test_a_sack_to_be_put_in_says_who_would_score_for_it_and_how_many_of_its_colour_stay() -> None:
    huts, workers = ({"red": "h2"},), ({"red": "h1 g1"},)
    state = table(
        buyer="r4", sack="red", hands=("white white red red red",), huts=huts, workers=workers
    )
    harvest(state)
    assert labels(state, "refill") == {
        "red": "Red sack · you +2 · 2 more in hand",
        "white": "White sack · nobody scores · 1 more in hand",
    }
    state = table(buyer="r4", sack="red", hands=("white red",))
    harvest(state)
    assert labels(state, "refill")["white"] == "White sack · nobody scores · your last one"


def test_who_has_no_such_sack_is_shown_that_they_can_only_let_it_be() -> None:
    state = table(buyer="r4", sack="red", hands=("white white", "white"))
    play(state, 0, "take")
    assert labels(state, seat=1) == {"block": "Let it be: nobody scores"}
    able = table(buyer="r4", sack="red", hands=("white white", "red"))
    play(able, 0, "take")
    assert labels(able, seat=1) == {"block": "Block, or let it be"}


def test_a_label_begins_with_what_stands_on_its_place_or_says_so() -> None:
    state = buying("white worker, road, white ship")
    for line in ("move", "buy", "buy 51", "buy 52", "buy 53"):
        stepping = table(seats=4, asked="step", buyer="r5") if line == "move" else state
        for word, label in GUATEMALA.made(stepping, line).items():
            assert label.name == (f"Port {word[4:]}" if word.startswith("port") else word)


def test_the_last_purchase_and_a_list_of_them_say_that_the_turn_ends() -> None:
    state = buying(
        "red worker, road, beige ship",
        huts=({"red": "d2"},),
        workers=({"red": "d1 c1 b1 c2"},),
        roads="b1-c1",
    )
    last, road = "buy 51 b2 + end", "buy 52 c1-c2 + end"
    bought, laid = GUATEMALA.whole(state, last), GUATEMALA.whole(state, road)
    assert bought.text == "Red worker → b2 for 3, end turn · harvest 4→5"
    assert bought.name == "b2"
    assert laid.text == "Road → c1-c2, end turn · joins your red hut to Port 1"
    basket = GUATEMALA.whole(state, "buy 51 b2 + buy 53 port1 + end")
    assert basket.text == "Buy red worker b2, beige ship Port 1 for 5; end turn"


# What is refused


def test_a_refusal_says_what_is_wrong_and_what_can_be_done() -> None:
    state = table(
        buyer="r4",
        sack="red",
        money=2,
        workers=({"red": "e9"}, {"brown": "e6"}),
        ships={"port1": "black white"},
    )
    for line, told in {
        "buy 61": "**61** is not in the line that the buyer faces.",
        "buy 43": "A sack lies on **43**, and sacks are not for sale.",
        "buy 45 h2": "**h2** is a hut cell, which no worker may use.",
        "buy 45 port1": "Port 1 is no place for a worker: workers and huts stand on cells",
        "buy 42 h1": "**h1** is no hut cell, and huts stand on nothing else.",
        "buy 49 c3": "That costs 3 centavos, and you have 2 centavos.",
        "buy 46 h9": "**h9** does not touch your red plantation",
        "buy 47 e7": "On **e7** it would touch the brown plantation of **Bob**",
        "buy 46 e9": "Something stands on **e9** already.",
        "buy 41": "There is no place where you could put a beige ship and pay for it",
    }.items():
        assert GUATEMALA.refused(state, line).startswith(told)


def test_what_somebody_cannot_pay_or_take_is_told_with_a_way_out() -> None:
    assert said("fourth_step_unpaid", money=1, price=2) == (
        "A fourth step costs 2 centavos, and you have 1 centavo. Go up to three steps."
    )
    assert said("hut_built", colour="white").startswith("You have a white hut already")
    assert said("no_sack_to_block", colour="red").startswith("You have no red sack to block with.")
    assert said("path_closed", place="a2").startswith("**a2** belongs to the path that is closed")


# What people type


PLACE = OneOf("place", ("c3", "b1", "b1-c1", "b1-b2", "port2"))
POSITION = OneOf("position", POSITION_NAMES)
COLOUR, ANSWER = OneOf("colour", ("red", "white")), OneOf("answer", ("yes", "no"))


def test_what_is_typed_is_understood() -> None:
    roads = {"b1 c1": "b1-c1", "b1-c1": "b1-c1", "c1 b1": "b1-c1"}
    for choices, words in (
        (PLACE, {"C3": "c3", "b1": "b1", **roads, "port 2": "port2", "2": "port2", "a5": "a5"}),
        (POSITION, {"t3": "t3", "row 5 right": "r5", "top 3": "t3"}),
        (OneOf("steps", ("1", "2")), {"4": "4"}),
        (COLOUR, {"Red": "red", "black": "black"}),
        (ANSWER, {"block": "yes", "let it be": "no"}),
        (OneOf("answer", ("no",)), {"yes": "yes"}),
    ):
        GUATEMALA.check_reading(choices, "buy 53", words)


def test_what_is_not_clear_is_refused_with_examples() -> None:
    GUATEMALA.check_unclear(PLACE, "zeppelin", "unreadable")
    GUATEMALA.check_unclear(OneOf("place", ("port1", "port2")), "port", "ambiguous")
    GUATEMALA.check_unclear(POSITION, "row 5", "ambiguous")
    GUATEMALA.check_unclear(POSITION, "middle", "unreadable")


def test_a_piece_can_be_typed_by_name_or_by_space() -> None:
    state = table(buyer="r5", line="red worker, road, red worker, white ship")
    choices, view = GAME.legal(state, 0, ("buy",)), GAME.view(state, 0)
    italian = GuatemalaSpeech(words_for("it")).piece("worker", "red")
    words = {**dict.fromkeys(("53", "Red worker · 53", "worker red 53"), "53"), italian: "51"}
    words |= {"red worker": "51", "white ship": "54", "road": "52"}
    GUATEMALA.check_reading(choices, "buy", words, view)


def test_numbers_in_what_is_said_of_other_choices_do_not_confuse() -> None:
    state = table(asked="place")
    choices, view = GAME.legal(state, 0, ("place",)), GAME.view(state, 0)
    words = {"row 4 right": "r4", "column 1 (top)": "t1", "riga 2 sx": "l2"}
    GUATEMALA.check_reading(choices, "place", words, view)
    state = table(buyer="r5", line="road", huts=({"red": "e2"},))
    choices, view = GAME.legal(state, 0, ("buy", "51")), GAME.view(state, 0)
    words = {"b1 c1": "b1-c1", "c1 b1": "b1-c1", "d2-d1": "d1-d2"}
    GUATEMALA.check_reading(choices, "buy 51", words, view)


# What actions would change


POSITION_OF_FOUR: dict[str, Any] = {
    "seats": 4,
    "buyer": "r5",
    "line": "red worker, road, red ship, white worker, white hut",
    "huts": ({"red": "d2"}, {"red": "a2"}),
    "workers": ({"red": "d1 c1"}, {"red": "a1"}),
    "roads": "b1-c1",
}


def planned(*actions: str, observer: int = 0, **position: Any) -> list[str]:
    """What is told after these actions of seat 0."""
    return GUATEMALA.changed(table(**POSITION_OF_FOUR | position), *actions, observer=observer)


def test_a_hut_says_how_far_it_is_from_a_port_and_a_road_how_far_it_still_is() -> None:
    said = planned("buy 55 h2")
    assert "White hut: Port 2 is 2 roads away" in said
    assert planned("buy 52 f1-g1", huts=({"white": "h2"},), workers=({},), roads="") == [
        "White hut: Port 2 is 1 road away"
    ]


def test_a_ship_may_raise_the_harvest_of_others_too() -> None:
    assert planned("buy 53 port1", roads="b1-c1 c1-c2 b1-b2") == [
        "Red plantation, next harvest: 2 → 4",
        "Money: 15 → 13",
        "**Bob**, red plantation, next harvest: 1 → 2",
    ]


def test_nothing_is_said_where_nothing_changes_and_to_spectators() -> None:
    assert planned() == []
    assert planned("buy 51 c2", observer=SPECTATOR) == []
