"""The tables: everything that people and computer players do at them, kept before it is answered.

Each change is one unit of the store: the log entry, the delivery it carries out, the snapshot,
what comes to be owed. Memory changes after the commit, or not at all.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import suppress
from random import Random
from time import perf_counter

from msgspec.structs import replace

from bot.game.chance import commitment
from bot.game.contract import Action, AnyGame, Decision, Seat
from bot.game.versions import Games, Versions
from bot.store import HandledRow, NotificationRow, Store, WriteBatch
from bot.tables.archive.history import History
from bot.tables.archive.importing import Imports
from bot.tables.archive.reading import TableReader
from bot.tables.archive.reporting import Reporting
from bot.tables.clock.idle_lobbies import IdleLobbies
from bot.tables.clock.pausing import Pauses, look_after
from bot.tables.clock.turn_clocks import TurnClocks
from bot.tables.computers import computers
from bot.tables.computers.computers import Computers, Order, Orders, Policies, of_table
from bot.tables.core import errors, outbox, position, promises, seating
from bot.tables.core.cache import LoadedTable, rules_of
from bot.tables.core.clock import Clock, SystemClock
from bot.tables.core.message_numbers import MessageNumbers, SentMessage, note
from bot.tables.core.metrics_sink import MetricsSink, NoMetrics
from bot.tables.core.model import GOING, Abandoning, Acted, OutboxKind, Player, Status, Table
from bot.tables.core.outbox import OutboxDraft
from bot.tables.core.promises import NO_TERMS, Terms
from bot.tables.core.record import NOBODY, RESIGN
from bot.tables.core.scheduler import Scheduler
from bot.tables.core.unit_of_work import REMEMBERED, UnitOfWork, from_store
from bot.tables.people import first_turn
from bot.tables.people.names import DisplayNames
from bot.tables.people.notes import Notes
from bot.tables.people.notifications import Notifications
from bot.tables.people.promise_verdicts import PromiseVerdicts
from bot.tables.people.servers import Servers
from bot.tables.people.settings import People
from bot.tables.results.results import Results
from bot.tables.seats.rematches import Rematches
from bot.tables.seats.takeover import Seats
from bot.tables.votes.proposals import Proposals
from bot.tables.votes.undo import UndoVotes

logger = logging.getLogger(__name__)

CAPACITY = 256
"""Tables in memory at once."""

STAND_IN = "greedy"
"""The computer player that takes a seat over from somebody who resigns."""

ABANDON = "abandon"
ACTED = "acted " + " ".join(
    f"{name}=%({name})s" for name in ("table", "seq", "game", "seat", "kind", "ms")
)


def new_key() -> bytes:
    """32 secret bytes."""
    return secrets.token_bytes(32)


class Tables(TableReader):
    """All tables of the program, over one store.

    Every method that changes something takes the `delivery` it answers, an id that its sender
    repeats when in doubt: a delivery is carried out once, and gives the same result again after
    that. All raise `TableError`, and StoreUnavailable among them, with nothing changed.
    """

    def __init__(
        self,
        store: Store,
        games: Games,
        policies: Policies,
        clock: Clock | None = None,
        rng: Random | None = None,
        new_key: Callable[[], bytes] = new_key,
        capacity: int = CAPACITY,
        retry_s: float = computers.RETRY_S,
        metrics: MetricsSink | None = None,
        orders: Orders | None = None,
    ) -> None:
        super().__init__(UnitOfWork(store, games, clock or SystemClock(), capacity))
        self._metrics = metrics or NoMetrics()
        self._policies = policies
        self._new_key = new_key
        self._orders: Orders = orders or Versions({})
        self._computers = Computers(
            self._unit_of_work, self.act, policies, self._orders, rng or Random(), retry_s
        )
        self._unit_of_work.hooks.append(self._computers.take_up)
        self.scheduler = Scheduler(self._unit_of_work)
        self.people = People(self._unit_of_work)
        self.names = DisplayNames(self._unit_of_work)
        self.notifications = Notifications(self._unit_of_work, self.people, self.scheduler)
        self.proposals = Proposals(self._unit_of_work, self.scheduler)
        self.undo_votes = UndoVotes(self._unit_of_work, self.proposals)
        self.message_numbers = MessageNumbers(self._unit_of_work)
        self.seats = Seats(self._unit_of_work, self.proposals, STAND_IN)
        self.turn_clocks = TurnClocks(self._unit_of_work, self.people, self.scheduler, self.seats)
        self.pauses = Pauses(self._unit_of_work, self.scheduler, self.proposals)
        self.idle_lobbies = IdleLobbies(self._unit_of_work, self.scheduler)
        self.promise_verdicts = PromiseVerdicts(self._unit_of_work)
        self.results = Results(self._unit_of_work, self.people)
        self.history = History(self._unit_of_work)
        self.rematches = Rematches(self._unit_of_work, new_key)
        self.imports = Imports(self._unit_of_work, new_key, STAND_IN)
        self.reporting = Reporting(self._unit_of_work)
        self.notes = Notes(self._unit_of_work)
        self.servers = Servers(self._unit_of_work)

    # Life of the service

    async def resume(self) -> None:
        """Takes up the computer players where they were, and starts them.

        Raises StoreError, and has then begun nothing, where the database can be neither read nor
        written; it may be called again.
        """
        playing = await self._unit_of_work.store.due(Status.PLAYING)
        for game, version, count in await self._unit_of_work.store.versions(GOING):
            try:
                rules_of(self._unit_of_work.games, game, version)
            except errors.NOT_HERE as trouble:
                logger.warning("tables that cannot go on here: %d (%s)", count, trouble)
        # Written though there may be nothing to forget: better to know now that nothing can be.
        batch = WriteBatch()
        batch.prune_handled(self._unit_of_work.clock.now() - REMEMBERED)
        await self._unit_of_work.store.commit(batch)
        for table_id in playing:
            self._computers.put(table_id)
        self._computers.start()
        self.scheduler.start()

    async def close(self) -> None:
        """Lets what is going on end. The store stays open."""
        await self.scheduler.stop()
        await self._computers.stop()
        await self.people.finish()
        await self.names.finish()
        await self._unit_of_work.cache.finish()

    async def __aenter__(self) -> Tables:
        await self.resume()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def rest(self, table_id: int, at_most_s: float) -> None:
        """Waits until no computer player is about to act at the table, or for that long.

        A person's answer can then show what the table asks next, not whom it is still moving.
        """
        with suppress(TimeoutError):
            await asyncio.wait_for(self._computers.rest(table_id), at_most_s)

    def subscribe(self, hook: Callable[[int], None]) -> Callable[[], None]:
        """From now on `hook` is called with a table's id after each change. It must be quick.

        Calling what is returned ends that.
        """

        def told(after: LoadedTable) -> None:
            hook(after.table.id)

        self._unit_of_work.hooks.append(told)
        return lambda: self._unit_of_work.hooks.remove(told)

    @property
    def is_working(self) -> bool:
        """Whether the computer players get their turns."""
        return self._computers.is_working

    # The lobby

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
        """A new table, at which the user sits. Raises UnknownGame or UnknownOption."""
        rules = self._unit_of_work.newest(game)
        key = self._new_key()
        table = Table(
            id=self._unit_of_work.store.new_table_id(),
            game=rules.name,
            version=rules.version,
            status=Status.LOBBY,
            options=seating.options_of(rules, options or {}),
            players=(Player(0, name, user, None, reachable),),
            host=user,
            guild=guild,
            channel=channel,
            thread=None,
            lobby_message=None,
            panel_message=None,
            key_hash=commitment(key),
            created=self._unit_of_work.clock.now(),
        )

        async def work() -> Table:
            after = LoadedTable(table, key)
            batch = WriteBatch()
            batch.add_table(after.row())
            batch.save_players(table.id, after.player_rows())
            self._unit_of_work.tend(batch, table)
            await self._unit_of_work.commit(batch, after, [OutboxDraft(OutboxKind.LOBBY)], delivery)
            return table

        async def again(done: HandledRow) -> Table:
            return await self.get(done.table)

        return await self._unit_of_work.once(table.id, delivery, work, again)

    async def join(
        self,
        table_id: int,
        user: int,
        name: str,
        *,
        reachable: bool = True,
        delivery: str | None = None,
    ) -> Table:
        """The user takes a seat. Raises AlreadySeated or TableFull."""

        def change(table: Table, game: AnyGame) -> Table:
            return seating.join(table, game, user, name, reachable)

        return await self._unit_of_work.change(table_id, delivery, change, _in_lobby)

    async def leave(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """The user gets up; the last person closes the table. Raises NotSeated."""

        def change(table: Table, _: AnyGame) -> Table:
            return seating.leave(table, user)

        return await self._unit_of_work.change(table_id, delivery, change, _in_lobby)

    async def add_computer(
        self,
        table_id: int,
        user: int,
        policy: str = STAND_IN,
        *,
        name: str | None = None,
        delivery: str | None = None,
    ) -> Table:
        """A computer player takes a seat. Raises UnknownPolicy or TableFull."""

        def change(table: Table, game: AnyGame) -> Table:
            known = of_table(self._policies, table)
            return seating.add_computer(table, game, user, policy, name, known)

        return await self._unit_of_work.change(table_id, delivery, change, _in_lobby)

    async def remove_computer(
        self,
        table_id: int,
        user: int,
        *,
        seat: Seat | None = None,
        delivery: str | None = None,
    ) -> Table:
        """The computer player of that seat gets up, or the last one. Raises NoComputer."""

        def change(table: Table, _: AnyGame) -> Table:
            return seating.remove_computer(table, user, seat)

        return await self._unit_of_work.change(table_id, delivery, change, _in_lobby)

    async def set_option(
        self, table_id: int, user: int, name: str, value: str, *, delivery: str | None = None
    ) -> Table:
        """Another value for an option. Raises UnknownOption."""

        def change(table: Table, game: AnyGame) -> Table:
            return seating.set_option(table, game, user, name, value)

        return await self._unit_of_work.change(table_id, delivery, change, _in_lobby)

    async def set_order(
        self,
        table_id: int,
        user: int,
        name: str,
        value: str | None,
        *,
        delivery: str | None = None,
    ) -> Table:
        """One standing order of the user's here; None takes it back. Raises UnknownOption."""

        def change(table: Table, _: AnyGame) -> Table:
            known = self.orders(table).get(name)
            if known is None or value not in (None, *known.values):
                raise errors.UnknownOption(option=name, value=value or "")
            return seating.set_order(table, user, name, value)

        return await self._unit_of_work.change(table_id, delivery, change, lambda _: ())

    def orders(self, table: Table) -> Mapping[str, Order]:
        """The standing orders there are at a table."""
        return of_table(self._orders, table)

    async def set_reachable(self, table_id: int, user: int, reachable: bool) -> Table:
        """Remembers whether direct messages get through to a player. Raises NotSeated."""

        def change(table: Table, _: AnyGame) -> Table:
            return seating.set_reachable(table, user, reachable)

        return await self._unit_of_work.change(table_id, None, change, _in_lobby)

    async def start(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """Shuffles the seats and begins the game. Raises TooFewSeats."""

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
            look_after(batch, table_id, self._unit_of_work.clock.now())
            await self._unit_of_work.commit(batch, after, outbox.at_start(table), delivery)
            return table

        return await self._unit_of_work.once(
            table_id, delivery, work, self._unit_of_work.table_again
        )

    # Leaving a game

    async def resign(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """A computer player takes the user's seat over; without people the game is abandoned.

        Raises NotSeated, NotStarted or TableOver.
        """

        async def work() -> Table:
            loaded = await self._unit_of_work.cache.load(table_id)
            seating.check_playing(loaded.table)
            seat = seating.seated(loaded.table, user)
            table = seating.hand_over(loaded.table, seat, STAND_IN)
            votes = await from_store(self._unit_of_work.store.votes(table_id, ABANDON)) - {user}
            if votes and not _missing(table, votes):
                # All the others had agreed to stop.
                table = replace(table, status=Status.ABANDONED)
            batch = WriteBatch()
            batch.drop_outbox_seat(table_id, seat)
            after = self._unit_of_work.note(batch, loaded, table, seat, user, RESIGN)
            await self._unit_of_work.commit(batch, after, outbox.at_resignation(table), delivery)
            return table

        return await self._unit_of_work.once(
            table_id, delivery, work, self._unit_of_work.table_again
        )

    async def abandon(
        self, table_id: int, user: int, *, agree: bool = True, delivery: str | None = None
    ) -> Abandoning:
        """The user wants to stop without a result, or no longer; all people must agree.

        A lobby is closed by its host alone. Raises NotSeated, NotHost or TableOver.
        """
        unit_of_work = self._unit_of_work

        async def work() -> Abandoning:
            loaded = await unit_of_work.cache.load(table_id)
            seating.check_abandon(loaded.table, user)
            batch = WriteBatch()
            votes = await from_store(unit_of_work.store.votes(table_id, ABANDON)) - {user}
            batch.drop_vote(table_id, ABANDON, user)
            if agree:
                votes |= {user}
                batch.add_vote(table_id, ABANDON, user, unit_of_work.clock.now())
            table = loaded.table
            in_lobby = table.status is Status.LOBBY
            if agree if in_lobby else not _missing(table, votes):
                table = replace(table, status=Status.ABANDONED)
            after = loaded.with_table(table)
            batch.save_table(after.row())
            drafts = _in_lobby(table) if in_lobby else outbox.at_close(table)
            await unit_of_work.commit(batch, after, drafts, delivery)
            return _abandoning(table, votes)

        async def again(_: HandledRow) -> Abandoning:
            votes = await from_store(unit_of_work.store.votes(table_id, ABANDON))
            return _abandoning((await unit_of_work.cache.load(table_id)).table, votes)

        return await unit_of_work.once(table_id, delivery, work, again)

    async def dissolve(self, table_id: int, *, delivery: str | None = None) -> Table:
        """Closes a table without a result and asks nobody; who may do that is the server's say.

        Raises TableOver.
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

    # Playing

    async def act(
        self,
        table_id: int,
        seat: Seat,
        action: Action,
        *,
        terms: Terms = NO_TERMS,
        decision: str | None = None,
        user: int | None = None,
        by_order: bool = False,
        delivery: str | None = None,
    ) -> Acted:
        """Carries a seat's action out; with `terms`, promises go with the offer that it makes.

        With a `decision` it must still be asked, with a `user` the seat must be that person's;
        they then play themselves again, if a computer player did. They are told what is done
        `by_order`, a standing one.

        Raises IllegalAction, StaleDecision, NotYourSeat, NotStarted or TableOver, and what
        `promises.made` raises.
        """
        unit_of_work, began = self._unit_of_work, perf_counter()

        async def work() -> Acted:
            loaded = await unit_of_work.cache.load(table_id)
            before = loaded.position()
            seating.check_playing(loaded.table)
            player = _player(loaded.table, seat, user)
            if decision is not None and not _is_asked(before.pending, seat, decision):
                raise errors.StaleDecision(seat=seat)
            game = unit_of_work.rules(loaded.table)
            step = position.act(game, before, loaded.key, seat, action, unit_of_work.clock.now())
            happened = step.happened.events
            made = promises.made(terms, loaded.table, seat, before, step.position, happened)
            settled = promises.settled(loaded.promises, action, before, step.position)
            step = position.telling(step, promises.events(made, step.position.seq, seat))
            batch = WriteBatch()
            known = promises.write(batch, table_id, loaded.promises, made, settled)
            after = replace(loaded, now=step.position, promises=known)
            if step.position.outcome is not None:
                after = after.with_table(replace(loaded.table, status=Status.FINISHED))
                batch.save_table(after.row())
            if user is not None and player.is_autopiloted:
                after = after.with_table(seating.take_back(after.table, seat))
                batch.save_players(table_id, after.player_rows())
            actor = after.table.players[seat]
            by = actor.user if actor.is_human else None
            entry = unit_of_work.enter(batch, after.table, seat, by, step)
            drafts = outbox.at_action(
                game, after.table, seat, action, before, step.position, step.happened.events
            )
            if by_order:
                drafts.append(OutboxDraft(OutboxKind.ORDER, seat))
            async with self.results.counted(batch, after, entry):
                await unit_of_work.commit(batch, after, drafts, delivery)
            self._note(player, after, action, perf_counter() - began)
            return Acted(step.position.seq, step.happened.heard_by(seat))

        async def again(done: HandledRow) -> Acted:
            happened = await unit_of_work.cache.happened(table_id, done.seq)
            return Acted(done.seq, happened[0].heard_by(seat), repeated=True)

        return await unit_of_work.once(table_id, delivery, work, again)

    async def explain(self, table_id: int, user: int, *, wanted: bool) -> None:
        """The user wants their first turn explained, or no longer."""
        await first_turn.explain(self._unit_of_work, table_id, user, wanted=wanted)

    async def acknowledge(
        self,
        ids: Iterable[int],
        *,
        table_id: int | None = None,
        posted_seq: int | None = None,
        thread: int | None = None,
        lobby_message: int | None = None,
        panel_message: int | None = None,
        sent: Iterable[SentMessage] = (),
        notified: Iterable[NotificationRow] | None = None,
    ) -> None:
        """These have been told, by what was `sent`. With a table, the numbers given are remembered
        along with it.

        `rung` are the calls that a post of the table was a ping for; the others are owed then.
        """
        batch = WriteBatch()
        batch.acknowledge(ids)
        for each in sent:
            note(batch, each)
        if table_id is None:
            await from_store(self._unit_of_work.store.commit(batch))
            return
        told = {
            "posted_seq": posted_seq,
            "thread": thread,
            "lobby_message": lobby_message,
            "panel_message": panel_message,
        }
        numbers = {name: number for name, number in told.items() if number is not None}

        async def work() -> None:
            loaded = await self._unit_of_work.cache.load(table_id)
            after = loaded.with_table(replace(loaded.table, **numbers))
            batch.save_table(after.row())
            if notified is not None:
                for call in notified:
                    batch.save_notification(replace(call, notified=True))
                outbox.write(
                    self._unit_of_work.store,
                    batch,
                    table_id,
                    loaded.seq(),
                    [OutboxDraft(OutboxKind.NOTIFY)],
                )
            await self._unit_of_work.keep(batch, after)

        await self._unit_of_work.cache.alone(table_id, work)

    def _note(self, player: Player, after: LoadedTable, action: Action, seconds: float) -> None:
        # The kind of an action is for everybody; its other words may be secret.
        told = {
            "table": after.table.id,
            "seq": after.seq(),
            "game": after.table.game,
            "seat": player.seat,
            "kind": action[0],
            "ms": round(1000 * seconds, 1),
        }
        logger.info(ACTED, told)
        self._metrics.acted(after.table.game, player.is_human, seconds)


def _in_lobby(table: Table) -> list[OutboxDraft]:
    return [] if table.status in GOING else [OutboxDraft(OutboxKind.LOBBY)]


def _player(table: Table, seat: Seat, user: int | None) -> Player:
    if not 0 <= seat < len(table.players):
        raise errors.NotYourSeat(seat=seat)
    player = table.players[seat]
    if user is not None and player.user != user:
        raise errors.NotYourSeat(seat=seat)
    return player


def _is_asked(pending: Iterable[Decision], seat: Seat, decision: str) -> bool:
    return any(asked.id == decision and asked.seat == seat for asked in pending)


def _missing(table: Table, votes: Set[int]) -> tuple[Seat, ...]:
    return tuple(player.seat for player in table.humans if player.user not in votes)


def _abandoning(table: Table, votes: Set[int]) -> Abandoning:
    missing = _missing(table, votes)
    agreed = tuple(player.seat for player in table.humans if player.seat not in missing)
    return Abandoning(table, agreed, missing)
