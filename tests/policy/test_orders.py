"""Standing orders answer what they are for, legally, and leave everything else to the person."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random

import pytest

from bot.game.chance import KeyedChance, RandomChance
from bot.game.choices import Bundle, Done, OneOf
from bot.game.contract import ANSWER, END, AnyGame, Decision
from bot.game.guatemala.data import COLOUR_KEYS
from bot.policy.contract import Legal
from bot.policy.random import random_policy
from bot.titles import TITLES

OPTIONS: Mapping[str, Mapping[str, str]] = {"kogge": {"goods": "hidden", "conflicts": "on"}}
EXPECTED = {
    "kogge": {"bid", "pass", "decline", "end"},
    "burgundy": {"end"},
    "guatemala": {
        "end",
        "block_scoreless",
        "never_block",
        *(f"block_{key}" for key in COLOUR_KEYS),
    },
    "flandern": {"forced"},
}
STEPS = 700


@pytest.mark.parametrize("name", sorted(TITLES.games))
def test_whatever_an_order_answers_is_allowed_and_says_what_was_ordered(name: str) -> None:
    game, rng = TITLES.games[name], Random(4)
    play = random_policy(game.moves, free_moves=0.2)
    answered: set[str] = set()
    state, chance = None, KeyedChance(bytes(32))
    for _ in range(STEPS):
        if state is None or game.outcome(state) is not None:
            state = game.setup(game.seats[-1], OPTIONS.get(name, {}), chance)
        decisions = [d for d in game.pending(state) if not d.optional or d.kind == ANSWER]
        for decision in decisions:
            legal = partial(game.legal, state, decision.seat)
            view = game.view(state, decision.seat)
            for order, known in TITLES.orders[name].items():
                value = known.values[0]
                action = known.answer(view, decision, legal, value)
                if action is not None:
                    answered.add(order)
                    assert isinstance(legal(action), Done), action
                    assert order != "bid" or len(action[1]) <= int(value)
        decision = rng.choice(decisions)
        legal = partial(game.legal, state, decision.seat)
        action = play(game.view(state, decision.seat), decision, legal, rng)
        game.apply(state, decision.seat, action, chance)
    assert answered >= EXPECTED.get(name, set())


def asked(game: AnyGame, legal: Legal) -> set[str]:
    """The kinds of action with which somebody may answer."""
    kinds = legal(())
    assert isinstance(kinds, OneOf)
    return {kind for kind in kinds.values if not game.moves[kind].free}


def test_a_turn_is_ended_where_all_know_that_nothing_else_can_be_done() -> None:
    """In Kogge whether a route can be changed depends on a hidden hand."""
    game, rng = TITLES.games["kogge"], Random(1)
    ends = TITLES.orders["kogge"]["end"].answer
    play, chance = random_policy(game.moves, free_moves=0), RandomChance(rng)
    state, ended, left = None, 0, 0
    for _ in range(1_200):
        if state is None or game.outcome(state) is not None:
            state = game.setup(3, OPTIONS["kogge"], chance)
        decision = game.pending(state)[0]
        legal, view = game.walk(state, decision.seat), game.view(state, decision.seat)
        answer = ends(view, decision, legal, "on")
        can = asked(game, legal)
        assert answer in (None, (END,))
        if answer is not None:
            ended += 1
            for other in range(3):
                seen = state if other == decision.seat else game.resample(state, other, rng)
                assert asked(game, game.walk(seen, decision.seat)) == {END}
        elif can == {END} and not decision.optional:
            left += 1
        game.apply(state, decision.seat, play(view, decision, legal, rng), chance)
    assert ended > 0
    assert left > 0


def test_a_bid_is_the_best_of_so_many_markers_and_none_where_all_are_taken() -> None:
    bids = TITLES.orders["kogge"]["bid"].answer
    auction = Decision("1", 0, "bid")
    hand = Bundle("markers", "876543210", (0, 1, 0, 0, 2, 1, 0, 0, 0), 1, 4)
    assert bids(None, auction, lambda _: hand, "1") == ("bid", "7")
    # Two alike beat any two that differ.
    assert bids(None, auction, lambda _: hand, "3") == ("bid", "44")
    nothing = Bundle("markers", "8", (1,), 1, 1, lambda word: False)
    assert bids(None, auction, lambda _: nothing, "2") is None
