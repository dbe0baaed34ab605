"""A table read again after others have acted there, without forgetting what happened before.

A snapshot says nothing of how things came about. Who has an older copy carries out the few entries
since then, and need not replay the whole log to tell of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from bot.game.chance import ChanceMismatch, RecordedChance
from bot.game.contract import AnyGame, IllegalAction
from bot.store import EntryRow
from bot.tables.core import promises, record
from bot.tables.core.model import Happened, Promise
from bot.tables.core.position import RECENT, Position
from bot.tables.core.table_lines import awaited, imported_key, is_noticed, kind_of, undone_to
from bot.workers import TimeSlice


async def caught_up(
    game: AnyGame,
    before: Position,
    end: Position,
    entries: Sequence[EntryRow],
    promised: Sequence[Promise],
) -> Position:
    """The `end`, which was read from a snapshot, with what happened up to it.

    `entries` are those since `before`. Where they do not lead from there to the end, as after an
    undo, it is the end as it was read.
    """
    if [row.seq for row in entries] != list(range(before.seq + 1, end.seq + 1)):
        return end
    state, was, acted = game.decode(before.blob), before.awaited(), before.acted
    happened = list(before.recent)
    time_slice = TimeSlice()
    for row in entries:
        try:
            if undone_to(row.action) is not None or imported_key(row.action) is not None:
                return end
            chance = RecordedChance(row.drawn)
            events = record.apply(game, state, row.seat, row.action, chance)
            chance.finish()
        except (IllegalAction, ChanceMismatch, ValueError, LookupError):
            return end
        now = awaited(game.pending(state))
        noticed = is_noticed(events, was, now)
        heard = (*events, *promises.events(promised, row.seq, row.seat))
        round_ = game.round(state)
        kind = kind_of(row.action)
        happened.append(
            Happened(row.seq, row.at, row.seat, heard, round_, noticed=noticed, kind=kind)
        )
        was, acted = now, row.seat if noticed else acted
        await time_slice.take()
    if game.encode(state) != end.blob:
        return end
    return replace(end, recent=tuple(happened[-RECENT:]), acted=acted)
