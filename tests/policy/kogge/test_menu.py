"""The menu of whole actions: legal, told apart, and with what the computer player would do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from random import Random

import pytest

from bot.game.choices import Done
from bot.game.contract import END, Action, Decision, in_turn, joined
from bot.game.kogge import GAME
from bot.game.kogge.state import KoggeState
from bot.game.trial import views_before
from bot.policy.kogge.greedy import greedy
from bot.policy.kogge.menu import MOST, menu
from bot.tables.core.record import fold
from bot.text.words import Words, all_words
from bot.titles import TITLES
from tests.game.kogge.places import ABO, LUBECK, REVAL, RIGA
from tests.game.kogge.positions import table
from tests.game.kogge.test_routes import remembered
from tests.recorded.results import names, read_record
from tests.text.moments import NAMES

TEXT = TITLES["kogge"].text
RECORDED = names(GAME)[::13]


def offered(state: KoggeState, decision: Decision) -> list[Action]:
    """The menu of a decision."""
    view = GAME.view(state, decision.seat)
    return list(menu(view, decision, partial(GAME.legal, state, decision.seat)))


def asked(name: str) -> Iterator[tuple[KoggeState, Decision]]:
    """Every decision of a recorded game, with the state, which changes in place."""
    for folded in fold(GAME, read_record(GAME, name)):
        for decision in GAME.pending(folded.state):
            yield folded.state, decision


def ends(entry: Action) -> bool:
    """Whether the turn ends with the last of several actions."""
    *before, last = in_turn(entry)
    return bool(before) and last == (END,)


@pytest.mark.parametrize("name", RECORDED)
def test_every_entry_is_a_whole_legal_action_and_no_other_reads_the_same(name: str) -> None:
    for state, decision in asked(name):
        found = offered(state, decision)
        view = GAME.view(state, decision.seat)
        assert 1 <= len(found) <= MOST
        for action in found:
            assert isinstance(GAME.legal(state, decision.seat, in_turn(action)[0]), Done)
        for words in all_words():
            told = [
                TEXT.whole(words, action, views_before(GAME, view, in_turn(action)), NAMES)
                for action in found
            ]
            texts = [label.text for label in told]
            assert len(set(texts)) == len(texts), texts
            assert all(len(text) <= 80 for text in texts)
            turns = [text for action, text in zip(found, texts, strict=True) if ends(action)]
            assert all(text.endswith(f" → {words('end')}") for text in turns)


@pytest.mark.parametrize("name", RECORDED)
def test_what_the_computer_player_would_do_is_offered(name: str) -> None:
    free = {kind for kind, move in GAME.moves.items() if move.offers} | {"withdraw"}
    seen: Counter[bool] = Counter()
    for state, decision in asked(name):
        legal = partial(GAME.legal, state, decision.seat)
        action = greedy(GAME.view(state, decision.seat), decision, legal, Random(1))
        if action[0] not in free:
            seen[action in {in_turn(each)[0] for each in offered(state, decision)}] += 1
    assert seen[True] >= 0.95 * seen.total() > 0


def test_to_end_the_turn_is_always_offered() -> None:
    for state, decision in asked("4-development-open"):
        if decision.kind == "act":
            assert ("end",) in offered(state, decision)


def test_a_look_at_what_is_known_already_comes_last_and_says_so() -> None:
    state = remembered({REVAL: ("7?0", "5?0")})
    (decision,) = [each for each in GAME.pending(state) if each.kind == "move"]
    found = offered(state, decision)
    assert found[-1][0] == "peek"
    assert [action[0] for action in found].count("peek") == 1
    said = TEXT.whole(Words(), found[-1], [GAME.view(state, 0)], NAMES).text
    assert said == "Look at the routes here, paying marker 5 (you know both already)"


def test_a_look_at_what_one_does_not_know_is_among_the_first() -> None:
    state = remembered({REVAL: ("7?", "5?")})
    (decision,) = [each for each in GAME.pending(state) if each.kind == "move"]
    kinds = [action[0] for action in offered(state, decision)]
    assert kinds.index("peek") == 1


def test_of_pairs_each_is_offered_once_for_the_cheapest_good() -> None:
    state = table(hands=("ooas", ""), display=("87", "65", "31"), start=RIGA)
    (decision,) = [each for each in GAME.pending(state) if each.kind == "act"]
    bought = [
        action for action in offered(state, decision) if action[0] == "buy" and len(action) == 3
    ]
    assert sorted(action[1] for action in bought) == ["1", "2", "3"]
    assert {action[2] for action in bought} == {"ore"}


def test_a_voyage_is_one_entry_with_its_fees_and_its_end() -> None:
    state = table(
        ships=(REVAL, LUBECK),
        hands=("oaas", ""),
        city={RIGA: "ffffff"},
        routes={REVAL: (f"{ABO}", f"{ABO}"), ABO: (f"{RIGA}", f"{RIGA}")},
        asked="move",
    )
    first, *_ = (offered(state, each) for each in GAME.pending(state) if each.kind == "move")
    assert first[0][:2] == ("sail", "left")
    assert in_turn(first[0])[-1] == ("stop",)


def test_a_turn_is_one_entry_to_its_end_without_a_raid() -> None:
    for state, decision in asked("4-development-open"):
        if decision.kind == "act":
            for entry in offered(state, decision):
                actions = in_turn(entry)
                if len(actions) > 1:
                    kinds = [action[0] for action in actions]
                    assert not {"raid_city", "raid_ship"} & {*kinds}
                    assert len({*kinds}) == len(kinds)


def bids_offered(open_bid: str) -> list[str]:
    """What seat 0, with markers 1, 2, 3 and 4, may bid by its menu after that bid of seat 1."""
    state = table(hands=("1234", "77"), asked="bid", order=(1, 0), at=1)
    state.bids[1] = open_bid
    (decision,) = [each for each in GAME.pending(state) if each.kind == "bid"]
    return [markers for _, markers in offered(state, decision)]


@pytest.mark.parametrize(("open_bid", "first"), [("6", ["43"]), ("7", ["431"]), ("77", [])])
def test_where_one_marker_is_not_enough_two_or_three_that_come_first_are_offered(
    open_bid: str, first: list[str]
) -> None:
    assert [bid for bid in bids_offered(open_bid) if len(bid) > 1] == first


def test_nobody_has_to_bid_more_than_one_marker_where_that_comes_first() -> None:
    assert {len(bid) for bid in bids_offered("2")} == {1}


@pytest.mark.parametrize(
    ("markers", "open_bid", "told"),
    [
        ("5", "", "Bid 5 → 2 amber to Danzig (5)"),
        ("5", "4", "Bid 5 → 2 amber to Danzig (5); first so far"),
        ("5", "6", "Bid 5 → 2 amber to Danzig (5); place 2 so far"),
        ("54", "8", "Bid 5 + 4 → 2 amber and 2 fur; first so far"),
    ],
)
def test_a_bid_tells_what_it_brings_and_how_it_stands_against_others(
    markers: str, open_bid: str, told: str
) -> None:
    state = table(hands=("54", "468"), asked="bid", order=(1, 0), at=1)
    state.bids[1] = open_bid
    assert TEXT.whole(Words(), ("bid", markers), [GAME.view(state, 0)], NAMES).text == told


@pytest.mark.parametrize(
    ("route", "told"),
    [("left", "Sail to Riga (4) and stop"), ("right", "Hidden route (right) → stop")],
)
def test_to_sail_to_a_city_and_stop_there_is_a_sentence(route: str, told: str) -> None:
    state = table(ships=(REVAL, LUBECK), routes={REVAL: (f"{RIGA}", f"{ABO}?")}, asked="move")
    voyage = joined(("sail", route, ""), ("stop",))
    assert TEXT.whole(Words(), voyage, [GAME.view(state, 0)], NAMES).text == told
