"""What the rest of the program sees of a table; immutable, to be read again after a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum

import msgspec

from bot.game.chance import commitment
from bot.game.contract import SPECTATOR, Observer, Seat
from bot.store import PlayerRow, PromiseStanding, TableRow


class Status(StrEnum):
    """Where a table is in its life."""

    LOBBY = "lobby"
    PLAYING = "playing"
    PAUSED = "paused"
    """All have agreed to rest for a while."""
    SLEEPING = "sleeping"
    """Nobody has acted for weeks, or plays for themselves; whoever sits there may wake it."""
    FINISHED = "finished"
    ABANDONED = "abandoned"


OPEN = (Status.LOBBY, Status.PLAYING, Status.PAUSED)
RESTING = (Status.PAUSED, Status.SLEEPING)
GOING = (Status.PLAYING, *RESTING)
"""A game has begun, and is not over."""
NOT_OVER = (Status.LOBBY, *GOING)


class Player(msgspec.Struct, frozen=True):
    """Who sits on a seat: a `user`, or a computer player by the name of its `policy`.

    With both, the computer player acts for the user, whose seat it stays and to whom its secrets
    go. A `vacant` seat waits for somebody to take it over. `orders` are the standing orders by
    which a person's seat answers by itself; nobody else may know them. `reachable` tells whether
    direct messages get through to the user.
    """

    seat: Seat
    name: str
    user: int | None
    policy: str | None
    reachable: bool = True
    vacant: bool = False
    orders: Mapping[str, str] = {}

    @property
    def is_human(self) -> bool:
        """Whether a person plays here themselves, and no computer player, not even for them."""
        return self.policy is None

    @property
    def is_autopiloted(self) -> bool:
        """Whether a computer player acts for a person."""
        return self.user is not None and self.policy is not None


class Table(msgspec.Struct, frozen=True):
    """A table. `host` is a user; `players` are by seat; `key_hash` binds the draws to come.

    `posted_seq` is the last log entry that the channel has been told of, -1 for none. At the
    table `rematch_of` the players had met before.
    """

    id: int
    game: str
    version: int
    status: Status
    options: Mapping[str, str]
    players: tuple[Player, ...]
    host: int
    guild: int | None
    channel: int
    key_hash: str
    created: datetime
    thread: int | None = None
    lobby_message: int | None = None
    panel_message: int | None = None
    posted_seq: int = -1
    terms: Mapping[str, str] = {}
    rematch_of: int | None = None

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


def _player(row: PlayerRow) -> Player:
    player = Player(*msgspec.structs.astuple(row)[1:])
    policy = EARLIER_NAMES.get(player.policy or "", player.policy)
    return msgspec.structs.replace(player, policy=policy)


def table_of(row: TableRow, players: Sequence[PlayerRow]) -> Table:
    """A table from its rows, without its secret key."""
    return Table(
        id=row.id,
        game=row.game,
        version=row.version,
        status=Status(row.status),
        options=row.options,
        players=tuple(map(_player, players)),
        host=row.host,
        guild=row.guild,
        channel=row.channel,
        thread=row.thread,
        lobby_message=row.lobby_message,
        panel_message=row.panel_message,
        key_hash=commitment(row.key),
        created=row.created,
        posted_seq=row.posted_seq,
        terms=row.terms,
        rematch_of=row.rematch_of,
    )
