"""Taking back: alone up to a barrier, past it when all people agree. The log keeps everything.

A barrier is a draw, another player's action, a sealed choice, or anything that gave anybody new
knowledge. Whether an action did is not listed game by game but found out: where nobody learnt
anything, it was possible, and looked the same to each observer, in every state that this
observer could not tell from the real one before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from random import Random

import msgspec
from msgspec.structs import replace

from bot.game.chance import ChanceMismatch, RecordedChance
from bot.game.contract import SPECTATOR, Action, AnyGame, IllegalAction, Seat, parse_action
from bot.store import EntryRow, HandledRow, ProposalRow, Unit
from bot.tables import errors, lobby, owing, position, promises
from bot.tables.desk import Desk, kept
from bot.tables.model import Happened, promise_row
from bot.tables.owing import Debt
from bot.tables.position import Position
from bot.tables.proposals import Proposal, Proposals
from bot.tables.record import Entry, standing
from bot.tables.shelf import Loaded, replay

UNDO = "undo"
"""The kind of proposal to go back further than one may alone."""

LASTING = timedelta(days=2)
"""How long the others have to agree."""

SAMPLES = 8
"""On how many other states each observer's knowledge is tried."""


class TakenBack(msgspec.Struct, frozen=True):
    """What going back to log entry `to` takes back: `happened`, as one seat heard of it.

    `why` says what stands against doing so alone: ``other`` (somebody else acted, or it is more
    than one action), ``draw``, ``sealed``, ``seen`` (somebody learnt something); empty where
    nothing does.
    """

    to: int
    happened: tuple[Happened, ...]
    why: str


class _Past(msgspec.Struct, frozen=True):
    """A table with its whole log, and the entries that stand."""

    game: AnyGame
    loaded: Loaded
    entries: Sequence[EntryRow]
    stand: Sequence[int]

    async def history(self) -> list[Happened]:
        """What happened in each entry."""
        _, happened, _ = await self._replayed(self.entries)
        return happened

    async def at(self, to: int) -> Position:
        """How things stood after that entry."""
        before, *_ = await self._replayed(self.entries[: to + 1])
        return before

    async def _replayed(
        self, entries: Sequence[EntryRow]
    ) -> tuple[Position, list[Happened], list[Entry]]:
        return await replay(self.game, self.loaded.table, entries, self.loaded.promises)

    def after(self, to: int) -> Sequence[int]:
        """The standing entries after that one. Raises NothingToUndo where there are none."""
        later = [seq for seq in self.stand if seq > to]
        if to not in self.stand or not later:
            raise errors.NothingToUndo()
        return later


