"""Results of games that ended, the ratings that follow from them, by openskill and from places
alone, and the statistics of people; each for every server apart.

A game counts where at least two people played it, and none that came in a file. Each of them has a
place among all seats, and shares it with equals; who resigned or was replaced comes in last,
whatever the seat does in other hands. Rated are people against people: a computer player neither
has a rating nor changes one, and a game is not rated of which no two people played the last third.
Who resigns does not escape that way: where nobody is left to play against, the third is that of the
game up to then. Somebody who wants no statistics gets no result, and is not rated against.
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
from bot.tables.clocks import waited
from bot.tables.core import (
    NO_SEAT,
    OF_THE_TABLE,
    RESIGN,
    LoadedTable,
    RecordError,
    Table,
    UnitOfWork,
    errors,
    from_store,
)
from bot.tables.core.log import entries_in_effect, imported_key, undone_to
from bot.tables.people import People, UserSettings
from bot.workers import in_thread

logger = logging.getLogger(__name__)

OVER = (Status.FINISHED, Status.ABANDONED)
_TICK = timedelta(microseconds=1)
"""The least difference between two times that are stored."""
NO_HOST = 0
"""Stands in for a host who has been forgotten."""

MU, SIGMA = 25.0, 25 / 3
"""What openskill makes of a new player."""
_UNIT = 40
_BEGIN = 1000


class Trust(StrEnum):
    """How much a rating can be trusted."""

    NEW = "new"
    VAGUE = "vague"
    FAIR = "fair"
    FIRM = "firm"


_BELOW = ((3.0, Trust.FIRM), (4.5, Trust.FAIR), (6.5, Trust.VAGUE))
"""Each level is for a sigma below that many units of openskill (a new player has 8.3)."""


class Rating(NamedTuple):
    """A strength as openskill sees it, and its uncertainty, both in openskill's units."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def points(self) -> int:
        """What the player is almost certainly worth at least; 1000 for a new one."""
        return round(_BEGIN + _UNIT * (self.mu - 3 * self.sigma))

    @property
    def trust(self) -> Trust:
        """How much it can be trusted."""
        return next((word for most, word in _BELOW if self.sigma < most), Trust.NEW)


