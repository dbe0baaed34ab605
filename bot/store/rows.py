"""What the store keeps, row by row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec


class TableRow(msgspec.Struct, frozen=True):
    """A table: the game and its rules version, where it is played, and its secret key.

    `host` is a user; `posted_seq` is the last log entry the channel has been told of, -1 for none.
    """

    id: int
    game: str
    version: int
    status: str
    options: Mapping[str, str]
    host: int
    guild: int | None
    channel: int
    thread: int | None
    lobby_message: int | None
    panel_message: int | None
    posted_seq: int
    key: bytes
    created: datetime


class PlayerRow(msgspec.Struct, frozen=True):
    """Who sits on a seat: a user, or else a computer player by the name of its policy."""

    table: int
    seat: int
    name: str
    user: int | None
    policy: str | None
    reachable: bool


class EntryRow(msgspec.Struct, frozen=True):
    """An entry of a table's log: the action as one line, and the outcomes it drew.

    `seat` is -1 for what nobody at the table did; `user` is None for a computer player.
    """

    table: int
    seq: int
    seat: int
    user: int | None
    action: str
    drawn: Sequence[int]
    at: datetime


class SnapshotRow(msgspec.Struct, frozen=True):
    """The state after entry `seq`, to load it fast. A cache: never trusted without its hash.

    `draws` counts the outcomes drawn so far; `due` tells that a computer player is to act.
    """

    table: int
    seq: int
    version: int
    draws: int
    due: bool
    hash: bytes
    blob: bytes


class OwedRow(msgspec.Struct, frozen=True):
    """Something still to be told to the outside, as of log entry `seq`."""

    id: int
    table: int
    kind: str
    seat: int | None
    seq: int


class HandledRow(msgspec.Struct, frozen=True):
    """A delivery that has been carried out, and the last log entry then (-1 in a lobby)."""

    delivery: str
    table: int
    seq: int
    at: datetime


class Kept(msgspec.Struct, frozen=True):
    """A table as it is kept: its row, players by seat, and (unless only heads were asked for)
    its snapshot and the number of its last log entry."""

    table: TableRow
    players: tuple[PlayerRow, ...]
    snapshot: SnapshotRow | None = None
    last_seq: int | None = None
