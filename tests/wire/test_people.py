"""Channels are archived, locked, closed or deleted in the middle of a game."""

from __future__ import annotations

from random import Random

import pytest

from bot.local import Permission
from bot.local.changes import ChannelChanged
from bot.local.faults import Request
from tests import robot
from tests.wire.conftest import Wire
from tests.wire.players import HARBOUR, RandomPlayer, answered, begin, ids, play_on
from tests.wire.witness import RETIRED, check_chain

pytestmark = pytest.mark.usefixtures("never_deferred")

MAY_WRITE = Permission.SEND_MESSAGES_IN_THREADS | Permission.SEND_MESSAGES


async def boards(wire: Wire, players: tuple[RandomPlayer, ...], more: int) -> None:
    count = len(players[0].posts) + more
    await play_on(players, until=lambda: len(players[0].posts) >= count)
    await wire.quiet()


async def seat(wire: Wire, player: RandomPlayer) -> int:
    return await wire.services.tables.reader.seat_of(1, player.person.id)


async def by_command(wire: Wire, players: tuple[RandomPlayer, ...]) -> None:
    pending = await wire.services.tables.reader.pending(1)
    to_act = {decision.seat for decision in pending if not decision.optional}
    for each in players:
        if await seat(wire, each) in to_act:
            answer = await each.person.slash("the-market", "game turn", table=1)
            await answered(wire.standin, each.person, answer)
            each.panel = answer.message
            await robot.turn(each, Random(1).choice)
            return


async def act_without_post(wire: Wire, players: tuple[RandomPlayer, ...]) -> None:
    count = len(players[0].posts)
    while not wire.stored.outbox():
        await by_command(wire, players)
        await wire.still()
    assert len(players[0].posts) == count


async def check_next_post(wire: Wire, players: tuple[RandomPlayer, ...], count: int) -> None:
    await wire.anna.wait_for(lambda: len(players[0].posts) > count)
    await wire.quiet()
    check_chain(players[0].posts, wire.stored)
    assert all(set(ids(post)) <= {RETIRED} for post in players[0].posts[:-1])


async def test_a_game_continues_in_an_archived_or_unlocked_thread_or_without_one(
    wire: Wire,
) -> None:
    players = await wire.begin()
    await boards(wire, players, 1)
    thread, channel = players[0].place, wire.standin.channel(HARBOUR)
    assert thread.thread is not None
    thread.thread.archived = True
    wire.standin.model.publish(ChannelChanged(thread))
    await boards(wire, players, 2)
    assert not thread.thread.archived
    await check_next_post(wire, players, 0)

    wire.standin.deny(channel, Permission.SEND_MESSAGES | Permission.MANAGE_THREADS)
    thread.thread.locked = thread.thread.archived = True
    wire.standin.model.publish(ChannelChanged(thread))
    count = len(players[0].posts)
    await act_without_post(wire, players)
    thread.thread.locked = False
    wire.standin.model.publish(ChannelChanged(thread))
    await check_next_post(wire, players, count)

    wire.standin.allow(channel, Permission.SEND_MESSAGES | Permission.MANAGE_THREADS)
    wire.standin.model.delete_channel(thread)
    # Players can still act by command after the thread is deleted.
    await by_command(wire, players)
    await wire.anna.wait_for(lambda: len(players[0].posts) >= 1)
    assert players[0].place is channel
    await boards(wire, players, 2)
    assert (await wire.services.tables.reader.get(1)).thread == channel.id
    check_chain(players[0].posts, wire.stored)


async def test_a_forbidden_post_is_sent_as_soon_as_it_is_allowed(wire: Wire) -> None:
    players = await wire.begin()
    await boards(wire, players, 1)
    channel = wire.standin.channel(HARBOUR)
    for right in (MAY_WRITE, Permission.VIEW_CHANNEL):
        count = len(players[0].posts)
        wire.standin.deny(channel, right)
        await act_without_post(wire, players)
        # The bot does not retry in channels without permission.
        requests: list[Request] = []
        wire.standin.faults.on_request.append(requests.append)
        await wire.post.on_resumed()
        await wire.post.on_ready()
        await wire.still()
        wire.standin.faults.on_request.remove(requests.append)
        assert wire.stored.outbox()
        # Private messages go elsewhere, such as the edit that removes buttons of the last one.
        closed = {str(channel.id), str(players[0].place.id)}
        assert not [each for each in requests if each.path.split("/")[2] in closed]

        wire.standin.allow(channel, right)
        await check_next_post(wire, players, count)

    # Without an event, the bot retries when its session resumes.
    count = len(players[0].posts)
    channel.denied |= int(MAY_WRITE)
    await act_without_post(wire, players)
    channel.denied = 0
    wire.standin.gateway.drop_sockets()
    await check_next_post(wire, players, count)


async def test_a_deleted_channel_does_not_affect_other_tables(wire: Wire) -> None:
    players = await wire.begin()
    await wire.anna.slash("the-market", "game new", game="kogge")
    lobby = await wire.anna.wait_for_message("the-market", lambda m: "join:2" in ids(m))
    await wire.stored.until_outbox_empty()
    wire.standin.model.delete_channel(wire.standin.channel(HARBOUR))

    # A deleted lobby message is posted again.
    wire.standin.model.delete_message(lobby)
    await wire.bert.slash("the-market", "game join")
    lobby = await wire.anna.wait_for_message(
        "the-market", lambda m: "join:2" in ids(m) and "Bert" in m.text
    )
    await begin(wire.anna, lobby, 2)
    others = tuple(
        wire.player(person, table=2, home="the-market") for person in (wire.anna, wire.bert)
    )
    await play_on(others, until=lambda: len(others[0].posts) >= 2)

    answer = await wire.anna.slash("the-market", "game turn", table=1)
    assert answer.is_private
    assert "first office" in answer.text
    players[0].panel = answer.message
    await players[0].choose(players[0].choices()[0])
    await wire.stored.until_outbox_empty()
    assert len(wire.stored.log()) == 2
