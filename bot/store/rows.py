"""Rows of the store: a struct for each table of schema.sql, with its columns as fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

import msgspec


class StoredRow(msgspec.Struct, frozen=True):
    """A row of `TABLE` with the primary key `KEY`."""

    TABLE: ClassVar[str]
    KEY: ClassVar[tuple[str, ...]] = ("table",)


class Status(StrEnum):
    LOBBY = "lobby"
    PLAYING = "playing"
    PAUSED = "paused"
    """All players have agreed to a pause."""
    SLEEPING = "sleeping"
    """No one has acted for weeks, or no person plays for themselves. Any player can wake it."""
    FINISHED = "finished"
    ABANDONED = "abandoned"


class TableFields(msgspec.Struct, frozen=True):
    """The public data of a table.

    `version` is that of the rules. `host` is a user. `posted_seq` is the last log entry posted in
    the channel, -1 for none. `terms` are the options of the table, `options` those of its game.
    `rematch_of` is the table that this one is a rematch of. `cup` is the cup that it belongs to.
    `webhook` tells whether its posts are also sent to a web address. `lesson` is the name of the
    lesson that it is for: only its player sees it, and it has no posts. An `unrated` table began
    with a position or a file, so it counts for nothing. `source` is the table from which the
    position came.
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
    cup: int | None = None
    webhook: bool = False
    lesson: str | None = None
    unrated: bool = False
    source: int | None = None


class TableRow(TableFields, StoredRow, frozen=True, kw_only=True):
    """A table with its secret key. `revision` counts its guarded writes."""

    TABLE = "tables"
    KEY = ("id",)

    key: bytes
    revision: int = 0


class Player(StoredRow, frozen=True):
    """The player of a seat: a `user`, or a computer player by the name of its `policy`.

    With both, the computer player acts for the user, who keeps the seat and sees its secrets.
    Anyone can take over a `vacant` seat. `orders` are the user's secret standing orders, which
    answer for the seat. `reachable` tells whether the user accepts direct messages.
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
        """Whether a person plays without a computer player acting for them."""
        return self.policy is None

    @property
    def is_autopiloted(self) -> bool:
        """Whether a computer player acts for a person."""
        return self.user is not None and self.policy is not None


class EntryRow(StoredRow, frozen=True, gc=False):
    """An entry of a table's log: an action and its random outcomes.

    `seat` is -1 if no player acted; `user` is None for a computer player.
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
    """The state after entry `seq`: a cache, used only if its hash matches.

    `draws` counts the random outcomes so far; `due` tells that a computer player has to act.
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
    """A kind of outbox item, and the message to send for it."""

    LOBBY = "lobby"
    """An update of the lobby's message."""
    EXPIRED = "expired"
    """An idle lobby has closed."""
    BOARD = "board"
    """The board, and the players to act."""
    HAND = "hand"
    """A seat's hand, after another player has changed it."""
    PRIVATE = "private"
    """Events that only this seat sees."""
    END = "end"
    """The end of the table."""
    STORY = "story"
    """The story of a finished game and the chart of its points."""
    FILM = "film"
    """The film of a finished game."""
    NOTIFY = "call"
    """A notification of a player to act, or the removal of old ones."""
    ANSWERED = "answered"
    """An update of messages that ask for an answer to a closed offer."""
    ORDER = "order"
    """The actions of a seat's standing orders."""
    PLAN = "plan"
    """The actions of a seat's plan that played itself."""
    PING = "ring"
    """A ping about a seat's time, a vote, or the end."""
    VOTE = "vote"
    """A vote, or its result."""
    IDLE = "idle"
    """A warning that the table will be put to sleep."""
    WHISPER = "whisper"
    """A whisper to this seat; `seq` is the whisper's number."""
    TALK = "talk"
    """The whispers of two players who both show them; `seq` is the number of the first one."""
    WEBHOOK = "webhook"
    """A post as JSON, to the table's web address."""


class OutboxItem(StoredRow, frozen=True, gc=False):
    """A message still to be sent, as of log entry `seq` (-1 before the game).

    Ids are never used again.
    """

    TABLE = "outbox"
    KEY = ("id",)

    id: int
    table: int
    kind: OutboxKind
    seat: int | None
    seq: int


class HandledRow(StoredRow, frozen=True):
    """A processed delivery, and the last log entry after it (-1 in a lobby)."""

    TABLE = "handled"
    KEY = ("delivery",)

    delivery: str
    table: int
    seq: int
    at: datetime


class PromiseStatus(StrEnum):
    OFFERED = "offered"
    """Its offer has no answer yet."""
    OPEN = "open"
    """Given, but not yet marked as kept or broken."""
    KEPT = "kept"
    BROKEN = "broken"
    LAPSED = "lapsed"
    """Its offer was not accepted."""


