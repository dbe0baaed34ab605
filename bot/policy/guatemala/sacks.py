"""Taking a sack, letting others harvest or not, and what to put in its place."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOUR_OF_KEY,
    CONTENT,
    SACK,
    piece,
)
from bot.game.guatemala.production import position_after
from bot.game.guatemala.view import GuatemalaView
from bot.policy.guatemala.worth import GuatemalaWorth

WIN = 100.0
"""The end of the game with this seat first; as much is lost by another."""
TO_BLOCK = 3.0
"""What a block must spare, for the sack that it takes."""
KEPT = 1.0
"""What a sack of a colour is worth in hand more for each worker of its plantation."""
PROMISE = 1.0
"""A worker of a plantation, for the refill, besides the points of the plantation now."""
SEEN = 0.3
"""How much what the next seat could harvest counts."""


def gains(view: GuatemalaView, colour: int) -> list[int]:
    """What each seat scores when a sack of a colour is taken and not blocked."""
    return [seat.plantation(COLOUR_KEYS[colour]).points for seat in view.seats]


def harvested(worth: GuatemalaWorth, colour: int, sacks: int) -> float:
    """What a harvest is worth to the seat where then so many sacks lie on the score track, or
    the end of the game to which it leads."""
    view, made = worth.view, gains(worth.view, colour)
    scores = [seat.score + points for seat, points in zip(view.seats, made, strict=True)]
    value = sum(weight * points for weight, points in zip(worth.weights, made, strict=True))
    return ended(worth, scores, sacks) or value


def ended(worth: GuatemalaWorth, scores: list[int], sacks: int) -> float:
    """What the end of the game is worth to the seat; 0 where these scores and so many sacks on
    the score track have not met."""
    if max(scores) < worth.view.last_space + 1 - sacks:
        return 0.0
    ranks = list(zip(scores, (seat.money for seat in worth.view.seats), strict=True))
    return WIN if ranks[worth.seat] == max(ranks) else -WIN


def take(worth: GuatemalaWorth, colour: int, instead: float) -> float:
    """What taking a sack of a colour is worth; `instead` is what could be bought after a block."""
    sacks, likely = len(worth.view.track) + 1, chance_of_block(worth, colour)
    blocked = ended(worth, [seat.score for seat in worth.view.seats], sacks) or instead
    value = (1 - likely) * harvested(worth, colour, sacks) + likely * blocked
    return value + worth.money(CONTENT.harvest_money)


def chance_of_block(worth: GuatemalaWorth, colour: int) -> float:
    """How likely somebody can block, and would."""
    view, made = worth.view, gains(worth.view, colour)
    unseen = CONTENT.sacks - view.track.count(COLOUR_KEYS[colour]) - worth.me.hand[colour]
    unseen -= worth.lying[piece(SACK, colour)]
    others = view.bag + sum(seat.sacks for seat in view.seats) - sum(worth.me.hand)
    nobody = 1.0
    for seat, points in enumerate(made):
        if seat == worth.seat or made[worth.seat] - points < TO_BLOCK:
            continue
        sacks = view.seats[seat].sacks
        if sacks:
            nobody *= comb(others - unseen, sacks) / comb(others, sacks)
    return 1 - nobody


def blocks(worth: GuatemalaWorth) -> bool:
    """Whether to block: others would gain clearly more, and the sack can be spared."""
    view = worth.view
    assert view.taken is not None
    colour, sacks = COLOUR_OF_KEY[view.taken.colour], len(view.track)
    blocked = ended(worth, [seat.score for seat in view.seats], sacks)
    cost = TO_BLOCK + KEPT * len(worth.me.workers[colour]) / worth.me.hand[colour]
    return blocked - harvested(worth, colour, sacks) > cost


def by_refill(worth: GuatemalaWorth, colours: Sequence[str]) -> list[str]:
    """The colours of sacks, first that which serves the seat best."""

    def promise(key: str) -> float:
        colour = COLOUR_OF_KEY[key]
        made = gains(worth.view, colour)
        return sum(
            weight * (made[seat] + PROMISE * worth.size(seat, colour))
            for seat, weight in enumerate(worth.weights)
        )

    return sorted(colours, key=promise, reverse=True)


def sack_at(view: GuatemalaView, position: str) -> int | None:
    """The colour of the sack in the line at a position."""
    sack = view.sack_in(position)
    return None if sack is None else COLOUR_OF_KEY[sack.colour]


def threat(worth: GuatemalaWorth, position: str) -> float:
    """What the next seat may take from this one by the sacks it can reach from a position."""
    view, worst = worth.view, 0.0
    for step in range(1, CONTENT.steps + 2):
        colour = sack_at(view, position_after(position, step))
        if colour is not None:
            worst = min(worst, harvested(worth, colour, len(view.track) + 1))
    return SEEN * worst
