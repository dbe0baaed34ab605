"""Notifications: who gets them, where, how often and when not; reminders and the daily list."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import discord
import pytest

from bot.game.contract import SPECTATOR
from bot.tables import Status, Table
from bot.titles import TITLES
from tests.cogs.conftest import (
    Club,
    block_messages,
    close_channel,
    ids,
    is_silent,
    parts,
    ping_counts,
    pings,
    verbs,
    wording,
)
from tests.cogs.test_deals import offer, start_moored

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


async def start_bidding(club: Club) -> tuple[Table, Any, Any]:
    table = await club.game()
    seat = await club.play_until(table.id, "bid")
    return table, club.person(table, seat), club.person(table, 1 - seat)


async def bid(club: Club, table: Table) -> None:
    (seat,) = await club.asked(table.id)
    marker = (await club.words(table.id, seat, "bid"))[0]
    await club.play((seat, f"bid {marker}"), table=table.id)


async def play_on(club: Club, table: Table, person: Any) -> None:
    rng = Random(3)
    while table.seat_of(person.id) in await club.asked(table.id):
        await club.step(table.id, rng)


@pytest.mark.parametrize("game", ["kogge", "burgundy", "guatemala", "flandern"])
async def test_players_to_act_are_pinged_once_but_not_for_their_own_moves_and_no_edit_is_empty(
    club: Club, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed: list[bool] = []
    edit = discord.PartialMessage.edit

    async def recording_edit(message: discord.PartialMessage, **parts: Any) -> discord.Message:
        before, after = await message.fetch(), await edit(message, **parts)
        changed.append(shown(before) != shown(after))
        return after

    def shown(message: discord.Message) -> list[Any]:
        return [message.content, *(each.to_dict() for each in message.components)]

    monkeypatch.setattr(discord.PartialMessage, "edit", recording_edit)
    for person, notices in zip(club.people, ("channel", "dm", "dm", "channel"), strict=True):
        await club.tables.people.change(person.id, notices=notices)
    option = TITLES.games[game].options[0]
    table = await club.start_game(game, (option.name, option.values[0]), seats=4)
    await club.later(timedelta())
    assert ping_counts(club) == Counter(player.user for player in table.players)
    if game == "kogge":
        await club.play((1, "found 4"), (1, "found 4"), (1, "found 5"))
    rng, called = Random(7), 0
    for _ in range(24):
        (seat, *_), before = await club.asked(1), set(await club.asked(1))
        since = len(club.requests)
        await club.step(1, rng)
        await club.later(timedelta())
        to_act = {club.person(table, each).id for each in set(await club.asked(1)) - before}
        actor, found = club.person(table, seat).id, ping_counts(club, since)
        assert actor not in found
        assert set(found) >= to_act - {actor}
        assert set(found.values()) <= {1}
        called += len(to_act)
    assert called > 5
    assert len(changed) > 5
    assert all(changed)


async def test_a_start_pings_each_player_once_even_if_a_computer_moves_first(club: Club) -> None:
    host, guest = club.people[:2]
    await club.tables.people.change(guest.id, notices="dm")
    for table_id in (1, 2, 3):
        await club.lobby(guest, game="burgundy", computers=1)
        since = len(club.requests)
        await host.click(await club.lobby_message(table_id), custom_id=f"begin:{table_id}")
        await club.later(timedelta())
        assert ping_counts(club, since) == {host.id: 1, guest.id: 1}
    firsts = [(await club.actions(table_id))[1:2] for table_id in (1, 2, 3)]
    assert [] in firsts  # A person came first,
    assert any(firsts)  # and a computer player.


async def test_a_direct_message_says_what_to_do_and_is_deleted_after_the_turn(club: Club) -> None:
    table, first, second = await start_bidding(club)
    for person in (first, second):
        await person.slash(club.channel, "me set", notices="dm")
    before, notified = len(club.dms(second)), len(pings(club))
    await bid(club, table)
    (call,) = club.dms(second)[before:]
    assert f"Kogge · table {table.id}" in wording(call)
    assert "bid" in wording(call)
    panel = await club.panel(table.id)
    assert f"<@{second.id}>" in wording(panel)
    assert len(pings(club)) == notified
    (link,) = [each["url"] for each in parts(call) if each.get("url")]
    assert link == f"https://discord.com/channels/{club.guild.id}/{table.thread}/{panel.id}"
    shown = await second.click(call, custom_id=f"play:{table.id}")
    assert any(each.startswith(("act:", "pick:", "type:")) for each in ids(shown.response))
    await bid(club, table)
    await play_on(club, table, second)
    assert call.id not in [message.id for message in club.dms(second)]

    # While the player continues, it is edited to the current question.
    shown = []
    while await club.asked(table.id) != shown:
        shown = [await club.play_until(table.id, "advance")]
        person = club.person(table, shown[0])
        (old,) = [each for each in club.dms(person) if "🔔" in wording(each)]
        await club.play((shown[0], "advance 1"), table=table.id)
    (new,) = [each for each in club.dms(person) if "🔔" in wording(each)]
    assert new.id == old.id
    assert wording(new) != wording(old)


async def test_with_both_a_player_gets_ping_and_message_and_blocked_messages_become_pings(
    club: Club,
) -> None:
    table, first, second = await start_bidding(club)
    for person, notices in ((first, "dm"), (second, "both")):
        await person.slash(club.channel, "me set", notices=notices)
    before, notified = len(club.dms(second)), len(pings(club))
    await bid(club, table)
    assert len(club.dms(second)) == before + 1
    assert pings(club)[notified:] == [second.id]
    block_messages(club, first)
    notified = len(pings(club))
    await play_on(club, table, second)
    assert pings(club)[notified:] == [first.id]
    table = await club.tables.reader.get(table.id)
    assert [p.user for p in table.players if not p.reachable] == [first.id]


async def test_quiet_hours_and_snoozes_delay_notifications_until_they_end(
    club: Club,
) -> None:
    table, _first, second = await start_bidding(club)
    now = club.clock.now()
    start, end = (f"{now + timedelta(hours=by):%H:%M}" for by in (-1, 2))
    await second.slash(club.channel, "me quiet", **{"from": start, "to": end, "zone": "UTC"})
    notified = len(pings(club))

    await bid(club, table)
    assert f"<@{second.id}>" in wording(await club.panel(table.id))
    await club.later(timedelta(hours=1))
    assert pings(club)[notified:] == []

    await club.later(timedelta(hours=1))
    assert pings(club)[notified:] == [second.id]
    call = club.posts(table)[-1]
    assert "bid" in wording(call)
    await second.slash(club.channel, "me snooze", snooze="48")
    await play_on(club, table, second)
    assert call.id not in [post.id for post in club.posts(table)]

    # The other player acts until it is the snoozing player's turn.
    notified, rng = pings(club).count(second.id), Random(3)
    while table.seat_of(second.id) not in await club.asked(table.id):
        await club.step(table.id, rng)
    await club.later(DAY)
    assert pings(club).count(second.id) == notified
    await second.slash(club.channel, "me snooze", snooze="off")
    await club.later(timedelta())
    assert pings(club).count(second.id) == notified + 1


async def test_reminders_replace_one_another_until_the_table_sleeps(club: Club) -> None:
    """On day 21 the warning that it will fall asleep replaces the reminder."""
    # All players are to act at the start. Every interval ends with the seventh reminder.
    days = {
        24: [1, 3, 7, 14, 21],
        6: [1, 2, 3, 5, 9, 16, 21],
        1: [1, 2, 3, 4, 5, 7, 10, 21],
        0: [21],
    }
    table = await club.game(*club.people[1:])
    reminded: dict[int, list[int]] = {}
    for person, hours in zip(club.people, days, strict=False):
        await club.tables.people.change(person.id, reminder_h=hours)
        reminded[person.id] = []
    for day in range(1, 24):
        notified = len(pings(club))
        await club.later(DAY)
        for user in pings(club)[notified:]:
            reminded[user].append(day)
        reminders = [each for each in map(wording, club.posts(table)) if each.startswith("🔔")]
        assert reminders
        for each in reminders:
            assert re.search(r"waiting since <t:(\d+):f> \(<t:\1:R>\)", each)
        for user in reminded:
            assert sum(f"<@{user}>" in each for each in reminders) <= 1
        if day == 4:
            await club.restart()

    assert list(reminded.values()) == list(days.values())
    await club.later(7 * DAY)
    assert (await club.tables.reader.get(table.id)).status is Status.SLEEPING
    notified = len(pings(club))
    await club.later(60 * DAY)
    assert pings(club)[notified:] == []


async def test_visible_actions_delay_a_reminder_and_private_ones_do_not(
    club: Club,
) -> None:
    table = await club.game()
    seat = await club.play_until(table.id, "sail")
    first, notified = club.person(table, seat), len(pings(club))
    club.clock.move(timedelta(hours=20))
    await first.click(await club.panel(table.id), custom_id=f"hand:{table.id}")
    await first.slash(club.place(table), "game hint")
    await first.slash(club.channel, "me set", language="it")
    await club.later(timedelta(hours=5))
    assert pings(club)[notified:] == [first.id]

    # The next one is due two days later.
    notified = len(pings(club))
    await club.later(timedelta(hours=30))
    await club.step(table.id, Random(1))
    assert await club.asked(table.id) == [seat]
    await club.restart()
    await club.later(timedelta(hours=30))
    assert pings(club)[notified:] == []
    await club.later(timedelta(hours=20))
    assert pings(club)[notified:] == [first.id]


async def test_game_mine_lists_tables_by_how_long_they_have_waited(club: Club) -> None:
    anna, bert = club.people[:2]
    first = await club.game(bert, host=anna)
    club.clock.move(DAY)
    second = await club.game(bert, host=anna)
    club.clock.move(DAY)
    lobby = await club.lobby(host=anna)
    # In the first one she has already chosen.
    seat = first.seat_of(anna.id)
    assert seat is not None
    await club.tables.play.act(first.id, seat, ("found", "4"))
    content = wording((await anna.slash(club.channel, "game mine")).response)
    other = wording((await bert.slash(club.channel, "game mine")).response)
    assert re.findall(r"Table (\d+)", content) == [str(second.id), str(first.id), str(lobby.id)]
    assert re.findall(r"Table (\d+)", other) == [str(first.id), str(second.id)]
    assert len(re.findall(r"waiting since <t:", content)) == 1
    assert f"<#{first.thread}>" in content


async def test_the_daily_list_is_sent_at_its_hour_if_a_table_waits(club: Club) -> None:
    table, first, second = await start_bidding(club)
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


async def test_no_reminders_are_sent_during_an_absence(club: Club) -> None:
    """Neither at the table nor by the daily list. They resume on the first day back."""
    _table, first, _second = await start_bidding(club)
    await first.slash(club.channel, "me set", reminder="6", digest="12")
    # A player who comes back early gets reminders again.
    until = (club.clock.now() + timedelta(days=30)).date()
    await first.slash(club.channel, "me away", until=until.isoformat())
    await club.later(2 * DAY)
    notified = len(pings(club))
    await first.slash(club.channel, "me away", until="off")
    await club.later(timedelta(hours=7))
    assert pings(club)[notified:] == [first.id]

    today = club.clock.now().date()
    until = today + timedelta(days=4)
    answer = await first.slash(club.channel, "me away", until=until.isoformat())
    assert "reminders wait until the morning you're back" in wording(answer.response)
    notified, before = len(pings(club)), len(club.dms(first))
    while (club.clock.now() + timedelta(hours=7)).date() <= until:
        await club.later(timedelta(hours=7))
        if club.clock.now().date() == today + timedelta(days=2):
            await club.restart()
    assert pings(club)[notified:] == []
    assert len(club.dms(first)) == before
    for _ in range(4):
        await club.later(timedelta(hours=7))
    assert first.id in pings(club)[notified:]
    assert len(club.dms(first)) > before


async def test_the_first_reminder_after_days_off_comes_in_the_morning(club: Club) -> None:
    """After a weekend that doesn't count and after an absence; with an earlier daily list."""
    zone = ZoneInfo("Asia/Tokyo")
    club.clock.move(datetime(2027, 3, 25, 12, tzinfo=zone) - club.clock.now())
    # All players are to act at the start.
    await club.start_game("kogge", ("weekend", "frozen"), seats=3)
    mornings: list[tuple[int, dict[str, Any]]] = [
        (7, {"digest": 7}),
        (9, {"digest": 10}),
        (11, {"quiet_from": 0, "quiet_to": 660}),
    ]
    change = club.tables.people.change
    for person, (_, settings) in zip(club.people, mornings, strict=False):
        await change(person.id, zone=zone.key, reminder_h=48, **settings)
    for back in (datetime(2027, 3, 29, tzinfo=zone), datetime(2027, 4, 8, tzinfo=zone)):
        notified = len(pings(club))
        for person, (hour, _) in zip(club.people, mornings, strict=False):
            morning = back + timedelta(hours=hour)
            while (left := morning - club.clock.now() - timedelta(minutes=5)) > timedelta():
                await club.later(min(left, timedelta(hours=6)))
            assert person.id not in pings(club)[notified:], morning
            await club.later(timedelta(minutes=10))
            assert pings(club)[notified:].count(person.id) == 1, morning
            await change(person.id, away_from=date(2027, 3, 30), away_until=date(2027, 4, 7))


