"""Results of finished games, ratings and statistics of people, all separate for each server.

A game counts if at least two people played it and it did not begin with a file or a position.
Each person has a place among all seats; ties share a place. A player who resigned or was replaced
comes last, whatever their seat does later.

Ratings use openskill and depend on places only. Computer players have no rating and change none. A
game is rated only if at least two people played its last third. A player cannot avoid that by
resigning: if only one person is left, the last third before the resignation counts. People who want
no statistics get no results and are not rated against.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import NamedTuple

import msgspec
from msgspec.structs import asdict, replace

from bot.game.contract import Seat
from bot.store import EntryRow, ResultRow, StandingRow, Status, WriteBatch, slices
from bot.tables.clocks import thinking_times
from bot.tables.core import (
    NO_SEAT,
    NOT_OVER,
    RESIGN,
    TABLE_PREFIX,
    LoadedTable,
    RecordError,
    Table,
    UnitOfWork,
    errors,
    from_store,
    seating,
)
from bot.tables.core.log import entries_in_effect, undone_to
from bot.tables.people import People, UserSettings
from bot.workers import in_thread

logger = logging.getLogger(__name__)

OVER = (Status.FINISHED, Status.ABANDONED)
_TICK = timedelta(microseconds=1)
"""The smallest difference between two stored times."""
NO_HOST = 0
"""The host of a table whose host's data was deleted."""

MU, SIGMA = 25.0, 25 / 3
"""openskill's values for a new player."""
_UNIT = 40
_INITIAL = 1000


class Trust(StrEnum):
    """The reliability of a rating."""

    NEW = "new"
    VAGUE = "vague"
    FAIR = "fair"
    FIRM = "firm"


_BELOW = ((3.0, Trust.FIRM), (4.5, Trust.FAIR), (6.5, Trust.VAGUE))
"""The upper limit of sigma for each level, in openskill's units. A new player has 8.3."""


class Rating(NamedTuple):
    """A strength and its uncertainty, in openskill's units."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def points(self) -> int:
        """The strength with a safety margin, almost certainly a lower bound; 1000 at the start."""
        return round(_INITIAL + _UNIT * (self.mu - 3 * self.sigma))

    @property
    def trust(self) -> Trust:
        """The rating's reliability."""
        return next((trust for limit, trust in _BELOW if self.sigma < limit), Trust.NEW)


LAST = 20
"""The results that count for a person's reliability."""
MIN_RESULTS = 3
"""With fewer results, a person is new."""
MIN_FINISHED = 80
"""The percentage of games that a reliable player finishes."""


class Reliability(msgspec.Struct, frozen=True):
    """The percentages of games finished and of turns within the time, over LAST games in a server.

    They mean little for someone who `is_new`.
    """

    finished: int
    on_time: int
    is_new: bool


class Tally(msgspec.Struct, frozen=True):
    """A person's results in one game.

    `average` leaves out resigned games and is None if there are no others. `streak` is the current
    number of wins in a row, `longest` the record. `rating` and `history`, its points after each
    rated game, exist only for a single server. `pace` is their average time per move.
    """

    game: str
    games: int
    wins: int
    resigned: int
    average: float | None
    streak: int
    longest: int
    rating: Rating | None
    history: tuple[int, ...]
    pace: timedelta | None


class Meeting(msgspec.Struct, frozen=True):
    """How often one person finished ahead of another in one game, behind them, or tied."""

    game: str
    ahead: int
    behind: int
    even: int
    last: datetime

    @property
    def games(self) -> int:
        return self.ahead + self.behind + self.even


class LeaderboardPlace(StandingRow, frozen=True):
    """A person's place in a server's leaderboard for a game; ties share a place."""

    place: int

    @property
    def rating(self) -> Rating:
        """The person's current rating."""
        return Rating(self.mu, self.sigma)


