"""The turns of computer players: what they do at a table, stored together as far as it goes.

A unit ends where somebody else could come between, as far as all know: as soon as everybody waits
for other people than before, an offer was made that all heard of, or a standing order has answered
for a person; and when anybody waits for the table. What only some have noticed ends none: a board
posted between two units would tell all others of it. Otherwise it is as if the actions had been
stored one by one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from functools import partial
from time import perf_counter

from bot.game.contract import Action, Decision, IllegalAction
from bot.tables.computers.choosing import ComputerChoices, Mark, first_legal, marked, to_decide
from bot.tables.computers.thinking import Thoughts
from bot.tables.core.cache import LoadedTable
from bot.tables.core.errors import (
    NotOurs,
    NotPlaying,
    StaleCopy,
    UnknownTable,
)
from bot.tables.core.model import OutboxKind, Status, Table
from bot.tables.core.position import Position
from bot.tables.core.table_lines import Awaited
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.play.play import Play
from bot.tables.play.unit import Unit

logger = logging.getLogger(__name__)

MOVED_ON = (NotPlaying, UnknownTable)
"""What others may have done meanwhile: as ordinary as a person's press that comes too late."""

MOST = 16
"""Actions in one unit that all notice. They are heard of together, and memory must still hold what
happened."""
UNNOTICED = 8
"""The others in one unit: more than any computer player makes, so that the number tells nothing."""


class ComputerTurns:
    """Plays at any number of tables, at each of them in one task at a time.

    One computer player chooses at a time, and between two of their choices everybody else gets
    their turn on the event loop. Those that think long do so elsewhere, many at a time.
    """

    def __init__(
        self, unit_of_work: UnitOfWork, play: Play, chooser: ComputerChoices, thoughts: Thoughts
    ) -> None:
        self._unit_of_work = unit_of_work
        self._play = play
        self._chooser = chooser
        self._thoughts = thoughts
        self._thinking = asyncio.Lock()
        self._tried: dict[int, frozenset[Mark]] = {}

    def tables(self) -> Collection[int]:
        """The tables of which something is remembered."""
        return self._tried.keys()

    def forget(self, table_id: int) -> None:
        """The table is over, or not ours any more."""
        self._tried.pop(table_id, None)
        self._thoughts.drop(table_id)

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
        tried = self._tried.get(table_id, frozenset())
        while (decision := _to_decide(unit.after, tried)) is not None:
            table, before = unit.after.table, unit.after.position()
            by_order = table.players[decision.seat].is_human
            try:
                thinks = self._thoughts.needed(table, decision)
                if thinks:
                    chosen = await self._thought(unit, decision)
                    if chosen is None:
                        break
                else:
                    chosen = (await self._choose(table, before, decision),)
                if unit.taken and self._unit_of_work.cache.locks.is_wanted(table_id):
                    break
                await self._answer(unit, decision, chosen[0], by_order=by_order)
                if thinks:
                    self._thoughts.drop(table_id)
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
            if self._may_others_act(before, unit.after) or _is_full(unit):
                break
        if unit.taken:
            await unit.store()
        for taken in unit.taken:
            self._play.note(unit.after.table, taken, perf_counter() - began)
        self._remember(unit.after, tried)
        return decision is not None

    def _may_others_act(self, before: Position, after: LoadedTable) -> bool:
        """Whether people may act who could not before, as far as all know of what was just done."""
        now, table = after.position(), after.table
        if now is before:
            # An order that answers nothing ends no unit: others would see that it is there.
            return False
        last = now.recent[-1]
        if not last.noticed:
            return False
        is_offer = self._unit_of_work.rules(table).moves[last.kind].offers
        by_order = table.players[last.seat].is_human
        return is_offer or by_order or _awaited(table, before) != _awaited(table, now)

    def _remember(self, after: LoadedTable, tried: frozenset[Mark]) -> None:
        tried &= {marked(after.table, each) for each in after.position().pending}
        if tried:
            self._tried[after.table.id] = tried
        else:
            self._tried.pop(after.table.id, None)

    async def _thought(self, unit: Unit, decision: Decision) -> tuple[Action | None] | None:
        """What a computer player that thinks long does; None where somebody else wants the table
        before it is to be done."""
        table, now = unit.after.table, unit.after.position()
        view = self._unit_of_work.rules(table).view(now.state, decision.seat)
        instead = partial(self._choose, table, now, decision)
        return await self._thoughts.of(table, decision, view, instead)

    async def _choose(self, table: Table, now: Position, decision: Decision) -> Action | None:
        """The answer of a computer player or a standing order; None where there is none."""
        # Held for as short as can be: what an answer is stored with may have to be read.
        async with self._thinking:
            await asyncio.sleep(0)
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


def _to_decide(loaded: LoadedTable, tried: frozenset[Mark]) -> Decision | None:
    table = loaded.table
    return to_decide(table, loaded.position(), tried) if table.status is Status.PLAYING else None


def _awaited(table: Table, now: Position) -> Awaited:
    """The people whom everybody waits for, and what for."""
    return frozenset(each for each in now.awaited() if table.players[each[0]].is_human)


def _is_full(unit: Unit) -> bool:
    noticed = sum(taken.is_noticed for taken in unit.taken)
    return noticed >= MOST or len(unit.taken) - noticed >= UNNOTICED