@pytest.mark.parametrize(
    ("settings", "times"),
    [
        ({"told_next": True}, 1),
        ({"told_next": True, "snoozed_until": datetime(2200, 1, 1, tzinfo=UTC)}, 0),
    ],
)
async def test_a_heads_up_is_sent_once_in_private_and_only_if_wanted(
    club: Club, settings: dict[str, Any], times: int
) -> None:
    table = await club.game()
    for person in club.people[:2]:
        await club.tables.people.change(person.id, **settings)
    notified = len(pings(club))
    seat = await club.play_until(table.id, "bid")
    first, second = club.person(table, seat), club.person(table, 1 - seat)

    def heads_ups(person: Any) -> list[str]:
        return [wording(each) for each in club.dms(person) if "⏭️" in wording(each)]

    assert (len(heads_ups(first)), len(heads_ups(second))) == (0, times)
    assert all("You're next, after **" in each for each in heads_ups(second))
    assert set(pings(club)[notified:]) <= {first.id}
    await club.restart()
    await bid(club, table)
    assert (len(heads_ups(first)), len(heads_ups(second))) == (0, times)


# Quiet hours, clocks and channels closed to the bot


def audible_dms(club: Club, person: Any) -> list[Any]:
    return [each for each in club.dms(person) if not is_silent(each)]


