"""Unclaimed, a small auction game with hidden tickets: an example of a title, and its judgement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from bot.game.contract import Decision
from bot.game.hidden import View
from bot.policy.contract import NORMAL, Judgement, Legal, Rated
from bot.text.commands import game_commands
from bot.titles.title import Title
from tests.games.unclaimed.picture import PICTURES
from tests.games.unclaimed.rules import (
    GAME,
    KINDS,
    BidRevealed,
    Player,
    State,
    TicketsShown,
    listed,
    points_of,
)
from tests.games.unclaimed.words import UnclaimedWords


class Weights(msgspec.Struct, frozen=True):
    ticket: float = 0.25
    """The chance that a ticket matches a thing at the end."""


@dataclass(frozen=True, kw_only=True, eq=False)
class UnclaimedJudgement(Judgement[State]):
    def rated(
        self, view: View[State], decision: Decision, legal: Legal, weights: Weights
    ) -> Sequence[Rated]:
        """Rate a thing by its points, and a bid by the thing it will probably get, minus the value
        of the ticket."""
        state, own = view.known, view.known.players[decision.seat]
        things = [(_gain(own, thing), ("take", thing)) for thing in listed(state.counter)]
        things.sort(reverse=True)
        if decision.kind == "take":
            return things
        bids = []
        for ticket in {*listed(own.tickets)}:
            kind = KINDS.index(ticket)
            higher = (len(state.players) - 1) * (len(KINDS) - 1 - kind) // len(KINDS)
            has_thing = own.tickets[kind] <= own.things[kind]
            cost = (kind + 1) * (1 if has_thing else weights.ticket)
            bids.append((things[higher][0] - cost, ("bid", ticket)))
        return sorted(bids, reverse=True)

    def value(self, state: State) -> Sequence[float]:
        return [sum(points_of(player)) for player in state.players]

    def spread(self, state: State) -> float:
        return 3.0


def _gain(own: Player, thing: str) -> int:
    """Return the points for one more thing."""
    things = [count + (kind == thing) for kind, count in zip(KINDS, own.things, strict=True)]
    return sum(points_of(Player(own.tickets, things))) - sum(points_of(own))


JUDGEMENT = UnclaimedJudgement(game=GAME, weights={NORMAL: Weights()}, nodes=400)
TITLE = Title(
    game=GAME,
    text=UnclaimedWords,
    commands=game_commands(GAME),
    pictures=PICTURES,
    judgement=JUDGEMENT,
    revealing=(BidRevealed, TicketsShown),
)
