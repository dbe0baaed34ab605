"""What rings people, when, and what it says: not in quiet hours, and not twice for one thing."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from bot.game.contract import ANSWER
from bot.tables import OutboxKind, Table
from tests.cogs.conftest import Club, block_messages, ids, parts, rings, rung, timed, wording
from tests.cogs.test_deals import moored, offer
from tests.cogs.test_export import play_to_the_end

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def letters(club: Club, person: Any) -> list[Any]:
    """The direct messages that have rung a person."""
    return [each for each in club.dms(person) if not each.flags.suppress_notifications]


async def quiet(club: Club, person: Any, hours: int, notices: str = "channel") -> None:
    """Have somebody's quiet hours begin now."""
    now = club.clock.now()
    times = {"from": f"{now:%H:%M}", "to": f"{now + hours * HOUR:%H:%M}", "zone": "UTC"}
    await person.slash(club.channel, "me quiet", **times)
    await person.slash(club.channel, "me set", notices=notices)


async def founded(club: Club, table: Table, seat: int) -> None:
    """A seat makes the first choice of the game."""
    word = (await club.words(table.id, seat, "found"))[0]
    await club.services.tables.play.act(table.id, seat, ("found", word))
    await club.env.settle()


@pytest.mark.parametrize("notices", ["channel", "dm"])
async def test_a_start_in_quiet_hours_rings_once_when_they_end(club: Club, notices: str) -> None:
    _host, bert = club.people[:2]
    await quiet(club, bert, 6, notices)
    before = len(letters(club, bert))

    await club.game(bert)
    await club.later(5 * HOUR)
    assert (rings(club).count(bert.id), letters(club, bert)[before:]) == (0, [])

    await club.later(HOUR)
    came = (rings(club).count(bert.id), len(letters(club, bert)[before:]))
    assert came == ((1, 0) if notices == "channel" else (0, 1))


async def test_an_offer_in_quiet_hours_rings_when_they_end(club: Club) -> None:
    table = await moored(club)
    other = club.person(table, 1)
    await quiet(club, other, 6)
    before = len(letters(club, other))

    await offer(club, table)
    await club.env.settle()
    await club.restart()
    await club.later(5 * HOUR)
    assert letters(club, other)[before:] == []

    await club.later(HOUR)
    (letter,) = letters(club, other)[before:]
    assert "🦊" in wording(letter)
    assert any(each.startswith("act:") for each in ids(letter))


async def test_whoever_lifts_quiet_hours_is_told_at_once(club: Club) -> None:
    table = await moored(club)
    other = club.person(table, 1)
    await quiet(club, other, 6)
    before = len(letters(club, other))
    await offer(club, table)
    await club.env.settle()

    await other.slash(club.channel, "me quiet", **{"from": "off"})
    await club.later(timedelta())

    assert len(letters(club, other)[before:]) == 1


@pytest.mark.parametrize("notices", ["channel", "dm"])
async def test_zero_in_quiet_hours_rings_when_they_end_and_says_how_to_come_back(
    club: Club, notices: str
) -> None:
    table = await timed(club, clock="d1", at_zero="autopilot")
    late = club.person(table, 0)
    await founded(club, table, 1)
    await club.later(17 * HOUR)
    await quiet(club, late, 10, notices)
    notified, before = rings(club).count(late.id), len(letters(club, late))

    await club.later(9 * HOUR)
    assert (rings(club).count(late.id), len(letters(club, late))) == (notified, before)
    await club.later(HOUR)
    if notices == "channel":
        assert rings(club).count(late.id) == notified + 1
        ring = wording(club.posts(table)[-1])
    else:
        (letter,) = letters(club, late)[before:]
        ring = wording(letter)
        assert any(each.startswith("wheel:") for each in ids(letter))
    if (await club.services.tables.reader.get(table.id)).players[0].is_autopiloted:
        assert "Your time ran out" in ring
        assert "Take over again" in ring


@pytest.mark.parametrize("notices", ["channel", "dm"])
async def test_a_warning_that_quiet_hours_would_hold_back_rings_before_they_begin(
    club: Club, notices: str
) -> None:
    now = club.clock.now()
    club.clock.move(now.replace(hour=10, minute=30) + DAY - now)
    table = await timed(club, clock="d1", at_zero="autopilot")
    late = club.person(table, 0)
    await founded(club, table, 1)
    quiet = {"quiet_from": 23 * 60, "quiet_to": 8 * 60}
    await club.services.tables.people.change(late.id, notices=notices, reminder_h=0, **quiet)
    told = list[str]()
    before = rung(club)[late.id]
    # A third is left at 02:30.
    for by in (12 * HOUR, timedelta(minutes=26), *[HOUR] * 11, timedelta(minutes=39)):
        await club.later(by)
        often = rung(club)[late.id] - before
        told += [f"{club.clock.now():%H:%M}"] * (often - len(told))
    assert told == ["22:56", "10:35"]
    assert (await club.services.tables.reader.get(table.id)).players[0].is_autopiloted