async def set_quiet_hours(club: Club, person: Any, hours: int, notices: str = "channel") -> None:
    now = club.clock.now()
    times = {"from": f"{now:%H:%M}", "to": f"{now + hours * HOUR:%H:%M}", "zone": "UTC"}
    await person.slash(club.channel, "me quiet", **times)
    await person.slash(club.channel, "me set", notices=notices)


async def found_office(club: Club, table: Table, seat: int) -> None:
    word = (await club.words(table.id, seat, "found"))[0]
    await club.play((seat, f"found {word}"), table=table.id)


async def test_a_start_in_quiet_hours_pings_once_when_they_end(club: Club) -> None:
    _host, bert, clara, _ = club.people
    await set_quiet_hours(club, bert, 6, "channel")
    await set_quiet_hours(club, clara, 6, "dm")
    since = len(club.requests)
    await club.game(bert, clara)
    await club.later(5 * HOUR)
    assert not {bert.id, clara.id} & set(ping_counts(club, since))
    await club.later(HOUR)
    assert [ping_counts(club, since)[each.id] for each in (bert, clara)] == [1, 1]
    assert {bert.id, clara.id} & {*pings(club, since=since)} == {bert.id}


async def test_an_offer_in_quiet_hours_pings_when_they_end(club: Club) -> None:
    table = await start_moored(club)
    other = club.person(table, 1)
    await set_quiet_hours(club, other, 6, notices="dm")
    before = len(audible_dms(club, other))
    await offer(club, table)
    await club.restart()
    await club.later(5 * HOUR)
    assert audible_dms(club, other)[before:] == []
    await club.later(HOUR)
    (dm,) = audible_dms(club, other)[before:]
    assert "🦊" in wording(dm)
    assert "act" in verbs(dm)
    # Ending them early sends the message at once, unless the offer was withdrawn.
    for is_open in (True, False):
        await set_quiet_hours(club, other, 6, notices="dm")
        before = len(audible_dms(club, other))
        await offer(club, table)
        if not is_open:
            number = (await club.tables.reader.pending(1))[-1].id[1:]
            await club.play((0, f"withdraw {number}"))
        await other.slash(club.channel, "me quiet", **{"from": "off"})
        await club.later(timedelta())
        assert len(audible_dms(club, other)[before:]) == is_open


