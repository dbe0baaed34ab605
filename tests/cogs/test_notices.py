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
from tests.cogs.test_deals import moored, offer

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


async def bidding(club: Club) -> tuple[Table, Any, Any]:
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
async def test_who_is_awaited_is_rung_once_nobody_by_what_they_did_and_no_edit_changes_nothing(
    club: Club, game: str, monkeypatch: pytest.MonkeyPatch
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


async def test_a_start_rings_once_also_whoever_is_on_turn_after_a_computer(club: Club) -> None:
    host, guest = club.people[:2]
    await club.tables.people.change(guest.id, notices="dm")
    for table_id in (1, 2, 3):
        await club.lobby(guest, game="burgundy", computers=1)
        begun = len(club.requests)
        await host.click(await club.lobby_message(table_id), custom_id=f"begin:{table_id}")
        await club.later(timedelta())
        assert ping_counts(club, begun) == {host.id: 1, guest.id: 1}
    firsts = [(await club.actions(table_id))[1:2] for table_id in (1, 2, 3)]
    assert [] in firsts  # A person came first,
    assert any(firsts)  # and a computer player.


async def test_who_wants_messages_gets_one_that_says_what_and_goes_when_done(club: Club) -> None:
    table, first, second = await bidding(club)
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

    # While the same person goes on it says what is asked now.
    shown = []
    while await club.asked(table.id) != shown:
        shown = [await club.play_until(table.id, "advance")]
        person = club.person(table, shown[0])
        (old,) = [each for each in club.dms(person) if "🔔" in wording(each)]
        await club.play((shown[0], "advance 1"), table=table.id)
    (new,) = [each for each in club.dms(person) if "🔔" in wording(each)]
    assert new.id == old.id
    assert wording(new) != wording(old)


async def test_who_wants_both_is_called_by_both_and_who_blocks_messages_in_the_channel_alone(
    club: Club,
) -> None:
    table, first, second = await bidding(club)
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


async def test_in_quiet_hours_nothing_rings_and_it_comes_when_they_or_a_snooze_end(
    club: Club,
) -> None:
    table, _first, second = await bidding(club)
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

    # The other one acts until it is the turn of the one who snoozes.
    notified, rng = pings(club).count(second.id), Random(3)
    while table.seat_of(second.id) not in await club.asked(table.id):
        await club.step(table.id, rng)
    await club.later(DAY)
    assert pings(club).count(second.id) == notified
    await second.slash(club.channel, "me snooze", snooze="off")
    await club.later(timedelta())
    assert pings(club).count(second.id) == notified + 1


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
        await club.tables.people.change(person.id, reminder_h=hours)
        reminded[person.id] = []
    for day in range(1, 24):
        notified = len(pings(club))
        await club.later(DAY)
        for user in pings(club)[notified:]:
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
    assert (await club.tables.reader.get(table.id)).status is Status.SLEEPING
    notified = len(pings(club))
    await club.later(60 * DAY)
    assert pings(club)[notified:] == []


async def test_what_all_see_somebody_do_puts_the_reminder_off_and_what_nobody_sees_does_not(
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

    # The next one would come two days later.
    notified = len(pings(club))
    await club.later(timedelta(hours=30))
    await club.step(table.id, Random(1))
    assert await club.asked(table.id) == [seat]
    await club.restart()
    await club.later(timedelta(hours=30))
    assert pings(club)[notified:] == []
    await club.later(timedelta(hours=20))
    assert pings(club)[notified:] == [first.id]


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
    await club.tables.play.act(first.id, seat, ("found", "4"))
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
    # Whoever comes back early is reminded again.
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
    """After a weekend that does not count, and after an absence; with the daily list if early."""
    zone = ZoneInfo("Asia/Tokyo")
    club.clock.move(datetime(2027, 3, 25, 12, tzinfo=zone) - club.clock.now())
    # All are awaited at the start.
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
async def test_only_who_wants_it_is_told_once_and_in_private_that_they_are_next(
    club: Club, settings: dict[str, Any], times: int
) -> None:
    table = await club.game()
    for person in club.people[:2]:
        await club.tables.people.change(person.id, **settings)
    notified = len(pings(club))
    seat = await club.play_until(table.id, "bid")
    first, second = club.person(table, seat), club.person(table, 1 - seat)

    def told(person: Any) -> list[str]:
        return [wording(each) for each in club.dms(person) if "⏭️" in wording(each)]

    assert (len(told(first)), len(told(second))) == (0, times)
    assert all("You're next, after **" in each for each in told(second))
    assert set(pings(club)[notified:]) <= {first.id}
    await club.restart()
    await bid(club, table)
    assert (len(told(first)), len(told(second))) == (0, times)


# What rings in quiet hours, about time and of a closed channel


def letters(club: Club, person: Any) -> list[Any]:
    return [each for each in club.dms(person) if not is_silent(each)]


async def quiet(club: Club, person: Any, hours: int, notices: str = "channel") -> None:
    now = club.clock.now()
    times = {"from": f"{now:%H:%M}", "to": f"{now + hours * HOUR:%H:%M}", "zone": "UTC"}
    await person.slash(club.channel, "me quiet", **times)
    await person.slash(club.channel, "me set", notices=notices)


async def founded(club: Club, table: Table, seat: int) -> None:
    word = (await club.words(table.id, seat, "found"))[0]
    await club.play((seat, f"found {word}"), table=table.id)


async def test_a_start_in_quiet_hours_rings_once_when_they_end(club: Club) -> None:
    _host, bert, clara, _ = club.people
    await quiet(club, bert, 6, "channel")
    await quiet(club, clara, 6, "dm")
    since = len(club.requests)
    await club.game(bert, clara)
    await club.later(5 * HOUR)
    assert not {bert.id, clara.id} & set(ping_counts(club, since))
    await club.later(HOUR)
    assert [ping_counts(club, since)[each.id] for each in (bert, clara)] == [1, 1]
    assert {bert.id, clara.id} & {*pings(club, since=since)} == {bert.id}


async def test_an_offer_in_quiet_hours_rings_when_they_end(club: Club) -> None:
    table = await moored(club)
    other = club.person(table, 1)
    await quiet(club, other, 6, notices="dm")
    before = len(letters(club, other))
    await offer(club, table)
    await club.restart()
    await club.later(5 * HOUR)
    assert letters(club, other)[before:] == []
    await club.later(HOUR)
    (letter,) = letters(club, other)[before:]
    assert "🦊" in wording(letter)
    assert "act" in verbs(letter)
    # Whoever lifts them is told at once, and of nothing that has been withdrawn meanwhile.
    for is_open in (True, False):
        await quiet(club, other, 6, notices="dm")
        before = len(letters(club, other))
        await offer(club, table)
        if not is_open:
            number = (await club.tables.reader.pending(1))[-1].id[1:]
            await club.play((0, f"withdraw {number}"))
        await other.slash(club.channel, "me quiet", **{"from": "off"})
        await club.later(timedelta())
        assert len(letters(club, other)[before:]) == is_open


async def test_zero_in_quiet_hours_rings_when_they_end_and_says_how_to_come_back(
    club: Club,
) -> None:
    table = await club.start_game("kogge", ("clock", "d1"), ("at_zero", "autopilot"), seats=4)
    here, away, woken = (club.person(table, seat) for seat in (0, 1, 3))
    await founded(club, table, 2)
    await club.later(17 * HOUR)
    for person, notices in ((here, "channel"), (away, "dm"), (woken, "channel")):
        await quiet(club, person, 10, notices)
    since = len(club.requests)

    await club.later(9 * HOUR)
    assert not {here.id, away.id, woken.id} & set(ping_counts(club, since))
    await woken.slash(club.channel, "me quiet", **{"from": "off"})
    await club.later(timedelta())
    assert [ping_counts(club, since)[each.id] for each in (here, woken)] == [0, 1]
    await club.later(HOUR)
    assert [ping_counts(club, since)[each.id] for each in (here, away)] == [1, 1]
    players = (await club.tables.reader.get(table.id)).players
    assert players[0].is_autopiloted
    assert players[1].is_autopiloted
    letter = letters(club, away)[-1]
    assert "wheel" in verbs(letter)
    (post,) = [each for each in club.posts(table)[-2:] if f"<@{here.id}>" in wording(each)]
    for ring in (post, letter):
        assert "You ran out of time" in wording(ring)
        assert "Take over again" in wording(ring)


async def test_a_message_about_time_leads_to_its_table_and_is_posted_there_where_it_is_refused(
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

    letter = letters(club, person)[-1]
    assert "Kogge · table 1" in wording(letter)
    assert "running out of time" in wording(letter)
    assert f"<@{person.id}>" not in wording(letter)
    assert ids(letter) == [f"play:{table.id}"]
    (link,) = [each["url"] for each in parts(letter) if each.get("url")]
    assert link.startswith(f"https://discord.com/channels/{club.guild.id}/{table.thread}")
    assert Counter(pings(club)) - notified == {blocking.id: 1, closed.id: 1}
    assert "running out of time" in wording(club.posts(table)[-1])


@pytest.mark.parametrize(
    ("clock", "reminder", "hours", "told"),
    [
        ("d1", 24, 24, "You're out of time for this turn"),
        ("d3", 24, 72, "You're out of time for this turn"),
        ("d3", 48, 48, "running out of time"),
    ],
)
async def test_a_reminder_and_the_clock_never_ring_together(
    club: Club, clock: str, reminder: int, hours: int, told: str
) -> None:
    table = await club.start_game("kogge", ("clock", clock))
    person = club.person(table, 0)
    await person.slash(club.channel, "me set", reminder=str(reminder))
    await founded(club, table, 1)
    times = [pings(club).count(person.id)]
    for _ in range(hours - 1):
        await club.later(HOUR)
    for _ in range(80):
        await club.later(timedelta(minutes=1))
        times.append(pings(club).count(person.id))
    assert times[-1] == times[1] + 1
    assert told in wording(club.posts(table)[-1])


@pytest.mark.parametrize("notices", ["channel", "dm"])
async def test_what_an_order_did_rings_together_with_the_turn_that_follows(
    club: Club, notices: str
) -> None:
    table = await club.game()
    seat = await club.play_until(table.id, "bid")
    second = club.person(table, 1 - seat)
    await second.slash(club.place(table), "seat orders")
    await club.tables.orders.give(table.id, second.id, "bid", "3")
    await quiet(club, second, 6, notices)
    since, notified = len(club.requests), len(pings(club))
    word = (await club.words(table.id, seat, "bid"))[0]
    await club.tables.play.act(table.id, seat, ("bid", word))
    await club.settle()
    assert 1 - seat in await club.asked(table.id)
    await club.later(6 * HOUR)
    assert ping_counts(club, since) == {second.id: 1}
    assert (second.id in pings(club)[notified:]) is (notices == "channel")
    assert any("Automatic answer" in wording(letter) for letter in club.dms(second))


@pytest.mark.slow
async def test_the_last_post_rings_everybody_once_with_who_won(club: Club) -> None:
    one, two, three = club.people[:3]
    table = await club.game(two, three)
    await two.slash(club.channel, "me set", notices="dm")
    await quiet(club, three, 8)
    await club.finish(table.id)
    await club.later(HOUR)
    table = await club.tables.reader.get(table.id)
    outcome = (await club.tables.reader.seen(table.id, SPECTATOR)).outcome
    assert outcome is not None
    winner = table.names[min(outcome.winners)]
    posts, letter = len(club.posts(table)), letters(club, two)[-1]
    assert pings(club, "the game is over") == [one.id]
    assert winner in wording(letter)
    assert str(outcome.scores[0]) in wording(letter)
    await club.later(7 * HOUR)
    assert pings(club)[-1] == three.id
    (ring,) = club.posts(table)[posts:]
    assert winner in wording(ring)


@pytest.mark.parametrize("is_quiet", [False, True])
async def test_who_is_replaced_is_told_so_and_again_when_the_seat_is_taken(
    club: Club, *, is_quiet: bool
) -> None:
    table = await club.game(*club.people[1:3])
    late = club.person(table, 2)
    for seat in (0, 1):
        await founded(club, table, seat)
    await club.later(3 * DAY)
    if is_quiet:
        await quiet(club, late, 6)
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
    often = pings(club, since=since).count(late.id)
    assert ping_counts(club, since)[late.id] == often == 2 * (not is_quiet)
    if is_quiet:
        assert "has taken over your seat" in wording(club.dms(late)[-1])
    else:
        (post,) = [each for each in map(wording, club.posts(table)) if "takes over" in each]
        assert f"<@{late.id}>" in post


async def test_warnings_of_a_closed_channel_come_by_direct_message(club: Club) -> None:
    table = await club.start_game("kogge", ("clock", "d3"), ("at_zero", "nothing"))
    person = club.person(table, 0)
    await founded(club, table, 1)
    before = len(letters(club, person))
    close_channel(club, table)
    await club.later(2 * DAY)
    assert "running out of time" in wording(letters(club, person)[-1])
    assert len(letters(club, person)) == before + 1
    for _ in range(21):
        await club.later(DAY)
    for each in club.people[:2]:
        assert any("falls asleep on" in wording(dm) for dm in letters(club, each))


async def test_a_closed_channel_is_tried_now_and_then_and_each_is_told_once(club: Club) -> None:
    table = await club.game()
    host, other = club.people[:2]
    await other.slash(club.channel, "me set", notices="dm", reminder="0")
    await club.later(HOUR)
    close_channel(club, table)
    before, tried = len(letters(club, other)), len(club.requests)
    await club.tables.votes.propose(table.id, host.id, "pause")
    for _ in range(40):
        await club.later(timedelta(seconds=30))
    assert len(letters(club, other)) == before + 1
    assert "A vote needs your answer" in wording(letters(club, other)[-1])
    places = [f"/channels/{place}/messages" for place in (table.thread, table.channel)]
    assert len([each for each in club.requests[tried:] if each.path in places]) < 20


async def test_nobody_is_tried_for_ever_about_a_game_that_is_over(club: Club) -> None:
    table = await club.game()
    person = club.people[1]
    await quiet(club, person, 6)
    await club.tables.leaving.dissolve(table.id)
    await club.settle()
    block_messages(club, person)
    close_channel(club, table)
    await club.later(6 * HOUR)
    tried = len(club.requests)
    for _ in range(10):
        await club.later(HOUR)
    assert len(club.requests) == tried


async def test_a_closed_lobby_keeps_its_words_when_a_held_ring_comes(club: Club) -> None:
    table = await club.lobby(club.people[1])
    await club.later(13 * DAY)
    await club.people[1].slash(club.channel, "me snooze", snooze="168")
    for _ in range(9):
        await club.later(DAY)
    assert "nothing happened here" in wording(await club.lobby_message(table.id))
