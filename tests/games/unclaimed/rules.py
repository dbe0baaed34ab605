"""The rules of Unclaimed: a station sells what travellers left behind.

A card on the counter is a thing with 1 to 5 points. A card in hand is a ticket for such a thing: a
player can bid it, or keep it to count the thing twice at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Annotated

import msgspec

from bot.game.choices import OneOf
from bot.game.contract import Action, Chance, Event, Observer, Option, Outcome, Seat
from bot.game.events import GameEnded, SeatEvent, kinds_of
from bot.game.frames import frame_of, question_of
from bot.game.game import OVER, Game
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.hidden import UNSEEN, Hide, Public, PublicStruct, face_down, no_one, owner, total
from bot.game.invariants import conserved

KINDS = ("umbrella", "hat", "suitcase", "violin", "parrot")
"""By points: 1 to 5."""
COPIES = (15, 13, 11, 9, 7)
"""Number of cards of each kind."""
TICKETS = 3
"""Number of tickets at the start."""
COLLECTION = 5
"""Points for things of all kinds."""
NO_BID = -1


class Bid(PublicStruct, tag="bid"):
    """Everyone picks a ticket in secret."""


class Take(PublicStruct, tag="take"):
    """These seats take a thing each, in this order."""

    seats: list[Seat]


class Over(PublicStruct, tag=OVER):
    """The game has ended."""


SECRET_TICKETS = Hide(total, lambda field: owner(field) or question_of(field.state) == OVER)
SEALED_BID = Hide(face_down, lambda field: owner(field) or question_of(field.state) != "bid")


class Player(msgspec.Struct):
    """Cards are counted by kind."""

    tickets: Annotated[list[int], SECRET_TICKETS]
    things: Public[list[int]]
    bid: Annotated[int, SEALED_BID] = NO_BID
    """The index of a kind. The ticket stays in `tickets` until all bids are revealed."""


class State(msgspec.Struct):
    players: Public[list[Player]]
    frames: Public[list[Bid | Take | Over]]
    rounds: Public[int]
    deck: Annotated[list[int], Hide(total, no_one)]
    counter: Public[list[int]]
    round: Public[int] = 0
    decision: Public[int] = 0


class RoundBegan(Event, frozen=True):
    number: int
    things: tuple[str, ...]
    """All things on the counter."""


class TicketDrawn(SeatEvent, frozen=True):
    """Only the seat sees it; the others know that everyone draws a ticket."""

    ticket: str


class BidRevealed(SeatEvent, frozen=True):
    ticket: str


class ThingTaken(SeatEvent, frozen=True):
    thing: str


class TicketsShown(SeatEvent, frozen=True):
    """The tickets of a seat at the end."""

    tickets: tuple[str, ...]


def listed(counts: Sequence[int]) -> list[str]:
    """Return cards as words, '' for each card that the observer doesn't know."""
    kinds = KINDS if len(counts) == len(KINDS) else ("",)
    return [kind for kind, count in zip(kinds, counts, strict=True) for _ in range(count)]


def bid_of(player: Player) -> list[str]:
    """Return a player's bid in the form of `listed`, empty if there is none."""
    if player.bid == NO_BID:
        return []
    return [""] if player.bid == UNSEEN else [KINDS[player.bid]]


def points_of(player: Player) -> tuple[int, int, int]:
    """Return the points for things, for known tickets, and for a collection."""
    known_tickets = listed(player.tickets)
    things = tickets = 0
    for worth, (kind, count) in enumerate(zip(KINDS, player.things, strict=True), 1):
        things += worth * count
        tickets += worth * min(count, known_tickets.count(kind))
    return things, tickets, COLLECTION if all(player.things) else 0


def _tickets(state: State, seat: Seat) -> OneOf:
    return OneOf("ticket", tuple(dict.fromkeys(listed(state.players[seat].tickets))))


def _bid(state: State, seat: Seat, recorder: EventRecorder, ticket: str) -> None:
    state.players[seat].bid = KINDS.index(ticket)


def _things(state: State, seat: Seat) -> OneOf:
    return OneOf("thing", tuple(dict.fromkeys(listed(state.counter))))


def _take(state: State, seat: Seat, recorder: EventRecorder, thing: str) -> None:
    kind = KINDS.index(thing)
    state.counter[kind] -= 1
    state.players[seat].things[kind] += 1
    frame_of(state, Take).seats.remove(seat)
    recorder.record(ThingTaken(seat=seat, thing=thing))


BID: Rule[State] = rule("bid", "bids").word("ticket", _tickets).does(_bid)
TAKE: Rule[State] = rule("take", "things").word("thing", _things).does(_take)


def _draw(state: State, to: list[int], label: str, chance: Chance) -> str:
    """Move a card from the deck, which is never empty, and return its word."""
    kind = chance.draw(label, state.deck)
    state.deck[kind] -= 1
    to[kind] += 1
    return KINDS[kind]


