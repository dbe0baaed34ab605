"""Who is notified, where, how often and when not; reminders; the daily list."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import discord
import pytest

from bot.tables import Status, Table
from tests.cogs.conftest import Club, block_messages, ids, parts, rings, rung, timed, wording

DAY = timedelta(days=1)


async def bidding(club: Club) -> tuple[Table, Any, Any]:
    table = await club.game()
    seat = await club.play_until(table.id, "bid")
    return table, club.person(table, seat), club.person(table, 1 - seat)


async def bid(club: Club, table: Table) -> None:
    (seat,) = await club.asked(table.id)
    marker = (await club.words(table.id, seat, "bid"))[0]
    await club.services.tables.play.act(table.id, seat, ("bid", marker))
    await club.env.settle()


async def play_on(club: Club, table: Table, person: Any) -> None:
    rng = Random(3)
    while table.seat_of(person.id) in await club.asked(table.id):
        await club.step(table.id, rng)


@pytest.mark.parametrize("game", ["kogge", "burgundy", "guatemala", "flandern"])
async def test_joining_rings_nobody_and_a_start_everybody_once(club: Club, game: str) -> None:
    for person, notices in zip(club.people, ("channel", "dm", "dm", "channel"), strict=True):
        await club.services.tables.people.change(person.id, notices=notices)
    table = await club.begun(game, seats=4)
    await club.later(timedelta())
    assert rung(club) == Counter(player.user for player in table.players)


async def test_a_start_rings_once_also_whoever_is_on_turn_after_a_computer(club: Club) -> None:
    host, guest = club.people[:2]
    await club.services.tables.people.change(guest.id, notices="dm")
    for table_id in (1, 2, 3):
        await host.slash(club.channel, "game new", game="burgundy", computers=1)
        await guest.click(await club.lobby_message(table_id), custom_id=f"join:{table_id}")
        begun = len(club.env.http_requests)
        await host.click(await club.startable(table_id), custom_id=f"begin:{table_id}")
        await club.rest(table_id)
        await club.later(timedelta())
        assert rung(club, begun) == {host.id: 1, guest.id: 1}
    firsts = [(await club.actions(table_id))[1:2] for table_id in (1, 2, 3)]
    assert [] in firsts  # A person came first,
    assert any(firsts)  # and a computer player.


async def test_whoever_comes_to_be_awaited_is_rung_once_and_nobody_by_what_they_did(
    club: Club,
) -> None:
    await club.services.tables.people.change(club.people[1].id, notices="dm")
    table = await club.begun("flandern", seats=4)
    rng, kinds, called = Random(7), set(), 0
    for _ in range(30):
        (seat, *_), before = await club.asked(1), set(await club.asked(1))
        since = len(club.env.http_requests)
        await club.step(1, rng)
        await club.later(timedelta())
        kinds.add((await club.actions(1))[-1].partition(" ")[0])
        awaited = {club.person(table, each).id for each in set(await club.asked(1)) - before}
        found = rung(club, since)
        assert club.person(table, seat).id not in found
        assert set(found) >= awaited - {club.person(table, seat).id}
        assert set(found.values()) <= {1}
        called += len(awaited)
    assert {"choose", "build"} <= kinds
    assert called > 10


async def test_who_wants_messages_gets_one_that_says_what_and_goes_when_done(club: Club) -> None:
    table, _first, second = await bidding(club)
    await second.slash(club.channel, "me set", notices="dm")
    before, notified = len(club.dms(second)), len(rings(club))
    await bid(club, table)
    (call,) = club.dms(second)[before:]
    assert f"Kogge · table {table.id}" in wording(call)
    assert "bid" in wording(call)
    panel = await club.panel(table.id)
    assert f"<@{second.id}>" in wording(panel)
    assert len(rings(club)) == notified
    (link,) = [each["url"] for each in parts(call) if each.get("url")]
    assert link == f"https://discord.com/channels/{club.guild.id}/{table.thread}/{panel.id}"
    shown = await second.user.click(call, custom_id=f"play:{table.id}")
    assert any(each.startswith(("act:", "pick:", "type:")) for each in ids(shown.response))
    await bid(club, table)
    await play_on(club, table, second)
    assert call.id not in [message.id for message in club.dms(second)]


async def test_a_message_says_what_is_asked_now_while_the_same_person_goes_on(club: Club) -> None:
    table, *both = await bidding(club)
    for person in both:
        await person.slash(club.channel, "me set", notices="dm")
    await bid(club, table)
    while True:
        seat = await club.play_until(table.id, "advance")
        person = club.person(table, seat)
        (before,) = [each for each in club.dms(person) if "🔔" in wording(each)]
        await club.services.tables.play.act(table.id, seat, ("advance", "1"))
        await club.env.settle()
        if await club.asked(table.id) == [seat]:
            break
    (after,) = [each for each in club.dms(person) if "🔔" in wording(each)]
    assert after.id == before.id
    assert wording(after) != wording(before)


async def test_who_wants_both_is_called_by_both_and_who_blocks_messages_in_the_channel_alone(
    club: Club,
) -> None:
    table, first, second = await bidding(club)
    for person, notices in ((first, "dm"), (second, "both")):
        await person.slash(club.channel, "me set", notices=notices)
    before, notified = len(club.dms(second)), len(rings(club))
    await bid(club, table)
    assert len(club.dms(second)) == before + 1
    assert rings(club)[notified:] == [second.id]
    block_messages(club, first)
    notified = len(rings(club))
    await play_on(club, table, second)
    assert rings(club)[notified:] == [first.id]
    table = await club.services.tables.reader.get(table.id)
    assert [p.user for p in table.players if not p.reachable] == [first.id]


async def test_in_quiet_hours_nothing_rings_and_it_comes_when_they_or_a_snooze_end(
    club: Club,
) -> None:
    table, _first, second = await bidding(club)
    now = club.clock.now()
    start, end = (f"{now + timedelta(hours=by):%H:%M}" for by in (-1, 2))
    await second.slash(club.channel, "me quiet", **{"from": start, "to": end, "zone": "UTC"})
    notified = len(rings(club))

    await bid(club, table)
    assert f"<@{second.id}>" in wording(await club.panel(table.id))
    await club.later(timedelta(hours=1))
    assert rings(club)[notified:] == []

    await club.later(timedelta(hours=1))
    assert rings(club)[notified:] == [second.id]
    call = club.posts(table)[-1]
    assert "bid" in wording(call)
    await second.slash(club.channel, "me snooze", snooze="48")
    await play_on(club, table, second)
    assert call.id not in [post.id for post in club.posts(table)]

    # The other one acts until it is the turn of the one who snoozes.
    notified, rng = rings(club).count(second.id), Random(3)
    while table.seat_of(second.id) not in await club.asked(table.id):
        await club.step(table.id, rng)
    await club.later(DAY)
    assert rings(club).count(second.id) == notified
    await second.slash(club.channel, "me snooze", snooze="off")
    await club.later(timedelta())
    assert rings(club).count(second.id) == notified + 1


async def test_reminders_replace_one_another_and_come_until_the_table_sleeps(club: Club) -> None:
    """On day 21 the warning that it will sleep takes the place of a reminder."""
    # All are awaited at the start. Whatever the interval, the seventh is the last.
    days = {
        24: [1, 3, 7, 14, 21],
        6: [1, 2, 3, 5, 9, 16, 21],
        1: [1, 2, 3, 4, 5, 7, 10, 21],
        0: [21],
    }
    table = await club.game(*club.people[1:])
    reminded: dict[int, list[int]] = {}
    for person, hours in zip(club.people, days, strict=False):
        await club.services.tables.people.change(person.id, reminder_h=hours)
        reminded[person.id] = []
    for day in range(1, 24):
        notified = len(rings(club))
        await club.later(DAY)
        for user in rings(club)[notified:]:
            reminded[user].append(day)
        standing = [each for each in map(wording, club.posts(table)) if each.startswith("🔔")]
        assert standing
        for each in standing:
            assert re.search(r"waiting since <t:(\d+):f> \(<t:\1:R>\)", each)
        for user in reminded:
            assert sum(f"<@{user}>" in each for each in standing) <= 1
        if day == 4:
            await club.restart()

    assert list(reminded.values()) == list(days.values())
    await club.later(7 * DAY)
    assert (await club.services.tables.reader.get(table.id)).status is Status.SLEEPING
    notified = len(rings(club))
    await club.later(60 * DAY)
    assert rings(club)[notified:] == []


async def test_what_all_see_somebody_do_puts_the_reminder_off_and_what_nobody_sees_does_not(
    club: Club,
) -> None:
    table = await club.game()
    seat = await club.play_until(table.id, "sail")
    first, notified = club.person(table, seat), len(rings(club))
    club.clock.move(timedelta(hours=20))
    await first.click(await club.panel(table.id), custom_id=f"hand:{table.id}")
    await first.slash(club.place(table), "game hint")
    await first.slash(club.channel, "me set", language="it")
    await club.later(timedelta(hours=5))
    assert rings(club)[notified:] == [first.id]

    # The next one would come two days later.
    notified = len(rings(club))
    await club.later(timedelta(hours=30))
    await club.step(table.id, Random(1))
    assert await club.asked(table.id) == [seat]
    await club.restart()
    await club.later(timedelta(hours=30))
    assert rings(club)[notified:] == []
    await club.later(timedelta(hours=20))
    assert rings(club)[notified:] == [first.id]


async def test_mine_lists_the_tables_that_have_waited_longest_first(club: Club) -> None:
    anna, bert = club.people[:2]
    first = await club.game(bert, host=anna)
    club.clock.move(DAY)
    second = await club.game(bert, host=anna)
    club.clock.move(DAY)
    lobby = await club.lobby(host=anna)
    # In the first one she has done her part.
    seat = first.seat_of(anna.id)
    assert seat is not None
    await club.services.tables.play.act(first.id, seat, ("found", "4"))
    content = wording((await anna.slash(club.channel, "game mine")).response)
    other = wording((await bert.slash(club.channel, "game mine")).response)
    assert re.findall(r"Table (\d+)", content) == [str(second.id), str(first.id), str(lobby.id)]
    assert re.findall(r"Table (\d+)", other) == [str(first.id), str(second.id)]
    assert len(re.findall(r"waiting since <t:", content)) == 1
    assert f"<#{first.thread}>" in content


async def test_the_daily_list_comes_at_its_hour_where_something_waits(club: Club) -> None:
    table, first, second = await bidding(club)
    hour = (club.clock.now() + timedelta(hours=2)).hour
    for person in (first, second):
        await person.slash(club.channel, "me set", digest=str(hour))
    before = [len(club.dms(person)) for person in (first, second)]
    await club.later(timedelta(hours=1))
    assert [len(club.dms(person)) for person in (first, second)] == before
    await club.later(timedelta(hours=1))
    (message,) = club.dms(first)[before[0] :]
    assert f"Table {table.id}" in wording(message)
    assert f"/{table.thread}/" in wording(message)
    assert len(club.dms(second)) == before[1]
    await club.later(DAY)
    assert len(club.dms(first)) == before[0] + 2


async def test_nobody_is_reminded_of_anything_while_away(club: Club) -> None:
    """Neither at the table nor by the daily list; on the first day back it goes on."""
    _table, first, _second = await bidding(club)
    await first.slash(club.channel, "me set", reminder="6", digest="12")
    today = club.clock.now().date()
    until = today + timedelta(days=4)
    answer = await first.slash(club.channel, "me away", until=until.isoformat())
    assert "reminders wait until the morning you are back" in wording(answer.response)
    notified, before = len(rings(club)), len(club.dms(first))
    while (club.clock.now() + timedelta(hours=7)).date() <= until:
        await club.later(timedelta(hours=7))
        if club.clock.now().date() == today + timedelta(days=2):
            await club.restart()
    assert rings(club)[notified:] == []
    assert len(club.dms(first)) == before
    for _ in range(4):
        await club.later(timedelta(hours=7))
    assert first.id in rings(club)[notified:]
    assert len(club.dms(first)) > before

    # Whoever comes back early is reminded again.
    until = (club.clock.now() + timedelta(days=30)).date()
    await first.slash(club.channel, "me away", until=until.isoformat())
    await club.later(2 * DAY)
    notified = len(rings(club))
    await first.slash(club.channel, "me away", until="off")
    await club.later(3 * DAY)
    assert first.id in rings(club)[notified:]


async def test_the_first_reminder_after_days_off_comes_in_the_morning(club: Club) -> None:
    """After a weekend that does not count, and after an absence; by the person's own clock."""
    zone = ZoneInfo("Asia/Tokyo")
    thursday = datetime(2027, 3, 25, 12, tzinfo=zone)
    club.clock.move(thursday - club.clock.now())
    # All three are awaited at the start.
    await timed(club, *club.people[1:3], weekend="frozen")
    hours: list[tuple[int, dict[str, Any]]] = [
        (7, {"digest": 7}),
        (9, {}),
        (11, {"quiet_from": 60 * 22, "quiet_to": 60 * 11}),
    ]
    people = club.services.tables.people
    for person, (_, settings) in zip(club.people, hours, strict=False):
        await people.change(person.id, zone=zone.key, reminder_h=48, **settings)

    for back in (datetime(2027, 3, 29, tzinfo=zone), datetime(2027, 4, 8, tzinfo=zone)):
        notified = len(rings(club))
        for person, (hour, _) in zip(club.people, hours, strict=False):
            morning = back.replace(hour=hour)
            while (left := morning - club.clock.now() - timedelta(minutes=5)) > timedelta():
                await club.later(min(left, timedelta(hours=6)))
            assert person.id not in rings(club)[notified:], hour
            await club.later(timedelta(minutes=10))
            assert rings(club)[notified:].count(person.id) == 1, hour
            away = {"away_from": date(2027, 3, 30), "away_until": date(2027, 4, 7)}
            await people.change(person.id, **away)


