"""A person's tables: their next table, what happened since their last turn, and `/game mine`."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from random import Random
from typing import Any

import discord
import pytest
from PIL import Image

from bot.local import Permission
from bot.tables import Table
from tests.cogs.conftest import (
    Club,
    block_messages,
    id_with,
    ids,
    part,
    parts,
    press,
    verbs,
    wording,
)

SINCE = "Since your last turn"


def links(message: Any) -> dict[str, str]:
    """Return the addresses of a message's link buttons by label."""
    return {each["label"]: each["url"] for each in parts(message) if each.get("url")}


async def until_turn_of(club: Club, table: Table, seat: int, rng: Random) -> None:
    """Act at random, past the bot, until the seat has to act."""
    while seat not in await club.asked(table.id):
        await club.step(table.id, rng)


async def end_turn_of(club: Club, table: Table, seat: int, rng: Random) -> None:
    """Act at random, past the bot, until the seat no longer has to act."""
    while seat in await club.asked(table.id):
        await club.step(table.id, rng)


# Since your last turn


async def test_a_turn_opens_with_what_the_others_did_since_ones_own(club: Club) -> None:
    rng = Random(3)
    table, first = await club.burgundy()
    second = 1 - first
    assert SINCE not in wording(await club.open_panel(table, first))
    await end_turn_of(club, table, first, rng)
    assert SINCE not in wording(await club.open_panel(table, second))  # Their first turn.
    await end_turn_of(club, table, second, rng)
    await until_turn_of(club, table, first, rng)

    for _ in range(2):
        panel = await club.open_panel(table, first)
        heading, *lines = wording(panel).split("\n")
        assert heading == f"-# {SINCE}"
        assert table.names[second] in lines[0]
        await club.restart()
    person = club.person(table, first)
    panel = await club.open_panel(table, first)

    replay = (await person.click(panel, custom_id=f"since:{table.id}")).response
    assert replay.id != panel.id
    turns = await club.tables.history.turns(table.id, first)
    own = next(n for n, turn in enumerate(turns) if turn.seat == first)
    assert part(replay, id_with(replay, "step2:"))["custom_id"].endswith(f"own,{own}")
    back = await press(person, replay, "step3:")
    assert part(back, id_with(back, "step2:"))["custom_id"].endswith(f"own,{own + 1}")

    await club.step(table.id, rng)
    assert "since:" not in str(parts(await club.open_panel(table, first)))


async def test_it_shows_what_the_seat_may_know_even_if_memory_does_not_reach_back(
    club: Club,
) -> None:
    """The result depends neither on others' secret actions nor on what is in memory."""
    table = await club.start_game("kogge", ("goods", "hidden"), seats=3)
    tables, rng, compared = club.tables, Random(4), 0
    acted: set[int] = set()
    while compared < 25:
        seat = (await club.asked(table.id))[0]
        remembered = await tables.reader.others_events(await tables.reader.seen(table.id, seat))
        tables._unit_of_work.cache.drop(table.id)
        read = await tables.reader.others_events(await tables.reader.seen(table.id, seat))
        assert read == remembered
        assert all(event.visible_to(seat) for event in read)
        assert not read or seat in acted
        compared += bool(read)
        acted.add(seat)
        await club.act(table.id, rng)


async def test_a_sealed_choice_that_can_still_be_changed_opens_without_it(club: Club) -> None:
    table = await club.start_game("kogge", seats=3)
    first, second, third = await club.asked(table.id)
    await club.play((first, "found 4"))
    await club.tables.leaving.resign(table.id, club.person(table, third).id)
    await club.rest(table.id)
    await club.settle()
    assert await club.asked(table.id) == [second]
    panel = await club.open_panel(table, first)
    assert "✅" in wording(panel)
    assert SINCE not in wording(panel)


# The next table


