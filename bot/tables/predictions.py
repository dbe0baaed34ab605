"""Predictions of spectators: the seat that will win, and by how many points.

They can be made and changed until a third of the game is over, by its public measure
(`Game.progress`); an undo may open them again. Until then others see none of them.

At the end of a game, a prediction of a winner gets 3 points, and 2 more if its margin is at most 1
point off, or 1 more if it is at most 5 off. The margin is the winner's lead over the best other
seat, 0 for shared wins. An abandoned game deletes its predictions. People who want no statistics
get no points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import asdict, replace

from bot.game.contract import Outcome, Seat
from bot.store import PredictionRow, PredictorRow, Status
from bot.tables.core import (
    LoadedTable,
    Rejected,
    TableChange,
    UnitOfWork,
    from_store,
    log,
    seating,
)
from bot.tables.results import shared_places
from bot.workers import in_thread

CLOSED_AT = 1 / 3
"""The progress of a game at which predictions close."""
WINNER, NEAR = 3, ((1, 2), (5, 1))
"""The points for the winner, and for a margin that is at most so many points off."""
MAX_MARGIN = 999
MAX_AT_TABLE = 250


class PredictorPlace(PredictorRow, frozen=True):
    """A person's place among a server's predictors; ties share a place."""

    place: int


class Predictions:
    """The predictions at tables of servers. All methods raise StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        unit_of_work.writers.append(self._on_change)

    async def at(self, table_id: int, *, counted: bool = False) -> list[PredictionRow]:
        """Return a table's predictions, best first and then by name; if `counted`, without those
        of people who want no statistics."""
        rows = await from_store(self._unit_of_work.store.predictions(table_id, counted=counted))
        return sorted(rows, key=lambda row: (-(row.points or 0), row.name, row.user))

    async def are_open(self, table_id: int) -> bool:
        """Return whether predictions can be made.

        Raise not_in_server, no_predictions, UnknownTable, and the errors of
        `LoadedTable.position`.
        """
        return self._are_open(await self._unit_of_work.cache.read(table_id))

    async def predict(
        self, table_id: int, user: int, name: str, seat: Seat | None, margin: int | None
    ) -> PredictionRow:
        """Store the user's prediction, and return it. What is None stays as it was.

        Raise table_over, predictions_closed, has_played, incomplete_prediction or
        too_many_predictions, and the errors of `are_open`.
        """

        async def work(change: TableChange) -> PredictionRow:
            table, store = change.table, self._unit_of_work.store
            seating.check_open(table)
            if not self._are_open(change.after):
                raise Rejected("predictions_closed")
            if table.seat_of(user) is not None or await from_store(
                store.has_acted(user, [table_id], without=(log.HOST, log.EXTEND))
            ):
                raise Rejected("has_played")
            assert table.guild is not None
            rows = await self.at(table_id)
            own = next((row for row in rows if row.user == user), None)
            wins = own.seat if seat is None and own is not None else seat
            by = own.margin if margin is None and own is not None else margin
            if wins is None or by is None:
                raise Rejected("incomplete_prediction")
            if own is None and len(rows) >= MAX_AT_TABLE:
                raise Rejected("too_many_predictions", most=MAX_AT_TABLE)
            row = PredictionRow(table_id, user, table.guild, name, wins, by)
            change.batch.save(row)
            return row

        return await self._unit_of_work.carry_out(table_id, None, work, notifies=False)

    async def ranking(self, guild: int) -> list[PredictorPlace]:
        """Return a server's predictors, best first."""
        rows = await from_store(self._unit_of_work.store.predictors(guild))
        return await in_thread(_ranked, rows)

    def _are_open(self, loaded: LoadedTable) -> bool:
        table = loaded.table
        if table.guild is None:
            raise Rejected("not_in_server")
        if table.unrated:
            raise Rejected("no_predictions")
        rules, now = self._unit_of_work.rules(table), loaded.position()
        return not table.is_over and rules.progress(now.state) < CLOSED_AT

    async def _on_change(self, change: TableChange, before: LoadedTable) -> None:
        """Give points for the predictions at the end of a game."""
        table = change.table
        if not table.is_over or before.table.is_over or table.guild is None:
            return
        if table.status is not Status.FINISHED:
            change.batch.delete(PredictionRow, table=table.id)
            return
        outcome = change.after.position().outcome
        assert outcome is not None
        for row in await self.at(table.id, counted=True):
            points = points_of(row.seat, row.margin, outcome)
            change.batch.update(replace(row, points=points), "points")


def _ranked(rows: Iterable[PredictorRow]) -> list[PredictorPlace]:
    ranked = sorted(rows, key=lambda row: (-row.points, row.user))
    places = shared_places([row.points for row in ranked])
    return [
        PredictorPlace(**asdict(row), place=place)
        for row, place in zip(ranked, places, strict=True)
    ]


def points_of(seat: Seat, margin: int, outcome: Outcome) -> int:
    """Return the points for a prediction."""
    if seat not in outcome.winners:
        return 0
    error = abs(margin - lead_of(seat, outcome.scores))
    return WINNER + next((points for limit, points in NEAR if error <= limit), 0)


def lead_of(seat: Seat, scores: Sequence[int]) -> int:
    """Return by how many points a winning seat is ahead; 0 if a tie-break decided."""
    return max(scores[seat] - max([*scores[:seat], *scores[seat + 1 :]]), 0)