class Undoing:
    """What can be taken back, and taking it back."""

    def __init__(self, desk: Desk, proposals: Proposals) -> None:
        self._desk = desk
        self._proposals = proposals
        proposals.on(UNDO, self._agreed)

    async def step(self, table_id: int, user: int) -> TakenBack:
        """What taking the last action back would undo.

        Raises NotSeated, NothingToUndo, NotStarted or TableOver.
        """
        past, seat = await self._read(table_id, user)
        to = _last_but_one(past)
        return await _taken_back(past, await past.history(), seat, to)

    async def round(self, table_id: int, user: int) -> TakenBack:
        """What going back to the beginning of the round would undo; of the round before, where
        this one has just begun. Raises like `step`.
        """
        past, seat = await self._read(table_id, user)
        history = await past.history()
        rounds = [history[seq].round for seq in past.stand]
        place = next((n for n in range(len(rounds) - 2, 0, -1) if rounds[n - 1] != rounds[n]), 0)
        return await _taken_back(past, history, seat, past.stand[place])

    async def count(self, table_id: int, to: int) -> int:
        """How many actions going back to entry `to` takes back; 0 where it does not stand."""
        entries = await kept(self._desk.store.entries(table_id))
        stand = standing(entry.action for entry in entries)
        return len(stand) - 1 - stand.index(to) if to in stand else 0

    async def alone(self, table_id: int, user: int, to: int, *, delivery: str | None = None) -> int:
        """Takes the user's own last action back; gives the number of the new log entry.

        Raises like `step`; NotYoursToUndo or Barrier where it is not for one to take back alone;
        StaleDecision where `to` is not the entry before the last any more.
        """

        async def work() -> int:
            past, seat = await self._read(table_id, user, locked=True)
            if _last_but_one(past) != to:
                raise errors.StaleDecision(seat=seat)
            why = await _why_not(past, seat, to)
            if why == "other":
                raise errors.NotYoursToUndo(other=past.entries[past.stand[-1]].seat)
            if why:
                raise errors.Barrier(why=why)
            unit = Unit()
            after, debts = await self._undo(past, to, seat, user, unit)
            await self._desk.commit(unit, after, debts, delivery)
            return after.seq()

        async def again(done: HandledRow) -> int:
            return done.seq

        return await self._desk.once(table_id, delivery, work, again)

    async def propose(
        self, table_id: int, user: int, to: int, *, delivery: str | None = None
    ) -> Proposal:
        """Asks all people whether to go back to entry `to`.

        Raises NothingToUndo where it does not stand any more, and what `Proposals.make` raises.
        """
        past, _seat = await self._read(table_id, user)
        past.after(to)
        return await self._proposals.make(table_id, user, UNDO, str(to), LASTING, delivery=delivery)

    async def _agreed(
        self, loaded: Loaded, row: ProposalRow, unit: Unit
    ) -> tuple[Loaded, Iterable[Debt]]:
        past, seat = await self._read(row.table, row.by, locked=True)
        return await self._undo(past, int(row.word), seat, row.by, unit)

    async def _undo(
        self, past: _Past, to: int, seat: Seat, user: int, unit: Unit
    ) -> tuple[Loaded, list[Debt]]:
        loaded, now = past.loaded, past.loaded.position()
        count, before = len(past.after(to)), await past.at(to)
        step = position.undo(now, before, seat, count, self._desk.clock.now())
        promised = []
        for promise in loaded.promises:
            then = promises.taken_back(promise, to, before)
            if then is None:
                unit.drop_promise(loaded.table.id, promise.offer, promise.giver)
                continue
            if then is not promise:
                unit.save_promise(promise_row(loaded.table.id, then))
            promised.append(then)
        after = replace(loaded, now=step.position, promises=tuple(promised))
        self._desk.enter(unit, after.table, seat, user, step)
        return after, owing.at_undo(past.game, after.table, now, step.position)

    async def _read(self, table_id: int, user: int, *, locked: bool = False) -> tuple[_Past, Seat]:
        shelf = self._desk.shelf
        loaded = await (shelf.load(table_id) if locked else shelf.look(table_id))
        lobby.check_playing(loaded.table)
        seat = lobby.seated(loaded.table, user)
        loaded.position()
        game = self._desk.game(loaded.table.game)
        entries = await kept(self._desk.store.entries(table_id))
        stand = standing(entry.action for entry in entries)
        return _Past(game, loaded, entries, stand), seat


def _last_but_one(past: _Past) -> int:
    if len(past.stand) < 2:
        raise errors.NothingToUndo()
    return past.stand[-2]


async def _taken_back(past: _Past, history: Sequence[Happened], seat: Seat, to: int) -> TakenBack:
    gone = (history[seq] for seq in past.after(to))
    happened = tuple(replace(each, events=each.heard_by(seat)) for each in gone)
    return TakenBack(to, happened, await _why_not(past, seat, to))


async def _why_not(past: _Past, seat: Seat, to: int) -> str:
    """What stands against the seat going back to `to` alone; empty where nothing does."""
    (last, *more) = past.after(to)
    entry = past.entries[last]
    if more or entry.seat != seat or entry.action.startswith("@"):
        return "other"
    if entry.drawn:
        return "draw"
    before = await past.at(to)
    if any(asked.seat == seat and asked.sealed for asked in before.pending):
        return "sealed"
    rng = Random(f"{past.loaded.table.id} {last}")
    seats, now = len(past.loaded.table.players), past.loaded.position().state
    action = parse_action(entry.action)
    return "seen" if gave_knowledge(past.game, seats, before.state, now, seat, action, rng) else ""


def gave_knowledge(
    game: AnyGame,
    seats: int,
    before: object,
    after: object,
    seat: Seat,
    action: Action,
    rng: Random,
) -> bool:
    """Whether an observer may have learnt something by an open action in which nothing was drawn.

    Only found out by samples: a rare secret may stay unseen here, and then so it did at the table.
    """
    for observer in (SPECTATOR, *range(seats)):
        seen = game.view(after, observer)
        for _ in range(SAMPLES):
            twin = game.resample(before, observer, rng)
            try:
                game.apply(twin, seat, action, RecordedChance(()))
            except (IllegalAction, ChanceMismatch):
                return True
            if game.view(twin, observer) != seen:
                return True
    return False