def _begin_round(state: State, recorder: EventRecorder) -> None:
    """Fill the counter to one more thing than players, and draw a ticket for each seat."""
    state.round += 1
    state.frames[-1] = Bid()
    while sum(state.counter) <= len(state.players):
        _draw(state, state.counter, "thing", recorder.chance)
    recorder.record(RoundBegan(number=state.round, things=tuple(listed(state.counter))))
    for seat, player in enumerate(state.players):
        player.bid = NO_BID
        ticket = _draw(state, player.tickets, "ticket", recorder.chance)
        recorder.record(TicketDrawn(seat=seat, ticket=ticket, only=(seat,)))


def _reveal(state: State, recorder: EventRecorder) -> None:
    """Put all bids back into the deck. The highest bid takes first. Ties go to the player with
    fewer points for things, then to the first seat."""
    state.decision += 1
    by_bid: list[tuple[int, int, Seat]] = []
    for seat, player in enumerate(state.players):
        player.tickets[player.bid] -= 1
        state.deck[player.bid] += 1
        recorder.record(BidRevealed(seat=seat, ticket=KINDS[player.bid]))
        by_bid.append((-player.bid, points_of(player)[0], seat))
    state.frames[-1] = Take([seat for _, _, seat in sorted(by_bid)])


def _end(state: State, recorder: EventRecorder) -> None:
    state.frames[-1] = Over()
    for seat, player in enumerate(state.players):
        recorder.record(TicketsShown(seat=seat, tickets=tuple(listed(player.tickets))))
    recorder.record(GameEnded(ending="points"))


def _cards_outside_deck(state: State) -> list[list[int]]:
    """Return the counts of all cards outside the deck."""
    things = [player.things for player in state.players]
    return [state.counter, *things, *(player.tickets for player in state.players)]


def deal(state: State, observer: Observer, rng: Random) -> None:
    """Deal the cards and choose the bids that the observer doesn't know."""
    known = [counts for counts in _cards_outside_deck(state) if "" not in listed(counts)]
    state.deck = [copies - sum(seen) for copies, *seen in zip(COPIES, *known, strict=True)]
    for player in state.players:
        if "" in listed(player.tickets):
            drawn = rng.sample(KINDS, sum(player.tickets), counts=state.deck)
            player.tickets = [drawn.count(kind) for kind in KINDS]
            state.deck = [rest - n for rest, n in zip(state.deck, player.tickets, strict=True)]
        if player.bid == UNSEEN:
            player.bid = KINDS.index(rng.choice(listed(player.tickets)))


QUESTIONS = {"bid": (BID,), "take": (TAKE,), OVER: ()}


class Unclaimed(Game[State]):
    name, version, seats = "unclaimed", 1, (2, 3, 4)
    options = (Option("rounds", ("6", "8")),)
    events = kinds_of(__name__, GameEnded)
    state = State
    questions = QUESTIONS
    deal = staticmethod(deal)

    def begin(self, seats: int, options: Mapping[str, str], chance: Chance) -> State:
        none = [0] * len(KINDS)
        players = [Player(tickets=[*none], things=[*none]) for _ in range(seats)]
        rounds = int(options.get("rounds", "6"))
        state = State(players, [Bid()], rounds, deck=[*COPIES], counter=none)
        for player in players:
            for _ in range(TICKETS):
                _draw(state, player.tickets, "ticket", chance)
        _begin_round(state, EventRecorder(chance))
        return state

    def active_seat(self, state: State) -> Seat | None:
        frame = state.frames[-1]
        return frame.seats[0] if isinstance(frame, Take) else None

    def choosing(self, state: State) -> Sequence[tuple[Seat, bool]]:
        if question_of(state) != "bid":
            return ()
        return [(seat, player.bid != NO_BID) for seat, player in enumerate(state.players)]

    def carry_out(
        self, state: State, seat: Seat, rule: Rule[State], action: Action, recorder: EventRecorder
    ) -> None:
        rule.perform(state, seat, recorder, *action[1:])
        if action[0] == "bid" and all(player.bid != NO_BID for player in state.players):
            _reveal(state, recorder)
        frame = state.frames[-1]
        if isinstance(frame, Take) and not frame.seats:
            next_step = _end if state.round == state.rounds else _begin_round
            next_step(state, recorder)

    def outcome(self, state: State) -> Outcome | None:
        if question_of(state) != OVER:
            return None
        rows = [points_of(player) for player in state.players]
        scores = tuple(map(sum, rows))
        winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
        things, tickets, collections = zip(*rows, strict=True)
        lines = (("things", things), ("tickets", tickets), ("collection", collections))
        return Outcome("points", winners, scores, lines)

    def progress(self, state: State) -> float:
        return (state.round - 1) / state.rounds

    def hand(self, state: State, seat: Seat) -> object:
        return tuple(state.players[seat].tickets)

    def discloses(self, state: State, action: Action) -> bool:
        """Return whether the action may end the game, which reveals all tickets."""
        return state.round == state.rounds

    def invariants(self, state: State) -> list[str]:
        return [*conserved([state.deck, *_cards_outside_deck(state)], KINDS, COPIES)]


GAME = Unclaimed()
