"""Clocks, absence, autopilot, free seats, pauses and sleep, as players see them."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from bot.tables import Status, Table
from bot.tables.core.server_members import VALID_FOR
from tests.cogs.conftest import (
    Club,
    close_channel,
    id_with,
    ids,
    part,
    pings,
    press,
    verbs,
    wording,
)
from tests.cogs.test_notices import bid, found_office, start_bidding

WEEK = timedelta(days=7)
LEFT = "has left the server"


def votes(club: Club, table: Table) -> list[Any]:
    """Return the posts of open votes, oldest first."""
    return [post for post in club.posts(table) if any(id.startswith("yes:") for id in ids(post))]


def last_vote(club: Club, table: Table) -> Any:
    return votes(club, table)[-1]


def posted_text(club: Club, table: Table) -> str:
    return "\n".join(wording(post) for post in club.posts(table))


async def test_a_clock_is_set_in_the_lobby_and_shown_with_the_time_left(club: Club) -> None:
    table = await club.lobby(club.people[1])
    lobby = await club.lobby_message(table.id)
    assert "No time limit." in wording(lobby)
    panel = (await club.people[0].click(lobby, custom_id=f"options:{table.id}")).response
    while not any(each.startswith("set") and each.endswith(":clock") for each in ids(panel)):
        panel = await press(club.people[0], panel, "options")
    clock = id_with(panel, ":clock")
    await club.people[0].choose(panel, ["d3"], custom_id=clock)
    lobby = await club.lobby_message(table.id)
    assert "3 days a turn" in wording(lobby)

    await club.people[0].click(lobby, custom_id=f"begin:{table.id}")

    until = re.compile(r"time runs out <t:(\d+):R> \(<t:\1:f>\)")
    assert until.search(wording(await club.panel(table.id)))
    table = await club.tables.reader.get(table.id)
    status = (await club.people[3].slash(club.place(table), "game status")).response
    assert "3 days a turn" in wording(status)
    assert until.search(wording(status))


async def test_when_time_runs_out_the_others_vote_on_autopilot_and_the_owner_takes_over_again(
    club: Club,
) -> None:
    table = await club.start_game("kogge", ("clock", "d1"), ("at_zero", "vote"))
    await found_office(club, table, 1)
    await club.later(timedelta(days=1))
    vote = last_vote(club, table)
    owner, other = club.person(table, 0), club.person(table, 1)
    await press(other, vote, "yes:")
    await club.settle()
    assert (await club.tables.reader.get(table.id)).players[0].is_autopiloted
    assert "A computer player is playing for" in posted_text(club, table)

    for person, refused in (
        (other, "Only a seat's own player"),
        (club.people[3], "aren't playing at this table"),
    ):
        answer = await press(person, await club.panel(table.id), "wheel:")
        assert refused in wording(answer)
        assert "You're playing" not in wording(answer)
    assert (await club.tables.reader.get(table.id)).players[0].is_autopiloted

    answer = await press(owner, await club.panel(table.id), "wheel:")

    assert "You're playing again" in wording(answer)
    assert (await club.tables.reader.get(table.id)).players[0].is_human


async def test_autopilot_on_request_plays_notifies_the_owner_and_is_switched_off(
    club: Club,
) -> None:
    table = await club.game()
    person, seat = club.people[0], table.seat_of(club.people[0].id)
    before = len(club.dms(person))
    answer = (await person.slash(club.place(table), "seat autopilot")).response
    assert "playing for you" in wording(answer)
    await club.settle()
    assert seat not in await club.asked(table.id)
    (message,) = club.dms(person)[before:]
    assert "wheel" in verbs(message)

    await person.slash(club.place(table), "seat autopilot", wheel="off")

    assert "has their seat back" in posted_text(club, table)
    assert "wheel" not in verbs(await club.panel(table.id))


async def test_one_press_takes_over_a_resigned_seat_with_its_hand(club: Club) -> None:
    table = await club.game()
    leaver, stayer, stranger = club.people[0], club.people[1], club.people[2]
    seat = table.seat_of(leaver.id)
    assert seat is not None
    await club.tables.leaving.resign(table.id, leaver.id)
    await club.settle()
    panel = await club.panel(table.id)
    refused = await press(stayer, panel, "claim:")
    assert "already at this table" in wording(refused)

    answer = await press(stranger, panel, "claim:")
    await club.settle()

    assert "This seat is yours" in wording(answer)
    assert (await club.tables.reader.get(table.id)).seat_of(stranger.id) == seat
    assert "Clara" in posted_text(club, table)
    hand = (await stranger.slash(club.place(table), "game hand")).response
    assert "Your hand" in wording(hand)
    assert any("takes the seat back" in wording(message) for message in club.dms(stranger))
    assert "claim" not in verbs(await club.panel(table.id))


async def test_a_paused_game_refuses_moves_and_resumes_when_all_agree(club: Club) -> None:
    table = await club.game()
    one, other = club.people[:2]
    # A late player can be replaced, but not this early.
    early = (await other.slash(club.place(table), "seat replace", player="Anna")).response
    assert "48 hours" in wording(early)
    unknown = (await other.slash(club.place(table), "seat replace", player="Zoe")).response
    assert "The players are" in wording(unknown)
    await one.slash(club.place(table), "game pause")
    await press(other, last_vote(club, table), "yes:")
    await club.settle()
    panel = await club.panel(table.id)
    assert "paused" in wording(panel)
    assert "Waiting for" not in wording(panel).splitlines()[-1]
    refused = (await one.slash(club.place(table), "kogge found", marker="3")).response
    assert "The game is paused" in wording(refused)
    await club.restart()

    await press(other, await club.panel(table.id), "goon:")
    await press(one, last_vote(club, table), "yes:")
    await club.settle()

    assert (await club.tables.reader.get(table.id)).status is Status.PLAYING
    assert f"<@{one.id}>" in wording(await club.panel(table.id))


async def test_an_idle_table_is_warned_falls_asleep_and_one_press_wakes_it(club: Club) -> None:
    table, person = await club.game(), club.people[0]
    await club.later(3 * WEEK)
    assert "this table falls asleep" in posted_text(club, table)
    await club.restart()
    await club.later(WEEK)
    assert (await club.tables.reader.get(table.id)).status is Status.SLEEPING
    # Standing orders can be given while the table sleeps.
    shown = (await person.slash(club.place(table), "seat orders")).response
    answer = await person.choose(shown, ["on"], custom_id=f"order:{table.id}::decline")
    assert "📌" in wording(answer.response)
    panel = await club.panel(table.id)
    assert "asleep" in wording(panel)
    stranger = await press(club.people[3], panel, "goon:")
    assert "aren't playing at this table" in wording(stranger)

    await press(club.people[1], panel, "goon:")

    after = await club.tables.reader.get(table.id)
    assert after.status is Status.PLAYING
    assert after.players[after.seat_of(person.id) or 0].orders == {"decline": "on"}
    assert "wakes the table" in posted_text(club, table)


async def test_a_game_left_to_computers_stops_and_a_player_can_resume_it(club: Club) -> None:
    table = await club.start_game("kogge", ("clock", "d1"), ("at_zero", "autopilot"))
    anna, bert = club.people[:2]
    await bert.slash(club.channel, "me set", notices="dm")
    for _ in range(5):
        await club.later(timedelta(hours=12))
    await club.settle()

    posts = [post for post in club.posts(table) if "has stopped. To play again" in wording(post)]
    assert [f"<@{anna.id}>" in wording(post) for post in posts] == [True]
    dms = [dm for dm in club.dms(bert) if "so the game has stopped. To play again" in wording(dm)]
    assert ["goon" in verbs(dm) for dm in dms] == [True]
    after = await club.tables.reader.get(table.id)
    assert after.status is Status.SLEEPING
    lines = await club.actions(table.id)
    assert lines[-2:] == ["@auto", "@rest"]
    assert await club.tables.results.standings(club.guild.id, "kogge") == ()
    panel = await club.panel(table.id)
    assert "Only computers are playing now, so the game has stopped" in wording(panel)
    assert "goon" in verbs(panel)
    assert "wheel" not in verbs(panel)

    (dm,) = dms
    await bert.click(dm, custom_id=f"goon:{table.id}")
    woken = await club.tables.reader.get(table.id)
    assert [player.user for player in woken.humans] == [bert.id]
    assert woken.status is Status.PLAYING


async def test_a_stopped_game_resumes_whenever_a_player_returns(club: Club) -> None:
    table = await club.game()
    for person in club.people[:2]:
        answer = (await person.slash(club.place(table), "seat autopilot")).response
    assert "Only computers are playing now" in wording(answer)
    assert "playing for you" not in wording(answer)
    await club.settle()
    assert (await club.tables.reader.get(table.id)).status is Status.SLEEPING
    assert (await club.actions(table.id))[-1] == "@rest"
    (seat,) = await club.asked(table.id)
    person, clara = club.person(table, seat), club.people[2]
    await club.restart()
    tables = club.tables
    refused = await press(clara, await club.panel(table.id), "goon:")
    assert "aren't playing at this table" in wording(refused)

    async def check_resumed(person: Any) -> None:
        await club.settle()
        after = await tables.reader.get(table.id)
        assert (after.status, [each.user for each in after.humans]) == (Status.PLAYING, [person.id])
        panel = await club.panel(table.id)
        assert f"<@{person.id}>" in wording(panel)
        assert "goon" not in verbs(panel)

    await person.slash(club.place(table), "seat autopilot", wheel="off")
    await check_resumed(person)
    await person.slash(club.place(table), "seat autopilot")
    assert (await tables.reader.get(table.id)).status is Status.SLEEPING
    (seat,) = await club.asked(table.id)
    person, word = club.person(table, seat), (await club.words(table.id, seat, "found"))[0]
    await person.slash(club.place(table), "kogge found", marker=word)
    await check_resumed(person)
    await tables.leaving.resign(table.id, person.id)
    await club.settle()
    assert (await tables.reader.get(table.id)).status is Status.SLEEPING
    await press(clara, await club.panel(table.id), "claim:")
    await check_resumed(clara)


@pytest.mark.slow
async def test_the_last_post_says_that_a_game_with_one_person_is_not_rated(
    club: Club,
) -> None:
    table = await club.game()
    tables, (anna, bert) = club.tables, club.people[:2]
    await bert.slash(club.place(table), "seat autopilot")
    await club.finish(table.id)
    assert posted_text(club, table).count("doesn't count for ratings") == 1
    (tally,) = await tables.results.of_person(anna.id, club.guild.id)
    assert (tally.games, tally.rating) == (1, None)
    assert await tables.results.standings(club.guild.id, "kogge") == ()


async def test_an_absence_with_its_dates_is_shown_at_the_tables(club: Club) -> None:
    lobby = await club.lobby()
    table = await club.start_game("kogge", ("clock", "d3"))
    person = club.people[0]
    until = (club.clock.now() + timedelta(days=5)).date()
    answer = (await person.slash(club.channel, "me away", until=until.isoformat())).response
    assert f"{until.day} {until:%B}" in wording(answer)
    await club.settle()
    panel = await club.panel(table.id)
    assert f"**Anna** is away until {until.day} {until:%B}" in wording(panel)
    assert "clock stopped" in wording(panel)
    assert "**Anna** is away" in wording(await club.lobby_message(lobby.id))
    status = (await club.people[1].slash(club.place(table), "game status")).response
    assert "**Anna** is away" in wording(status)
    refused = (await person.slash(club.channel, "me away", until="yesterday")).response
    assert "a date I can use. Type one" in wording(refused)
    await person.slash(club.channel, "me away", until="off")
    assert "is away" not in wording(await club.panel(table.id))


async def test_standing_orders_are_chosen_in_selects_and_reported_when_they_answer(
    club: Club,
) -> None:
    table = await club.game()
    seat = await club.play_until(table.id, "bid")
    person = club.person(table, seat)
    panel = (await person.slash(club.place(table), "seat orders")).response
    before = len(club.dms(person))
    await person.choose(panel, ["1"], custom_id=f"order:{table.id}::bid")

    bids = [line for line in await club.actions(table.id) if line.startswith("bid ")]
    assert len(bids[-1].split()[1]) == 1
    assert seat not in await club.asked(table.id)
    assert any("Automatic answer" in wording(dm) for dm in club.dms(person)[before:])
    again = (await person.slash(club.place(table), "seat orders")).response
    assert len(ids(again)) == len(club.services.titles.orders["kogge"])
    (chosen,) = [
        line["value"]
        for line in part(again, f"order:{table.id}::bid")["options"]
        if line.get("default")
    ]
    assert chosen == "1"
    assert "Bid one marker" not in posted_text(club, table)


async def test_the_clock_stops_at_weekends_if_the_table_agreed(club: Club) -> None:
    now = club.clock.now()
    friday = now.replace(hour=12, minute=0) + timedelta(days=(4 - now.weekday()) % 7 + 7)
    club.clock.move(friday - now)
    table = await club.start_game("kogge", ("clock", "d1"), ("weekend", "frozen"))
    await club.later(timedelta(days=1))
    status = (await club.people[3].slash(club.place(table), "game status")).response
    assert "clock stopped" in wording(status)
    await club.later(timedelta(days=1, hours=20))
    assert "You're out of time for this turn" not in posted_text(club, table)
    await club.later(timedelta(hours=5))
    assert posted_text(club, table).count("You're out of time for this turn") == 2


async def test_the_clocks_of_a_table_stop_while_the_bot_may_not_write_there(
    club: Club,
) -> None:
    table = await club.start_game("kogge", ("clock", "d1"), ("at_zero", "autopilot"))
    await found_office(club, table, 1)
    close_channel(club, table)
    late, before = club.person(table, 0), len(club.dms(club.person(table, 0)))

    # The warning is refused.
    await club.later(timedelta(hours=17))
    for _ in range(3):
        await club.later(timedelta(days=1))
    await club.restart()
    for _ in range(4):
        await club.later(timedelta(days=1))

    (warning,) = club.dms(late)[before:]
    assert "running out of time for this turn" in wording(warning)
    assert (await club.tables.reader.get(table.id)).players[0].is_human
    posts = len(club.posts(table))
    club.standin.faults.clear()
    server: Any = club.bot.get_guild(club.guild.id)
    club.bot.dispatch("guild_role_update", server.default_role, server.default_role)
    await club.settle()
    assert len(club.posts(table)) == posts + 1
    deadline = int((club.clock.now() + timedelta(hours=7)).timestamp())
    (shown,) = re.findall("time runs out <t:([0-9]+)", wording(await club.panel(table.id)))
    assert abs(int(shown) - deadline) < 60
    await club.later(timedelta(hours=6, minutes=55))
    assert (await club.tables.reader.get(table.id)).players[0].is_human
    await club.later(timedelta(minutes=10))
    assert (await club.tables.reader.get(table.id)).players[0].is_autopiloted


# Players who have left the server are neither asked nor pinged; the others learn what to do


def leave(club: Club, person: Any) -> None:
    """Let a person leave the server. Without the members intent no event reports it."""
    club.guild.outsiders.append(person.id)


@pytest.mark.parametrize("command", ["pause", "abandon", "replace"])
async def test_a_player_who_left_is_not_asked_to_vote(club: Club, command: str) -> None:
    anna, bert, clara, dirk = club.people
    table = await club.game(bert, clara, dirk)
    leave(club, clara)
    leave(club, dirk)
    if command == "replace":
        # Replacing a player who has left needs no two days of waiting.
        await anna.slash(club.place(table), "seat replace", player="Clara")
    else:
        await anna.slash(club.place(table), f"game {command}")
    post = club.posts(table)[-1]
    assert f"<@{bert.id}>" in wording(post)
    assert f"<@{clara.id}>" not in wording(post)
    if command != "replace":
        assert "**Clara**" in wording(post)
        assert LEFT in wording(post) or "have left" in wording(post)
        assert "/seat replace" in wording(post)
    await press(bert, post, "yes:")
    (passed,) = [each for each in club.posts(table) if each.id == post.id]
    assert "Everyone agreed" in wording(passed)


async def test_a_reminder_informs_the_others_instead_of_pinging_a_player_who_left(
    club: Club,
) -> None:
    table = await club.game()
    (seat, *_) = await club.asked(table.id)
    leaver = club.person(table, seat)
    before, dms = posted_text(club, table), len(club.dms(leaver))
    leave(club, leaver)

    await club.later(timedelta(days=2))

    new = posted_text(club, table).removeprefix(before)
    assert f"**{leaver.name}** {LEFT}" in new
    assert "/seat replace" in new
    assert len(club.dms(leaver)) == dms
    for post in club.posts(table)[-1:]:
        assert leaver.id not in post.mentions


async def test_the_bot_notices_that_a_player_left_when_their_turn_comes(club: Club) -> None:
    table, _first, leaver = await start_bidding(club)
    await leaver.slash(club.channel, "me set", notices="dm")
    leave(club, leaver)
    club.clock.move(VALID_FOR)
    notified, dms = len(pings(club)), len(club.dms(leaver))

    await bid(club, table)

    assert f"**{leaver.name}** {LEFT}" in wording(await club.panel(table.id))
    assert leaver.id not in pings(club)[notified:]
    assert len(club.dms(leaver)) == dms


async def test_an_active_player_is_not_looked_up_every_turn(club: Club) -> None:
    table, _first, second = await start_bidding(club)
    await second.slash(club.channel, "game mine")
    before = len(club.requests)
    await bid(club, table)
    paths = [each.path for each in club.requests[before:] if each.method == "GET"]
    assert not [path for path in paths if "/members/" in path]


async def test_a_failed_lookup_does_not_count_as_leaving_and_acting_counts_as_being_back(
    club: Club,
) -> None:
    anna, bert = club.people[:2]
    table = await club.game()
    members = club.tables.server_members
    club.fail("GET", f"/guilds/{club.guild.id}/members/*", status=403, code=50001)
    await members.find(table)
    assert not members.has_left(table, bert.id)

    leave(club, bert)
    club.clock.move(VALID_FOR)
    await members.find(table)
    assert members.has_left(table, bert.id)
    club.guild.outsiders.remove(bert.id)
    await bert.slash(club.channel, "game mine")
    assert not members.has_left(table, bert.id)
    await anna.slash(club.place(table), "game abandon")
    assert f"<@{bert.id}>" in wording(club.posts(table)[-1])
