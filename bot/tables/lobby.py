"""How a table ends before its game does: somebody resigns, all agree to stop, it is dissolved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta

from msgspec.structs import replace

from bot.game.chance import commitment
from bot.game.contract import AnyGame, Seat
from bot.store import OutboxRow, ProposalRow, WriteBatch
from bot.tables.choosing import Policies, of_table
from bot.tables.clock.pauses import schedule_check
from bot.tables.core import outbox_drafts, position, seating
from bot.tables.core.cache import LoadedTable, from_store
from bot.tables.core.model import GOING, STAND_IN, USUAL, OutboxKind, Player, Status, Table
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.table_lines import NOBODY, RESIGN
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.votes.proposals import Proposal, Proposals, Verdict


class Lobby:
    """Who sits down at a table, and what they agree on before the game begins.

    Every method raises what `Tables` says, UnknownTable and already_started.
    """

    def __init__(
        self, unit_of_work: UnitOfWork, policies: Policies, new_key: Callable[[], bytes]
    ) -> None:
        self._unit_of_work = unit_of_work
        self._policies = policies
        self._new_key = new_key

    async def open(
        self,
        game: str,
        user: int,
        name: str,
        guild: int | None,
        channel: int,
        options: Mapping[str, str] | None = None,
        *,
        reachable: bool = True,
        delivery: str | None = None,
    ) -> Table:
        """Opens a new table, at which the user sits. Raises unknown_game or unknown_option."""
        rules = self._unit_of_work.newest(game)
        key = self._new_key()
        table = Table(
            id=await from_store(self._unit_of_work.store.new_table_id()),
            game=rules.name,
            version=rules.version,
            status=Status.LOBBY,
            options=seating.options_of(rules, options or {}),
            players=(Player(0, name, user, None, reachable),),
            host=user,
            guild=guild,
            channel=channel,
            key_hash=commitment(key),
            created=self._unit_of_work.clock.now(),
        )

        async def work() -> Table:
            return await self._unit_of_work.open_lobby(table, key, delivery)

        return await self._unit_of_work.once(
            table.id, delivery, work, self._unit_of_work.table_again
        )

    async def join(
        self,
        table_id: int,
        user: int,
        name: str,
        *,
        reachable: bool = True,
        delivery: str | None = None,
    ) -> Table:
        """The user takes a seat. Raises already_seated or table_full."""

        def change(table: Table, game: AnyGame) -> Table:
            return seating.join(table, game, user, name, reachable)

        return await self._change(table_id, change, delivery)

    async def leave(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """The user gets up; the last person closes the table. Raises not_seated."""

        def change(table: Table, _: AnyGame) -> Table:
            return seating.leave(table, user)

        return await self._change(table_id, change, delivery)

    async def add_computer(
        self,
        table_id: int,
        user: int,
        policy: str = USUAL,
        *,
        name: str | None = None,
        delivery: str | None = None,
    ) -> Table:
        """A computer player takes a seat. Raises unknown_policy or table_full."""

        def change(table: Table, game: AnyGame) -> Table:
            known = of_table(self._policies, table)
            return seating.add_computer(table, game, user, policy, name, known)

        return await self._change(table_id, change, delivery)

    async def remove_computer(
        self,
        table_id: int,
        user: int,
        *,
        seat: Seat | None = None,
        delivery: str | None = None,
    ) -> Table:
        """The computer player of that seat gets up, or the last one. Raises no_computer."""

        def change(table: Table, _: AnyGame) -> Table:
            return seating.remove_computer(table, user, seat)

        return await self._change(table_id, change, delivery)

    async def set_option(
        self, table_id: int, user: int, name: str, value: str, *, delivery: str | None = None
    ) -> Table:
        """Another value for an option. Raises unknown_option."""

        def change(table: Table, game: AnyGame) -> Table:
            return seating.set_option(table, game, user, name, value)

        return await self._change(table_id, change, delivery)

    async def set_reachable(self, table_id: int, user: int, reachable: bool) -> Table:
        """Remembers whether direct messages get through to a player. Raises not_seated."""

        def change(table: Table, _: AnyGame) -> Table:
            return seating.set_reachable(table, user, reachable)

        in_lobby = outbox_drafts.in_lobby
        return await self._unit_of_work.change(table_id, None, change, in_lobby, is_activity=False)

    async def start(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """Shuffles the seats and begins the game. Raises too_few_seats."""

        async def work() -> Table:
            loaded = await self._unit_of_work.cache.load(table_id)
            table, game = loaded.table, self._unit_of_work.rules(loaded.table)
            seating.check_start(table, game, user)
            step, order = position.begin(game, table, loaded.key, self._unit_of_work.clock.now())
            table = seating.start(table, order)
            after = replace(loaded, table=table, now=step.position)
            batch = WriteBatch()
            batch.save_table(after.row())
            batch.save_players(table_id, after.player_rows())
            self._unit_of_work.enter(batch, table, NOBODY, user, step)
            schedule_check(batch, table_id, self._unit_of_work.clock.now())
            await self._unit_of_work.commit(batch, after, outbox_drafts.at_start(table), delivery)
            return table

        return await self._unit_of_work.once(
            table_id, delivery, work, self._unit_of_work.table_again
        )

    async def _change(
        self, table_id: int, change: Callable[[Table, AnyGame], Table], delivery: str | None
    ) -> Table:
        return await self._unit_of_work.change(table_id, delivery, change, outbox_drafts.in_lobby)


ABANDON = "abandon"
"""The kind of proposal to stop without a result."""

LASTING = timedelta(days=5)
"""How long the others have to agree."""


class Leaving:
    """Lets people leave a game, and closes tables."""

    def __init__(self, unit_of_work: UnitOfWork, proposals: Proposals) -> None:
        self._unit_of_work = unit_of_work
        self._proposals = proposals
        proposals.on(ABANDON, self._agreed, during=GOING)

    async def resign(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """A computer player takes the user's seat over; without people the game is abandoned.

        People on autopilot may come back: if only those are left, the table rests.

        Raises not_seated, not_started or table_over.
        """

        async def work() -> Table:
            loaded = await self._unit_of_work.cache.load(table_id)
            seating.check_playing(loaded.table)
            seat = seating.seated(loaded.table, user)
            table = seating.hand_over(loaded.table, seat, STAND_IN)
            batch = WriteBatch()
            batch.delete(OutboxRow, table=table_id, seat=seat)
            after = self._unit_of_work.note(batch, loaded, table, seat, user, RESIGN)
            await self._unit_of_work.commit(
                batch, after, outbox_drafts.at_resignation(table), delivery
            )
            return table

        return await self._unit_of_work.once(
            table_id, delivery, work, self._unit_of_work.table_again
        )

    async def abandon(self, table_id: int, user: int, *, delivery: str | None = None) -> Proposal:
        """The user proposes to stop without a result. Its host closes a lobby so, without asking.

        Raises not_seated, not_host or table_over.
        """
        loaded = await self._unit_of_work.cache.read(table_id)
        if loaded.seq() >= 0 or loaded.problem is not None:
            return await self._proposals.make(
                table_id, user, ABANDON, "", LASTING, delivery=delivery
            )
        if loaded.table.status is Status.LOBBY:
            seating.check_close(loaded.table, user)
        closed = await self.dissolve(table_id, delivery=delivery)
        return Proposal(
            closed, ABANDON, "", closed.seat_of(user), closed.created, (), (), Verdict.PASSED
        )

    async def _agreed(
        self, loaded: LoadedTable, _row: ProposalRow, batch: WriteBatch
    ) -> tuple[LoadedTable, Iterable[OutboxDraft]]:
        after = loaded.with_table(replace(loaded.table, status=Status.ABANDONED))
        batch.save_table(after.row())
        return after, outbox_drafts.at_close(after.table)

    async def dissolve(self, table_id: int, *, delivery: str | None = None) -> Table:
        """Closes a table without a result and without asking anybody; the server says who may.

        Raises table_over.
        """
        unit_of_work = self._unit_of_work

        async def work() -> Table:
            loaded = await unit_of_work.cache.load(table_id)
            seating.check_open(loaded.table)
            in_lobby = loaded.table.status is Status.LOBBY
            drafts = [OutboxDraft(OutboxKind.LOBBY if in_lobby else OutboxKind.END)]
            after = loaded.with_table(replace(loaded.table, status=Status.ABANDONED))
            batch = WriteBatch()
            batch.save_table(after.row())
            await unit_of_work.commit(batch, after, drafts, delivery)
            return after.table

        return await unit_of_work.once(table_id, delivery, work, unit_of_work.table_again)
