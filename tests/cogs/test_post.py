"""Posting: concurrency, retries, and tables owned by another process."""

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
from bot.cogs.post import MAX_POSTS, READ_OUTBOX, PostCog
from bot.cogs.posting import work_queue
from bot.cogs.posting.panel_following import PanelFollowing
from bot.cogs.posting.turn_posts import TurnPosts
from bot.cogs.posting.work_queue import (
    MAX_CLOSED_S,
    MAX_RETRY_S,
    MIN_CLOSED_S,
    MIN_RETRY_S,
    Job,
    JobKind,
    WorkQueue,
)
from bot.cogs.ui.channels import UNKNOWN, Closed, Home, MessageSender
from bot.cogs.ui.table_view import TableView
from bot.game.contract import Event
from bot.store.sharing import Fence, Shards
from bot.tables import NotOurs, OutboxItem, OutboxKind, StoreUnavailable, Table
from tests.cogs.conftest import Club, ids
from tests.waiting import until

LONG_S = 3600.0
"""Seconds; longer than any test waits."""


class Deliveries(PostCog):
    """A cog with a fake `deliver`. Records the jobs that follow instead of running them."""

    def __init__(
        self, club: Club, fake: Callable[[int], Awaitable[float | None]] | None = None
    ) -> None:
        bot, services, tables = club.bot, club.services, club.tables
        sender = MessageSender(bot, tables.outbox, tables.notifications)
        following = PanelFollowing(services, Panels(services, OpenPanels()), bot.answers)
        options, votes = (
            LobbyDialogue(services, sender, bot.answers),
            VoteDialogue(services, sender),
        )
        super().__init__(services, sender, bot, following, options, votes, 0.0)
        self.fake = fake or self.wait
        self.followed: list[Job] = []
        self.free = asyncio.Event()
        self.running = 0
        self.max_running = 0
        self.done: list[int] = []

    async def deliver(self, table_id: int) -> float | None:
        return await self.fake(table_id)

    async def work(self, job: Job) -> None:
        if job == READ_OUTBOX:
            await super().work(job)
        else:
            await asyncio.sleep(0.01)
            self.followed.append(job)

    async def wait(self, table_id: int) -> float | None:
        """Block until `free` is set."""
        self.running += 1
        self.max_running = max(self.max_running, self.running)
        await self.free.wait()
        self.running -= 1
        self.done.append(table_id)
        self._queue_job(Job(table_id, JobKind.NOTIFY))
        return None


@asynccontextmanager
async def loaded(
    club: Club, fake: Callable[[int], Awaitable[float | None]] | None = None
) -> AsyncIterator[Deliveries]:
    cog = Deliveries(club, fake)
    await cog.cog_load()
    yield cog
    await cog.cog_unload()


async def test_a_few_tables_post_at_once_and_a_stop_starts_no_queued_post(
    club: Club,
) -> None:
    async with loaded(club) as cog:
        before = asyncio.all_tasks()
        for table in range(10 * MAX_POSTS):
            cog.changed(table)
        await until(lambda: cog.running == MAX_POSTS)
        assert len(asyncio.all_tasks() - before) == MAX_POSTS
        cog.free.set()
        await until(lambda: len(cog.done) == 10 * MAX_POSTS)
        assert cog.max_running == MAX_POSTS

        await until(lambda: len(cog.followed) == 10 * MAX_POSTS)
        cog.free.clear()
        for table in range(2 * MAX_POSTS):
            cog.changed(table)
        await until(lambda: cog.running == MAX_POSTS)
        # Release the posts while the cog stops.
        asyncio.get_running_loop().call_soon(cog.free.set)
    # Jobs that follow the running posts are done too.
    assert len(cog.done) == 11 * MAX_POSTS == len(cog.followed)


async def test_reading_the_outbox_is_retried_if_the_database_fails(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_queue, "MIN_RETRY_S", 0.0)
    asked = 0

    async def fail_twice(_table_id: int | None = None) -> list[OutboxItem]:
        nonlocal asked
        asked += 1
        if asked < 3:
            raise StoreUnavailable("store_unavailable")
        return [OutboxItem(1, 1, OutboxKind.LOBBY, None, -1)]

    async with loaded(club) as cog:
        cog.free.set()
        monkeypatch.setattr(club.tables.outbox, "items", fail_twice)
        await cog.on_ready()
        await until(lambda: 1 in cog.done)
        assert asked == 3


async def test_a_post_refused_just_before_a_reconnect_is_retried_at_once(club: Club) -> None:
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


async def test_a_table_is_not_quiet_while_a_retry_is_pending(
    club: Club,
) -> None:
    """An edit can be pending with an empty outbox: it waits for the pause between two edits."""
    tried: list[float] = []

    async def retry_once(_table_id: int) -> float | None:
        tried.append(asyncio.get_running_loop().time())
        return 0.05 if len(tried) == 1 else None

    async with loaded(club, retry_once) as cog:
        cog.changed(1)
        async with asyncio.timeout(60):
            await cog.quiet(1)
        assert len(tried) == 2


async def test_waiting_for_a_queue_includes_jobs_added_meanwhile() -> None:
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