async def test_after_a_turn_a_link_leads_to_the_table_that_waits_longest(club: Club) -> None:
    rng, (anna, bert) = Random(1), club.people[:2]
    tables = []
    for _ in range(3):
        table = await club.lobby(bert, game="burgundy")
        tables.append(await club.begin(table, anna))
    seats = [(await club.tables.reader.seat_of(table.id, anna.id)) for table in tables]
    for table, seat in zip(tables, seats, strict=True):
        await until_turn_of(club, table, seat, rng)
    # The first table has waited longest.
    for table, seat in list(zip(tables, seats, strict=True))[::-1]:
        panel = await club.open_panel(table, seat)
        assert not links(panel)
        await end_turn_of(club, table, seat, rng)
        panel = await club.open_panel(table, seat)
        if table is tables[0]:
            assert not links(panel)
        else:
            ((label, url),) = links(panel).items()
            assert label == f"Next: The Castles of Burgundy · table {tables[0].id}"
            assert url.endswith(str((await club.panel(tables[0].id)).id))
    await until_turn_of(club, tables[2], seats[2], rng)
    await club.give_up(tables[0])
    over = (await anna.slash(club.channel, "game turn", table=tables[0].id)).response
    assert [*links(over)] == [f"Next: The Castles of Burgundy · table {tables[2].id}"]


# The list of tables


def pictures(club: Club, message: Any) -> dict[str, tuple[int, int]]:
    """Return the sizes of a message's pictures by file name."""
    sizes = {}
    for each in message.attachments:
        with Image.open(io.BytesIO(club.bytes_of(each))) as opened:
            sizes[each.filename] = opened.size
    return sizes


async def test_the_list_has_pages_with_a_small_board_and_buttons_for_each_table(
    club: Club,
) -> None:
    anna, bert, clara, _ = club.people
    started = [await club.start_game("burgundy") for _ in range(6)]
    lobby = await club.lobby(host=anna)
    watched = await club.lobby(clara, host=bert, game="burgundy")
    watched = await club.begin(watched, bert)
    await anna.slash(club.place(watched), "table follow", table=watched.id)

    shown = (await anna.slash(club.channel, "game mine")).response
    assert shown.is_ephemeral
    waiting = [
        table.id for table in started if table.seat_of(anna.id) in await club.asked(table.id)
    ]
    others = [table.id for table in started if table.id not in waiting]
    order = [*waiting, *others, lobby.id, watched.id]
    listed = [int(each) for each in re.findall(r"Table (\d+)", wording(shown))]
    assert listed == order[:5]
    sizes = pictures(club, shown)
    assert [*sizes] == [f"board-{each}.png" for each in listed]
    assert all(width < 500 for width, _height in sizes.values())
    assert [each for each in ids(shown) if each.startswith("play:")] == [
        f"play:{each}" for each in waiting[:5]
    ]
    assert len(parts(shown)) <= 40

    second = await press(anna, shown, "mine:")
    assert second.id == shown.id
    assert [int(each) for each in re.findall(r"Table (\d+)", wording(second))] == order[5:]
    assert f"board-{lobby.id}.png" not in pictures(club, second)
    assert wording(second).count("You're following this table") == 1
    assert [each["url"].rpartition("/")[2] for each in parts(second) if each.get("url")][-1] == str(
        watched.panel_message
    )
    await club.restart()
    again = await press(anna, second, "mine:")
    assert [int(each) for each in re.findall(r"Table (\d+)", wording(again))] == order[:5]

    await anna.slash(club.channel, "me set", board="text")
    plain = (await anna.slash(club.channel, "game mine")).response
    assert not plain.attachments
    assert wording(plain) == wording(again)
    panel = await press(anna, plain, "play:")
    assert {"act", "whole", "hand"} & verbs(panel)


async def test_followed_tables_can_be_left_again_with_one_press_or_two(club: Club) -> None:
    anna, bert, clara, dirk = club.people
    table = await club.game(bert, host=anna)
    place = club.place(table)
    refused = await anna.slash(place, "table follow")
    assert "You play at this table yourself" in wording(refused.response)
    followed = (await clara.slash(place, "table follow", pings="on")).response
    assert f"You follow table {table.id}" in wording(followed)
    here = (await clara.slash(place, "game mine")).response
    assert here.attachments
    assert "Waiting for" in wording(here)
    # In direct messages the bot cannot know whether she may still see it.
    elsewhere = (await clara.slash(clara.dm, "game mine")).response
    assert not elsewhere.attachments
    assert f"Table {table.id}" in wording(elsewhere)
    assert "Waiting for" not in wording(elsewhere)
    for _ in range(2):
        answer = await press(clara, elsewhere, "unfollow:")
        assert f"You no longer follow table {table.id}" in wording(answer)
    nothing = (await clara.slash(place, "game mine")).response
    assert "You aren't playing at any table" in wording(nothing)
    await club.give_up(table)
    over = await dirk.slash(place, "table follow", table=table.id)
    assert "This game is over" in wording(over.response)