async def test_a_message_about_time_names_its_table_and_leads_there(club: Club) -> None:
    table = await timed(club, clock="d3")
    person = club.person(table, 0)
    await person.slash(club.channel, "me set", notices="dm", reminder="0")
    await club.later(2 * DAY)

    letter = letters(club, person)[-1]
    assert "Kogge · table 1" in wording(letter)
    assert "getting short" in wording(letter)
    assert f"<@{person.id}>" not in wording(letter)
    assert ids(letter) == [f"play:{table.id}"]
    (link,) = [each["url"] for each in parts(letter) if each.get("url")]
    assert link.startswith(f"https://discord.com/channels/{club.guild.id}/{table.thread}")


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


async def test_a_game_that_rests_rings_each_of_its_players_once(club: Club) -> None:
    table = await timed(club, *club.people[1:4], clock="d1", at_zero="autopilot")
    for seat in range(4):
        await club.person(table, seat).slash(club.channel, "me set", reminder="0")
    await club.later(17 * HOUR)
    notified = Counter(rings(club))

    await club.later(7 * HOUR)
    await club.rest(table.id)
    await club.later(timedelta())

    assert Counter(rings(club)) - notified == Counter(player.user for player in table.players)
    told = [wording(post) for post in club.posts(table) if "Your time ran out" in wording(post)]
    assert len(told) == 4
    assert all("the game rests" in each for each in told)


@pytest.mark.parametrize("notices", ["channel", "dm"])
async def test_what_an_order_did_rings_together_with_the_turn_that_follows(
    club: Club, notices: str
) -> None:
    table = await club.game()
    seat = await club.play_until(table.id, "bid")
    first, second = club.person(table, seat), club.person(table, 1 - seat)
    await second.slash(club.place(table), "seat orders")
    await club.services.tables.orders.give(table.id, second.id, "bid", "3")
    await quiet(club, second, 6, notices)
    notified, before = rings(club).count(second.id), len(letters(club, second))
    word = (await club.words(table.id, seat, "bid"))[0]
    await club.services.tables.play.act(table.id, seat, ("bid", word))
    await club.rest(table.id)
    await club.env.settle()
    assert 1 - seat in await club.asked(table.id), first

    await club.later(6 * HOUR)

    came = rings(club).count(second.id) - notified, len(letters(club, second)) - before
    assert came == ((1, 0) if notices == "channel" else (0, 1))
    assert any("By your standing order" in wording(letter) for letter in club.dms(second))


async def test_warnings_of_a_closed_channel_come_by_direct_message(club: Club) -> None:
    table = await timed(club, clock="d3", at_zero="nothing")
    person = club.person(table, 0)
    await founded(club, table, 1)
    before = len(letters(club, person))
    club.env.inject_error(
        "POST", f"/channels/{table.thread}/messages", status=403, code=50013, times=None
    )
    club.env.inject_error(
        "POST", f"/channels/{table.channel}/messages", status=403, code=50013, times=None
    )

    await club.later(2 * DAY)

    assert "getting short" in wording(letters(club, person)[-1])
    assert len(letters(club, person)) == before + 1


@pytest.mark.parametrize("code", [50007, 20026])
async def test_who_gets_no_direct_message_is_rung_at_the_table_once(club: Club, code: int) -> None:
    table = await timed(club, clock="d3")
    person = club.person(table, 0)
    await person.slash(club.channel, "me set", notices="dm", reminder="0")
    block_messages(club, person, code)
    notified = rings(club).count(person.id)

    await club.later(2 * DAY)
    for _ in range(3):
        await club.later(timedelta(seconds=10))

    assert rings(club).count(person.id) == notified + 1
    assert "getting short" in wording(club.posts(table)[-1])


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


async def test_a_table_about_to_sleep_rings_its_players_once(club: Club) -> None:
    table = await club.game()
    first, second = (club.person(table, seat) for seat in (0, 1))
    await second.slash(club.channel, "me set", notices="dm", reminder="0")
    await first.slash(club.channel, "me set", reminder="0")
    notified, before = rings(club).count(first.id), len(letters(club, second))

    await club.later(3 * 7 * DAY)
    await club.later(HOUR)

    assert rings(club).count(first.id) == notified + 1
    assert "falls asleep on" in wording(club.posts(table)[-1])
    (letter,) = letters(club, second)[before:]
    assert "falls asleep on" in wording(letter)