@pytest.mark.parametrize("fails", [True, False])
async def test_a_patient_queue_retries_a_failed_job_only_after_its_delay(fails: bool) -> None:
    tried, free = list[Job](), asyncio.Event()

    async def work(job: Job) -> None:
        tried.append(job)
        await free.wait()
        if fails:
            raise OSError

    queue, job = WorkQueue(work, nowhere, 1, is_patient=True), Job(1, JobKind.WEBHOOK)
    queue.open()
    queue.add(job)
    await asyncio.sleep(0)
    # While it runs, and while it waits.
    queue.add(job)
    free.set()
    await queue.ended()
    assert queue.is_delayed(job) == fails
    if fails:
        queue.add(job)
        await queue.ended()

    assert len(tried) == (1 if fails else 2)
    await queue.close(0.0)


async def test_a_change_while_the_outbox_is_read_is_shown(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.game()
    tables, user = club.tables, table.players[1].user
    assert user is not None
    items, is_current, shown = tables.outbox.items, TurnPosts.is_current, list[Table]()

    async def change_first(table_id: int | None = None) -> list[OutboxItem]:
        monkeypatch.setattr(tables.outbox, "items", items)
        await tables.lobby.set_reachable(table.id, user, False)
        return await items(table_id)

    async def recorded(self: TurnPosts, table_view: TableView, events: Sequence[Event]) -> bool:
        shown.append(table_view.table)
        return await is_current(self, table_view, events)

    monkeypatch.setattr(tables.outbox, "items", change_first)
    monkeypatch.setattr(TurnPosts, "is_current", recorded)
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


def delay(queue: WorkQueue, job: Job) -> float:
    return queue._delayed[job].timer.when() - asyncio.get_running_loop().time()


@pytest.mark.parametrize(
    ("error", "first", "last"),
    [(OSError(), MIN_RETRY_S, MAX_RETRY_S), (Closed(), MIN_CLOSED_S, MAX_CLOSED_S)],
)
async def test_only_timed_retries_increase_the_delay(
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
    assert delay(queue, job) == pytest.approx(first, abs=0.5)
    for _ in range(12):
        queue._on_timer(job)
        await until(lambda: queue.is_delayed(job))
        queue.add(job)
        await until(lambda: queue.is_delayed(job))
    assert delay(queue, job) == pytest.approx(last, abs=0.5)
    # It is not given up after a week of retries.
    queue._failures[job] = 2000
    queue._on_timer(job)
    await until(lambda: queue.is_delayed(job))


async def test_failed_jobs_are_retried_after_any_success(
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
        # A job that fails again is not retried at every later success.
        queue.succeeded()
        await until(lambda: not queue.is_delayed(jobs[0]) and queue.is_delayed(jobs[1]))
    assert tried == [*jobs, *tried[3:]]
    assert sorted(tried[3:]) == jobs[:2]


# Tables owned by another process


class FakeOwnership:
    """Ownership of all shards or none. Each takeover has a higher lease number."""

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
    """A club whose bot is one of several processes."""

    def __init__(self, folder: Path) -> None:
        self.owning = FakeOwnership()
        super().__init__(folder, ownership=self.owning)

    async def take_over(self) -> None:
        """Own all shards again, with a new lease."""
        self.owning.held = True
        self.owning.number += 1
        bot: Any = self.bot
        post = bot.get_cog("post")
        assert isinstance(post, PostCog)
        await post.on_ready()
        await self.settle()


@pytest.fixture
async def divided(tmp_path: Path) -> AsyncIterator[DividedClub]:
    """A club whose bot owns all tables until a test changes that."""
    async with DividedClub(tmp_path) as club:
        yield club


BOTH_FOUND = ((0, "found 0"), (1, "found 1"))


async def test_another_process_posts_for_its_own_tables(divided: DividedClub) -> None:
    table = await divided.game()
    before = [message.id for message in divided.posts(table)]
    divided.owning.held = False

    await divided.play(*BOTH_FOUND)

    assert [message.id for message in divided.posts(table)] == before
    assert await divided.tables.outbox.items(1)
    await divided.take_over()
    assert len(divided.posts(table)) == len(before) + 1
    assert not await divided.tables.outbox.items(1)


async def test_a_post_left_to_another_process_queues_no_jobs(
    divided: DividedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    await divided.game()
    bot: Any = divided.bot
    post, jobs = bot.get_cog("post"), list[Job]()
    monkeypatch.setattr(post, "_queue_job", jobs.append)
    divided.owning.held = False
    await divided.play(*BOTH_FOUND)
    assert await divided.tables.outbox.items(1)

    with pytest.raises(NotOurs):
        await post.deliver(1)

    assert jobs == []


async def test_after_a_takeover_a_turn_gets_a_new_post(divided: DividedClub) -> None:
    table = await divided.game()
    seat = await divided.play_until(table.id, "stop")
    count = len(divided.posts(table))
    divided.owning.held = False
    await divided.take_over()

    await divided.play((seat, "stop"))

    assert len(divided.posts(table)) == count + 1
    assert [bool(ids(post)) for post in divided.posts(table)][-2:] == [False, True]


async def test_after_a_takeover_a_secret_choice_is_confirmed_in_a_new_message(
    divided: DividedClub,
) -> None:
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


async def test_a_panel_updates_even_if_another_process_owns_the_table(divided: DividedClub) -> None:
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


async def test_posting_waits_until_the_server_is_known(
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