class Results:
    """Results, ratings and leaderboards. All methods raise StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork, people: People) -> None:
        self._unit_of_work = unit_of_work
        self._people = people
        # Held from the read of the old ratings to the commit of the new ones. `UnitOfWork.guard`
        # does the same between processes.
        self._rating = asyncio.Lock()

    async def of_person(
        self, user: int, guild: int | None, game: str | None = None
    ) -> tuple[Tally, ...]:
        """Return a user's results by game, in one server or (None) in all, most played first.

        Users who want no statistics have none.
        """
        rows = await self._rows(user, guild, game)
        return await in_thread(tallies, rows, one_server=guild is not None)

    async def between(
        self, user: int, other: int, guild: int | None, game: str | None = None
    ) -> tuple[Meeting, ...]:
        """Return how the user has done against another, by game, most played first."""
        mine = await self._rows(user, guild, game)
        return await in_thread(meetings, mine, await self._rows(other, guild, game))

    async def reliability(self, user: int, guild: int) -> Reliability | None:
        """Return a user's reliability in a server; None if they want no statistics."""
        if not (await self._people.get(user)).counted:
            return None
        rows = (await self._rows(user, guild, None))[-LAST:]
        late = await from_store(
            self._unit_of_work.store.late_turns(user, [row.table for row in rows])
        )
        games, finished = max(len(rows), 1), sum(row.score is not None for row in rows)
        # A computer player may have played the late turns.
        moves = max(sum(row.moves for row in rows), late, 1)
        return Reliability(
            finished=100 * finished // games,
            on_time=100 * (moves - late) // moves,
            is_new=len(rows) < MIN_RESULTS,
        )

    async def check_may_join(self, table: Table, user: int) -> None:
        """Check the table's terms for a user who wants a seat.

        Raise no_record, unreliable or too_many_unfinished.
        """
        players, load = seating.term(table, seating.PLAYERS), seating.term(table, seating.LOAD)
        if table.guild is None or (players, load) == (seating.ANYONE, seating.NO_LIMIT):
            return
        record = await self.reliability(user, table.guild)
        if record is None:
            raise errors.Rejected("no_record")
        is_reliable = record.is_new or record.finished >= MIN_FINISHED
        if players == seating.RELIABLE and not is_reliable:
            raise errors.Rejected("unreliable", finished=record.finished, least=MIN_FINISHED)
        if load == seating.NO_LIMIT:
            return
        tables = await from_store(self._unit_of_work.store.of_user(user, NOT_OVER))
        open_tables = sum(each.table.guild == table.guild for each in tables)
        rows = await self._rows(user, table.guild, None)
        finished = sum(row.score is not None for row in rows)
        if open_tables >= finished + int(load):
            raise errors.Rejected(
                "too_many_unfinished", open=open_tables, finished=finished, most=int(load)
            )

    async def standings(self, guild: int, game: str) -> tuple[LeaderboardPlace, ...]:
        """Return a server's leaderboard for a game, best first."""
        rows = await from_store(self._unit_of_work.store.standings(guild, game))
        return await in_thread(_ranked, rows)

    async def is_unrated(self, table: Table) -> bool:
        """Return whether a finished game of several people does not count for ratings."""
        if table.guild is None or table.unrated:
            return False
        entries = await from_store(self._unit_of_work.store.entries(table.id))
        return len(_people(table, entries)) > 1 and not _is_rated(table, entries)

    async def forget(self, user: int, name: str) -> None:
        """Delete the user's results and ratings, and their traces at tables that are over.

        There their name becomes `name`. Open tables do not change.
        """
        cache, is_shared = self._unit_of_work.cache, self._unit_of_work.store.is_shared
        tables = await from_store(self._unit_of_work.store.traces(user, OVER))
        for part in slices(tables):
            if not is_shared:
                await self._forget_at(part, user, name)
            # Work in progress at a table could write the user's data back: wait for its lock.
            for table_id in part if is_shared else filter(cache.locks.is_busy, part):
                forget = partial(self._forget_at, [table_id], user, name, is_locked=True)
                await cache.run_locked(table_id, forget)
        batch = WriteBatch()
        batch.delete(ResultRow, user=user)
        await from_store(self._unit_of_work.store.commit(batch))

    @asynccontextmanager
    async def add_to(
        self, batch: WriteBatch, after: LoadedTable, new: Sequence[EntryRow]
    ) -> AsyncIterator[None]:
        """Add people's results to the batch of a game's last entries, if the game is finished.

        The batch must be committed within the block.
        """
        if after.table.status is not Status.FINISHED:
            yield
            return
        async with self._rating:
            await self._unit_of_work.guard(batch, f"ratings:{after.table.guild}:{after.table.game}")
            for row in await self._new_results(after, new):
                batch.insert(row)
            yield

    async def _rows(self, user: int, guild: int | None, game: str | None) -> list[ResultRow]:
        rows = await from_store(self._unit_of_work.store.results_of(user))
        return [
            row
            for row in rows
            if (guild is None or row.guild == guild) and (game is None or row.game == game)
        ]

    async def _new_results(self, after: LoadedTable, new: Sequence[EntryRow]) -> list[ResultRow]:
        table, outcome = after.table, after.position().outcome
        if outcome is None or table.guild is None or table.unrated:
            return []
        entries = [*await from_store(self._unit_of_work.store.entries(table.id)), *new]
        seats = _people(table, entries)
        if len(seats) < 2:
            return []
        settings = {user: await self._people.get(user) for user in seats}
        people = {user: person for user, person in settings.items() if person.counted}
        times = await self._thinking_times(table, entries, people)
        places = outcome.places
        rows = []
        for user in people:
            seat, resigned = seats[user]
            has_new_owner = resigned and table.players[seat].user is not None
            moves, spent = times[user]
            rows.append(
                ResultRow(
                    table=table.id,
                    user=user,
                    seat=seat,
                    name="" if has_new_owner else table.names[seat],
                    guild=table.guild,
                    game=table.game,
                    seats=len(table.players),
                    place=len(table.players) if resigned else places[seat],
                    score=None if resigned else outcome.scores[seat],
                    moves=moves,
                    seconds=round(spent.total_seconds()),
                    finished=entries[-1].at,
                )
            )
        return await self._rated(rows) if _is_rated(table, entries) else rows

    async def _rated(self, rows: list[ResultRow]) -> list[ResultRow]:
        if len(rows) < 2:
            return rows
        guild, game = rows[0].guild, rows[0].game
        current = await from_store(
            self._unit_of_work.store.ratings(guild, game, [row.user for row in rows])
        )
        before = [
            Rating(*current[row.user][:2]) if row.user in current else Rating() for row in rows
        ]
        after = await in_thread(rated, before, [rank(row) for row in rows])
        # The latest result has the current rating, so make its time later than all earlier ones,
        # even if the clocks of two processes differ or a clock stands still.
        earliest = max((since + _TICK for *_, since in current.values()), default=rows[0].finished)
        return [
            replace(row, mu=now.mu, sigma=now.sigma, finished=max(row.finished, earliest))
            for row, now in zip(rows, after, strict=True)
        ]

    async def _thinking_times(
        self, table: Table, entries: Sequence[EntryRow], people: dict[int, UserSettings]
    ) -> dict[int, tuple[int, timedelta]]:
        """Return each person's number of moves and total time."""
        try:
            return await thinking_times(self._unit_of_work.rules(table), table, entries, people)
        except (RecordError, errors.TableDamaged):
            # The game must be able to end without these times.
            logger.warning("log unreadable, waiting times unknown table=%d", table.id)
            return dict.fromkeys(people, (0, timedelta()))

    async def _forget_at(
        self, tables: Sequence[int], user: int, name: str, *, is_locked: bool = False
    ) -> None:
        """Delete the user's traces at some tables, or at one if the caller holds its lock."""
        cache, batch = self._unit_of_work.cache, WriteBatch()
        batch.forget_user(tables, user, name=name, host=NO_HOST, sign=TABLE_PREFIX, left=RESIGN)
        for table_id in tables if is_locked else ():
            batch.tables[table_id] = (await cache.load(table_id)).revision
        await from_store(self._unit_of_work.store.commit(batch))
        for table_id in tables:
            cache.drop(table_id)


