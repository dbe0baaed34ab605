"""Taking a sack, letting others harvest or not, and what to put in its place."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from bot.game.guatemala.data import (
    COLOUR_OF_KEY,
    CONTENT,
    EMPTY,
    FACED,
    FRAMED,
    POSITIONS,
    colour_of,
)
from bot.game.guatemala.state import NONE, GuatemalaState
from bot.policy.guatemala.worth import SACKS, GuatemalaWorth

WIN = 100.0
"""The end of the game with this seat first; as much is lost by another."""
_FRAMED_IN = tuple(
    next((space for space in FACED[position] if space in FRAMED), NONE)
    for position in range(POSITIONS)
)
"""By position, the space for a sack in its line."""


def harvested(worth: GuatemalaWorth, colour: int, sacks: int) -> float:
    """What a harvest is worth to the seat where then so many sacks lie on the score track, or
    the end of the game to which it leads."""
    made = worth.gains(colour)
    scores = [score + points for score, points in zip(worth.scores, made, strict=True)]
    value = sum([weight * points for weight, points in zip(worth.weights, made, strict=True)])
    return ended(worth, scores, sacks) or value


def ended(worth: GuatemalaWorth, scores: Sequence[int], sacks: int) -> float:
    """What the end of the game is worth to the seat; 0 where these scores and so many sacks on
    the score track have not met."""
    if max(scores) < worth.state.rules.track + 1 - sacks:
        return 0.0
    ranks = [
        (score, player.money) for score, player in zip(scores, worth.state.players, strict=True)
    ]
    return WIN if ranks[worth.seat] == max(ranks) else -WIN


def take(worth: GuatemalaWorth, colour: int, instead: float) -> float:
    """What taking a sack of a colour is worth; `instead` is what could be bought after a block."""
    sacks, likely = len(worth.state.track) + 1, chance_of_block(worth, colour)
    blocked = ended(worth, worth.scores, sacks) or instead
    value = (1 - likely) * harvested(worth, colour, sacks) + likely * blocked
    return value + worth.money(CONTENT.harvest_money) + worth.by.sack


def chance_of_block(worth: GuatemalaWorth, colour: int) -> float:
    """How likely somebody can block, and would."""
    state, made = worth.state, worth.gains(colour)
    unseen = CONTENT.sacks - state.track.count(colour) - worth.me.hand[colour]
    unseen -= worth.lying[SACKS[colour]]
    hands = [sum(player.hand) for player in state.players]
    others, nobody = sum(state.bag) + sum(hands) - hands[worth.seat], 1.0
    for seat, points in enumerate(made):
        if seat == worth.seat or made[worth.seat] - points < worth.by.to_block:
            continue
        if hands[seat]:
            nobody *= comb(others - unseen, hands[seat]) / comb(others, hands[seat])
    return 1 - nobody


def blocks(worth: GuatemalaWorth) -> bool:
    """Whether to block: others would gain clearly more, and the sack can be spared."""
    sacks = len(worth.state.track)
    colour = worth.state.track[-1]
    blocked = ended(worth, worth.scores, sacks)
    cost = worth.by.to_block
    cost += worth.by.kept * len(worth.me.workers[colour]) / worth.me.hand[colour]
    return blocked - harvested(worth, colour, sacks) > cost


def by_refill(worth: GuatemalaWorth, colours: Sequence[str]) -> list[str]:
    """The colours of sacks, first that which serves the seat best."""

    def promise(key: str) -> float:
        colour = COLOUR_OF_KEY[key]
        made = worth.gains(colour)
        return sum(
            weight * (made[seat] + worth.by.promise * worth.size(seat, colour))
            for seat, weight in enumerate(worth.weights)
        )

    return sorted(colours, key=promise, reverse=True)


def sack_at(state: GuatemalaState, position: int) -> int | None:
    """The colour of the sack in the line at a position."""
    space = _FRAMED_IN[position]
    sack = EMPTY if space == NONE else state.production[space]
    return None if sack == EMPTY else colour_of(sack)


def threat(worth: GuatemalaWorth, position: int) -> float:
    """What the next seat may take from this one by the sacks it can reach from a position."""
    state, worst = worth.state, 0.0
    for step in range(1, CONTENT.steps + 2):
        colour = sack_at(state, (position + step) % POSITIONS)
        if colour is not None:
            worst = min(worst, harvested(worth, colour, len(state.track) + 1))
    return worth.by.seen * worst