async def test_who_is_replaced_is_told_so_and_again_when_the_seat_is_taken(club: Club) -> None:
    table = await club.game(*club.people[1:3])
    late = club.person(table, 2)
    for seat in (0, 1):
        await founded(club, table, seat)
    await club.later(3 * DAY)
    notified = rings(club).count(late.id)
    tables, others = club.services.tables, [club.person(table, seat) for seat in (0, 1)]
    await tables.seats.propose(table.id, others[0].id, "replace", 2)
    await tables.proposals.answer(table.id, others[1].id, "replace", agree=True)
    await club.env.settle()

    assert rings(club).count(late.id) == notified + 1
    assert any("The others agreed" in wording(post) for post in club.posts(table))

    dirk = club.people[3]
    await dirk.slash(club.place(table), "seat claim")
    await club.env.settle()
    assert rings(club).count(late.id) == notified + 2
    assert any(
        "takes over" in wording(post) and f"<@{late.id}>" in wording(post)
        for post in club.posts(table)
    )


@pytest.mark.parametrize("lifted", [False, True])
async def test_what_a_snooze_holds_back_from_somebody_awaited_rings_when_it_ends(
    club: Club, *, lifted: bool
) -> None:
    table = await timed(club, clock="d3")
    person = club.person(table, 0)
    await person.slash(club.channel, "me snooze", snooze="72")
    notified = rings(club).count(person.id)
    await club.later(50 * HOUR)
    assert rings(club).count(person.id) == notified

    if lifted:
        await person.slash(club.channel, "me snooze", snooze="off")
    await club.later(timedelta() if lifted else 23 * HOUR)

    assert rings(club).count(person.id) == notified + 1


def close_to_the_bot(club: Club, table: Table) -> None:
    """The bot may not write where the table plays."""
    for place in (table.thread, table.channel):
        club.env.inject_error(
            "POST", f"/channels/{place}/messages", status=403, code=50013, times=None
        )


async def test_what_a_standing_order_did_in_quiet_hours_rings_nobody_in_public(
    club: Club,
) -> None:
    await moored(club)
    tables, (seat,) = club.services.tables, await club.asked(1)
    table = await tables.reader.get(1)
    person = club.person(table, seat)
    await person.slash(club.channel, "me set", reminder="0")
    await club.later(HOUR)
    await quiet(club, person, 6)
    notified, before = rings(club).count(person.id), len(letters(club, person))
    words = ["offer"]
    while open_words := await club.words(1, 1 - seat, *words):
        words.append("1" if "1" in open_words else open_words[0])
    await tables.play.act(1, 1 - seat, tuple(words))
    (offered,) = [each for each in await tables.reader.pending(1) if each.kind == ANSWER]
    await tables.play.act(1, seat, ("decline", offered.id[1:]), told=OutboxKind.ORDER)
    await club.env.settle()

    await club.later(6 * HOUR)

    assert rings(club).count(person.id) == notified
    assert len(letters(club, person)) == before + 1
    assert "By your standing order" in wording(letters(club, person)[-1])


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


async def test_the_warning_of_a_closed_table_comes_by_direct_message(club: Club) -> None:
    table = await club.game()
    before = [len(letters(club, person)) for person in club.people[:2]]
    close_to_the_bot(club, table)

    for _ in range(23):
        await club.later(DAY)

    for person, count in zip(club.people[:2], before, strict=True):
        assert any("falls asleep on" in wording(dm) for dm in letters(club, person)[count:])


async def test_who_is_replaced_in_quiet_hours_finds_a_message_that_does_not_ring(
    club: Club,
) -> None:
    table = await club.game(*club.people[1:3])
    late = club.person(table, 2)
    for seat in (0, 1):
        await founded(club, table, seat)
    await club.later(3 * DAY)
    await quiet(club, late, 6)
    notified, before = rings(club).count(late.id), len(letters(club, late))
    tables, others = club.services.tables, [club.person(table, seat) for seat in (0, 1)]
    await tables.seats.propose(table.id, others[0].id, "replace", 2)
    await tables.proposals.answer(table.id, others[1].id, "replace", agree=True)
    await club.env.settle()
    await club.people[3].slash(club.place(table), "seat claim")
    await club.env.settle()

    assert "has taken over your seat" in wording(club.dms(late)[-1])
    assert (rings(club).count(late.id), len(letters(club, late))) == (notified, before)


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