class Promise(StoredRow, frozen=True):
    """A promise from seat `giver` to seat `receiver` that is part of an offer; one each way.

    `made` is the log entry of the offer, `closed` the last entry when it lapsed or was marked.
    Only those two see a `secret` promise.
    """

    TABLE = "promises"
    KEY = ("table", "offer", "giver")

    table: int
    offer: str
    giver: int
    receiver: int
    words: str
    secret: bool
    status: PromiseStatus
    made: int
    closed: int | None = None

    def visible_to(self, observer: int) -> bool:
        return not self.secret or observer in (self.giver, self.receiver)


class Verdict(StrEnum):
    """The status or result of a proposal."""

    OPEN = "open"
    PASSED = "passed"
    REFUSED = "refused"
    LAPSED = "lapsed"
    ACTED = "acted"
    """The player in question has acted."""
    EXTENDED = "extended"
    """The player in question got more time."""
    HANDED_OVER = "handed over"
    """The seat in question has another player, or a computer player."""
    LEFT = "left"
    """Its proposer has left the game."""
    UNDONE = "undone"
    """The action to be undone is already undone."""
    RESTING = "resting"
    OVER = "over"


class ProposalRow(StoredRow, frozen=True):
    """A proposal of a user on which all people of a table vote before `until`.

    `word` distinguishes proposals of one kind. A closed one is stored with its `verdict` until the
    post that asks, `message` in the channel `place`, shows it.
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
"""The seat of a scheduled task for a whole table."""
NO_TABLE = 0
"""The table of a scheduled task without a table. Its seat is a user or server."""
PROPOSAL = "proposal."
"""The prefix of the kinds of proposals' tasks."""


class ScheduledRow(StoredRow, frozen=True):
    """A task scheduled for a seat, or for the `WHOLE_TABLE`.

    With `NO_TABLE`, `seat` is a user or server.
    """

    TABLE = "scheduled"
    KEY = ("table", "seat", "kind")

    table: int
    seat: int
    kind: str
    at: datetime


class ClockRow(StoredRow, frozen=True):
    """The clock of a seat: it had `left` seconds at the time `since`.

    It is stopped if `since` is None. At the start of the turn it had `budget` seconds.
    """

    TABLE = "clocks"
    KEY = ("table", "seat")

    table: int
    seat: int
    budget: int
    left: int
    since: datetime | None = None


class OutageRow(StoredRow, frozen=True):
    """A time in which the bot could not post at a table; `until` is None while it lasts.

    With `NO_TABLE` the bot was not running. The open row of these is the heartbeat: `since` is
    when the bot was last seen.
    """

    TABLE = "outages"
    KEY = ("table", "since")

    table: int
    since: datetime
    until: datetime | None = None


class Notification(StoredRow, frozen=True):
    """The notification of a user who has been to act at a seat since log entry `seq`, until it is
    `over`.

    `notified` means that a post has pinged them, `told` that they were notified as their settings
    say. `dm` and `post` are messages sent only for this. Each reminder starts this again. `told_at`
    is the time of the last ping.
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
    """The newest message of a kind, number `number`, which covers events up to entry `seq`.

    `message` is the last message known to be sent: this one if `noted`, else the one before.
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
    """A message with buttons that asks a seat to answer the decision `offer`."""

    TABLE = "asking"
    KEY = ("table", "message")

    table: int
    message: int
    place: int
    seat: int
    offer: str


class PlanRow(StoredRow, frozen=True):
    """A user's plan for their seat: actions in order, with the expected outcome of each.

    Number 0 is the plan being edited; the others are saved with a `name`. `asked` is the kind of
    decision that the first action answers. An `armed` plan plays itself on the seat's turn.
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

    If they left early, `score` is None; if someone else took the seat, `name` is empty. `moves`
    is how often the table had to wait for them, `seconds` the total wait. `mu` and `sigma` are
    the rating after the game, None without one.
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
    TABLE = "votes"
    KEY = ("table", "kind", "word", "user")

    table: int
    kind: str
    user: int
    at: datetime
    word: str = ""


class PersonRow(StoredRow, frozen=True):
    TABLE = "people"
    KEY = ("user",)

    user: int
    settings: Mapping[str, Any]


class ServerRow(StoredRow, frozen=True):
    TABLE = "servers"
    KEY = ("guild",)

    guild: int
    settings: Mapping[str, Any]


class NoteRow(StoredRow, frozen=True):
    """A user's private note at a table."""

    TABLE = "notes"
    KEY = ("table", "user")

    table: int
    user: int
    text: str


class ReviewRow(StoredRow, frozen=True):
    TABLE = "reviews"

    table: int
    blob: bytes


