"""The menus of whole actions: tests for every title, and examples."""

from __future__ import annotations

from collections import Counter
from functools import partial
from time import process_time
from typing import Any

import pytest

from bot.game.choices import Amount, Bundle, Choices, Done, OneOf
from bot.game.contract import END, Action, Decision, canonical, in_turn
from bot.game.trial import views_before
from bot.policy.menu import MAX_ACTIONS, few_actions
from bot.text.words import msg, words_for
from bot.titles import NAMES as TITLE_NAMES
from bot.titles import TITLES
from tests.game.burgundy import positions as burgundy
from tests.game.guatemala import positions as guatemala
from tests.game.kogge import positions as kogge
from tests.policy.menus import can_be_carried_out, offered
from tests.text.moments import NAMES

MAX_ENTRIES = 25
"""Discord's limit for a select."""
SAMPLED = {"kogge": (61, 10), "burgundy": (41, 11), "guatemala": (61, 4), "flandern": (61, 6)}
"""By game: every n-th moment of recorded games is checked; the minimum of kinds of decisions."""


@pytest.mark.parametrize("name", TITLE_NAMES)
def test_menus_have_distinct_whole_actions_with_the_normal_players_choice_first(
    name: str,
) -> None:
    title, (every, kinds), met = TITLES[name], SAMPLED[name], Counter[str]()
    included, first, broken = 0, 0, list[Action]()
    for each in offered(title, every):
        seat, entries = each.decision.seat, [in_turn(entry) for entry in each.menu]
        assert 1 <= len(each.menu) <= MAX_ENTRIES
        broken += [
            entry
            for entry in each.menu
            if not can_be_carried_out(title.game, each.state, seat, entry)
        ]
        views_of = [views_before(title.game, each.view, entry) for entry in entries]
        for words in map(words_for, ("en", "it")):
            labels = [
                title.text(words, NAMES).action_label(action, views)
                for action, views in zip(each.menu, views_of, strict=True)
            ]
            texts = [label.text for label in labels]
            assert len(set(texts)) == len(texts), texts
            assert max(map(len, texts)) <= 80, texts
            if name != "kogge":
                # In Kogge long hands are cut, and "Pay marker 2" is the short name of a look.
                assert not any(text.endswith("…") for text in texts), texts
                assert all(label.name in label.text for label in labels), texts
            for entry, text in zip(entries, texts, strict=True):
                if name == "kogge" and len(entry) > 1 and entry[-1] == (END,):
                    assert text.endswith(words(msg("{action}, then end turn"), action=""))
        if name == "kogge" and each.decision.kind == "act":
            assert ("end",) in each.menu
            for entry in entries:
                assert len(entry) == 1 or not {"raid_city", "raid_ship"} & {a[0] for a in entry}
        met[each.decision.kind] += 1
        firsts = [entry[0] for entry in entries]
        included += each.normal in firsts
        first += each.normal == firsts[0]
    assert not broken
    assert len(met) >= kinds, met
    assert included >= 0.95 * met.total()
    assert first >= 0.9 * met.total()


def test_a_menu_takes_less_than_10_ms() -> None:
    slowest = 0.0
    for each in offered(TITLES["burgundy"], 301):
        legal = partial(TITLES.games["burgundy"].legal, each.state, each.decision.seat)
        start = process_time()
        TITLES["burgundy"].menu(each.view, each.decision, legal)
        slowest = max(slowest, process_time() - start)
    assert 0 < slowest < 0.01


def menu_of(name: str, state: Any, seat: int = 0, kind: str = "") -> list[str]:
    title = TITLES[name]
    decision, *_ = (
        each for each in title.game.pending(state) if each.seat == seat and kind in ("", each.kind)
    )
    legal = partial(title.game.legal, state, seat)
    return [canonical(each) for each in title.menu(title.game.view(state, seat), decision, legal)]


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


def test_there_is_no_menu_for_a_choice_of_one_word_or_too_many_actions() -> None:
    assert few({**TAKE, (): OneOf("kind", ("take",))}) == []
    assert few({(): OneOf("kind", ("take", "end"))}) == []
    grammar: Grammar = {(): OneOf("kind", ("bid", "pass"))}
    assert len(few({**grammar, ("bid",): Amount("coins", 1, MAX_ACTIONS - 1)})) == MAX_ACTIONS
    assert few({**grammar, ("bid",): Amount("coins", 1, MAX_ACTIONS)}) == []


def test_pieces_to_pay_are_listed_if_they_are_few() -> None:
    grammar: Grammar = {(): OneOf("kind", ("pay", "pass"))}
    found = few({**grammar, ("pay",): Bundle("fee", "of", (1, 1), 1, 1)})
    assert found == [("pay", "f"), ("pay", "o"), ("pass",)]
    assert few({**grammar, ("pay",): Bundle("fee", "of", (9, 9), 1, 9)}) == []


def test_a_look_at_a_route_comes_last_if_all_is_known_and_otherwise_early() -> None:
    state = kogge.at("memory routes=3:7?0/5?0")
    found = [line.split()[0] for line in menu_of("kogge", state, kind="move")]
    assert found[-1] == "peek"
    assert found.count("peek") == 1
    unknown = menu_of("kogge", kogge.at("memory routes=3:7?/5?"), kind="move")
    assert "peek" in [line.split()[0] for line in unknown][:3]


def test_if_one_marker_is_not_enough_the_cheapest_combinations_are_offered() -> None:
    for open_bid, first in (("2", []), ("6", ["43"]), ("7", ["431", "432"]), ("77", [])):
        state = kogge.table(hands=("1234", "77"), asked="bid", order=(1, 0), at=1)
        state.bids[1] = open_bid
        bids = [line.split()[1] for line in menu_of("kogge", state, kind="bid")]
        assert [bid for bid in bids if len(bid) > 1] == first, open_bid


def test_an_effect_without_a_target_does_not_keep_the_turn_open() -> None:
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
        assert (f"{line} + end" in menu_of("burgundy", last)) is together, (stored, goods)


def test_a_piece_that_is_twice_in_the_line_is_offered_once() -> None:
    line = "red worker, red worker, road, road, road, road, road, road"
    state = guatemala.table(buyer="l4", sack="-", line=line, huts=[{"red": "b2"}])
    lines = [each for each in menu_of("guatemala", state) if each.startswith("buy ")]
    assert len({each.split()[1] for each in lines} & {"41", "42"}) == 1