class Tally(msgspec.Struct, frozen=True):
    """A person's results in one game.

    `average` leaves out games they resigned, and is None without others. `streak` are the games
    won in a row up to now, `longest` ever. `rating` and `history`, its points after each rated
    game, are there only for one server. `pace` is how long a table waits for them each time.
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
    """How often one person came in ahead of another in one game, behind, or level."""

    game: str
    ahead: int
    behind: int
    even: int
    last: datetime

    @property
    def games(self) -> int:
        """How often they met."""
        return self.ahead + self.behind + self.even


class LeaderboardPlace(StandingRow, frozen=True):
    """A person's place in a server's leaderboard of a game; equals share it."""

    place: int

    @property
    def rating(self) -> Rating:
        """Their rating now."""
        return Rating(self.mu, self.sigma)


class Results:
    """What people got from their games. All methods raise StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork, people: People) -> None:
        self._unit_of_work = unit_of_work
        self._people = people
        # From the ratings before a game to the commit of those after it. Other processes are
        # guarded against.
        self._rating = asyncio.Lock()

    async def of_person(
        self, user: int, guild: int | None, game: str | None = None
    ) -> tuple[Tally, ...]:
        """Somebody's results by game, in one server or (None) in all, the most played first.

        Nothing for those who want no statistics.
        """
        rows = await self._rows(user, guild, game)
        return await in_thread(tallies, rows, one_server=guild is not None)

    async def between(
        self, user: int, other: int, guild: int | None, game: str | None = None
    ) -> tuple[Meeting, ...]:
        """How the user has done against the other, by game, the most played first."""
        mine = await self._rows(user, guild, game)
        return await in_thread(meetings, mine, await self._rows(other, guild, game))

    async def standings(self, guild: int, game: str) -> tuple[LeaderboardPlace, ...]:
        """The leaderboard of a game in a server, the best first."""
        found = await from_store(self._unit_of_work.store.standings(guild, game))
        return await in_thread(_ranked, found)

    async def is_unrated(self, table: Table) -> bool:
        """Whether a finished game that people played together counts for no rating."""
        if table.guild is None:
            return False
        entries = await from_store(self._unit_of_work.store.entries(table.id))
        is_counted = not _is_imported(entries) and len(_people(table, entries)) > 1
        return is_counted and not _is_rated(table, entries)

    async def forget(self, user: int, name: str) -> None:
        """Deletes the user's results and ratings, and their traces at tables that are over.

        There they are called `name` from now on. At open tables they stay who they are.
        """
        cache, is_shared = self._unit_of_work.cache, self._unit_of_work.store.is_shared
        found = await from_store(self._unit_of_work.store.traces(user, OVER))
        for some in slices(found):
            if not is_shared:
                await self._forget_at(some, user, name)
            # Whoever works there may be about to keep it as it was in memory.
            for table_id in some if is_shared else filter(cache.locks.is_busy, some):
                forget = partial(self._forget_at, [table_id], user, name, is_locked=True)
                await cache.run_locked(table_id, forget)
        batch = WriteBatch()
        batch.delete(ResultRow, user=user)
        await from_store(self._unit_of_work.store.commit(batch))

    @asynccontextmanager
    async def counted(
        self, batch: WriteBatch, after: LoadedTable, new: Sequence[EntryRow]
    ) -> AsyncIterator[None]:
        """Adds people's results to the batch of a game's last entries, to be committed meanwhile.

        Does nothing where the game goes on.
        """
        if after.table.status is not Status.FINISHED:
            yield
            return
        async with self._rating:
            await self._unit_of_work.guard(batch, f"ratings:{after.table.guild}:{after.table.game}")
            for row in await self._taken_away(after, new):
                batch.insert(row)
            yield

    async def _rows(self, user: int, guild: int | None, game: str | None) -> list[ResultRow]:
        rows = await from_store(self._unit_of_work.store.results_of(user))
        return [
            row
            for row in rows
            if (guild is None or row.guild == guild) and (game is None or row.game == game)
        ]

    async def _taken_away(self, after: LoadedTable, new: Sequence[EntryRow]) -> list[ResultRow]:
        table, outcome = after.table, after.position().outcome
        if outcome is None or table.guild is None:
            return []
        entries = [*await from_store(self._unit_of_work.store.entries(table.id)), *new]
        if _is_imported(entries):
            return []
        seats = _people(table, entries)
        if len(seats) < 2:
            return []
        found = {user: await self._people.get(user) for user in seats}
        people = {user: person for user, person in found.items() if person.counted}
        times = await self._waited(table, entries, people)
        places = outcome.places
        rows = []
        for user in people:
            seat, resigned = seats[user]
            is_taken = resigned and table.players[seat].user is not None
            moves, spent = times[user]
            rows.append(
                ResultRow(
                    table=table.id,
                    user=user,
                    seat=seat,
                    name="" if is_taken else table.names[seat],
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
        known = await from_store(
            self._unit_of_work.store.ratings(guild, game, [row.user for row in rows])
        )
        before = [Rating(*known[row.user][:2]) if row.user in known else Rating() for row in rows]
        after = await in_thread(rated, before, [rank(row) for row in rows])
        # The last in time counts: the clocks of two processes may differ, or stand still.
        earliest = max((since + _TICK for *_, since in known.values()), default=rows[0].finished)
        return [
            replace(row, mu=now.mu, sigma=now.sigma, finished=max(row.finished, earliest))
            for row, now in zip(rows, after, strict=True)
        ]

    async def _waited(
        self, table: Table, entries: Sequence[EntryRow], people: dict[int, UserSettings]
    ) -> dict[int, tuple[int, timedelta]]:
        """How often the table waited for each person, and how long in all."""
        try:
            return await waited(self._unit_of_work.rules(table), table, entries, people)
        except (RecordError, errors.TableDamaged):
            # The game ends all the same.
            logger.warning("log unreadable, waiting times unknown table=%d", table.id)
            return dict.fromkeys(people, (0, timedelta()))

    async def _forget_at(
        self, tables: Sequence[int], user: int, name: str, *, is_locked: bool = False
    ) -> None:
        """Makes some tables that are over forget the user; one, where the caller holds its lock."""
        cache, batch = self._unit_of_work.cache, WriteBatch()
        batch.forget_user(tables, user, name=name, host=NO_HOST, sign=OF_THE_TABLE, left=RESIGN)
        for table_id in tables if is_locked else ():
            batch.guard_table(table_id, (await cache.load(table_id)).revision)
        await from_store(self._unit_of_work.store.commit(batch))
        for table_id in tables:
            cache.drop(table_id)


def _ranked(found: Sequence[StandingRow]) -> tuple[LeaderboardPlace, ...]:
    rows = [LeaderboardPlace(**asdict(row), place=0) for row in found]
    rows.sort(key=lambda each: (-each.rating.points, -each.wins, each.user))
    places: dict[int, int] = {}
    for place, each in enumerate(rows, 1):
        places.setdefault(each.rating.points, place)
    return tuple(replace(each, place=places[each.rating.points]) for each in rows)


def _people(table: Table, entries: Sequence[EntryRow]) -> dict[int, tuple[Seat, bool]]:
    """The people who played: where each sat last, and whether they left before the end."""
    left = {
        row.user: (row.seat, True)
        for row in entries
        if row.user is not None and (row.action == RESIGN or _is_of_game(row))
    }
    stayed = {
        player.user: (player.seat, False) for player in table.players if player.user is not None
    }
    return left | stayed


def _is_imported(entries: Sequence[EntryRow]) -> bool:
    """Whether the game came in a file, of which the maker could have played all seats, and have
    chosen the key."""
    return any(imported_key(row.action) is not None for row in entries)


def _is_rated(table: Table, entries: Sequence[EntryRow]) -> bool:
    """Whether two people played the last third of the game; of what came before the last of them
    resigned, where that left one alone."""
    resigned = [seq for seq, row in enumerate(entries) if row.action == RESIGN]
    if resigned and len(table.owners) < 2:
        entries = entries[: resigned[-1]]
    stand = [entries[seq] for seq in entries_in_effect(undone_to(row.action) for row in entries)]
    users = [row.user for row in stand if _is_of_game(row)]
    return len({user for user in users[2 * len(users) // 3 :] if user is not None}) > 1


def _is_of_game(row: EntryRow) -> bool:
    """Whether an entry is an action on a seat, and no matter of the table."""
    return row.seat != NO_SEAT and not row.action.startswith(OF_THE_TABLE)


def rated(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The ratings after a game. The lower the rank the better; equal ranks are a tie.

    The first call loads openskill, which takes 50 ms, and 1.5 MB that nobody needs before a game
    has ended: not for the event loop.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(mu=MU, sigma=SIGMA)
    teams = [[model.rating(each.mu, each.sigma)] for each in before]
    after = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(player.mu, player.sigma) for (player,) in after]


def tallies(rows: Iterable[ResultRow], *, one_server: bool) -> tuple[Tally, ...]:
    """The results of one person, given oldest first, by game; the most played first."""
    found = (_tally(game, each, one_server) for game, each in _by_game(rows).items())
    return tuple(sorted(found, key=lambda tally: -tally.games))


def meetings(mine: Iterable[ResultRow], theirs: Iterable[ResultRow]) -> tuple[Meeting, ...]:
    """How two people came in where both sat, by game; the most played first."""
    others = {row.table: row for row in theirs}
    found = []
    for game, rows in _by_game(row for row in mine if row.table in others).items():
        pairs = [(rank(row), rank(others[row.table])) for row in rows]
        ahead = sum(one < other for one, other in pairs)
        behind = sum(one > other for one, other in pairs)
        even = len(pairs) - ahead - behind
        found.append(Meeting(game, ahead, behind, even, rows[-1].finished))
    return tuple(sorted(found, key=lambda meeting: -meeting.games))


def rank(row: ResultRow) -> int:
    """The lower the better; whoever resigned comes after all who stayed."""
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
    found: dict[str, list[ResultRow]] = {}
    for row in rows:
        found.setdefault(row.game, []).append(row)
    return found