@pytest.mark.parametrize("ending", ["left", "hidden"])
async def test_a_follower_gets_direct_messages_as_long_as_they_may_see_the_table(
    club: Club, ending: str
) -> None:
    anna, bert, clara, dirk = club.people
    await club.tables.people.change(dirk.id, language="it")
    table = await club.lobby(bert, host=anna, game="guatemala")
    for person in (clara, dirk):
        await person.slash(club.channel, "table follow", pings="on", table=table.id)
    table = await club.begin(table, anna)
    await club.later(timedelta())
    (started,), (begun,) = club.dms(clara), club.dms(dirk)
    heading, news = wording(started).split("\n")
    assert heading == f"**Guatemala Café · table {table.id}**"
    assert news.startswith("👀 Before round 1 · Waiting for **")
    assert "Prima del round 1 · " in wording(begun)
    assert "Go to table" in links(started)
    await press(clara, started, "unfollow:")
    await clara.slash(club.channel, "table follow", pings="on", table=table.id)

    if ending == "left":
        club.guild.outsiders.append(dirk.id)
    else:
        hide_channel(club, dirk)
    await club.give_up(table)
    await club.later(timedelta(minutes=1))
    _, over = club.dms(clara)
    assert "the game stays unfinished" in wording(over)
    assert len(club.dms(dirk)) == 1
    assert not await club.tables._unit_of_work.store.follows(table=table.id, user=dirk.id)
    await club.restart(timedelta(days=1))
    await club.later(timedelta())
    assert len(club.dms(clara)) == 2


async def test_followers_hear_nothing_during_an_outage_and_no_more_once_the_bot_has_left(
    club: Club,
) -> None:
    anna, bert, clara, _ = club.people
    table = await club.lobby(bert, host=anna)
    await clara.slash(club.channel, "table follow", pings="on", table=table.id)
    table = await club.begin(table, anna)
    club.dispatch("GUILD_DELETE", {"id": str(club.guild.id), "unavailable": True})
    await club.later(timedelta())
    store = club.tables._unit_of_work.store
    assert await store.follows(table=table.id, user=clara.id)
    club.dispatch("GUILD_DELETE", {"id": str(club.guild.id)})
    await club.later(timedelta(minutes=3))
    assert not await store.follows(table=table.id, user=clara.id)
    assert not club.dms(clara)


async def test_a_game_that_ends_during_a_message_is_over_in_one_message(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bert, clara, _ = club.people
    table = await club.lobby(bert, host=anna)
    await clara.slash(club.channel, "table follow", pings="on", table=table.id)
    table = await club.begin(table, anna)
    fetch, is_slow = discord.Guild.fetch_member, True

    async def fetch_slowly(self: discord.Guild, user: int) -> discord.Member:
        nonlocal is_slow
        if is_slow:
            is_slow = False
            await club.give_up(table)
        return await fetch(self, user)

    monkeypatch.setattr(discord.Guild, "fetch_member", fetch_slowly)
    await club.later(timedelta())
    assert not is_slow
    await club.later(timedelta(minutes=3))
    (over,) = club.dms(clara)
    assert "the game stays unfinished" in wording(over)
    assert not await club.tables._unit_of_work.store.follows(table=table.id, user=clara.id)


def hide_channel(club: Club, person: Any) -> None:
    """Forbid a person to view the channel."""
    denied = str(int(Permission.VIEW_CHANNEL))
    overwrites = [{"id": str(person.id), "type": 1, "allow": "0", "deny": denied}]
    payload = {"id": str(club.channel.id), "type": 0, "guild_id": str(club.guild.id), "position": 1}
    payload |= {"name": club.channel.name, "permission_overwrites": overwrites}
    club.dispatch("CHANNEL_UPDATE", payload)


async def test_the_last_message_to_followers_has_the_result(club: Club) -> None:
    anna, bert, clara, _ = club.people
    table = await club.lobby(bert, host=anna, game="guatemala")
    await clara.slash(club.channel, "table follow", pings="on", table=table.id)
    table = await club.begin(table, anna)
    block_messages(club, clara)
    await club.later(timedelta())
    assert not club.dms(clara)
    club.standin.faults.clear()
    await club.finish(table.id)
    await club.later(timedelta())
    (over,) = club.dms(clara)
    assert "The game is over. 🏆" in wording(over)