def _ranked(rows: Sequence[StandingRow]) -> tuple[LeaderboardPlace, ...]:
    ranked = [LeaderboardPlace(**asdict(row), place=0) for row in rows]
    ranked.sort(key=lambda each: (-each.rating.points, -each.wins, each.user))
    places = shared_places([each.rating.points for each in ranked])
    return tuple(replace(each, place=place) for each, place in zip(ranked, places, strict=True))


def shared_places(points: Sequence[int]) -> list[int]:
    """Return the places of points that are sorted, the most first. Ties share a place."""
    places: dict[int, int] = {}
    return [places.setdefault(each, place) for place, each in enumerate(points, 1)]


def _people(table: Table, entries: Sequence[EntryRow]) -> dict[int, tuple[Seat, bool]]:
    """Return each person's last seat, and whether they left before the end."""
    left = {
        row.user: (row.seat, True)
        for row in entries
        if row.user is not None and (row.action == RESIGN or _is_of_game(row))
    }
    stayed = {
        player.user: (player.seat, False) for player in table.players if player.user is not None
    }
    return left | stayed


def _is_rated(table: Table, entries: Sequence[EntryRow]) -> bool:
    """Return whether two people played the last third of the game.

    If a resignation left one person alone, only the game before it counts.
    """
    resigned = [seq for seq, row in enumerate(entries) if row.action == RESIGN]
    if resigned and len(table.owners) < 2:
        entries = entries[: resigned[-1]]
    rows = [entries[seq] for seq in entries_in_effect(undone_to(row.action) for row in entries)]
    users = [row.user for row in rows if _is_of_game(row)]
    return len({user for user in users[2 * len(users) // 3 :] if user is not None}) > 1


def _is_of_game(row: EntryRow) -> bool:
    """Return whether an entry is an action of the game, not one of the table."""
    return row.seat != NO_SEAT and not row.action.startswith(TABLE_PREFIX)


def rated(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return the ratings after a game. Lower ranks are better; equal ranks are a tie.

    Call it in a thread. The first call imports openskill, which takes 50 ms and 1.5 MB.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(mu=MU, sigma=SIGMA)
    teams = [[model.rating(each.mu, each.sigma)] for each in before]
    after = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(player.mu, player.sigma) for (player,) in after]


def tallies(rows: Iterable[ResultRow], *, one_server: bool) -> tuple[Tally, ...]:
    """Return one person's results by game, most played first. The rows must be oldest first."""
    by_game = (_tally(game, each, one_server) for game, each in _by_game(rows).items())
    return tuple(sorted(by_game, key=lambda tally: -tally.games))


def meetings(mine: Iterable[ResultRow], theirs: Iterable[ResultRow]) -> tuple[Meeting, ...]:
    """Return how two people finished at their common tables, by game, most played first."""
    others = {row.table: row for row in theirs}
    by_game = []
    for game, rows in _by_game(row for row in mine if row.table in others).items():
        pairs = [(rank(row), rank(others[row.table])) for row in rows]
        ahead = sum(one < other for one, other in pairs)
        behind = sum(one > other for one, other in pairs)
        even = len(pairs) - ahead - behind
        by_game.append(Meeting(game, ahead, behind, even, rows[-1].finished))
    return tuple(sorted(by_game, key=lambda meeting: -meeting.games))


def rank(row: ResultRow) -> int:
    """Return a rank for comparisons, lower is better. Players who resigned rank last."""
    return row.place if row.score is not None else row.seats + 1


def _tally(game: str, rows: Sequence[ResultRow], one_server: bool) -> Tally:
    scores = [row.score for row in rows if row.score is not None]
    moves = sum(row.moves for row in rows)
    ratings = [
        Rating(row.mu, row.sigma)
        for row in rows
        if one_server and row.mu is not None and row.sigma is not None
    ]
    streak = longest = 0
    for row in rows:
        streak = streak + 1 if rank(row) == 1 else 0
        longest = max(longest, streak)
    return Tally(
        game=game,
        games=len(rows),
        wins=sum(rank(row) == 1 for row in rows),
        resigned=len(rows) - len(scores),
        average=sum(scores) / len(scores) if scores else None,
        streak=streak,
        longest=longest,
        rating=ratings[-1] if ratings else None,
        history=tuple(each.points for each in ratings),
        pace=timedelta(seconds=sum(row.seconds for row in rows) / moves) if moves else None,
    )


def _by_game(rows: Iterable[ResultRow]) -> dict[str, list[ResultRow]]:
    by_game: dict[str, list[ResultRow]] = {}
    for row in rows:
        by_game.setdefault(row.game, []).append(row)
    return by_game