async def test_running_out_of_time_in_quiet_hours_pings_when_they_end(
    club: Club,
) -> None:
    table = await club.start_game("kogge", ("clock", "d1"), ("at_zero", "autopilot"), seats=4)
    pinged, messaged, woken = (club.person(table, seat) for seat in (0, 1, 3))
    await found_office(club, table, 2)
    await club.later(17 * HOUR)
    for person, notices in ((pinged, "channel"), (messaged, "dm"), (woken, "channel")):
        await set_quiet_hours(club, person, 10, notices)
    since = len(club.requests)

    await club.later(9 * HOUR)
    assert not {pinged.id, messaged.id, woken.id} & set(ping_counts(club, since))
    await woken.slash(club.channel, "me quiet", **{"from": "off"})
    await club.later(timedelta())
    assert [ping_counts(club, since)[each.id] for each in (pinged, woken)] == [0, 1]
    await club.later(HOUR)
    assert [ping_counts(club, since)[each.id] for each in (pinged, messaged)] == [1, 1]
    players = (await club.tables.reader.get(table.id)).players
    assert players[0].is_autopiloted
    assert players[1].is_autopiloted
    dm = audible_dms(club, messaged)[-1]
    assert "wheel" in verbs(dm)
    (post,) = [each for each in club.posts(table)[-2:] if f"<@{pinged.id}>" in wording(each)]
    for message in (post, dm):
        assert "You ran out of time" in wording(message)
        assert "Take over again" in wording(message)


