"""Personal settings: their effect on when people are notified, and how they are stored."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.store import WriteBatch
from bot.tables.core import scheduler
from bot.tables.core.errors import BadSetting, UnknownZone
from bot.tables.people.notifications import DIGEST
from bot.tables.people.settings import Notices, UserSettings
from tests.tables.world import ANNA, BEN, World


def at(text: str) -> datetime:
    """A time in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def quiet(start: str, end: str, zone: str = "Europe/Rome") -> UserSettings:
    """Somebody with quiet hours."""
    times = [int(each[:2]) * 60 + int(each[3:]) for each in (start, end)]
    return UserSettings(ANNA, quiet_from=times[0], quiet_to=times[1], zone=zone)


@pytest.mark.parametrize(
    ("person", "now", "free"),
    [
        (quiet("22:00", "08:00"), "2030-01-10 12:00", "2030-01-10 12:00"),
        (quiet("22:00", "08:00"), "2030-01-10 20:59", "2030-01-10 20:59"),
        (quiet("22:00", "08:00"), "2030-01-10 21:00", "2030-01-11 07:00"),
        (quiet("22:00", "08:00"), "2030-01-10 23:30", "2030-01-11 07:00"),
        (quiet("22:00", "08:00"), "2030-01-10 07:00", "2030-01-10 07:00"),
        (quiet("12:00", "14:00"), "2030-01-10 12:30", "2030-01-10 13:00"),
        # The night the clocks go forward is an hour shorter, the one they go back an hour longer.
        (quiet("22:00", "08:00"), "2030-03-30 22:00", "2030-03-31 06:00"),
        (quiet("22:00", "08:00"), "2030-10-26 22:00", "2030-10-27 07:00"),
        # An end that the clock skips, and one that it shows twice.
        (quiet("22:00", "02:30"), "2030-03-30 23:00", "2030-03-31 01:30"),
        (quiet("22:00", "02:30"), "2030-10-27 00:10", "2030-10-27 00:30"),
        (quiet("22:00", "02:30"), "2030-10-27 01:10", "2030-10-27 01:30"),
        (quiet("22:00", "08:00", "Asia/Kolkata"), "2030-01-10 18:00", "2030-01-11 02:30"),
    ],
)
def test_quiet_hours_follow_the_clock_on_the_wall(
    person: UserSettings, now: str, free: str
) -> None:
    assert person.free_at(at(now)) == at(free)


def test_a_snooze_that_ends_in_quiet_hours_lasts_until_they_end() -> None:
    until = at("2030-01-10 23:00")
    person = UserSettings(ANNA, snoozed_until=until, quiet_from=22 * 60, quiet_to=6 * 60)
    assert person.free_at(at("2030-01-10 12:00")) == at("2030-01-11 06:00")


def away(first: str, until: str) -> UserSettings:
    """Somebody who is away."""
    days = [date.fromisoformat(day) for day in (first, until)]
    return UserSettings(ANNA, zone="Europe/Rome", digest=9, away_from=days[0], away_until=days[1])


@pytest.mark.parametrize(
    ("now", "back"),
    [
        ("2030-03-28 22:59", "2030-03-28 22:59"),
        ("2030-03-28 23:00", "2030-04-02 07:00"),
        ("2030-04-01 21:59", "2030-04-02 07:00"),
        ("2030-04-01 22:00", "2030-04-02 07:00"),
        ("2030-04-02 06:59", "2030-04-02 07:00"),
        ("2030-04-02 07:01", "2030-04-02 07:01"),
    ],
)
def test_an_absence_ends_on_the_morning_after_its_last_day_where_the_person_lives(
    now: str, back: str
) -> None:
    assert away("2030-03-29", "2030-04-01").back_at(at(now)) == at(back)
    assert UserSettings(ANNA).back_at(at(now)) == at(now)


def test_days_off_that_meet_are_one_absence() -> None:
    person = away("2030-01-07", "2030-01-11")
    back = at("2030-01-14 08:00")
    for now in ("2030-01-05 12:00", "2030-01-09 12:00", "2030-01-12 12:00", "2030-01-13 23:30"):
        assert person.back_at(at(now), weekends_off=True) == back
    assert person.back_at(at("2030-01-12 12:00")) == at("2030-01-12 12:00")


def test_the_daily_list_rests_while_somebody_is_away() -> None:
    person = away("2030-03-29", "2030-04-01")
    assert person.digest_at(at("2030-03-28 06:00")) == at("2030-03-28 08:00")
    assert person.digest_at(at("2030-03-28 12:00")) == at("2030-04-02 07:00")
    assert person.digest_at(at("2030-03-31 12:00")) == at("2030-04-02 07:00")


def test_the_daily_list_is_at_the_same_hour_across_daylight_saving() -> None:
    person = UserSettings(ANNA, digest=9, zone="Europe/Rome")
    first = person.digest_at(at("2030-03-29 12:00"))
    assert first == at("2030-03-30 08:00")
    assert person.digest_at(first) == at("2030-03-31 07:00")
    assert UserSettings(ANNA).digest_at(first) is None


async def test_settings_are_kept_and_what_was_never_set_is_not(world: World) -> None:
    people = world.tables.people
    assert await people.get(ANNA) == UserSettings(ANNA)
    await asyncio.gather(
        people.change(ANNA, notices="dm"), people.change(ANNA, snoozed_until=at("2030-06-01 00:00"))
    )
    await world.reopen()

    person = await world.tables.people.get(ANNA)

    assert person == UserSettings(ANNA, notices=Notices.DM, snoozed_until=at("2030-06-01 00:00"))
    assert set(await world.store.person(ANNA) or {}) == {"notices", "snoozed_until"}


async def test_what_cannot_be_is_refused(world: World) -> None:
    people = world.tables.people
    for wrong in ({"quiet_from": 60}, {"quiet_from": 9, "quiet_to": 9}, {"reminder_h": -1}):
        with pytest.raises(BadSetting):
            await people.change(ANNA, **wrong)
    with pytest.raises(UnknownZone):
        await people.change(ANNA, zone="../../etc/passwd")
    assert await people.get(ANNA) == UserSettings(ANNA)


async def test_settings_of_another_version_do_not_stand_in_the_way(world: World) -> None:
    batch = WriteBatch()
    batch.save_person(ANNA, {"notices": "dm", "pigeons": True})
    batch.save_person(BEN, {"notices": "pigeon"})
    await world.store.commit(batch)
    assert (await world.tables.people.get(ANNA)).notices is Notices.DM
    assert await world.tables.people.get(BEN) == UserSettings(BEN)


async def test_a_notification_lasts_while_its_person_is_awaited_and_a_closed_table_has_none(
    world: World,
) -> None:
    table = await world.game(ANNA, BEN)
    began = world.clock.now()
    world.clock.move(hours=5)
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    await world.tables.play.act(table.id, 0, ("choose", "2"))

    notifications = await world.tables.notifications.at(table.id)
    assert [(each.seat, each.since, each.over) for each in notifications] == [
        (0, began, True),
        (1, began, False),
    ]
    for user in (ANNA, BEN):
        await world.tables.leaving.abandon(table.id, user)
    assert all(each.over for each in await world.tables.notifications.at(table.id))
    assert await world.tables.notifications.of(BEN) == []


async def test_of_two_processes_one_sends_the_daily_list_and_a_failed_one_is_sent_again(
    world: World,
) -> None:
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
