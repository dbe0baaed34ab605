"""What rings people, when, and what it says: not in quiet hours, and not twice for one thing."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from bot.tables import Table
from tests.cogs.conftest import Club, block_messages, ids, parts, rings, rung, timed, wording
from tests.cogs.test_deals import moored, offer
from tests.cogs.test_export import play_to_the_end

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def letters(club: Club, person: Any) -> list[Any]:
    return [each for each in club.dms(person) if not each.flags.suppress_notifications]


async def quiet(club: Club, person: Any, hours: int, notices: str = "channel") -> None:
    now = club.clock.now()
    times = {"from": f"{now:%H:%M}", "to": f"{now + hours * HOUR:%H:%M}", "zone": "UTC"}
    await person.slash(club.channel, "me quiet", **times)
    await person.slash(club.channel, "me set", notices=notices)


async def founded(club: Club, table: Table, seat: int) -> None:
    word = (await club.words(table.id, seat, "found"))[0]
    await club.services.tables.play.act(table.id, seat, ("found", word))
    await club.env.settle()


def rung_by(club: Club, *people: Any) -> list[tuple[int, int]]:
    return [(rings(club).count(each.id), len(letters(club, each))) for each in people]


def more(before: list[tuple[int, int]], *by: tuple[int, int]) -> list[tuple[int, int]]:
    return [(a + c, b + d) for (a, b), (c, d) in zip(before, by, strict=True)]


IN_CHANNEL, BY_DM, NOT = (1, 0), (0, 1), (0, 0)
"""How somebody has been rung."""


async def test_a_start_in_quiet_hours_rings_once_when_they_end(club: Club) -> None:
    _host, bert, clara, _ = club.people
    await quiet(club, bert, 6, "channel")
    await quiet(club, clara, 6, "dm")
    before = rung_by(club, bert, clara)
    await club.game(bert, clara)
    await club.later(5 * HOUR)
    assert rung_by(club, bert, clara) == before
    await club.later(HOUR)
    assert rung_by(club, bert, clara) == more(before, IN_CHANNEL, BY_DM)


@pytest.mark.parametrize("lifted", [False, True])
async def test_an_offer_in_quiet_hours_rings_when_they_end_or_are_lifted(
    club: Club, *, lifted: bool
) -> None:
    table = await moored(club)
    other = club.person(table, 1)
    await quiet(club, other, 6)
    before = len(letters(club, other))
    await offer(club, table)
    await club.env.settle()
    if lifted:
        await other.slash(club.channel, "me quiet", **{"from": "off"})
        await club.later(timedelta())
    else:
        await club.restart()
        await club.later(5 * HOUR)
        assert letters(club, other)[before:] == []
        await club.later(HOUR)
    (letter,) = letters(club, other)[before:]
    assert "🦊" in wording(letter)
    assert any(each.startswith("act:") for each in ids(letter))


async def test_zero_in_quiet_hours_rings_when_they_end_and_says_how_to_come_back(
    club: Club,
) -> None:
    table = await timed(club, *club.people[1:3], clock="d1", at_zero="autopilot")
    here, away = (club.person(table, seat) for seat in (0, 1))
    await founded(club, table, 2)
    await club.later(17 * HOUR)
    await quiet(club, here, 10, "channel")
    await quiet(club, away, 10, "dm")
    before = rung_by(club, here, away)

    await club.later(9 * HOUR)
    assert rung_by(club, here, away) == before
    await club.later(HOUR)
    assert rung_by(club, here, away) == more(before, IN_CHANNEL, BY_DM)
    players = (await club.services.tables.reader.get(table.id)).players
    assert players[0].is_autopiloted
    assert players[1].is_autopiloted
    letter = letters(club, away)[-1]
    assert any(each.startswith("wheel:") for each in ids(letter))
    (post,) = [each for each in club.posts(table)[-2:] if f"<@{here.id}>" in wording(each)]
    for ring in (post, letter):
        assert "Your time ran out" in wording(ring)
        assert "Take over again" in wording(ring)


async def test_a_warning_that_quiet_hours_would_hold_back_rings_before_they_begin(
    club: Club,
) -> None:
    now = club.clock.now()
    club.clock.move(now.replace(hour=10, minute=30) + DAY - now)
    table = await timed(club, *club.people[1:3], clock="d1", at_zero="autopilot")
    late = [club.person(table, seat) for seat in (0, 1)]
    await founded(club, table, 2)
    quiet = {"quiet_from": 23 * 60, "quiet_to": 8 * 60}
    for person, notices in zip(late, ("channel", "dm"), strict=True):
        changes = {"notices": notices, "reminder_h": 0, **quiet}
        await club.services.tables.people.change(person.id, **changes)
    told: dict[int, list[str]] = {person.id: [] for person in late}
    before = rung(club)
    # A third is left at 02:30.
    for by in (12 * HOUR, timedelta(minutes=26), *[HOUR] * 11, timedelta(minutes=39)):
        await club.later(by)
        for user, times in told.items():
            often = rung(club)[user] - before[user]
            times += [f"{club.clock.now():%H:%M}"] * (often - len(times))
    assert list(told.values()) == [["22:56", "10:35"]] * 2
    players = (await club.services.tables.reader.get(table.id)).players
    assert [player.is_autopiloted for player in players] == [True, True, False]


async def test_a_message_about_time_leads_to_its_table_and_is_posted_there_where_it_is_refused(
    club: Club,
) -> None:
    table = await timed(club, *club.people[1:3], clock="d3")
    person, blocking, closed = (club.person(table, seat) for seat in (0, 1, 2))
    for each in (person, blocking, closed):
        await each.slash(club.channel, "me set", notices="dm", reminder="0")
    block_messages(club, blocking, 50007)
    block_messages(club, closed, 20026)
    notified = Counter(rings(club))
    await club.later(2 * DAY)
    for _ in range(3):
        await club.later(timedelta(seconds=10))

    letter = letters(club, person)[-1]
    assert "Kogge · table 1" in wording(letter)
    assert "getting short" in wording(letter)
    assert f"<@{person.id}>" not in wording(letter)
    assert ids(letter) == [f"play:{table.id}"]
    (link,) = [each["url"] for each in parts(letter) if each.get("url")]
    assert link.startswith(f"https://discord.com/channels/{club.guild.id}/{table.thread}")
    assert Counter(rings(club)) - notified == {blocking.id: 1, closed.id: 1}
    assert "getting short" in wording(club.posts(table)[-1])


@pytest.mark.parametrize(
    ("clock", "reminder", "hours", "told"),
    [
        ("d1", 24, 24, "time for this turn is up"),
        ("d3", 24, 72, "time for this turn is up"),
        ("d3", 48, 48, "getting short"),
    ],
)
async def test_a_reminder_and_the_clock_never_ring_together(
    club: Club, clock: str, reminder: int, hours: int, told: str
) -> None:
    table = await timed(club, clock=clock)
    person = club.person(table, 0)
    await person.slash(club.channel, "me set", reminder=str(reminder))
    await founded(club, table, 1)
    times = [rings(club).count(person.id)]
    for _ in range(hours - 1):
        await club.later(HOUR)
    for _ in range(80):
        await club.later(timedelta(minutes=1))
        times.append(rings(club).count(person.id))
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
    await club.services.tables.orders.give(table.id, second.id, "bid", "3")
    await quiet(club, second, 6, notices)
    before = rung_by(club, second)
    word = (await club.words(table.id, seat, "bid"))[0]
    await club.services.tables.play.act(table.id, seat, ("bid", word))
    await club.rest(table.id)
    await club.env.settle()
    assert 1 - seat in await club.asked(table.id)
    await club.later(6 * HOUR)
    assert rung_by(club, second) == more(before, IN_CHANNEL if notices == "channel" else BY_DM)
    assert any("By your standing order" in wording(letter) for letter in club.dms(second))


async def test_warnings_of_a_closed_channel_come_by_direct_message(club: Club) -> None:
    table = await timed(club, clock="d3", at_zero="nothing")
    person = club.person(table, 0)
    await founded(club, table, 1)
    before = len(letters(club, person))
    close_to_the_bot(club, table)
    await club.later(2 * DAY)
    assert "getting short" in wording(letters(club, person)[-1])
    assert len(letters(club, person)) == before + 1
    for _ in range(21):
        await club.later(DAY)
    for each in club.people[:2]:
        assert any("falls asleep on" in wording(dm) for dm in letters(club, each))


@pytest.mark.slow
async def test_the_last_post_rings_everybody_once_with_who_won(club: Club) -> None:
    one, two, three = club.people[:3]
    table = await club.game(two, three)
    await two.slash(club.channel, "me set", notices="dm")
    await quiet(club, three, 8)
    await play_to_the_end(club, table)
    await club.later(HOUR)
    table = await club.services.tables.reader.get(table.id)
    outcome = await club.services.tables.reader.outcome(table.id)
    assert outcome is not None
    winner = table.names[min(outcome.winners)]
    posts, letter = len(club.posts(table)), letters(club, two)[-1]
    assert rings(club, "the game is over") == [one.id]
    assert winner in wording(letter)
    assert str(outcome.scores[0]) in wording(letter)
    await club.later(7 * HOUR)
    assert rings(club)[-1] == three.id
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
    before = rung_by(club, late)
    tables, others = club.services.tables, [club.person(table, seat) for seat in (0, 1)]
    await tables.seats.propose(table.id, others[0].id, "replace", 2)
    await tables.proposals.answer(table.id, others[1].id, "replace", agree=True)
    await club.env.settle()
    assert rung_by(club, late) == more(before, NOT if is_quiet else IN_CHANNEL)
    if not is_quiet:
        assert any("The others agreed" in wording(post) for post in club.posts(table))

    await club.people[3].slash(club.place(table), "seat claim")
    await club.env.settle()
    assert rung_by(club, late) == more(before, NOT if is_quiet else (2, 0))
    if is_quiet:
        assert "has taken over your seat" in wording(club.dms(late)[-1])
    else:
        (post,) = [each for each in map(wording, club.posts(table)) if "takes over" in each]
        assert f"<@{late.id}>" in post


def close_to_the_bot(club: Club, table: Table) -> None:
    for place in (table.thread, table.channel):
        club.env.inject_error(
            "POST", f"/channels/{place}/messages", status=403, code=50013, times=None
        )


async def test_a_closed_channel_is_tried_now_and_then_and_each_is_told_once(club: Club) -> None:
    table = await club.game()
    host, other = club.people[:2]
    await other.slash(club.channel, "me set", notices="dm", reminder="0")
    await club.later(HOUR)
    close_to_the_bot(club, table)
    before, tried = len(letters(club, other)), len(club.env.http_requests)
    await club.services.tables.pauses.propose(table.id, host.id)
    await club.env.settle()
    for _ in range(40):
        await club.later(timedelta(seconds=30))
    assert len(letters(club, other)) == before + 1
    assert "A vote awaits your answer" in wording(letters(club, other)[-1])
    refused = [
        each
        for each in club.env.http_requests[tried:]
        if each.path
        in (f"/channels/{table.thread}/messages", f"/channels/{table.channel}/messages")
    ]
    assert len(refused) < 20


async def test_nobody_is_tried_for_ever_about_a_game_that_is_over(club: Club) -> None:
    table = await club.game()
    person = club.people[1]
    await quiet(club, person, 6)
    await club.services.tables.leaving.dissolve(table.id)
    await club.env.settle()
    block_messages(club, person)
    close_to_the_bot(club, table)
    await club.later(6 * HOUR)
    tried = len(club.env.http_requests)
    for _ in range(10):
        await club.later(HOUR)
    assert len(club.env.http_requests) == tried


async def test_a_closed_lobby_keeps_its_words_when_a_held_ring_comes(club: Club) -> None:
    table = await club.lobby(club.people[1])
    await club.later(13 * DAY)
    await club.people[1].slash(club.channel, "me snooze", snooze="168")
    for _ in range(9):
        await club.later(DAY)
    assert "nobody did anything here" in wording(await club.lobby_message(table.id))