async def test_a_time_warning_links_to_its_table_and_is_posted_there_if_messages_fail(
    club: Club,
) -> None:
    table = await club.start_game("kogge", ("clock", "d3"), seats=3)
    person, blocking, closed = (club.person(table, seat) for seat in (0, 1, 2))
    for each in (person, blocking, closed):
        await each.slash(club.channel, "me set", notices="dm", reminder="0")
    block_messages(club, blocking, 50007)
    block_messages(club, closed, 20026)
    notified = Counter(pings(club))
    await club.later(2 * DAY)
    for _ in range(3):
        await club.later(timedelta(seconds=10))

    dm = audible_dms(club, person)[-1]
    assert "Kogge · table 1" in wording(dm)
    assert "running out of time" in wording(dm)
    assert f"<@{person.id}>" not in wording(dm)
    assert ids(dm) == [f"play:{table.id}"]
    (link,) = [each["url"] for each in parts(dm) if each.get("url")]
    assert link.startswith(f"https://discord.com/channels/{club.guild.id}/{table.thread}")
    assert Counter(pings(club)) - notified == {blocking.id: 1, closed.id: 1}
    assert "running out of time" in wording(club.posts(table)[-1])


@pytest.mark.parametrize(
    ("clock", "reminder", "hours", "text"),
    [
        ("d1", 24, 24, "You're out of time for this turn"),
        ("d3", 24, 72, "You're out of time for this turn"),
        ("d3", 48, 48, "running out of time"),
    ],
)
async def test_a_reminder_and_the_clock_never_ping_together(
    club: Club, clock: str, reminder: int, hours: int, text: str
) -> None:
    table = await club.start_game("kogge", ("clock", clock))
    person = club.person(table, 0)
    await person.slash(club.channel, "me set", reminder=str(reminder))
    await found_office(club, table, 1)
    times = [pings(club).count(person.id)]
    for _ in range(hours - 1):
        await club.later(HOUR)
    for _ in range(80):
        await club.later(timedelta(minutes=1))
        times.append(pings(club).count(person.id))
    assert times[-1] == times[1] + 1
    assert text in wording(club.posts(table)[-1])


@pytest.mark.parametrize("notices", ["channel", "dm"])
async def test_an_automatic_answer_and_the_following_turn_ping_together(
    club: Club, notices: str
) -> None:
    table = await club.game()
    seat = await club.play_until(table.id, "bid")
    second = club.person(table, 1 - seat)
    await second.slash(club.place(table), "seat orders")
    await club.tables.orders.give(table.id, second.id, "bid", "3")
    await set_quiet_hours(club, second, 6, notices)
    since, notified = len(club.requests), len(pings(club))
    word = (await club.words(table.id, seat, "bid"))[0]
    await club.tables.play.act(table.id, seat, ("bid", word))
    await club.settle()
    assert 1 - seat in await club.asked(table.id)
    await club.later(6 * HOUR)
    assert ping_counts(club, since) == {second.id: 1}
    assert (second.id in pings(club)[notified:]) is (notices == "channel")
    assert any("Automatic answer" in wording(dm) for dm in club.dms(second))