class SearchRow(StoredRow, frozen=True):
    """A user who looks for players of a game in a server.

    `seats` are the numbers of players that suit them, `level` is their experience, and with
    `same_level` the others must have it too. Their table is opened in `channel`, unless the server
    has named another. They look until `until`.
    """

    TABLE = "searches"
    KEY = ("guild", "user", "game")

    guild: int
    user: int
    game: str
    name: str
    channel: int
    pace: str
    seats: Sequence[int]
    level: str
    same_level: bool
    languages: Sequence[str]
    since: datetime
    until: datetime


class AlertRow(StoredRow, frozen=True):
    """A user's wish to know about new searches in a server: for a game and a pace, or any (empty).

    `told` is when they last got such a message.
    """

    TABLE = "alerts"
    KEY = ("guild", "user", "game", "pace")

    guild: int
    user: int
    game: str
    pace: str
    told: datetime | None = None


class FollowRow(StoredRow, frozen=True):
    """A user who follows a table without a seat there; with `pings`, they get messages.

    Before `quiet_until`, they get none but the last.
    """

    TABLE = "follows"
    KEY = ("table", "user")

    table: int
    user: int
    pings: bool
    quiet_until: datetime


class LateRow(StoredRow, frozen=True):
    """In how many turns at a table a user's time ran out.

    `last` is the log entry with which the last of these turns began.
    """

    TABLE = "late_turns"
    KEY = ("table", "user")

    table: int
    user: int
    turns: int
    last: int


class WhisperRow(StoredRow, frozen=True):
    """A private message between two users at a table, numbered from 1."""

    TABLE = "whispers"
    KEY = ("table", "number")

    table: int
    number: int
    sender: int
    receiver: int
    text: str
    at: datetime


class WebhookRow(StoredRow, frozen=True):
    """The web address to which a table's posts are sent, and the key that signs them."""

    TABLE = "webhooks"

    table: int
    url: str
    secret: bytes


class PredictionRow(StoredRow, frozen=True):
    """A spectator's prediction: the seat that wins, and by how many points.

    `points` are set at the end of the game.
    """

    TABLE = "predictions"
    KEY = ("table", "user")

    table: int
    user: int
    guild: int
    name: str
    seat: int
    margin: int
    points: int | None = None


class AwardRow(StoredRow, frozen=True):
    """A record or an achievement of a user in a server, and the table where they got it.

    A record has one holder, an achievement may have many.
    """

    TABLE = "awards"
    KEY = ("guild", "game", "award", "user")

    guild: int
    game: str
    award: str
    user: int
    name: str
    value: int
    table: int


class CupRow(StoredRow, frozen=True):
    """A cup or league of a server; bot/tables/cup_rules.py describes its data."""

    TABLE = "cups"
    KEY = ("id",)

    id: int
    guild: int
    data: Mapping[str, Any]


class TableIdRow(StoredRow, frozen=True):
    """The last id given to a table, in a single row."""

    TABLE = "table_ids"
    KEY = ("last",)

    last: int


class RevisionRow(StoredRow, frozen=True):
    """The number of guarded writes of a named record."""

    TABLE = "revisions"
    KEY = ("name",)

    name: str
    number: int


KINDS: tuple[type[StoredRow], ...] = tuple(StoredRow.__subclasses__())
"""All kinds of rows, each after those that it references."""
TABLES_OF_TABLE = tuple(kind for kind in KINDS if "table" in kind.__struct_fields__)
"""The kinds of rows that belong to a game's table."""


class ToSend(msgspec.Struct, frozen=True):
    """The messages to send at a table, and its numbered messages by kind."""

    table: int
    items: tuple[OutboxItem, ...]
    notifications: tuple[Notification, ...]
    numbered: Mapping[str, NumberedMessageRow]


class StandingRow(msgspec.Struct, frozen=True):
    """A person's current rating in a game and server, and their rated games and wins."""

    user: int
    name: str
    mu: float
    sigma: float
    games: int
    wins: int


class PredictorRow(msgspec.Struct, frozen=True):
    """A person's points for predictions in a server, their finished games and right winners."""

    user: int
    name: str
    points: int
    games: int
    hits: int


class StoredTable(msgspec.Struct, frozen=True):
    """A stored table: its row and its players by seat.

    Unless only heads were loaded, also its snapshot, the number of its last log entry, and its
    promises in the order of the log.
    """

    table: TableRow
    players: tuple[Player, ...]
    snapshot: SnapshotRow | None = None
    last_seq: int | None = None
    promises: tuple[Promise, ...] = ()


class Census(msgspec.Struct, frozen=True):
    """Totals: tables by game and status, outbox items, the time of the oldest, and bytes stored."""

    tables: Mapping[tuple[str, str], int]
    outbox: int
    outbox_since: datetime | None
    size: int
