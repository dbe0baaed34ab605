"""Statistics: what somebody has achieved in each game, and how two people compare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

import msgspec

from bot.store import ResultRow
from bot.tables.results.rating import Rating


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
