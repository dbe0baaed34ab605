"""What the labels of each step, piece and place tell: its price and what it brings."""

from __future__ import annotations

from bot.game.choices import OneOf
from bot.game.guatemala import GAME
from bot.game.guatemala.state import GuatemalaState
from bot.text.words import all_words
from tests.game.guatemala.positions import harvest, play, table
from tests.text.told import EN, Told

GUATEMALA = Told("guatemala")
TEXT, NAMES, labels, group_labels = (
    *(GUATEMALA.text, GUATEMALA.names),
    *(GUATEMALA.labels, GUATEMALA.groups),
)

JOINED = "b1-c1 c1-c2"
"""Roads from port 1 to the hut cell d2."""


def test_every_line_of_the_printed_board_fits_a_button_whole() -> None:
    for edge in "trbl":
        for number in range(1, 10):
            said = labels(table(asked="step", buyer=f"{edge}{number}"), "move").values()
            assert all(not text.endswith("…") for text in said)


def test_a_worker_says_what_its_plantation_then_scores() -> None:
    state = table(
        seats=4,
        buyer="r5",
        line="red worker, white worker, brown worker",
        huts=({"red": "d2", "brown": "m8"},),
        workers=({"red": "d1 c1 b1 c2"},),
        ships={"port1": "red black"},
        roads="b1-c1",
    )
    assert labels(state, "buy 51")["b2"] == "b2 · 3 centavos · harvest 4→5"
    assert labels(state, "buy 52")["k4"] == "k4 · 2 centavos · new plantation"
    assert labels(state, "buy 53")["n8"] == "n8 · 1 centavo · harvest 0→1"


def test_ships_at_a_joined_port_multiply_what_a_worker_brings() -> None:
    state = table(
        seats=4,
        buyer="r5",
        line="red worker",
        huts=({"red": "d2"},),
        workers=({"red": "d1 c1 b1 c2"},),
        ships={"port1": "red red black"},
        roads=JOINED,
    )
    said = labels(state, "buy 51")["b2"]
    assert said == "b2 · 3 centavos · harvest 12→15"


def test_workers_without_a_hut_are_said_to_score_nothing_yet() -> None:
    state = table(seats=4, buyer="r5", line="red worker", workers=({"red": "d1"},))
    said = labels(state, "buy 51")["c1"]
    assert said == "c1 · 3 centavos · 2 red workers then, but no hut yet"


def test_a_hut_says_what_its_plantation_would_score_and_how_far_the_port_is() -> None:
    state = table(
        seats=4, buyer="r5", line="red hut, white hut", workers=({"red": "d1 c1"},), roads="b1-c1"
    )
    assert labels(state, "buy 51") == {"d2": "d2 · 6 centavos · harvest 0→2; Port 1 is 1 road away"}
    said = labels(state, "buy 52")
    assert said["h2"] == "h2 · 6 centavos · new plantation; Port 2 is 2 roads away"


def test_a_hut_at_the_end_of_roads_reaches_its_port_and_the_ships_there() -> None:
    state = table(
        seats=4,
        buyer="r5",
        line="red hut, white hut",
        workers=({"red": "d1 c1"},),
        ships={"port1": "red"},
        roads=f"{JOINED} f1-g1 g1-g2",
    )
    assert labels(state, "buy 52")["h2"].endswith(" · new plantation; reaches Port 2")
    assert labels(state, "buy 51") == {"d2": "d2 · 6 centavos · harvest 0→4; reaches Port 1"}


def test_a_ship_says_whose_harvest_it_would_raise() -> None:
    state = table(
        seats=4,
        buyer="r5",
        line="red ship, white ship",
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
    state = table(
        seats=4,
        buyer="r5",
        line="road, road",
        huts=({"red": "d5"}, {"white": "m2"}),
        roads="b2-c2 b3-c3 b4-c4 n1-o1",
    )
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
    state = table(seats=4, buyer="r5", line="white worker, road, white ship")
    view = GAME.view(state, 0)
    for line in ("move", "buy", "buy 51", "buy 52", "buy 53"):
        prefix = tuple(line.split())
        stepping = table(seats=4, asked="step", buyer="r5") if line == "move" else state
        choices = GAME.legal(stepping, 0, prefix)
        assert isinstance(choices, OneOf)
        for word in choices.values:
            name = TEXT.label(EN, prefix, choices, word, view, NAMES).name
            assert name == (f"Port {word[4:]}" if word.startswith("port") else word)


def test_the_last_purchase_and_a_list_of_them_say_that_the_turn_ends() -> None:
    state = table(
        seats=4,
        buyer="r5",
        line="red worker, road, beige ship",
        huts=({"red": "d2"},),
        workers=({"red": "d1 c1 b1 c2"},),
        roads="b1-c1",
    )
    last, road = "buy 51 b2 + end", "buy 52 c1-c2 + end"
    assert whole(state, last) == ("Red worker → b2 for 3, end turn · harvest 4→5", "b2")
    assert whole(state, road)[0] == "Road → c1-c2, end turn · joins your red hut to Port 1"
    basket = whole(state, "buy 51 b2 + buy 53 port1 + end")[0]
    assert basket == "Buy red worker b2, beige ship Port 1 for 5; end turn"


def whole(state: GuatemalaState, line: str) -> tuple[str, str]:
    """What a whole action of seat 0 is called, and what the picture writes."""
    label = GUATEMALA.whole(state, line)
    return label.text, label.name
