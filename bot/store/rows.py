"""The rows of the store: a struct for each table of schema.sql, its fields named as the columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

import msgspec


class StoredRow(msgspec.Struct, frozen=True):
    """A row of `TABLE`, whose primary key is `KEY`."""

    TABLE: ClassVar[str]
    KEY: ClassVar[tuple[str, ...]] = ("table",)


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


class TableFields(msgspec.Struct, frozen=True):
    """What everybody may know of a table: the game and its rules version, and where it is played.

    `host` is a user; `posted_seq` is the last log entry the channel has been told of, -1 for none;
    `terms` are the table's options that are not its game's; `rematch_of` is the table whose
    players wanted another game.
    """

    id: int
    game: str
    version: int
    status: Status
    options: Mapping[str, str]
    host: int
    guild: int | None
    channel: int
    created: datetime
    thread: int | None = None
    lobby_message: int | None = None
    panel_message: int | None = None
    posted_seq: int = -1
    terms: Mapping[str, str] = {}
    rematch_of: int | None = None


class TableRow(TableFields, StoredRow, frozen=True, kw_only=True):
    """A table with its secret key. `revision` counts the writes under a guard."""

    TABLE = "tables"
    KEY = ("id",)

    key: bytes
    revision: int = 0


class Player(StoredRow, frozen=True):
    """Who sits on a seat: a `user`, or a computer player by the name of its `policy`.

    With both, the computer player acts for the user, whose seat it stays and to whom its secrets
    go. A `vacant` seat waits for somebody to take it over. `orders` are the standing orders by
    which a person's seat answers by itself; nobody else may know them. `reachable` tells whether
    direct messages get through to the user.
    """

    TABLE = "players"
    KEY = ("table", "seat")

    table: int
    seat: int
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


class EntryRow(StoredRow, frozen=True, gc=False):
    """An entry of a table's log: the action as one line, and the outcomes it drew.

    `seat` is -1 for what nobody at the table did; `user` is None for a computer player.
    """

    TABLE = "log"
    KEY = ("table", "seq")

    table: int
    seq: int
    seat: int
    user: int | None
    action: str
    drawn: Sequence[int]
    at: datetime


class SnapshotRow(StoredRow, frozen=True):
    """The state after entry `seq`, for loading it fast. A cache: never trusted without its hash.

    `draws` counts the outcomes drawn so far; `due` tells that a computer player is to act.
    """

    TABLE = "snapshots"

    table: int
    seq: int
    version: int
    draws: int
    due: bool
    hash: bytes
    blob: bytes


class OutboxKind(StrEnum):
    """The kinds of outbox items."""

    LOBBY = "lobby"
    """The message of the lobby is out of date."""
    EXPIRED = "expired"
    """The lobby has closed because nobody did anything there, and is to say so."""
    BOARD = "board"
    """The channel is to see the board and who is awaited."""
    HAND = "hand"
    """A seat is to be sent its hand, which others have changed in that log entry."""
    PRIVATE = "private"
    """A seat is to be told what it alone heard in that log entry."""
    END = "end"
    """The table is over, and how it ended is to be told."""
    STORY = "story"
    """A game has ended, and its story and the course of its points are to be told."""
    FILM = "film"
    """A game has ended, and is to be shown in motion."""
    NOTIFY = "call"
    """Somebody is to be told that they are awaited, or what told them so is to be removed."""
    ANSWERED = "answered"
    """An offer can no longer be answered, and what asked for it is to say so."""
    ORDER = "order"
    """A seat is to be told what its standing orders did in that log entry."""
    PLAN = "plan"
    """A seat is to be told what its plan, which played itself, did in that log entry."""
    RING = "ring"
    """A seat is to be told what stands for it at the table: its time, votes, the end."""
    VOTE = "vote"
    """All are to vote on something, or to be told how a vote has ended."""
    IDLE = "idle"
    """The table is to be warned that it will be put to sleep."""


class OutboxItem(StoredRow, frozen=True, gc=False):
    """A message still to be sent, as of log entry `seq` (-1 before the game); its id is never
    another's."""

    TABLE = "outbox"
    KEY = ("id",)

    id: int
    table: int
    kind: OutboxKind
    seat: int | None
    seq: int


class HandledRow(StoredRow, frozen=True):
    """A delivery that has been carried out, and the last log entry then (-1 in a lobby)."""

    TABLE = "handled"
    KEY = ("delivery",)

    delivery: str
    table: int
    seq: int
    at: datetime


