"""Kogge as a `Game`: the contract's functions over the rules of this package."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import msgspec

from bot.game.choices import Choices, OneOf
from bot.game.contract import (
    Action,
    Chance,
    Decision,
    Event,
    IllegalAction,
    Observer,
    Option,
    Outcome,
    Seat,
    check_observer,
    check_table,
)
from bot.game.grammar import EventRecorder, check, moves_of, next_word
from bot.game.kogge import disclosing, ending, resampling, turn, views
from bot.game.kogge.events import EVENTS
from bot.game.kogge.invariants import invariants
from bot.game.kogge.partners import stocks_offered
from bot.game.kogge.setup import rules_of, set_up
from bot.game.kogge.state import State
from bot.game.kogge.view import View


class Kogge:
    """The rules of Kogge; stateless, shared by all tables."""

    name = "kogge"
    version = 2
    seats = (2, 3, 4)
    options = (
        Option("edition", ("english", "italian")),
        Option("office_price", ("edition", "both", "either")),
        Option("failed_route", ("edition", "uses_step", "keeps_step")),
        Option("goods", ("markers", "open", "hidden")),
        Option("taxes", ("off", "on")),
        Option("offices", ("off", "on")),
        Option("conflicts", ("off", "on")),
        Option("memory", ("off", "on")),
        Option("memory_fur", ("edition", "two", "three")),
    )
    events = EVENTS
    moves = moves_of(turn.RULES)

    def __init__(self) -> None:
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(State)

    def __repr__(self) -> str:
        return f"<Kogge, rules version {self.version}>"

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance) -> State:
        """A new table, up to the founding. Raises ValueError for what is not on offer."""
        check_table(self, seats, options)
        return set_up(seats, rules_of(options), chance)

    def pending(self, state: State) -> tuple[Decision, ...]:
        """See `bot.game.kogge.turn.pending`."""
        return turn.pending(state)

    def legal(self, state: State, seat: Seat, prefix: Action = ()) -> Choices:
        """The kinds of action open to the seat, or the domain of the next word."""
        if not prefix:
            return OneOf("kind", turn.kinds(state, seat))
        refusal = turn.refusal_of_kind(state, seat, prefix[0])
        if refusal is not None:
            raise IllegalAction(refusal, prefix, seat)
        return next_word(turn.rule_for(state, prefix[0]), state, seat, prefix)

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """Carry the action out on `state`. Raises IllegalAction and changes nothing."""
        refusal = turn.refusal_of_kind(state, seat, action[0] if action else "")
        if refusal is not None:
            raise IllegalAction(refusal, action, seat)
        known = turn.rule_for(state, action[0])
        check(known, state, seat, action)
        recorder = EventRecorder(chance)
        sealed = isinstance(state.frames[-1], turn.SEALED)
        asked = turn.asked_seat(state)
        before = stocks_offered(state)
        known.perform(state, seat, recorder, *action[1:])
        turn.settle(state, before, recorder)
        # A sealed choice does not make the others' questions new; its reveal does, and counts
        # up by itself. A deal does
        # when it leaves a bidder without markers, so that another seat is asked.
        if not sealed and (not known.move.free or turn.asked_seat(state) != asked):
            state.decision += 1
        return recorder.events

    def view(self, state: State, observer: Observer) -> View:
        """See `bot.game.kogge.views.view`."""
        check_observer(observer, len(state.players))
        return views.view(state, observer)

    def hand(self, state: State, seat: Seat) -> object:
        """The seat's goods and markers, and the goods in its offices."""
        player = state.players[seat]
        offices = [
            office.goods for city in state.cities for office in city.offices if office.seat == seat
        ]
        return player.goods, player.markers, offices

    def discloses(self, state: State, action: Action) -> bool:
        """See `bot.game.kogge.disclosing.discloses`."""
        return disclosing.discloses(state, action)

    def resample(self, state: State, observer: Observer, rng: Random) -> State:
        """A copy in which what the observer cannot know is exchanged at random."""
        check_observer(observer, len(state.players))
        copy = self.decode(self.encode(state))
        resampling.mix(copy, observer, rng)
        return copy

    def outcome(self, state: State) -> Outcome | None:
        """See `bot.game.kogge.rules.ending.outcome`."""
        return ending.outcome(state)

    def round(self, state: State) -> int:
        """0 while the first offices are founded."""
        return state.round

    def invariants(self, state: State) -> list[str]:
        """See `bot.game.kogge.invariants.invariants`."""
        return invariants(state)

    def encode(self, state: State) -> bytes:
        """The state as MessagePack."""
        return self._encoder.encode(state)

    def decode(self, data: bytes) -> State:
        """The state that `encode` wrote. Raises msgspec.DecodeError where it is none."""
        return self._decoder.decode(data)


GAME = Kogge()
"""The one instance; it holds no state of any table."""
