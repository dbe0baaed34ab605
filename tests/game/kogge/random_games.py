"""Whole games by random decisions, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from itertools import cycle, product
from random import Random
from typing import NamedTuple

from bot.game.chance import RandomChance
from bot.game.choices import Bundle, Done
from bot.game.contract import Action, Event, canonical
from bot.game.kogge import GAME
from bot.game.kogge.state import State

ADVANCED = ("taxes", "offices", "conflicts", "memory")
"""The options of the advanced game, each off or on."""

BASE_SETS: tuple[Mapping[str, str], ...] = (
    {},
    {"goods": "hidden"},
    {"edition": "italian"},
    {"edition": "italian", "goods": "hidden"},
    {"office_price": "either"},
    {"failed_route": "keeps_step"},
)
"""Tables of the base game that differ in what the rules ask."""


def _advanced_sets() -> Iterator[Mapping[str, str]]:
    """Every combination of advanced rules, over all editions and open and hidden goods in turn."""
    sampled = product(("english", "italian"), ("open", "hidden"))
    for chosen, (edition, goods) in zip(
        list(product(("off", "on"), repeat=len(ADVANCED)))[1:], cycle(sampled), strict=False
    ):
        on = [name for name, value in zip(ADVANCED, chosen, strict=True) if value == "on"]
        yield {"edition": edition, "goods": goods, **dict.fromkeys(on, "on")}


ADVANCED_SETS = tuple(_advanced_sets())
OPTION_SETS = (*BASE_SETS, *ADVANCED_SETS)
"""Tables that differ in what the rules ask."""


def named(options: Mapping[str, str]) -> str:
    """A table's options as the id of a test."""
    return " ".join(name if value == "on" else value for name, value in options.items())


SEATS = (2, 3, 4)
DEALS = 0.15
"""How often somebody makes a free action although others are asked."""
MOST_ACTIONS = 5000
LIKELIHOOD: Mapping[str, float] = {
    **dict.fromkeys(("pass", "end", "raid_city", "raid_ship", "offer"), 0.3),
    **dict.fromkeys(("build", "sell_six", "buy_raid", "trade"), 4),
    **dict.fromkeys(("accept", "counter"), 4),
}
"""Of kinds that are likelier or less likely than 1, so that all that is rare happens too."""
MODEST = ("bid", "offer", "counter")
"""Kinds that take few pieces: whoever bids all he has does little else, and a small deal is
likelier to come about."""


class Step(NamedTuple):
    """A state, and what is done next in it. `rng` is the game's own generator."""

    state: State
    seat: int
    action: Action
    rng: Random


def completed(state: State, seat: int, prefix: Action, rng: Random) -> Action:
    """A random action that begins with the prefix."""
    while not isinstance(choices := GAME.legal(state, seat, prefix), Done):
        word = choices.sample(rng)
        if isinstance(choices, Bundle) and prefix[0] in MODEST:
            word = min([word, *(choices.sample(rng) for _ in range(5))], key=len)
        prefix = (*prefix, word)
    return prefix


def next_action(state: State, rng: Random) -> tuple[int, Action]:
    """A random action of somebody who is asked, or now and then a free one of anybody."""
    decisions = GAME.pending(state)
    seat = rng.choice([d.seat for d in decisions if not d.optional])
    if rng.random() < DEALS:
        dealer = rng.randrange(len(state.players))
        kinds = [kind for kind in _kinds(state, dealer) if GAME.moves[kind].free]
        if kinds:
            return dealer, completed(state, dealer, (_any(kinds, rng),), rng)
    asked = [kind for kind in _kinds(state, seat) if not GAME.moves[kind].free]
    return seat, completed(state, seat, (_any(asked, rng),), rng)


def _any(kinds: list[str], rng: Random) -> str:
    return rng.choices(kinds, [LIKELIHOOD.get(kind, 1) for kind in kinds])[0]


def _kinds(state: State, seat: int) -> tuple[str, ...]:
    return tuple(GAME.legal(state, seat).each())  # type: ignore[union-attr]


def steps(seats: int, options: Mapping[str, str], seed: int) -> Iterator[Step]:
    """A game from the founding to its end; each step is carried out after it was looked at."""
    rng = Random(seed)
    state = GAME.setup(seats, options, RandomChance(rng))
    for _ in range(MOST_ACTIONS):
        if GAME.outcome(state) is not None:
            return
        seat, action = next_action(state, rng)
        yield Step(state, seat, action, rng)
        GAME.apply(state, seat, action, RandomChance(rng))
    raise AssertionError(f"no end after {MOST_ACTIONS} actions")


def digest(seats: int, options: Mapping[str, str], seed: int) -> str:
    """A hash over all actions, events and states of a game."""
    rng = Random(seed)
    state = GAME.setup(seats, options, RandomChance(rng))
    whole = blake2b(GAME.encode(state))
    while GAME.outcome(state) is None:
        seat, action = next_action(state, rng)
        events: list[Event] = GAME.apply(state, seat, action, RandomChance(rng))
        whole.update(f"{seat} {canonical(action)} {events}".encode())
        whole.update(GAME.encode(state))
    return whole.hexdigest()
