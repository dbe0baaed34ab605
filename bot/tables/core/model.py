"""What the rest of the program sees of a table; immutable, to be read again after a change."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from bot.game.chance import commitment
from bot.game.contract import SPECTATOR, Observer, Seat
from bot.store import Player, PromiseStanding, Status, TableFields, TableRow

OPEN = (Status.LOBBY, Status.PLAYING, Status.PAUSED)
RESTING = (Status.PAUSED, Status.SLEEPING)
GOING = (Status.PLAYING, *RESTING)
"""A game has begun, and is not over."""
NOT_OVER = (Status.LOBBY, *GOING)


class Table(TableFields, frozen=True, kw_only=True):
    """A table with its `players` by seat; `key_hash` binds the draws to come."""

    players: tuple[Player, ...]
    key_hash: str

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen here."""
        return self.status in (Status.FINISHED, Status.ABANDONED)

    @property
    def is_unattended(self) -> bool:
        """Whether it rests because nobody plays for themselves any more."""
        return self.status is Status.SLEEPING and not self.humans

    def tells_all(self, observer: Observer) -> bool:
        """Whether the observer may know what was secret: everybody once the game is finished, only
        its players where it was given up."""
        if self.status is Status.ABANDONED:
            return observer != SPECTATOR
        return self.status is Status.FINISHED

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return tuple(player.name for player in self.players)

    @property
    def humans(self) -> tuple[Player, ...]:
        """The players who are people and play themselves."""
        return tuple(player for player in self.players if player.is_human)

    @property
    def owners(self) -> tuple[Player, ...]:
        """The players who are people, including those for whom a computer player acts."""
        return tuple(player for player in self.players if player.user is not None)

    def seat_of(self, user: int) -> Seat | None:
        """Where the user sits; None where they do not."""
        return next((player.seat for player in self.players if player.user == user), None)


GIVEN = (PromiseStanding.OPEN, PromiseStanding.KEPT, PromiseStanding.BROKEN)


USUAL = "normal"
"""The computer player that is seated where nobody says which."""
STAND_IN = "strong"
"""The computer player that takes a seat over from somebody who resigns or is away."""
EARLIER_NAMES = {"greedy": "normal"}
"""What computer players were called before there were levels, and what they are now."""


def table_of(row: TableRow, players: Sequence[Player]) -> Table:
    """A table from its rows, without its secret key."""
    about = {name: getattr(row, name) for name in TableFields.__struct_fields__}
    renamed = (replace(p, policy=EARLIER_NAMES.get(p.policy or "", p.policy)) for p in players)
    return Table(**about, players=tuple(renamed), key_hash=commitment(row.key))
