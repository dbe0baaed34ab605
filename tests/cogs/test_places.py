"""Threads, channels and permissions: where a table plays, and what Discord refuses.

`tests/wire/test_people.py` tests threads and messages that were really deleted.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from bot.local import Channel, Permission
from bot.local.model import ChannelKind, ThreadState, now_iso
from tests.cogs.conftest import Club, ids, refuse, wording


async def test_without_thread_permissions_games_play_in_the_channel(
    club: Club,
) -> None:
    refuse(club, "POST", "/channels/*/threads", 403, 50013)
    table = await club.game()
    assert table.thread is None
    assert not club.threads
    assert "threads" in wording(await club.panel(1))
    await club.game(club.people[2])
    anna = club.people[0]
    unclear = await anna.slash(club.channel, "kogge found", marker="5")
    clear = await anna.slash(club.channel, "kogge found", marker="5", table=2)
    meant = await anna.slash(club.channel, "kogge found", marker="6")
    assert "option `table`" in wording(unclear.response)
    assert "Danzig" in wording(clear.response)
    assert "Stralsund" in wording(meant.response)
    assert (await club.actions(1))[-1] == "found 6"
    seat = await club.play_until(1, "bid")
    assert f"<@{club.person(table, seat).id}>" in wording(await club.panel(1))


def thread_in(club: Club, place: Channel, number: int) -> Channel:
    """Add a thread of the bot to a channel."""
    world = club.standin.model
    thread = Channel(
        id=number,
        kind=ChannelKind.PUBLIC_THREAD,
        name="evening",
        parent_id=place.id,
        owner_id=world.bot.id,
        thread=ThreadState(members={world.bot.id: now_iso()}),
    )
    return world.add_channel(thread)


async def test_a_thread_left_by_a_crash_is_reused(club: Club) -> None:
    table = await club.lobby(club.people[1])
    assert table.lobby_message is not None
    thread_in(club, club.channel, table.lobby_message)
    await club.people[0].click(await club.lobby_message(1), custom_id="begin:1")
    # The thread at a message has the message's id.
    assert (await club.tables.reader.get(1)).thread == table.lobby_message


async def test_no_table_is_opened_where_the_bot_may_not_write(club: Club) -> None:
    """In a thread, only the permission to write in threads counts."""
    closed = club.new_channel("closed", Permission.ATTACH_FILES)
    result = await club.people[0].slash(closed, "game new", game="kogge")
    assert result.is_private
    assert "attach files" in wording(result.response)
    assert await club.tables.reader.find(closed.id) == []
    channel = club.new_channel("notices", Permission.SEND_MESSAGES)
    thread = thread_in(club, channel, club.standin.model.snowflakes.next())
    await club.settle()
    above = await club.people[0].slash(channel, "game new", game="kogge")
    below = await club.people[0].slash(thread, "game new", game="kogge")
    assert "send messages" in wording(above.response)
    assert "You've opened table" in wording(below.response)


@pytest.mark.slow
async def test_a_game_can_be_played_in_direct_messages_against_computers(club: Club) -> None:
    anna = club.people[0]
    await anna.slash(anna.dm, "game new", game="kogge", computers=1)

    def message_with(custom_id: str) -> Any:
        *_, last = (each for each in club.dms(club.people[0]) if custom_id in ids(each))
        return last

    await anna.click(message_with("begin:1"), custom_id="begin:1")
    panel = message_with("play:1")
    result = await anna.click(panel, custom_id="play:1")
    assert result.response.id != panel.id
    assert any(each.startswith("act:1:0:found") for each in ids(result.response))


async def test_a_deleted_public_panel_is_posted_again(club: Club) -> None:
    table = await club.game()
    refuse(club, "PATCH", f"/channels/{table.thread}/messages/*", 404, 10008)
    seat = await club.play_until(1, "stop")
    old = await club.panel(1)
    assert "play:1" in ids(old)
    await club.play((seat, "stop"))
    new = await club.panel(1)
    assert new.id != old.id
    assert wording(new).splitlines()[-1].endswith(", it's your turn.")
    assert "play:1" in ids(new)


async def test_refused_posts_are_retried_when_permissions_may_have_changed(club: Club) -> None:
    table, rng, bot = await club.game(), Random(1), club.bot
    outbox, server = club.tables.outbox, bot.get_guild(club.guild.id)
    assert server is not None
    role, other = server.default_role, club.new_channel("imported").id
    # Discord sends each bot its own role changes, whatever its intents.
    me = club.standin.wire.member(club.standin.model.bot, club.guild)
    new_role = {**me, "guild_id": str(club.guild.id), "roles": []}
    events: dict[str, Callable[[], None]] = {
        "a new role": lambda: club.dispatch("GUILD_MEMBER_UPDATE", new_role),
        "a changed role": lambda: bot.dispatch("guild_role_update", role, role),
        "the server is there again": lambda: bot.dispatch("guild_available", server),
    }
    for event, send in events.items():
        refuse(club, "POST", "/channels/*/messages", 403, 50013)
        while not await outbox.items(1):
            await club.step(1, rng)
        club.standin.faults.clear()
        bot.dispatch("guild_channel_update", *[bot.get_channel(other)] * 2)
        await club.settle()
        assert await outbox.items(1)
        send()
        await club.settle()
        assert await outbox.items(1) == [], event
        (seat, *_) = await club.asked(1)
        assert f"<@{club.person(table, seat).id}>" in wording(await club.panel(1))
        assert (await club.tables.reader.get(1)).thread == table.thread
