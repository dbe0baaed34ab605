"""Questions, boards and results through whole games, in English and in another language."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.game.contract import SPECTATOR, Decision
from bot.game.guatemala import GAME
from bot.game.guatemala.data import CONTENT
from bot.game.guatemala.turn import ASKED
from bot.policy.guatemala.orders import ORDERS
from bot.text.game_data import explanations, topics
from bot.text.words import Words, all_words, words_for
from tests.game.guatemala.positions import play, table
from tests.text.guatemala.tables import EN, NAMES, TEXT, moments, question
from tests.text.moments import Moment, all_said
from tests.text.people import called

OPTIONS = [{}, {"setup": "random", "track": "99"}]
PARTS = {True: ("production", "path1", "path4"), False: ("production", "left", "right")}
"""Close-ups, by whether the plantation board has paths."""
NOTATION = re.compile(r"\b(?:[a-p][1-9](?:-[a-p][1-9])?|[trbl][1-9]|[a-p]-[a-p])\b")
"""Cells, roads, positions and columns are the same in every language."""


def everything(words: Words, moment: Moment) -> list[str]:
    """All that is said at a moment."""
    return all_said(GAME, TEXT, PARTS[len(moment.view.seats) > 2], words, moment)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options) or "default")
def test_everything_can_be_said_at_every_moment(options: dict[str, str]) -> None:
    asked = set()
    for moment in moments(3, 5, options):
        asked.add(moment.decision.kind)
        for text in everything(EN, moment):
            assert "{" not in text
            assert "None" not in text
    assert asked == {*ASKED} - {"over"}


@pytest.mark.parametrize("words", all_words()[1:], ids=repr)
def test_every_language_fits_as_well(words: Words) -> None:
    for moment in moments(4, 5, OPTIONS[1]):
        assert all("{" not in text for text in everything(words, moment))


def test_nothing_is_said_outside_the_catalogue(pseudo: Words) -> None:
    latin = re.compile("[A-Za-z]")
    for moment in moments(2, 6):
        for text in everything(pseudo, moment):
            assert latin.search(NOTATION.sub("", text)) is None, text


def test_whoever_places_the_buyer_is_told_who_begins() -> None:
    state = table(seats=3, asked="place", turn=2, first=0)
    assert question(state, 2).startswith("You sit on the right of **Anna**, who begins")


def test_a_turn_tells_the_money_and_who_would_score_for_the_sacks_in_reach() -> None:
    growing: dict[str, Any] = {"huts": ({"brown": "e2"},), "workers": ({"brown": "e1"},)}
    assert question(table(asked="step", buyer="t7", money=2, **growing)).splitlines() == [
        "Your turn in round 3. You have 2 centavos.",
        "Column 8 (top), 💰 brown sack: you +1",
    ]
    far: dict[str, Any] = {"asked": "step", "buyer": "t4", **growing}
    assert len(question(table(**far, money=2)).splitlines()) == 2
    assert len(question(table(**far, money=1)).splitlines()) == 1


def test_after_the_step_one_is_told_what_may_be_bought() -> None:
    state = table(buyer="r4", money=7, sack="red")
    assert question(state) == "You have 7 centavos and may buy up to 3 pieces."
    play(state, 0, "buy 49 d7")
    assert question(state) == "You have 6 centavos and may buy up to 2 pieces."


def test_without_money_one_is_told_of_roads_alone() -> None:
    state = table(buyer="r4", money=0)
    assert question(state).endswith("You have no money, and may take up to 3 roads.")


def test_the_money_left_is_said_with_each_piece_and_place() -> None:
    state = table(buyer="r4", money=7)
    play(state, 0, "buy 49 d7")
    said = []
    for prefix in (("buy",), ("buy", "45"), ("buy", "48")):
        choices = GAME.legal(state, 0, prefix)
        said.append(TEXT.prompt(EN, prefix, choices, GAME.view(state, 0), NAMES))
    assert said == [
        "Which piece do you buy?",
        "Where does the black worker go? You have 6 centavos. It costs 3 at the coast, 2 in the "
        "middle, 1 in the mountains.",
        "Where does the black ship go? You have 6 centavos.",
    ]


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


def test_a_refill_is_asked_for_its_space() -> None:
    state = table(buyer="r4", sack="red", hands=("white white red", ""))
    play(state, 0, "take")
    play(state, 1, "block no")
    assert question(state).startswith("Which sack do you put on **43**?")


def test_the_board_is_read_aloud_line_by_line() -> None:
    state = table(
        seats=4,
        asked="step",
        buyer="t8",
        huts=({"red": "d2", "white": "h2"},),
        workers=({"red": "d1 c1", "black": "j5"},),
        ships={"port1": "red black white", "port2": "beige"},
        roads="b1-c1 c1-c2",
        hands=("red",),
        track="red red black",
    )
    lines = TEXT.board(EN, GAME.view(state, SPECTATOR), NAMES).splitlines()
    assert lines[0] == "Round 3 · Anna on turn"
    assert lines[1] == (
        "**Anna**: 0 points; 15 centavos; 1 sack; 1 black worker, no hut; "
        "2 red workers, hut d2, Port 1: scores 4; white hut h2, no workers"
    )
    assert "**Buyer**: column 8 (top): brown sack +8; 5 workers, hut, 2 ships" in lines
    assert any(line.startswith("- 4 steps, row 3 (right): ") for line in lines)
    assert "3 sacks on the score track, down to space 77: black, red ×2" in lines
    assert "**Port 1**: red, black, white; full" in lines
    assert "**Port 2**: beige; the next for 4 centavos" in lines


def test_a_strip_of_the_plantation_board_is_told_zone_by_zone() -> None:
    state = table(
        seats=4,
        huts=({"red": "d2"}, {"white": "d8"}),
        workers=({"red": "d1 c1 c2 c3 c4"},),
        roads="b1-c1",
    )
    close = TEXT.close_up(EN, GAME.view(state, 1), "path1", NAMES)
    assert close is not None
    assert close.title == "Path 1"
    assert close.alt.splitlines() == [
        "Path 1, coast: Anna red hut d2; Anna 4 red workers d1 c1 c2 c3; roads b1-c1",
        "Path 1, middle: Anna 1 red worker c4",
        "Path 1, mountains: Bob white hut d8",
    ]


def test_the_board_for_two_is_told_in_halves() -> None:
    state = table(huts=({"red": "e2"}, {"white": "h2"}), workers=({"red": "f2"},))
    close = TEXT.close_up(EN, GAME.view(state, 1), "left", NAMES)
    assert close is not None
    assert close.title == "Left half"
    assert close.alt.splitlines() == [
        "Columns a-c, coast: nothing",
        "Columns a-c, middle: nothing",
        "Columns a-c, mountains: nothing",
        "Columns d-f, coast: Anna red hut e2; Anna 1 red worker f2",
        "Columns d-f, middle: nothing",
        "Columns d-f, mountains: nothing",
    ]
    right = TEXT.close_up(EN, GAME.view(state, 1), "right", NAMES)
    assert right is not None
    assert "Bob white hut h2" in right.alt


@pytest.mark.parametrize(("seats", "part"), [(2, "path1"), (3, "left"), (4, "path5"), (4, "x")])
def test_there_is_no_other_part(seats: int, part: str) -> None:
    assert TEXT.close_up(EN, GAME.view(table(seats=seats), 1), part, NAMES) is None


def test_the_production_board_is_told_row_by_row_and_its_alt_text_whole() -> None:
    close = TEXT.close_up(EN, GAME.view(table(), 1), "production", NAMES)
    assert close is not None
    assert close.alt.splitlines()[1].startswith("Row 1: white, red, white hut, black sack, ")
    assert len(close.alt.splitlines()) == 10
    assert not close.alt.endswith("…")


def test_the_hand_says_how_many_roads_each_hut_lacks() -> None:
    state = table(seats=4, huts=({"red": "d5"},), workers=({"red": "d4"},), roads="b1-c1")
    hand = TEXT.hand(EN, GAME.view(state, 0), NAMES).splitlines()
    assert "- 1 red worker, hut d5: scores 1; workers on d4; Port 1 is 4 roads away" in hand
    assert hand[-1] == "No plantation yet: ⚫ black, 🟤 brown, 🟡 beige, ⚪ white"


def test_a_first_turn_is_explained_whatever_is_asked() -> None:
    known = {*ASKED, *GAME.moves} - {"over", "end"}
    assert set(explanations("guatemala")) == known
    for kind in known:
        hint = TEXT.hint(EN, kind)
        assert hint is not None
        assert hint.topic in topics("guatemala")
        assert len(hint.text) <= 400


def test_options_are_summed_up_and_a_longer_track_is_said_on_the_board() -> None:
    assert TEXT.options_summary(EN, {"track": "99"}) == (
        "Production board: as printed · Score track: up to 99, a longer game"
    )
    view = GAME.view(table(last_space=99), 0)
    assert TEXT.board(EN, view, NAMES).endswith("\nScore track: up to 99, a longer game")
    assert "longer" not in TEXT.board(EN, GAME.view(table(), 0), NAMES)


def test_decisions_of_every_kind_are_awaited_by_name() -> None:
    for kind in ASKED:
        if kind != "over":
            assert "**Anna**" in TEXT.awaited(EN, Decision("1", 0, kind), called("Anna"))


def test_every_way_to_end_has_a_sentence() -> None:
    for ending in ("met", "no_sacks", "no_steps", "idle"):
        assert TEXT.ending(EN, ending).endswith("Most points win, then most money.")
        assert TEXT.ending(words_for("it"), ending)


def test_standing_orders_are_said_with_the_sacks_they_need() -> None:
    assert TEXT.order(EN, "block_red", "1") == "Block with a red sack if I have one"
    assert TEXT.order(EN, "block_red", "2") == "Block with a red sack if I have 2 or more"
    for name, order in ORDERS.items():
        for words in all_words():
            assert all(TEXT.order(words, name, value) for value in order.values)
    assert TEXT.order(EN, "bid", "2") is None


def test_the_rules_tell_how_many_sacks_of_a_colour_there_are() -> None:
    assert CONTENT.sacks == 7
    assert "seven sacks of each colour" in TEXT.rules(EN, "setup")