@pytest.mark.parametrize(
    ("settings", "times"),
    [
        ({"told_next": True}, 1),
        ({"told_next": True, "snoozed_until": datetime(2200, 1, 1, tzinfo=UTC)}, 0),
    ],
)
async def test_only_who_wants_it_is_told_once_and_in_private_that_they_are_next(
    club: Club, settings: dict[str, Any], times: int
) -> None:
    table = await club.game()
    for person in club.people[:2]:
        await club.services.tables.people.change(person.id, **settings)
    notified = len(rings(club))
    seat = await club.play_until(table.id, "bid")
    first, second = club.person(table, seat), club.person(table, 1 - seat)

    def told(person: Any) -> list[str]:
        return [wording(each) for each in club.dms(person) if "⏭️" in wording(each)]

    assert (len(told(first)), len(told(second))) == (0, times)
    assert all("You are next, after **" in each for each in told(second))
    assert set(rings(club)[notified:]) <= {first.id}
    await club.restart()
    await bid(club, table)
    assert (len(told(first)), len(told(second))) == (0, times)


@pytest.mark.slow
async def test_no_message_is_edited_to_show_what_it_shows_already(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed: list[bool] = []
    edit = discord.PartialMessage.edit

    async def watched(message: discord.PartialMessage, **parts: Any) -> discord.Message:
        before, after = await message.fetch(), await edit(message, **parts)
        changed.append(shown(before) != shown(after))
        return after

    def shown(message: discord.Message) -> list[Any]:
        return [message.content, *(each.to_dict() for each in message.components)]

    monkeypatch.setattr(discord.PartialMessage, "edit", watched)
    for person in club.people:
        await club.services.tables.people.change(person.id, notices="dm")
    table = await club.lobby(*club.people[1:3])
    host, lobby = club.people[0], await club.lobby_message(table.id)
    await club.services.tables.lobby.set_option(table.id, host.id, "goods", "open")
    await club.env.settle()
    await host.click(lobby, custom_id="begin:1")
    for city in ("4", "4", "5"):
        await club.services.tables.play.act(1, 0, ("found", city))
        await club.env.settle()
    for _ in range(20):
        await club.step(1, Random(3))

    assert len(changed) > 20
    assert all(changed)
