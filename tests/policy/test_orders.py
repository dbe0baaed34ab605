"""Standing orders answer only their decisions, legally, and reveal nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice, product
from random import Random
from typing import Any

import pytest

from bot.game.chance import KeyedChance, RandomChance
from bot.game.choices import Bundle, Done, OneOf
from bot.game.contract import ANSWER, END, SPECTATOR, Action, Decision
from bot.game.flandern.state import FlandernState
from bot.game.game import AnyGame
from bot.game.guatemala.data import COLOUR_KEYS
from bot.policy.contract import Legal
from bot.policy.random import random_policy
from bot.titles import NAMES, TITLES
from tests.game.guatemala.positions import play, table

HIDDEN = {"goods": "hidden", "conflicts": "on"}
EXPECTED = {
    "kogge": {"bid", "pass", "decline", "end"},
    "burgundy": {"end"},
    "guatemala": {
        *("end", "block_scoreless", "never_block"),
        *(f"block_{key}" for key in COLOUR_KEYS),
    },
    "flandern": {"forced"},
}
STEPS = 700


@pytest.mark.parametrize("name", NAMES)
def test_answers_of_orders_are_legal_and_follow_their_values(name: str) -> None:
    game, rng = TITLES.games[name], Random(4)
    policy = random_policy(game.moves, free_moves=0.2)
    answered: set[str] = set()
    state, chance = None, KeyedChance(bytes(32))
    for _ in range(STEPS):
        if state is None or game.outcome(state) is not None:
            state = game.setup(game.seats[-1], HIDDEN if name == "kogge" else {}, chance)
        decisions = [d for d in game.pending(state) if not d.optional or d.kind == ANSWER]
        for decision in decisions:
            legal = partial(game.legal, state, decision.seat)
            view = game.view(state, decision.seat)
            for name_of_order, order in TITLES.orders[name].items():
                value = order.values[0]
                action = order.answer(view, decision, legal, value)
                if action is not None:
                    answered.add(name_of_order)
                    assert isinstance(legal(action), Done), action
                    assert name_of_order != "bid" or len(action[1]) <= int(value)
        decision = rng.choice(decisions)
        legal = partial(game.legal, state, decision.seat)
        action = policy(game.view(state, decision.seat), decision, legal, rng)
        game.apply(state, decision.seat, action, chance)
    assert answered >= EXPECTED[name]


# Kogge


def asked_kinds(game: AnyGame, legal: Legal) -> set[str]:
    """Return the kinds of legal actions, except free ones."""
    kinds = legal(())
    assert isinstance(kinds, OneOf)
    return {kind for kind in kinds.values if not game.moves[kind].free}


def test_a_turn_is_ended_if_it_is_public_that_nothing_else_is_possible() -> None:
    # Whether a route can be changed depends on a hidden hand.
    game, rng = TITLES.games["kogge"], Random(1)
    ends = TITLES.orders["kogge"]["end"].answer
    policy, chance = random_policy(game.moves, free_moves=0), RandomChance(rng)
    state, ended, not_ended = None, 0, 0
    for _ in range(1_200):
        if state is None or game.outcome(state) is not None:
            state = game.setup(3, HIDDEN, chance)
        decision = game.pending(state)[0]
        legal, view = game.walk(state, decision.seat), game.view(state, decision.seat)
        answer = ends(view, decision, legal, "on")
        can = asked_kinds(game, legal)
        assert answer in (None, (END,))
        if answer is not None:
            ended += 1
            for other in range(3):
                seen = state if other == decision.seat else game.resample(state, other, rng)
                assert asked_kinds(game, game.walk(seen, decision.seat)) == {END}
        elif can == {END} and not decision.optional:
            not_ended += 1
        game.apply(state, decision.seat, policy(view, decision, legal, rng), chance)
    assert ended > 0
    assert not_ended > 0


def test_a_bid_is_the_best_with_the_ordered_number_of_markers() -> None:
    bids = TITLES.orders["kogge"]["bid"].answer
    auction = Decision("1", 0, "bid")
    hand = Bundle("markers", "876543210", (0, 1, 0, 0, 2, 1, 0, 0, 0), 1, 4)
    assert bids(None, auction, lambda _: hand, "1") == ("bid", "7")
    # Two alike beat any two that differ.
    assert bids(None, auction, lambda _: hand, "3") == ("bid", "44")
    nothing = Bundle("markers", "8", (1,), 1, 1, lambda word: False)
    assert bids(None, auction, lambda _: nothing, "2") is None


# Guatemala Café

BLOCKS = TITLES["guatemala"].own_orders
PLANTED: dict[str, Any] = {"huts": [{}, {"red": "b2"}], "workers": [{}, {"red": "b3"}]}
"""A plantation of seat 1 that would score."""
OF_ANOTHER: dict[str, Any] = {kind: each[::-1] for kind, each in PLANTED.items()}
"""A plantation of seat 0 that would score."""


def blocked(name: str, value: str, hand: str, **position: Any) -> str | None:
    """Return the answer of an order of seat 1 after seat 0 took a red sack."""
    game, state = (
        TITLES.games["guatemala"],
        table(buyer="t4", sack="red", hands=["", hand], **position),
    )
    play(state, 0, "take")
    decision = next(each for each in game.pending(state) if each.seat == 1)
    legal = partial(game.legal, state, 1)
    answer = BLOCKS[name].answer(game.view(state, 1), decision, legal, value)
    if answer is None:
        return None
    assert answer[0] == "block"
    return answer[1]


def test_a_colour_is_blocked_with_at_least_the_ordered_number_of_sacks() -> None:
    for hand, value, answer in (
        ("red red white", "1", "yes"),
        ("red red white", "2", "yes"),
        ("red red white", "3", "no"),
        ("white", "1", "no"),
        ("", "1", "no"),
    ):
        assert blocked("block_red", value, hand) == answer
        assert blocked("block_white", value, hand) is None
    assert [blocked("never_block", "on", hand) for hand in ("red red red", "")] == ["no"] * 2


def test_only_points_of_other_players_are_blocked() -> None:
    for hand, answer in (("red", "yes"), ("white white", "no")):
        assert blocked("block_scoreless", "on", hand, **OF_ANOTHER) == answer
        assert blocked("block_scoreless", "on", hand, **PLANTED) is None
        # If no one scores, a block would only cost the sack.
        assert blocked("block_scoreless", "on", hand) == "no"
        assert blocked("block_scoreless", "on", hand, huts=PLANTED["huts"]) == "no"


def test_whether_an_order_answers_reveals_nothing_about_the_hand() -> None:
    hands = ("red", "red red red", "white", "red white", "")
    for (name, order), position in product(BLOCKS.items(), ({}, PLANTED, OF_ANOTHER)):
        for value in order.values:
            answered = {blocked(name, value, hand, **position) is None for hand in hands}
            assert len(answered) == 1, (name, position)


# Flandern 1302

FORCED = TITLES["flandern"].own_orders
FLANDERN = TITLES.games["flandern"]


def ordered(name: str, state: FlandernState, decision: Decision) -> Action | None:
    legal = partial(FLANDERN.legal, state, decision.seat)
    return FORCED[name].answer(FLANDERN.view(state, decision.seat), decision, legal, "on")


def whole(legal: Legal, prefix: Action = ()) -> Iterator[Action]:
    """Yield all legal actions."""
    choices = legal(prefix)
    if isinstance(choices, Done):
        yield prefix
        return
    for word in choices.each():
        yield from whole(legal, (*prefix, word))


@pytest.mark.parametrize(("seats", "kinds"), [(2, {"turn", "city"}), (4, {"choose", "city"})])
def test_only_forced_actions_are_answered_and_nothing_is_revealed(
    seats: int, kinds: set[str]
) -> None:
    rng, policy, state = Random(seats), random_policy(FLANDERN.moves), None
    answered: Counter[str] = Counter()
    for _ in range(400):
        if state is None or FLANDERN.outcome(state) is not None:
            state = FLANDERN.setup(seats, {}, RandomChance(rng))
        decision = next(each for each in FLANDERN.pending(state) if not each.optional)
        legal = partial(FLANDERN.legal, state, decision.seat)
        actions = [*islice(whole(legal), 2)]
        forced = len(actions) == 1 and actions != [("look",)]
        expected = actions[0] if forced else None
        assert ordered("forced", state, decision) == expected
        answered[decision.kind] += expected is not None
        twin = FLANDERN.resample(state, SPECTATOR, rng)
        for name in FORCED:
            assert ordered(name, twin, decision) == ordered(name, state, decision)
        FLANDERN.apply(state, decision.seat, policy(None, decision, legal, rng), RandomChance(rng))
    assert kinds <= {kind for kind, times in answered.items() if times}


def test_an_order_draws_a_card_before_one_is_played() -> None:
    state = FLANDERN.setup(2, {"guilds": "drawn"}, RandomChance(Random(1)))
    (decision,) = FLANDERN.pending(state)
    assert ordered("draw_first", state, decision) == ("draw",)
    FLANDERN.apply(state, decision.seat, ("draw",), RandomChance(Random(1)))
    (decision,) = FLANDERN.pending(state)
    assert ordered("draw_first", state, decision) is None
