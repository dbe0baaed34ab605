"""The menus of whole actions: what is promised of every title's, and worked examples of each."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random
from time import process_time
from typing import Any

import pytest

from bot.game.chance import RandomChance
from bot.game.choices import Amount, Bundle, Choices, Done, OneOf
from bot.game.contract import END, Action, Decision, canonical, in_turn, joined
from bot.game.trial import views_before
from bot.policy.menu import FEW, few_actions, has_all
from bot.text.words import Words, words_for
from bot.titles import NAMES as TITLE_NAMES
from bot.titles import TITLES
from tests.game.burgundy import positions as burgundy
from tests.game.flandern import positions as flandern
from tests.game.guatemala import positions as guatemala
from tests.game.kogge import positions as kogge
from tests.game.kogge.places import ABO, LUBECK, REVAL, RIGA
from tests.game.kogge.test_routes import remembered
from tests.policy.menus import can_be_carried_out, offered
from tests.text.moments import NAMES

MOST = 25
"""A menu has no more entries, as a select has."""
SAMPLED = {"kogge": (61, 10), "burgundy": (41, 11), "guatemala": (61, 4), "flandern": (61, 6)}
"""At every so many moments of recorded games menus are looked at; so many kinds of question are
asked there."""


@pytest.mark.parametrize("name", TITLE_NAMES)
def test_menus_hold_whole_actions_told_apart_and_first_what_the_normal_player_does(
    name: str,
) -> None:
    title, (every, kinds), met = TITLES[name], SAMPLED[name], Counter[str]()
    found, first, broken = 0, 0, list[Action]()
    for each in offered(title, every):
        seat, entries = each.decision.seat, [in_turn(entry) for entry in each.menu]
        assert 1 <= len(each.menu) <= MOST
        broken += [
            entry
            for entry in each.menu
            if not can_be_carried_out(title.game, each.state, seat, entry)
        ]
        seen = [views_before(title.game, each.view, entry) for entry in entries]
        for words in map(words_for, ("en", "it")):
            labels = [
                title.text.whole(words, action, views, NAMES)
                for action, views in zip(each.menu, seen, strict=True)
            ]
            texts = [label.text for label in labels]
            assert len(set(texts)) == len(texts), texts
            assert max(map(len, texts)) <= 80, texts
            if name != "kogge":
                # Whose long hands are cut, and whose looks are called "Pay marker 2" in short.
                assert not any(text.endswith("…") for text in texts), texts
                assert all(label.name in label.text for label in labels), texts
            for entry, text in zip(entries, texts, strict=True):
                if name == "kogge" and len(entry) > 1 and entry[-1] == (END,):
                    assert text.endswith(f" → {words('end')}")
        if name == "kogge" and each.decision.kind == "act":
            assert ("end",) in each.menu
            for entry in entries:
                assert len(entry) == 1 or not {"raid_city", "raid_ship"} & {a[0] for a in entry}
        met[each.decision.kind] += 1
        begun = [entry[0] for entry in entries]
        found += each.greedy in begun
        first += each.greedy == begun[0]
    assert not broken
    assert len(met) >= kinds, met
    assert found >= 0.95 * met.total()
    assert first >= 0.9 * met.total()


def test_a_menu_is_made_in_the_time_of_a_press() -> None:
    slowest = 0.0
    for each in offered(TITLES["burgundy"], 301):
        legal = partial(TITLES.games["burgundy"].legal, each.state, each.decision.seat)
        began = process_time()
        TITLES["burgundy"].menu(each.view, each.decision, legal)
        slowest = max(slowest, process_time() - began)
    assert 0 < slowest < 0.01


def said(name: str, state: Any, seat: int = 0, kind: str = "") -> list[str]:
    """What a seat is offered."""
    title = TITLES[name]
    decision, *_ = (
        each for each in title.game.pending(state) if each.seat == seat and kind in ("", each.kind)
    )
    legal = partial(title.game.legal, state, seat)
    return [canonical(each) for each in title.menu(title.game.view(state, seat), decision, legal)]


def told(state: Any, *actions: Action) -> str:
    """What a whole action is called in Kogge."""
    title = TITLES["kogge"]
    return title.text.whole(Words(), joined(*actions), [title.game.view(state, 0)], NAMES).text


# A game that has no menu of its own

Grammar = dict[Action, Choices]
DECISION = Decision("d1", 0, "turn")
TAKE: Grammar = {
    (): OneOf("kind", ("take", "end")),
    ("take",): OneOf("pile", ("1", "2")),
}


def _legal(grammar: Grammar, prefix: Action) -> Choices:
    return grammar.get(prefix, Done())


def few(grammar: Grammar) -> list[Action]:
    return [*few_actions(None, DECISION, partial(_legal, grammar))]


def test_each_whole_action_is_an_entry_and_the_largest_amount_comes_first() -> None:
    assert few(TAKE) == [("take", "1"), ("take", "2"), ("end",)]
    bid: Grammar = {(): OneOf("kind", ("bid", "pass")), ("bid",): Amount("coins", 1, 3)}
    assert few(bid) == [("bid", "3"), ("bid", "2"), ("bid", "1"), ("pass",)]


def test_a_choice_of_one_word_needs_no_menu_and_many_actions_are_chosen_word_by_word() -> None:
    assert few({**TAKE, (): OneOf("kind", ("take",))}) == []
    assert few({(): OneOf("kind", ("take", "end"))}) == []
    grammar: Grammar = {(): OneOf("kind", ("bid", "pass"))}
    assert len(few({**grammar, ("bid",): Amount("coins", 1, FEW - 1)})) == FEW
    assert few({**grammar, ("bid",): Amount("coins", 1, FEW)}) == []


def test_pieces_to_pay_are_listed_where_they_are_few() -> None:
    grammar: Grammar = {(): OneOf("kind", ("pay", "pass"))}
    found = few({**grammar, ("pay",): Bundle("fee", "of", (1, 1), 1, 1)})
    assert found == [("pay", "f"), ("pay", "o"), ("pass",)]
    assert few({**grammar, ("pay",): Bundle("fee", "of", (9, 9), 1, 9)}) == []


def test_a_menu_has_all_of_a_kind_or_lacks_some() -> None:
    legal = partial(_legal, TAKE)
    assert has_all({("take", "1"), ("take", "2")}, legal, "take")
    assert not has_all({("take", "1"), ("end",)}, legal, "take")
    assert has_all({("end",)}, legal, "end")


# Kogge


def test_a_look_comes_last_where_all_is_known_and_else_among_the_first() -> None:
    state = remembered({REVAL: ("7?0", "5?0")})
    found = [line.split()[0] for line in said("kogge", state, kind="move")]
    assert found[-1] == "peek"
    assert found.count("peek") == 1
    look = ("peek", said("kogge", state, kind="move")[-1].split()[1])
    assert told(state, look) == "Look at the routes here, paying marker 5 (you know both already)"
    unknown = said("kogge", remembered({REVAL: ("7?", "5?")}), kind="move")
    assert [line.split()[0] for line in unknown].index("peek") == 1


def test_of_pairs_each_is_offered_once_for_the_cheapest_good() -> None:
    state = kogge.table(hands=("ooas", ""), display=("87", "65", "31"), start=RIGA)
    lines = said("kogge", state, kind="act")
    bought = [line for line in lines if line.startswith("buy ") and "+" not in line]
    assert sorted(bought) == ["buy 1 ore", "buy 2 ore", "buy 3 ore"]


def test_a_voyage_is_one_entry_with_its_fees_and_its_end() -> None:
    state = kogge.table(
        ships=(REVAL, LUBECK),
        hands=("oaas", ""),
        city={RIGA: "ffffff"},
        routes={REVAL: (f"{ABO}", f"{ABO}"), ABO: (f"{RIGA}", f"{RIGA}")},
        asked="move",
    )
    first = said("kogge", state, kind="move")[0]
    assert first.startswith("sail left ")
    assert first.endswith(" + stop")
    state = kogge.table(ships=(REVAL, LUBECK), routes={REVAL: (f"{RIGA}", f"{ABO}?")}, asked="move")
    assert told(state, ("sail", "left", ""), ("stop",)) == "Sail to Riga (4) and stop"
    assert told(state, ("sail", "right", ""), ("stop",)) == "Hidden route (right) → stop"


def test_where_one_marker_is_not_enough_two_or_three_that_come_first_are_offered() -> None:
    for open_bid, first in (("2", []), ("6", ["43"]), ("7", ["431"]), ("77", [])):
        state = kogge.table(hands=("1234", "77"), asked="bid", order=(1, 0), at=1)
        state.bids[1] = open_bid
        bids = [line.split()[1] for line in said("kogge", state, kind="bid")]
        assert [bid for bid in bids if len(bid) > 1] == first, open_bid


# Burgundy


def test_the_same_thing_is_offered_with_the_die_that_costs_less() -> None:
    found = said(
        "burgundy", burgundy.table(stored="ship", workers=3, dice=(3, 6), depots={"4": "bank"})
    )
    assert [line for line in found if "bank" in line] == ["take 3 4 bank -"]
    assert {"workers 3", "workers 6"} <= {*found}


def test_with_the_last_die_the_turn_ends_unless_something_is_left_to_do() -> None:
    there = {"3": "bank"}
    last = burgundy.table(
        stored="ship cow3", dice=(3, 2), left=(2,), workers=1, depots=there, goods_at={"1": "1"}
    )
    found = said("burgundy", last)
    assert {"take 2 3 bank - + end", "workers 2 + end"} <= {*found}
    assert any(line.startswith("place 2 ship ") and "+" not in line for line in found)
    assert not any(
        "+" in line for line in said("burgundy", burgundy.table(dice=(3, 2), depots=there))
    )
    rich = burgundy.table(dice=(3, 2), left=(2,), silverlings=2, depots={"black": "castle"})
    assert said("burgundy", rich) == ["buy black castle -", "workers 2"]
    after = burgundy.table(dice=(3, 2), left=(), silverlings=2, depots={"black": "castle"})
    assert said("burgundy", after) == ["buy black castle - + end", "end"]


def test_a_ship_is_offered_what_fits_and_once_that_it_loads_nothing() -> None:
    """Types 1 and 2 are held, and one more fits: of depot 3 that makes one goods tile, of 2 two."""
    state = burgundy.table(
        stored="ship",
        dice=(2, 4),
        left=(2,),
        goods_of=("12",),
        goods_at={"1": "13", "2": "333", "3": "4556"},
    )
    burgundy.play(state, 0, "place 2 ship d3")
    assert said("burgundy", state) == [
        "load 2 3 + end",
        "load 1 3 + end",
        "load 3 5 + end",
        "load 4 - + end",
    ]
    full = burgundy.table(
        stored="ship", dice=(2, 4), goods_of=("126",), goods_at={"1": "1", "2": "3333"}
    )
    burgundy.play(full, 0, "place 2 ship d3")
    assert said("burgundy", full)[0] == "load 1 -"


def test_an_effect_that_nothing_is_there_for_does_not_keep_the_turn_open() -> None:
    for stored, space, goods, there, together in (
        ("ship", "d3", "", "", True),
        ("ship", "d3", "126", "3", True),
        ("ship", "d3", "12", "3", False),
        ("city_hall", "c3", "", "", True),
        ("city_hall mine", "c3", "", "", False),
        ("warehouse", "c3", "", "", True),
        ("warehouse", "c3", "5", "", False),
    ):
        die = 2 if stored == "ship" else 3
        last = burgundy.table(
            stored=stored, dice=(die, 4), left=(die,), goods_of=(goods,), goods_at={"1": there}
        )
        line = f"place {die} {stored.split()[0]} {space}"
        assert (f"{line} + end" in said("burgundy", last)) is together, (stored, goods)


def test_every_board_that_is_left_is_offered() -> None:
    state = TITLES.games["burgundy"].setup(2, {"boards": "choose"}, RandomChance(Random(1)))
    (decision,) = TITLES.games["burgundy"].pending(state)
    assert said("burgundy", state, decision.seat) == [f"board {board}" for board in "123456789"]


# Guatemala Café


def test_a_piece_that_lies_in_the_line_twice_is_offered_once() -> None:
    line = "red worker, red worker, road, road, road, road, road, road"
    state = guatemala.table(buyer="l4", sack="-", line=line, huts=[{"red": "b2"}])
    lines = [each for each in said("guatemala", state) if each.startswith("buy ")]
    assert len({each.split()[1] for each in lines} & {"41", "42"}) == 1


# Flandern 1302


def test_the_best_of_each_emblem_comes_before_a_plot_that_is_like_another() -> None:
    state = flandern.table(cities={"gent": "t1 yellow, p1 church site, t3 grey"})
    flandern.one_plays(state, "gent")
    found = [each.split() for each in said("flandern", state)]
    first = [words[-1].partition("-")[0] if words[0] == "build" else words[0] for words in found]
    assert sorted(first[:4]) == ["church", "complete", "grey", "red"]
    assert len({*map(tuple, found)}) == len(found)
