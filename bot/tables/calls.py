"""Calls: telling each person once that they are awaited, and reminding them, as they have set it.

A call begins and ends with the change that makes it so (bot.tables.awaiting). Whoever delivers
tells the person, and says so in a `Report`; a reminder is the same call, to be told once more.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta

from msgspec.structs import replace

from bot.store import CallRow, DueRow, Unit
from bot.tables.clock import Clock
from bot.tables.desk import Desk, kept
from bot.tables.due import NO_TABLE, Due
from bot.tables.model import OwedKind
from bot.tables.owing import Debt
from bot.tables.people import People, Person
from bot.tables.sendings import Sent, note

Call = CallRow
"""A call, as it is kept."""

REMIND = "remind"
DIGEST = "digest"

MOST = 5
"""Reminders of one call. Each comes twice as late as the one before."""

REMEMBERED = 4096
"""People at tables whose last press is remembered."""


class Report:
    """How the calls of a table were told; kept in one unit, with the debts that this pays."""

    def __init__(self, clock: Clock) -> None:
        self._now = clock.now()
        self.unit = Unit()

    def told(
        self, call: CallRow, person: Person, *, dm: int | None = None, post: int | None = None
    ) -> None:
        """They know, by these messages or by the post that rang; a reminder will follow."""
        self.unit.save_call(replace(call, told=True, dm=dm, post=post))
        wait = _interval(person, call)
        if wait is None:
            self.unit.drop_due(call.table, call.seat, REMIND)
        else:
            self.unit.set_due(DueRow(call.table, call.seat, REMIND, self._now + wait))

    def withheld(self, call: CallRow, until: datetime) -> None:
        """They must not, or cannot, be told before that time."""
        self.unit.set_due(DueRow(call.table, call.seat, REMIND, until))

    def gone(self, call: CallRow) -> None:
        """The call is over, and nothing of it is left to be seen."""
        self.unit.drop_due(call.table, call.seat, REMIND)
        self.unit.drop_call(call)

    def paid(self, ids: Iterable[int]) -> None:
        """These debts are paid by it."""
        self.unit.pay(ids)

    def sent(self, sent: Sent) -> None:
        """A message that was sent on the way."""
        note(self.unit, sent)


class Calls:
    """Who is awaited since when, and when to call again."""

    def __init__(self, desk: Desk, people: People, due: Due) -> None:
        self._desk = desk
        self._people = people
        self._due = due
        self._active: OrderedDict[tuple[int, int], datetime] = OrderedDict()
        due.on(REMIND, self._remind)
        people.hooks.append(self._changed)

    def active(self, table: int, user: int) -> None:
        """The user has just done something at the table, were it only to look."""
        self._active[table, user] = self._desk.clock.now()
        self._active.move_to_end((table, user))
        if len(self._active) > REMEMBERED:
            self._active.popitem(last=False)

    async def at(self, table: int) -> list[CallRow]:
        """The calls of a table, those that are over among them, oldest first."""
        return await kept(self._desk.store.calls(table))

    async def of(self, user: int) -> list[CallRow]:
        """Where a user is awaited, longest first."""
        return await kept(self._desk.store.calls_of_user(user))

    def now(self) -> datetime:
        """The time by which calls are told."""
        return self._desk.clock.now()

    def report(self) -> Report:
        """An empty report, to be filled and kept."""
        return Report(self._desk.clock)

    async def keep(self, report: Report) -> None:
        """Keeps what was reported. Raises StoreUnavailable."""
        if report.unit.steps:
            await kept(self._desk.store.commit(report.unit))

    def on_digest(self, send: Callable[[int], Awaitable[None]]) -> None:
        """Have `send` called with each user whose daily list is due. Where it fails, it is again.

        It may then have been sent already.
        """

        async def work(row: DueRow) -> None:
            person = await self._people.get(row.seat)
            now = self.now()
            if person.digest is not None and person.free_at(person.back_at(now)) <= now:
                await send(person.user)
            unit = Unit()
            self._set_digest(unit, person)
            await kept(self._desk.store.commit(unit))

        self._due.on(DIGEST, work)

    async def _remind(self, row: DueRow) -> None:
        async def work() -> None:
            loaded = await self._desk.shelf.load(row.table)
            unit = Unit()
            calls = await kept(self._desk.store.calls(row.table))
            call = next((c for c in calls if c.seat == row.seat and not c.over), None)
            at = None if call is None else await self._when(call)
            debts: list[Debt] = []
            unit.drop_due(row.table, row.seat, row.kind)
            if call is not None and at is not None:
                if at > self._desk.clock.now():
                    unit.set_due(replace(row, at=at))
                else:
                    # What has been told is told again; what was withheld, for the first time.
                    again = replace(
                        call,
                        rung=call.rung and not call.told,
                        told=False,
                        reminders=call.reminders + call.told,
                    )
                    unit.save_call(again)
                    debts.append(Debt(OwedKind.CALL))
            await self._desk.commit(unit, loaded, debts, None)

        await self._desk.shelf.alone(row.table, work)

    async def _when(self, call: CallRow) -> datetime | None:
        """When somebody is to be called again who is due for it; None for not at all."""
        person, now = await self._people.get(call.user), self._desk.clock.now()
        if not call.told:
            return person.free_at(now)
        wait = _interval(person, call)
        if wait is None:
            return None
        seen = self._active.get((call.table, call.user), call.since)
        return person.free_at(person.back_at(max(now, seen + wait)))

    async def _changed(self, _before: Person, person: Person) -> None:
        """Somebody has other settings: what was withheld may be due now, reminders otherwise."""
        unit, now = Unit(), self._desk.clock.now()
        for call in await kept(self._desk.store.calls_of_user(person.user)):
            wait = _interval(person, call) if call.told else timedelta(0)
            if wait is None:
                unit.drop_due(call.table, call.seat, REMIND)
            else:
                unit.set_due(DueRow(call.table, call.seat, REMIND, now + wait))
        self._set_digest(unit, person)
        await kept(self._desk.store.commit(unit))

    def _set_digest(self, unit: Unit, person: Person) -> None:
        at = person.digest_at(self._desk.clock.now())
        if at is None:
            unit.drop_due(NO_TABLE, person.user, DIGEST)
        else:
            unit.set_due(DueRow(NO_TABLE, person.user, DIGEST, at))


def _interval(person: Person, call: CallRow) -> timedelta | None:
    """How long after a call was told it is told again; None for never."""
    if not person.reminder_h or call.reminders >= MOST:
        return None
    return timedelta(hours=person.reminder_h * 2**call.reminders)