class PromiseStanding(StrEnum):
    """How a promise stands."""

    OFFERED = "offered"
    """The offer that it goes with has not been answered."""
    OPEN = "open"
    """Given; whether it is kept is still to be seen."""
    KEPT = "kept"
    BROKEN = "broken"
    LAPSED = "lapsed"
    """The offer came to nothing."""


class Promise(StoredRow, frozen=True):
    """Words that seat `giver` promises seat `receiver`, along with an offer; one each way.

    `made` is the log entry of the offer, `closed` the last one when it lapsed or was marked, None
    before. A `secret` promise is for those two alone.
    """

    TABLE = "promises"
    KEY = ("table", "offer", "giver")

    table: int
    offer: str
    giver: int
    receiver: int
    words: str
    secret: bool
    status: PromiseStanding
    made: int
    closed: int | None = None

    def visible_to(self, observer: int) -> bool:
        """Whether the observer may know of it."""
        return not self.secret or observer in (self.giver, self.receiver)


class Verdict(StrEnum):
    """How a proposal stands, or how it has ended."""

    OPEN = "open"
    PASSED = "passed"
    REFUSED = "refused"
    LAPSED = "lapsed"
    ACTED = "acted"
    """The player whom it is about has acted."""
    HANDED_OVER = "handed over"
    """The seat that it is about has another player, or a computer player."""
    LEFT = "left"
    """Its proposer has left the game."""
    UNDONE = "undone"
    """The game has gone back before what was to be taken back."""
    RESTING = "resting"
    OVER = "over"


class ProposalRow(StoredRow, frozen=True):
    """Something that a user proposes to all people of a table, to be agreed on before `until`.

    `word` says what of its kind is meant. One that is no longer open is kept with its `verdict`
    until the post that asks, `message` at a `place`, says so.
    """

    TABLE = "proposals"
    KEY = ("table", "kind", "word")

    table: int
    kind: str
    word: str
    by: int
    at: datetime
    until: datetime
    verdict: Verdict = Verdict.OPEN
    refused_by: int | None = None
    place: int | None = None
    message: int | None = None


WHOLE_TABLE = -1
"""The seat of a scheduled task that concerns no single seat."""
NO_TABLE = 0
"""The table of a scheduled task that concerns none; its seat is a user."""


PROPOSAL = "proposal."
"""What the kinds of the tasks of a proposal begin with."""


class ScheduledRow(StoredRow, frozen=True):
    """A task of that kind to be done at a time, for a seat, or for the `WHOLE_TABLE`.

    With `NO_TABLE` it concerns no table, and `seat` is a user.
    """

    TABLE = "scheduled"
    KEY = ("table", "seat", "kind")

    table: int
    seat: int
    kind: str
    at: datetime


class ClockRow(StoredRow, frozen=True):
    """The clock of a seat: it had `left` seconds at the time `since`, or has them where that is
    None, for it then stands; at the beginning of its turn it had `budget` seconds."""

    TABLE = "clocks"
    KEY = ("table", "seat")

    table: int
    seat: int
    budget: int
    left: int
    since: datetime | None = None


class OutageRow(StoredRow, frozen=True):
    """The bot could not post at a table from `since` on, until it could; None while that lasts.

    With `NO_TABLE` it was away altogether. The one of those that lasts is its heartbeat: `since`
    is when it was last seen.
    """

    TABLE = "outages"
    KEY = ("table", "since")

    table: int
    since: datetime
    until: datetime | None = None


class Notification(StoredRow, frozen=True):
    """A user has been awaited at a seat since a time, as of log entry `seq`; once `over`, no
    longer.

    `notified` says that a post has pinged them, `told` that they have been told as they wish; `dm`
    and `post` are the messages that were sent for this alone. Each reminder begins this again.
    `told_at` is when they were last rung for it.
    """

    TABLE = "notifications"
    KEY = ("table", "seat", "seq")

    table: int
    seat: int
    seq: int
    user: int
    since: datetime
    notified: bool = False
    told: bool = False
    over: bool = False
    reminders: int = 0
    dm: int | None = None
    post: int | None = None
    told_at: datetime | None = None


