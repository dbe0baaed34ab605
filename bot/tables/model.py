"""What the rest of the program sees of a table; immutable, to be read again after a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum

import msgspec

from bot.game.chance import commitment
from bot.game.contract import Event, Observer, Seat
from bot.store import PlayerRow, TableRow


class Status(StrEnum):
    """Where a table is in its life."""

    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"
    ABANDONED = "abandoned"


OPEN = (Status.LOBBY, Status.PLAYING)


class Player(msgspec.Struct, frozen=True):
    """Who sits on a seat: a `user`, or a computer player by the name of its `policy`.

    `reachable` tells whether direct messages get through to the user.
    """

    seat: Seat
    name: str
    user: int | None
    policy: str | None
    reachable: bool = True

    @property
    def is_human(self) -> bool:
        """Whether a person sits here."""
        return self.user is not None


class Table(msgspec.Struct, frozen=True):
    """A table. `host` is a user; `players` are by seat; `key_hash` binds the draws to come.

    `posted_seq` is the last log entry that the channel has been told of, -1 for none.
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
    thread: int | None
    lobby_message: int | None
    panel_message: int | None
    key_hash: str
    created: datetime
    posted_seq: int = -1

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen here."""
        return self.status not in OPEN

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return tuple(player.name for player in self.players)

    @property
    def humans(self) -> tuple[Player, ...]:
        """The players who are people."""
        return tuple(player for player in self.players if player.is_human)

    def seat_of(self, user: int) -> Seat | None:
        """Where the user sits, if here at all."""
        return next((player.seat for player in self.players if player.user == user), None)


class Acted(msgspec.Struct, frozen=True):
    """An action carried out: its log entry, and what the acting seat heard.

    `repeated` tells that this delivery had been carried out before; nothing happened now.
    """

    seq: int
    events: tuple[Event, ...]
    repeated: bool = False


class Abandoning(msgspec.Struct, frozen=True):
    """How a vote to abandon stands: seats that agreed, and seats whose voice is missing."""

    table: Table
    agreed: tuple[Seat, ...]
    missing: tuple[Seat, ...]


class Happened(msgspec.Struct, frozen=True):
    """A log entry by what was heard of it."""

    seq: int
    at: datetime
    events: tuple[Event, ...]

    def heard_by(self, observer: Observer) -> tuple[Event, ...]:
        """The events that the observer may know of."""
        return tuple(event for event in self.events if event.heard_by(observer))


class OwedKind(StrEnum):
    """What may be owed to the outside."""

    LOBBY = "lobby"
    """The message of the lobby is out of date."""
    BOARD = "board"
    """The channel is to see the board and who is awaited."""
    HAND = "hand"
    """A seat is to be sent its hand."""
    PRIVATE = "private"
    """A seat is to be told what it alone heard in that log entry."""
    END = "end"
    """The table is over, and is to hear how."""


class Owed(msgspec.Struct, frozen=True):
    """Something owed to the outside since log entry `seq` (-1 before the game)."""

    id: int
    table: int
    kind: OwedKind
    seat: Seat | None
    seq: int


def table_of(row: TableRow, players: Sequence[PlayerRow]) -> Table:
    """A table as it was kept, without its secret key."""
    return Table(
        id=row.id,
        game=row.game,
        version=row.version,
        status=Status(row.status),
        options=row.options,
        players=tuple(Player(p.seat, p.name, p.user, p.policy, p.reachable) for p in players),
        host=row.host,
        guild=row.guild,
        channel=row.channel,
        thread=row.thread,
        lobby_message=row.lobby_message,
        panel_message=row.panel_message,
        key_hash=commitment(row.key),
        created=row.created,
        posted_seq=row.posted_seq,
    )


def table_row(table: Table, key: bytes) -> TableRow:
    """A table as it is kept."""
    return TableRow(
        id=table.id,
        game=table.game,
        version=table.version,
        status=table.status.value,
        options=dict(table.options),
        host=table.host,
        guild=table.guild,
        channel=table.channel,
        thread=table.thread,
        lobby_message=table.lobby_message,
        panel_message=table.panel_message,
        posted_seq=table.posted_seq,
        key=key,
        created=table.created,
    )


def player_rows(table: Table) -> list[PlayerRow]:
    """The players of a table as they are kept."""
    return [
        PlayerRow(table.id, p.seat, p.name, p.user, p.policy, p.reachable) for p in table.players
    ]
