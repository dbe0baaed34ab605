"""An entry of a game's log: who did what, what was drawn, and what the game made of it."""

from __future__ import annotations

from datetime import datetime
from sys import intern

import msgspec
from msgspec.structs import replace

from bot.game.chance import Asked
from bot.game.contract import SPECTATOR, Event, Observer, Seat


class RecordedEntry(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An entry as it stands in a file. `seat` is -1 for the set-up, `action` the whole line.

    `asked` has what each outcome in `drawn` was drawn from; a file may leave it out.
    """

    seat: Seat
    action: str
    drawn: tuple[int, ...] = ()
    asked: tuple[Asked, ...] = ()
    at: datetime | None = None

    @property
    def kind(self) -> str:
        """The first word of the action, which is for everybody."""
        return intern(self.action.partition(" ")[0])


class Entry(RecordedEntry, frozen=True, kw_only=True, gc=False):
    """Log entry `seq`, carried out: its `events`, and the `round` that it led to.

    An undo goes `back_to` the entry of that number. What all noticed, if not what was done, is
    `is_public`.
    """

    at: datetime
    seq: int
    events: tuple[Event, ...] = ()
    round: int = 0
    back_to: int | None = None
    is_public: bool = True

    def visible_to(self, observer: Observer) -> tuple[Event, ...]:
        """The events that the observer may know of."""
        return tuple(event for event in self.events if event.visible_to(observer))

    def seen_by(self, observer: Observer) -> Entry:
        """The entry as far as the observer may know it: of others' actions only the kind."""
        # What nobody at the table did has the seat -1 as well.
        is_own = observer == self.seat != SPECTATOR
        action = self.action if is_own else self.kind
        return replace(self, action=action, drawn=(), asked=(), events=self.visible_to(observer))