@pytest.mark.slow
async def test_the_end_pings_each_player_once_and_names_the_winner(club: Club) -> None:
    one, two, three = club.people[:3]
    table = await club.game(two, three)
    await two.slash(club.channel, "me set", notices="dm")
    await set_quiet_hours(club, three, 8)
    await club.finish(table.id)
    await club.later(HOUR)
    table = await club.tables.reader.get(table.id)
    outcome = (await club.tables.reader.seen(table.id, SPECTATOR)).outcome
    assert outcome is not None
    winner = table.names[min(outcome.winners)]
    posts, dm = len(club.posts(table)), audible_dms(club, two)[-1]
    assert pings(club, "the game is over") == [one.id]
    assert winner in wording(dm)
    assert str(outcome.scores[0]) in wording(dm)
    await club.later(7 * HOUR)
    assert pings(club)[-1] == three.id
    (post,) = club.posts(table)[posts:]
    assert winner in wording(post)


@pytest.mark.parametrize("is_quiet", [False, True])
async def test_a_replaced_player_is_notified_and_again_when_the_seat_is_taken(
    club: Club, *, is_quiet: bool
) -> None:
    table = await club.game(*club.people[1:3])
    late = club.person(table, 2)
    for seat in (0, 1):
        await found_office(club, table, seat)
    await club.later(3 * DAY)
    if is_quiet:
        await set_quiet_hours(club, late, 6)
    since = len(club.requests)
    tables, others = club.tables, [club.person(table, seat) for seat in (0, 1)]
    await tables.votes.propose(table.id, others[0].id, "replace", "2")
    await tables.votes.answer(table.id, others[1].id, "replace", agree=True)
    await club.settle()
    assert (
        ping_counts(club, since)[late.id]
        == pings(club, since=since).count(late.id)
        == (not is_quiet)
    )
    if not is_quiet:
        assert any("The others voted" in wording(post) for post in club.posts(table))

    await club.people[3].slash(club.place(table), "seat claim")
    count = pings(club, since=since).count(late.id)
    assert ping_counts(club, since)[late.id] == count == 2 * (not is_quiet)
    if is_quiet:
        assert "has taken over your seat" in wording(club.dms(late)[-1])
    else:
        (post,) = [each for each in map(wording, club.posts(table)) if "takes over" in each]
        assert f"<@{late.id}>" in post


async def test_warnings_are_sent_by_direct_message_if_the_channel_is_closed(club: Club) -> None:
    table = await club.start_game("kogge", ("clock", "d3"), ("at_zero", "nothing"))
    person = club.person(table, 0)
    await found_office(club, table, 1)
    before = len(audible_dms(club, person))
    close_channel(club, table)
    await club.later(2 * DAY)
    assert "running out of time" in wording(audible_dms(club, person)[-1])
    assert len(audible_dms(club, person)) == before + 1
    for _ in range(21):
        await club.later(DAY)
    for each in club.people[:2]:
        assert any("falls asleep on" in wording(dm) for dm in audible_dms(club, each))


async def test_a_closed_channel_is_retried_rarely_and_each_player_is_notified_once(
    club: Club,
) -> None:
    table = await club.game()
    host, other = club.people[:2]
    await other.slash(club.channel, "me set", notices="dm", reminder="0")
    await club.later(HOUR)
    close_channel(club, table)
    before, since = len(audible_dms(club, other)), len(club.requests)
    await club.tables.votes.propose(table.id, host.id, "pause")
    for _ in range(40):
        await club.later(timedelta(seconds=30))
    assert len(audible_dms(club, other)) == before + 1
    assert "A vote needs your answer" in wording(audible_dms(club, other)[-1])
    places = [f"/channels/{place}/messages" for place in (table.thread, table.channel)]
    assert len([each for each in club.requests[since:] if each.path in places]) < 20


async def test_notifications_of_a_finished_game_are_given_up(club: Club) -> None:
    table = await club.game()
    person = club.people[1]
    await set_quiet_hours(club, person, 6)
    await club.tables.leaving.dissolve(table.id)
    await club.settle()
    block_messages(club, person)
    close_channel(club, table)
    await club.later(6 * HOUR)
    count = len(club.requests)
    for _ in range(10):
        await club.later(HOUR)
    assert len(club.requests) == count


async def test_a_delayed_notification_does_not_change_a_closed_lobby(club: Club) -> None:
    table = await club.lobby(club.people[1])
    await club.later(13 * DAY)
    await club.people[1].slash(club.channel, "me snooze", snooze="168")
    for _ in range(9):
        await club.later(DAY)
    assert "nothing happened here" in wording(await club.lobby_message(table.id))
