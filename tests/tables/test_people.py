"""Users' settings, notifications, daily lists and calendars."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta

import pytest
from msgspec.structs import replace

from bot import workers
from bot.store import Notification, PersonRow, WriteBatch
from bot.tables.core import scheduler
from bot.tables.core.calendar import Calendar, initial_time, time_after_move
from bot.tables.core.errors import Rejected
from bot.tables.notifications import DIGEST, REMIND
from bot.tables.people import NotificationPlace, UserSettings
from bot.workers import SLICE_S, TimeSlice
from tests.tables.world import ANNA, BEN, CARA, World


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def quiet(start: str, end: str, zone: str = "Europe/Rome") -> UserSettings:
    times = [int(each[:2]) * 60 + int(each[3:]) for each in (start, end)]
    return UserSettings(ANNA, quiet_from=times[0], quiet_to=times[1], zone=zone)


def test_quiet_hours_follow_local_time() -> None:
    night, short = quiet("22:00", "08:00"), quiet("22:00", "02:30")
    for person, now, free in (
        (night, "2030-01-10 12:00", "2030-01-10 12:00"),
        (night, "2030-01-10 20:59", "2030-01-10 20:59"),
        (night, "2030-01-10 21:00", "2030-01-11 07:00"),
        (night, "2030-01-10 23:30", "2030-01-11 07:00"),
        (night, "2030-01-10 07:00", "2030-01-10 07:00"),
        (quiet("12:00", "14:00"), "2030-01-10 12:30", "2030-01-10 13:00"),
        # The night is an hour shorter when the clocks go forward, and longer when they go back.
        (night, "2030-03-30 22:00", "2030-03-31 06:00"),
        (night, "2030-10-26 22:00", "2030-10-27 07:00"),
        # An end that the clocks skip, and one that they show twice.
        (short, "2030-03-30 23:00", "2030-03-31 01:30"),
        (short, "2030-10-27 00:10", "2030-10-27 00:30"),
        (short, "2030-10-27 01:10", "2030-10-27 01:30"),
        (quiet("22:00", "08:00", "Asia/Kolkata"), "2030-01-10 18:00", "2030-01-11 02:30"),
    ):
        assert person.free_at(at(now)) == at(free), now
    until = at("2030-01-10 23:00")
    snoozes = UserSettings(ANNA, snoozed_until=until, quiet_from=22 * 60, quiet_to=6 * 60)
    assert snoozes.free_at(at("2030-01-10 12:00")) == at("2030-01-11 06:00")


def away(first: str, until: str) -> UserSettings:
    days = [date.fromisoformat(day) for day in (first, until)]
    return UserSettings(ANNA, zone="Europe/Rome", digest=9, away_from=days[0], away_until=days[1])


def test_an_absence_ends_on_the_next_morning_in_the_persons_time_zone() -> None:
    for now, back in (
        ("2030-03-28 22:59", "2030-03-28 22:59"),
        ("2030-03-28 23:00", "2030-04-02 07:00"),
        ("2030-04-01 21:59", "2030-04-02 07:00"),
        ("2030-04-01 22:00", "2030-04-02 07:00"),
        ("2030-04-02 06:59", "2030-04-02 07:00"),
        ("2030-04-02 07:01", "2030-04-02 07:01"),
    ):
        assert away("2030-03-29", "2030-04-01").back_at(at(now)) == at(back), now
        assert UserSettings(ANNA).back_at(at(now)) == at(now)
    # Adjacent days off are one absence.
    person = away("2030-01-07", "2030-01-11")
    for now in ("2030-01-05 12:00", "2030-01-09 12:00", "2030-01-12 12:00", "2030-01-13 23:30"):
        assert person.back_at(at(now), weekends_off=True) == at("2030-01-14 08:00"), now
    assert person.back_at(at("2030-01-12 12:00")) == at("2030-01-12 12:00")


def test_the_daily_list_comes_at_the_same_hour_all_year_but_not_during_absences() -> None:
    person = away("2030-03-29", "2030-04-01")
    assert person.digest_at(at("2030-03-28 06:00")) == at("2030-03-28 08:00")
    assert person.digest_at(at("2030-03-28 12:00")) == at("2030-04-02 07:00")
    assert person.digest_at(at("2030-03-31 12:00")) == at("2030-04-02 07:00")
    person = UserSettings(ANNA, digest=9, zone="Europe/Rome")
    first = person.digest_at(at("2030-03-29 12:00"))
    assert first == at("2030-03-30 08:00")
    assert person.digest_at(first) == at("2030-03-31 07:00")
    assert UserSettings(ANNA).digest_at(first) is None


async def test_only_settings_that_differ_from_the_defaults_are_stored(world: World) -> None:
    people, until = world.tables.people, at("2030-06-01 00:00")
    assert await people.get(ANNA) == UserSettings(ANNA)
    await asyncio.gather(
        people.change(ANNA, notices="dm"), people.change(ANNA, snoozed_until=until)
    )
    await world.reopen()
    stored = UserSettings(ANNA, notices=NotificationPlace.DM, snoozed_until=until)
    assert await world.tables.people.get(ANNA) == stored
    assert set(await world.store.person(ANNA) or {}) == {"notices", "snoozed_until"}
    # Settings of another version do no harm.
    batch = WriteBatch()
    batch.save(PersonRow(BEN, {"notices": "dm", "pigeons": True}))
    batch.save(PersonRow(CARA, {"notices": "pigeon"}))
    await world.store.commit(batch)
    assert (await world.tables.people.get(BEN)).notices is NotificationPlace.DM
    assert await world.tables.people.get(CARA) == UserSettings(CARA)
    # Invalid settings are refused.
    people = world.tables.people
    for wrong in ({"quiet_from": 60}, {"quiet_from": 9, "quiet_to": 9}, {"reminder_h": -1}):
        with pytest.raises(Rejected, match="bad_setting"):
            await people.change(ANNA, **wrong)
    with pytest.raises(Rejected, match="unknown_zone"):
        await people.change(ANNA, zone="../../etc/passwd")
    assert await people.get(ANNA) == stored


async def test_a_notification_lasts_while_its_player_is_to_act(world: World) -> None:
    table = (await world.game(ANNA, BEN)).id
    began, notifications = world.clock.now(), world.tables.notifications
    world.clock.move(hours=5)
    for action in ("choose 1", "choose 2"):
        await world.act(table, 0, action)
    assert [(each.seat, each.since, each.over) for each in await notifications.of_table(table)] == [
        (0, began, True),
        (1, began, False),
    ]
    (to_act,) = [each for each in await notifications.of_table(table) if not each.over]
    report = notifications.report()
    report.delivered(to_act, UserSettings(BEN, reminder_h=6), dm=77)
    await notifications.save(table, report)
    delivered = replace(to_act, told=True, dm=77, told_at=world.clock.now())
    assert (await notifications.of_table(table))[1] == delivered
    due = await world.store.scheduled_at(table, to_act.seat, REMIND)
    assert due == world.clock.now() + timedelta(hours=6)
    await world.all_abandon(table, ANNA, BEN)
    assert all(each.over for each in await notifications.of_table(table))
    assert await notifications.of_user(BEN) == []


async def test_a_reminder_does_not_overwrite_a_delivery_at_the_same_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = (await world.game(ANNA, BEN)).id
    notifications, read = world.tables.notifications, world.store.notifications
    to_act, _ = await notifications.of_table(table)
    report = notifications.report()
    report.postponed(to_act, world.clock.now() + timedelta(hours=1))
    await notifications.save(table, report)
    world.clock.move(hours=1)
    saving: list[asyncio.Task[None]] = []

    async def deliver_during_read(of: int) -> list[Notification]:
        found = await read(of)
        if not saving:
            report = notifications.report()
            report.delivered(to_act, UserSettings(ANNA, reminder_h=6), post=77)
            saving.append(asyncio.create_task(notifications.save(table, report)))
            await asyncio.wait(saving, timeout=0.1)
        return found

    monkeypatch.setattr(world.store, "notifications", deliver_during_read)
    await world.tables.scheduler.tick()
    await saving[0]
    assert [each.told for each in await notifications.of_table(table)] == [True, False]
    due = await world.store.scheduled_at(table, to_act.seat, REMIND)
    assert due == world.clock.now() + timedelta(hours=6)


async def test_a_daily_list_is_sent_once_and_retried_if_it_fails(world: World) -> None:
    sent: list[int] = []

    async def send(user: int) -> None:
        sent.append(user)
        if len(sent) == 1:
            raise OSError

    world.tables.notifications.on_digest(send)
    await world.tables.people.change(ANNA, digest=15)
    world.clock.move(hours=3)
    await asyncio.gather(world.tables.scheduler.tick(), world.tables.scheduler.tick())
    assert sent == [ANNA]

    world.clock.time += scheduler.LEASE
    await world.tables.scheduler.tick()
    await world.tables.scheduler.tick()

    assert sent == [ANNA, ANNA]
    (row,) = await world.store.overdue(world.clock.now() + timedelta(days=1), 10)
    assert (row.kind, row.at) == (DIGEST, at("2030-05-02 15:00"))


DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def may(day: int, hour: int = 12, *, month: int = 5, year: int = 2030) -> datetime:
    """Return an instant of May 2030, whose fourth day is a Saturday."""
    return datetime(year, month, day, hour, tzinfo=UTC)


ROME = Calendar("Europe/Rome", weekends_off=True)
AWAY = Calendar("UTC", away_from=date(2030, 5, 7), away_until=date(2030, 5, 9))


def test_a_clock_runs_out_after_its_time() -> None:
    def away_on(zone: str, day: date) -> Calendar:
        return Calendar(zone, away_from=day, away_until=day)

    for calendar, start, left, up in (
        (Calendar(), may(1), 3 * DAY, may(4)),
        # On Friday at noon UTC the week has ten hours left in Rome. Monday starts at its midnight.
        (ROME, may(3), DAY, may(6, 12)),
        (ROME, may(4), HOUR, may(5, 23)),
        # A reserve that runs out exactly at the end of the week does so there, not after it.
        (ROME, may(3), 10 * HOUR, may(3, 22)),
        # Three days away do not count.
        (AWAY, may(6), 2 * DAY, may(11)),
        (AWAY, may(8), HOUR, may(10, 1)),
        # 31 March 2030 has 23 hours in Rome, and those count.
        (Calendar("Europe/Rome"), may(30, 23, month=3), DAY, may(31, 23, month=3)),
        # Away on that day: its 23 hours do not count, nor do 25 hours in autumn.
        (
            away_on("Europe/Rome", date(2030, 3, 31)),
            *(may(30, 22, month=3), 2 * HOUR, may(31, 23, month=3)),
        ),
        (
            away_on("Europe/Rome", date(2030, 10, 27)),
            *(may(26, 21, month=10), 2 * HOUR, may(28, 0, month=10)),
        ),
        # In Santiago the clocks go forward at midnight, so this day has no midnight.
        (
            away_on("America/Santiago", date(2030, 9, 8)),
            *(may(8, 3, month=9), 2 * HOUR, may(9, 4, month=9)),
        ),
    ):
        assert calendar.runs_out_at(start, left) == up, (calendar, start)
        assert calendar.elapsed(start, up) == left, (calendar, start)
        assert calendar.elapsed(start, up - HOUR) < left, (calendar, start)
    # With no time left it runs out at once, even on a weekend.
    assert ROME.runs_out_at(may(4), timedelta()) == may(4)
    assert ROME.elapsed(may(4), may(5)) == timedelta()
    # Clocks of days restart with each move; a reserve grows up to its maximum.
    assert time_after_move("d3", HOUR) == initial_time("d3") == 3 * DAY
    assert time_after_move("reserve", HOUR) == 5 * HOUR
    assert time_after_move("reserve", -HOUR) == 4 * HOUR
    assert time_after_move("reserve", 70 * HOUR) == 72 * HOUR


@pytest.mark.parametrize("query", ["person", "misnamed"])
async def test_a_stop_waits_for_a_persons_running_queries(
    world: World, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    store, go_on, answers = world.store, asyncio.Event(), list[object]()
    run = getattr(store, query)

    async def slow(*args: object) -> object:
        await go_on.wait()
        answers.append(await run(*args))
        return answers[-1]

    monkeypatch.setattr("bot.tables.people.RECALL_S", 0.0)
    monkeypatch.setattr(store, query, slow)
    await world.tables.people.recall(ANNA)
    await world.tables.people.note_name(ANNA, 1, "Anna")
    stopping = asyncio.create_task(world.tables.close())
    await asyncio.sleep(0)
    go_on.set()
    await stopping
    assert len(answers) == 1


async def test_a_time_slice_lets_other_tasks_run_when_it_is_used_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, turns = 0.0, list[float]()
    monkeypatch.setattr(workers, "perf_counter", lambda: now)
    time_slice = TimeSlice()
    # The next slice begins when the other tasks have run.
    for slices, expected in ((0.9, []), (1.0, [0.9, 1.0]), (1.9, [0.9, 1.0])):
        now = SLICE_S * slices
        asyncio.get_running_loop().call_soon(turns.append, slices)
        await time_slice.take()
        assert turns == expected, slices
