"""Entries of a game's log: the action, the draws and the events."""

from __future__ import annotations

from datetime import datetime
from sys import intern

import msgspec
from msgspec.structs import replace

from bot.game.chance import DrawRequest
from bot.game.contract import SPECTATOR, Event, Observer, Seat


class RecordedEntry(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An entry as stored in a file. `seat` is -1 for the set-up, `action` the whole line.

    `asked` has the label and weights of each draw; a file may omit it.
    """

    seat: Seat
    action: str
    drawn: tuple[int, ...] = ()
    asked: tuple[DrawRequest, ...] = ()
    at: datetime | None = None

    @property
    def kind(self) -> str:
        """The first word of the action, which is public."""
        return intern(self.action.partition(" ")[0])


class Entry(RecordedEntry, frozen=True, kw_only=True, gc=False):
    """Log entry number `seq`, after replay: its `events`, and the `round` after it.

    An undo has `back_to`, the number of the entry it returns to. An entry `is_public` if everyone
    can see that something was done, even if the action itself is secret.
    """

    at: datetime
    seq: int
    events: tuple[Event, ...] = ()
    round: int = 0
    back_to: int | None = None
    is_public: bool = True

    def visible_to(self, observer: Observer) -> tuple[Event, ...]:
        """Return the events that the observer may see."""
        return tuple(event for event in self.events if event.visible_to(observer))

    def seen_by(self, observer: Observer) -> Entry:
        """Return the entry as the observer may see it, with only the kind of others' actions."""
        # An entry by no player has the seat -1, like a spectator.
        is_own = observer == self.seat != SPECTATOR
        action = self.action if is_own else self.kind
        return replace(self, action=action, drawn=(), asked=(), events=self.visible_to(observer))
