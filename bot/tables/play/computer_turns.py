"""The turns of computer players: what they do at a table, stored together as far as it goes.

A unit ends where somebody else could come between: as soon as people are asked anything else than
before, be it an offer that they need not answer; before a standing order answers for a person,
which is a unit of its own; and when anybody waits for the table. Otherwise it is as if the actions
had been stored one by one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from functools import partial
from time import perf_counter

from bot.game.contract import Action, Decision, IllegalAction
from bot.tables.computers.choosing import ComputerChoices, Mark, first_legal, marked, to_decide
from bot.tables.core.cache import LoadedTable
from bot.tables.core.errors import (
    NotOurs,
    NotStarted,
    StaleCopy,
    TableAsleep,
    TableOver,
    TablePaused,
    UnknownTable,
)
from bot.tables.core.model import OutboxKind, Status
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.play.play import Play
from bot.tables.play.unit import Unit

logger = logging.getLogger(__name__)

MOVED_ON = (TablePaused, TableAsleep, TableOver, NotStarted, UnknownTable)
"""What others may have done meanwhile: as ordinary as a person's press that comes too late."""

MOST = 16
"""Actions in one unit. They are heard of together, and memory must still hold what happened."""


class ComputerTurns:
    """Plays at any number of tables, at each of them in one task at a time.

    One computer player thinks at a time, and between two of their actions everybody else gets their
    turn on the event loop.
    """

    def __init__(self, unit_of_work: UnitOfWork, play: Play, chooser: ComputerChoices) -> None:
        self._unit_of_work = unit_of_work
        self._play = play
        self._chooser = chooser
        self._thinking = asyncio.Lock()
        self._tried: dict[int, frozenset[Mark]] = {}

    def tables(self) -> Collection[int]:
        """The tables of which something is remembered."""
        return self._tried.keys()

    def forget(self, table_id: int) -> None:
        """The table is over, or not ours any more."""
        self._tried.pop(table_id, None)

    async def go_on(self, table_id: int) -> bool:
        """Plays one unit; returns whether there may be more to do.

        Raises StoreUnavailable or ConflictingWrite, and whatever its first action fails with; where
        a later one fails, those before it are stored.
        """
        try:
            loaded = await self._unit_of_work.cache.read(table_id)
            if loaded.is_elsewhere:
                return False
            loaded.position()
            with self._unit_of_work.on_behalf(loaded.table):
                return await self._unit_of_work.cache.alone(table_id, partial(self._unit, table_id))
        except MOVED_ON:
            return False
        except NotOurs:
            return False  # Whoever the table belongs to now plays on.

    async def _unit(self, table_id: int) -> bool:
        began = perf_counter()
        unit = self._play.unit(await self._unit_of_work.cache.load(table_id))
        tried, goes_on, is_done = self._tried.get(table_id, frozenset()), True, False
        while goes_on and len(unit.taken) < MOST:
            async with self._thinking:
                await asyncio.sleep(0)
                if unit.taken and self._unit_of_work.cache.locks.is_wanted(table_id):
                    break
                table, now = unit.after.table, unit.after.position()
                asked = _asked(unit.after)
                tried &= {marked(table, each) for each in now.pending}
                decision = to_decide(table, now, tried) if table.status is Status.PLAYING else None
                if decision is None:
                    is_done = True
                    break
                by_order, action = table.players[decision.seat].is_human, None
                try:
                    action = self._chosen(unit, decision)
                    if by_order and action is not None and unit.taken:
                        break
                    await self._answer(unit, decision, action, by_order=by_order)
                except StaleCopy:
                    raise
                except Exception:
                    if not unit.taken:
                        raise
                    # Unless that was an accident, it will fail again as the first of the next unit.
                    break
                if decision.optional or by_order:
                    # Whether answered or not, it is not asked again.
                    tried |= {marked(table, decision)}
                # An order that answers nothing ends no unit: others would see that it is there.
                is_ordered = by_order and action is not None
                goes_on = not is_ordered and asked == _asked(unit.after)
        if unit.taken:
            await unit.store()
        for taken in unit.taken:
            self._play.note(unit.after.table, taken, perf_counter() - began)
        self._remember(table_id, tried)
        return not is_done

    def _remember(self, table_id: int, tried: frozenset[Mark]) -> None:
        if tried:
            self._tried[table_id] = tried
        else:
            self._tried.pop(table_id, None)

    def _chosen(self, unit: Unit, decision: Decision) -> Action | None:
        """The answer of a computer player or a standing order; None where there is none."""
        table, now = unit.after.table, unit.after.position()
        return self._chooser.chosen(self._unit_of_work.rules(table), table, now, decision)

    async def _answer(
        self, unit: Unit, decision: Decision, action: Action | None, *, by_order: bool
    ) -> None:
        """Answers, if there is an answer: an offer can be left alone, and so can what is asked of a
        person who has standing orders."""
        table, now = unit.after.table, unit.after.position()
        game = self._unit_of_work.rules(table)
        if action is not None:
            told = OutboxKind.ORDER if by_order else None
            try:
                await unit.take(decision.seat, action, told=told)
                return
            except IllegalAction as error:
                logger.error("table %d: a policy broke the rules: %s", table.id, error.refusal.code)
        if not decision.optional and not by_order:
            await unit.take(decision.seat, first_legal(game, now, decision))


def _asked(loaded: LoadedTable) -> set[Decision]:
    """What people are asked, and may answer."""
    players = loaded.table.players
    return {each for each in loaded.position().pending if players[each.seat].is_human}
