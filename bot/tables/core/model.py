"""The immutable view of a table for the rest of the program. Read it again after a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from bot.game.chance import commitment
from bot.game.contract import SPECTATOR, Observer, Seat
from bot.store import Player, PromiseStatus, Status, TableFields, TableRow

OPEN = (Status.LOBBY, Status.PLAYING, Status.PAUSED)
SUSPENDED = (Status.PAUSED, Status.SLEEPING)
IN_PROGRESS = (Status.PLAYING, *SUSPENDED)
"""The game has started and is not over."""
NOT_OVER = (Status.LOBBY, *IN_PROGRESS)

WATCH = "watch"
"""The term of a table to watch, at which only computers play: its pace. Also the task that plays
the next turn."""
WATCH_PACES: Mapping[str, timedelta] = {
    "s10": timedelta(seconds=10),
    "m1": timedelta(minutes=1),
    "m10": timedelta(minutes=10),
    "h1": timedelta(hours=1),
}
"""The times between two turns. Discord would allow some more posts and edits."""


class Table(TableFields, frozen=True, kw_only=True):
    """A table with its `players` by seat. `key_hash` is the hash of the key that decides draws."""

    players: tuple[Player, ...]
    key_hash: str

    @property
    def is_over(self) -> bool:
        return self.status in (Status.FINISHED, Status.ABANDONED)

    @property
    def is_unattended(self) -> bool:
        """Whether the table sleeps because computer players act for all people."""
        return self.status is Status.SLEEPING and not self.humans

    @property
    def watch_pace(self) -> timedelta | None:
        """The time between two turns at a table to watch; None at others."""
        return WATCH_PACES.get(self.terms.get(WATCH, ""))

    def reveals_secrets_to(self, observer: Observer) -> bool:
        """Return whether the observer may know the game's secrets: everyone after a finished game,
        only its players after an abandoned one."""
        if self.status is Status.ABANDONED:
            return observer != SPECTATOR
        return self.status is Status.FINISHED

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    @property
    def humans(self) -> tuple[Player, ...]:
        """The people who play for themselves."""
        return tuple(player for player in self.players if player.is_human)

    @property
    def owners(self) -> tuple[Player, ...]:
        """All people at the table, including those on autopilot."""
        return tuple(player for player in self.players if player.user is not None)

    def seat_of(self, user: int) -> Seat | None:
        """Return the user's seat, or None if they have none."""
        return next((player.seat for player in self.players if player.user == user), None)


ACCEPTED = (PromiseStatus.OPEN, PromiseStatus.KEPT, PromiseStatus.BROKEN)
"""The states of a promise whose offer was accepted."""

SUBSTITUTE = "strong"
"""The computer player that acts for people who resign or are away."""


def table_of(row: TableRow, players: Sequence[Player]) -> Table:
    """Return the table of these rows, without its secret key."""
    fields = {name: getattr(row, name) for name in TableFields.__struct_fields__}
    return Table(**fields, players=tuple(players), key_hash=commitment(row.key))
