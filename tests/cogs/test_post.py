"""Deliveries: how many at once, what becomes of failures, and tables of another process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.client import GameBot
from bot.cogs.dialogues.lobby import LobbyDialogue
from bot.cogs.dialogues.votes import VoteDialogue
from bot.cogs.panel.open_panels import OpenPanels
from bot.cogs.panel.panel import Panels
from bot.cogs.post import AT_ONCE, WHOLE_OUTBOX, PostCog
from bot.cogs.posting import work_queue
from bot.cogs.posting.panel_following import PanelFollowing
from bot.cogs.posting.turn_posts import TurnPosts
from bot.cogs.posting.work_queue import (
    CLOSED_TIME,
    FIRST_RETRY,
    LAST_RETRY,
    LONGEST_CLOSED,
    Job,
    JobKind,
    WorkQueue,
)
from bot.cogs.ui.channels import UNKNOWN, Closed, Home, Places
from bot.cogs.ui.table_view import TableView
from bot.game.contract import Event
from bot.store.sharing import Fence, Shards
from bot.tables import NotOurs, OutboxItem, OutboxKind, StoreUnavailable, Table
from tests.cogs.conftest import Club, ids
from tests.waiting import until

LONG_S = 3600.0
"""Seconds for which no test waits."""


class Deliveries(PostCog):
    """A cog each of whose deliveries is made by a function, and after which nothing else
    follows."""

    def __init__(
        self, club: Club, delivered: Callable[[int], Awaitable[float | None]] | None = None
    ) -> None:
        bot, services, tables = club.bot, club.services, club.tables
        places = Places(bot, tables.outbox, tables.notifications)
        following = PanelFollowing(services, Panels(services, OpenPanels()), bot.answers)
        options, votes = (
            LobbyDialogue(services, places, bot.answers),
            VoteDialogue(services, places),
        )
        super().__init__(services, places, bot, following, options, votes, 0.0)
        self.delivered = delivered or self.wait
        self.followed: list[Job] = []
        self.free = asyncio.Event()
        self.going = 0
        self.most = 0
        self.done: list[int] = []

    async def deliver(self, table_id: int) -> float | None:
        return await self.delivered(table_id)

    async def work(self, job: Job) -> None:
        if job == WHOLE_OUTBOX:
            await super().work(job)
        else:
            await asyncio.sleep(0.01)
            self.followed.append(job)

    async def wait(self, table_id: int) -> float | None:
        """Takes until it is let go."""
        self.going += 1
        self.most = max(self.most, self.going)
        await self.free.wait()
        self.going -= 1
        self.done.append(table_id)
        self._queue_job(Job(table_id, JobKind.CALLS))
        return None


@asynccontextmanager
async def loaded(
    club: Club, delivered: Callable[[int], Awaitable[float | None]] | None = None
) -> AsyncIterator[Deliveries]:
    cog = Deliveries(club, delivered)
    await cog.cog_load()
    yield cog
    await cog.cog_unload()


async def test_a_few_tables_are_posted_to_at_once_and_a_stop_begins_no_post_that_was_waiting(
    club: Club,
) -> None:
    async with loaded(club) as cog:
        before = asyncio.all_tasks()
        for table in range(10 * AT_ONCE):
            cog.changed(table)
        await until(lambda: cog.going == AT_ONCE)
        assert len(asyncio.all_tasks() - before) == AT_ONCE
        cog.free.set()
        await until(lambda: len(cog.done) == 10 * AT_ONCE)
        assert cog.most == AT_ONCE

        await until(lambda: len(cog.followed) == 10 * AT_ONCE)
        cog.free.clear()
        for table in range(2 * AT_ONCE):
            cog.changed(table)
        await until(lambda: cog.going == AT_ONCE)
        # While it stops.
        asyncio.get_running_loop().call_soon(cog.free.set)
    # What follows those that were under way is sent.
    assert len(cog.done) == 11 * AT_ONCE == len(cog.followed)


async def test_the_outbox_is_read_again_where_the_database_did_not_answer(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_queue, "FIRST_RETRY", 0.0)
    asked = 0

    async def at_last(_table_id: int | None = None) -> list[OutboxItem]:
        nonlocal asked
        asked += 1
        if asked < 3:
            raise StoreUnavailable("store_unavailable")
        return [OutboxItem(1, 1, OutboxKind.LOBBY, None, -1)]

    async with loaded(club) as cog:
        cog.free.set()
        monkeypatch.setattr(club.tables.outbox, "items", at_last)
        await cog.on_ready()
        await until(lambda: 1 in cog.done)
        assert asked == 3


async def test_what_is_allowed_while_it_is_being_refused_is_tried_again_at_once(club: Club) -> None:
    tried = 0

    async def refused(_table_id: int) -> float | None:
        nonlocal tried
        tried += 1
        if tried > 1:
            return None
        await cog.on_resumed()
        return LONG_S

    table = await club.game()
    async with loaded(club, refused) as cog:
        cog.changed(table.id)
        await until(lambda: tried == 2)


async def test_a_table_is_not_quiet_before_what_is_to_be_tried_again_has_been_tried(
    club: Club,
) -> None:
    """An edit may be due though the outbox is empty: it waits for the pause between two edits."""
    tried: list[float] = []

    async def again(_table_id: int) -> float | None:
        tried.append(asyncio.get_running_loop().time())
        return 0.05 if len(tried) == 1 else None

    async with loaded(club, again) as cog:
        cog.changed(1)
        async with asyncio.timeout(60):
            await cog.quiet(1)
        assert len(tried) == 2


async def test_what_is_added_meanwhile_has_ended_too_once_a_queue_has() -> None:
    done, free = list[Job](), asyncio.Event()

    async def work(job: Job) -> None:
        await free.wait()
        await asyncio.sleep(0.01)
        done.append(job)

    async def home(_job: Job) -> Home:
        return UNKNOWN

    queue, job = WorkQueue(work, home, 1), Job(1, JobKind.POST)
    queue.open()
    queue.add(job)
    await asyncio.sleep(0)
    queue.add(job)
    free.set()

    await queue.ended()

    assert done == [job, job]
    await queue.close(0.0)


async def test_what_has_changed_while_the_outbox_was_read_is_shown(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.game()
    tables, user = club.tables, table.players[1].user
    assert user is not None
    items, is_current, shown = tables.outbox.items, TurnPosts.is_current, list[Table]()

    async def later(table_id: int | None = None) -> list[OutboxItem]:
        monkeypatch.setattr(tables.outbox, "items", items)
        await tables.lobby.set_reachable(table.id, user, False)
        return await items(table_id)

    async def seen(self: TurnPosts, table_view: TableView, events: Sequence[Event]) -> bool:
        shown.append(table_view.table)
        return await is_current(self, table_view, events)

    monkeypatch.setattr(tables.outbox, "items", later)
    monkeypatch.setattr(TurnPosts, "is_current", seen)
    await club.play((0, "found 0"), table=table.id)

    assert shown
    assert not any(each.players[1].reachable for each in shown)


async def nowhere(_job: Job) -> Home:
    return UNKNOWN


@pytest.fixture
async def failing() -> AsyncIterator[tuple[WorkQueue, dict[Job, Exception], list[Job]]]:
    failures: dict[Job, Exception] = {}
    tried: list[Job] = []

    async def work(job: Job) -> None:
        tried.append(job)
        if job in failures:
            raise failures[job]

    queue = WorkQueue(work, nowhere, 8)
    queue.open()
    yield queue, failures, tried
    await queue.close(0.0)


def wait_of(queue: WorkQueue, job: Job) -> float:
    return queue._delayed[job].timer.when() - asyncio.get_running_loop().time()


@pytest.mark.parametrize(
    ("error", "first", "last"),
    [(OSError(), FIRST_RETRY, LAST_RETRY), (Closed(), CLOSED_TIME, LONGEST_CLOSED)],
)
async def test_only_timed_tries_put_off_the_next_one(
    failing: tuple[WorkQueue, dict[Job, Exception], list[Job]],
    error: Exception,
    first: float,
    last: float,
) -> None:
    queue, failures, tried = failing
    job = Job(64, JobKind.POST)
    failures[job] = error
    for _ in range(9):
        queue.add(job)
        await until(lambda: queue.is_delayed(job))
    assert len(tried) == 9
    assert wait_of(queue, job) == pytest.approx(first, abs=0.5)
    for _ in range(12):
        queue._on_timer(job)
        await until(lambda: queue.is_delayed(job))
        queue.add(job)
        await until(lambda: queue.is_delayed(job))
    assert wait_of(queue, job) == pytest.approx(last, abs=0.5)
    # Nor is it given up after a week of that.
    queue._failures[job] = 2000
    queue._on_timer(job)
    await until(lambda: queue.is_delayed(job))


async def test_what_has_failed_is_tried_again_once_anything_gets_through(
    failing: tuple[WorkQueue, dict[Job, Exception], list[Job]],
) -> None:
    queue, failures, tried = failing
    jobs = [Job(table, JobKind.POST) for table in range(3)]
    failures.update({jobs[0]: OSError(), jobs[1]: ValueError("its own fault"), jobs[2]: Closed()})
    for job in jobs:
        queue.add(job)
    await until(lambda: all(map(queue.is_delayed, jobs)))
    del failures[jobs[0]]
    for _ in range(3):
        # One that fails by itself is not tried at every success of others.
        queue.succeeded()
        await until(lambda: not queue.is_delayed(jobs[0]) and queue.is_delayed(jobs[1]))
    assert tried == [*jobs, *tried[3:]]
    assert sorted(tried[3:]) == jobs[:2]


# Where some tables are another process's


class Owning:
    """All shards are ours, or none; with a lease that grows each time it changes hands."""

    def __init__(self) -> None:
        self.held = True
        self.number = 1

    def shards(self) -> Shards | None:
        return Shards(1, frozenset({0} if self.held else ()))

    def owns(self, guild: int | None) -> bool:
        return self.held

    def fence(self, guild: int | None) -> Fence | None:
        if not self.held:
            raise NotOurs
        return Fence(0, self.number, 1, datetime(2026, 3, 1, tzinfo=UTC))


class DividedClub(Club):
    """A club whose bot is one of several."""

    def __init__(self, folder: Path) -> None:
        self.owning = Owning()
        super().__init__(folder, ownership=self.owning)

    async def take_over(self) -> None:
        """They are ours again, by another lease."""
        self.owning.held = True
        self.owning.number += 1
        bot: Any = self.bot
        post = bot.get_cog("post")
        assert isinstance(post, PostCog)
        await post.on_ready()
        await self.settle()


@pytest.fixture
async def divided(tmp_path: Path) -> AsyncIterator[DividedClub]:
    """A bot that owns all tables, and may lose them."""
    async with DividedClub(tmp_path) as made:
        yield made


BOTH_FOUND = ((0, "found 0"), (1, "found 1"))


async def test_what_is_anothers_to_post_is_left_to_it(divided: DividedClub) -> None:
    table = await divided.game()
    before = [message.id for message in divided.posts(table)]
    divided.owning.held = False

    await divided.play(*BOTH_FOUND)

    assert [message.id for message in divided.posts(table)] == before
    assert await divided.tables.outbox.items(1)
    await divided.take_over()
    assert len(divided.posts(table)) == len(before) + 1
    assert not await divided.tables.outbox.items(1)


async def test_nothing_follows_a_post_that_is_anothers_to_make(
    divided: DividedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    await divided.game()
    bot: Any = divided.bot
    post, begun = bot.get_cog("post"), list[Job]()
    monkeypatch.setattr(post, "_queue_job", begun.append)
    divided.owning.held = False
    await divided.play(*BOTH_FOUND)
    assert await divided.tables.outbox.items(1)

    with pytest.raises(NotOurs):
        await post.deliver(1)

    assert begun == []


async def test_a_turn_has_another_post_once_others_may_have_posted(divided: DividedClub) -> None:
    table = await divided.game()
    seat = await divided.play_until(table.id, "stop")
    count = len(divided.posts(table))
    divided.owning.held = False
    await divided.take_over()

    await divided.play((seat, "stop"))

    assert len(divided.posts(table)) == count + 1
    assert [bool(ids(post)) for post in divided.posts(table)][-2:] == [False, True]


async def test_a_secret_choice_is_confirmed_anew_once_others_may_have(divided: DividedClub) -> None:
    table = await divided.game()
    person = divided.person(table, 0)
    await divided.play((0, "found 4"))
    before = len(divided.dms(person))
    await divided.play((0, "found 5"))
    assert len(divided.dms(person)) == before

    divided.owning.held = False
    await divided.take_over()
    await divided.play((0, "found 6"))
    assert len(divided.dms(person)) == before + 1


async def test_a_panel_asks_anew_though_the_table_is_anothers(divided: DividedClub) -> None:
    table = await divided.game()
    for seat in (0, 1):
        await divided.open_panel(table, seat)
    divided.owning.held = False

    await divided.play(*BOTH_FOUND)

    (asked,) = await divided.asked(table.id)
    for seat in (0, 1):
        (panel,) = divided.private(table, divided.person(table, seat))
        assert not any("found" in each for each in ids(panel))
        assert any("bid" in each for each in ids(panel)) is (seat == asked)


async def test_a_game_begins_to_be_posted_once_its_server_is_known_and_then_goes_on(
    divided: DividedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = {divided.guild.id}
    monkeypatch.setattr(GameBot, "expects_server", lambda _, guild: guild in expected)
    anna, bert = divided.people[:2]
    await anna.slash(divided.channel, "game new", game="kogge")
    await divided.settle()
    assert divided.seen(divided.channel) == []

    expected.clear()
    divided.bot.dispatch("shard_ready", 0)
    await divided.settle()
    lobby = await divided.lobby_message(1)
    await bert.click(lobby, custom_id="join:1")
    await anna.click(await divided.lobby_message(1), custom_id="begin:1")
    table = await divided.tables.reader.get(1)
    assert len(divided.posts(table)) == 1

    expected.add(divided.guild.id)
    await divided.play(*BOTH_FOUND)
    assert len(divided.posts(table)) == 2
