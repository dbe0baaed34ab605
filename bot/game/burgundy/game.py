"""The Castles of Burgundy as a `Game`: the contract's functions over the rules of this package."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from bot.game.burgundy import ending, resampling, turn, views
from bot.game.burgundy.boards import BOARDS
from bot.game.burgundy.events import EVENTS
from bot.game.burgundy.invariants import invariants
from bot.game.burgundy.setup import set_up
from bot.game.burgundy.state import Castles, State, decode, encode
from bot.game.burgundy.view import View
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


class Burgundy:
    """The rules of The Castles of Burgundy; stateless, shared by all tables."""

    name = "burgundy"
    version = 2
    seats = (2, 3, 4)
    options = (
        Option("boards", ("beginner", "random", "choose", *map(str, BOARDS))),
        Option("ties", ("fullest", "emptiest")),
        Option("sold_goods", ("open", "hidden")),
    )
    events = EVENTS
    moves = moves_of(turn.RULES)

    def __repr__(self) -> str:
        return f"<Burgundy, rules version {self.version}>"

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance) -> State:
        """A new table, up to the first question. Raises ValueError for what is not on offer."""
        check_table(self, seats, options)
        return set_up(seats, options, chance)

    def pending(self, state: State) -> tuple[Decision, ...]:
        """See `bot.game.burgundy.turn.pending`."""
        return turn.pending(state)

    def legal(self, state: State, seat: Seat, prefix: Action = ()) -> Choices:
        """The kinds of action open to the seat, or the domain of the next word."""
        if not prefix:
            return OneOf("kind", turn.kinds(state, seat))
        refusal = turn.refusal_of_kind(state, seat, prefix[0])
        if refusal is not None:
            raise IllegalAction(refusal, prefix, seat)
        return next_word(turn.RULES[prefix[0]], state, seat, prefix)

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """Carry the action out on `state`. Raises IllegalAction and changes nothing."""
        refusal = turn.refusal_of_kind(state, seat, action[0] if action else "")
        if refusal is not None:
            raise IllegalAction(refusal, action, seat)
        check(turn.RULES[action[0]], state, seat, action)
        recorder = EventRecorder(chance)
        # A sealed choice does not make the others' questions new; its reveal does.
        sealed = isinstance(state.frames[-1], Castles)
        turn.carry_out(state, seat, action, recorder)
        if not sealed:
            state.decision += 1
        return recorder.events

    def view(self, state: State, observer: Observer) -> View:
        """See `bot.game.burgundy.views.view`."""
        check_observer(observer, len(state.players))
        return views.view(state, observer)

    def discloses(self, state: State, action: Action) -> bool:
        """Never: what is drawn apart, all lies open when it is moved; piles of sold goods are
        hidden only from those who have forgotten what was sold."""
        return False

    def resample(self, state: State, observer: Observer, rng: Random) -> State:
        """A copy in which what the observer cannot know is exchanged at random."""
        check_observer(observer, len(state.players))
        return resampling.mixed(decode(encode(state)), observer, rng)

    def outcome(self, state: State) -> Outcome | None:
        """See `bot.game.burgundy.ending.outcome`."""
        return ending.outcome(state)

    def hand(self, state: State, seat: Seat) -> object:
        """Storage, goods, workers and silverlings; nobody else can change them."""
        player = state.players[seat]
        return player.storage, player.goods, player.workers, player.silverlings

    def round(self, state: State) -> int:
        """1 to 25, over all phases; 0 while boards and castles are chosen."""
        return state.round

    def invariants(self, state: State) -> list[str]:
        """See `bot.game.burgundy.invariants.invariants`."""
        return invariants(state)

    def encode(self, state: State) -> bytes:
        """The state as MessagePack."""
        return encode(state)

    def decode(self, data: bytes) -> State:
        """The state that `encode` wrote. Raises msgspec.DecodeError where it is none."""
        return decode(data)


GAME = Burgundy()
"""The one instance; it holds no state of any table."""