class NumberedMessageRow(StoredRow, frozen=True):
    """The newest message of a kind, the `number`th of it; it tells up to log entry `seq`.

    `message` is the last one known to have been sent: this one once it is `noted`, else the one
    before.
    """

    TABLE = "numbered_messages"
    KEY = ("table", "what")

    table: int
    what: str
    number: int
    seq: int
    message: int | None
    noted: bool


class AskingRow(StoredRow, frozen=True):
    """A message that asks a seat to answer the decision `offer`, and has the buttons for it."""

    TABLE = "asking"
    KEY = ("table", "message")

    table: int
    message: int
    place: int
    seat: int
    offer: str


class PlanRow(StoredRow, frozen=True):
    """Actions that a user has planned for their seat, in order, with what each was seen to bring.

    Number 0 is the one being made; the others are kept, with a `name`. `asked` is the kind of
    decision that the first action answers. An `armed` one plays itself when its turn comes.
    """

    TABLE = "plans"
    KEY = ("table", "seat", "number")

    table: int
    seat: int
    number: int
    user: int
    name: str
    asked: str
    actions: Sequence[str]
    marks: Sequence[str]
    armed: bool = False


class ResultRow(StoredRow, frozen=True):
    """A person's result of a game: their place among `seats`, and their score.

    Where somebody left early `score` is None, and `name` is empty where another took the seat.
    `moves` is how often the table had to wait for them, `seconds` how long in all. `mu` and `sigma`
    are their rating afterwards, None without one.
    """

    TABLE = "results"
    KEY = ("table", "user")

    table: int
    user: int
    seat: int
    name: str
    guild: int
    game: str
    seats: int
    place: int
    score: int | None
    moves: int
    seconds: int
    finished: datetime
    mu: float | None = None
    sigma: float | None = None


class VoteRow(StoredRow, frozen=True):
    """A user's vote on the proposal of that kind and word."""

    TABLE = "votes"
    KEY = ("table", "kind", "word", "user")

    table: int
    kind: str
    user: int
    at: datetime
    word: str = ""


class PersonRow(StoredRow, frozen=True):
    """A user's own settings."""

    TABLE = "people"
    KEY = ("user",)

    user: int
    settings: Mapping[str, Any]


class ServerRow(StoredRow, frozen=True):
    """What is set for a server."""

    TABLE = "servers"
    KEY = ("guild",)

    guild: int
    settings: Mapping[str, Any]


class NoteRow(StoredRow, frozen=True):
    """A user's note at a table."""

    TABLE = "notes"
    KEY = ("table", "user")

    table: int
    user: int
    text: str


class ReviewRow(StoredRow, frozen=True):
    """The review of a finished game."""

    TABLE = "reviews"

    table: int
    blob: bytes


class TableIdRow(StoredRow, frozen=True):
    """The last id that was given to a table; there is one such row."""

    TABLE = "table_ids"
    KEY = ("last",)

    last: int


class RevisionRow(StoredRow, frozen=True):
    """How often the thing of that name was written under a guard."""

    TABLE = "revisions"
    KEY = ("name",)

    name: str
    number: int


KINDS: tuple[type[StoredRow], ...] = tuple(StoredRow.__subclasses__())
"""All of them, each behind those it refers to."""
TABLES_OF_TABLE = tuple(kind for kind in KINDS if "table" in kind.__struct_fields__)
"""Those that belong to a table of the game."""


class ToSend(msgspec.Struct, frozen=True):
    """What is to be sent at a table, and its numbered messages by kind."""

    table: int
    items: tuple[OutboxItem, ...]
    notifications: tuple[Notification, ...]
    numbered: Mapping[str, NumberedMessageRow]


class StandingRow(msgspec.Struct, frozen=True):
    """A person's current rating in a game and server, after so many rated games."""

    user: int
    name: str
    mu: float
    sigma: float
    games: int
    wins: int


class StoredTable(msgspec.Struct, frozen=True):
    """A table as it is stored: its row, players by seat, and (unless only heads were asked for)
    its snapshot, the number of its last log entry, and its promises in the order of the log."""

    table: TableRow
    players: tuple[Player, ...]
    snapshot: SnapshotRow | None = None
    last_seq: int | None = None
    promises: tuple[Promise, ...] = ()


class Census(msgspec.Struct, frozen=True):
    """Counts over all tables: tables by game and status, outbox items and the time of the oldest,
    and the size of the database in bytes."""

    tables: Mapping[tuple[str, str], int]
    outbox: int
    outbox_since: datetime | None
    size: int
