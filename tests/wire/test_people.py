"""What people do to channels in the middle of a game."""

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

pytestmark = pytest.mark.usefixtures("unhurried")

MAY_WRITE = Permission.SEND_MESSAGES_IN_THREADS | Permission.SEND_MESSAGES


async def boards(wire: Wire, players: tuple[RandomPlayer, ...], more: int) -> None:
    wanted = len(players[0].posts) + more
    await play_on(players, until=lambda: len(players[0].posts) >= wanted)
    await wire.quiet()


async def seat(wire: Wire, player: RandomPlayer) -> int:
    return await wire.services.tables.reader.seat_of(1, player.person.id)


async def by_command(wire: Wire, players: tuple[RandomPlayer, ...]) -> None:
    asked = {d.seat for d in await wire.services.tables.reader.pending(1) if not d.optional}
    for each in players:
        if await seat(wire, each) in asked:
            answer = await each.person.slash("the-market", "game turn", table=1)
            await answered(wire.standin, each.person, answer)
            each.panel = answer.message
            await robot.turn(each, Random(1).choice)
            return


async def refused(wire: Wire, players: tuple[RandomPlayer, ...]) -> None:
    count = len(players[0].posts)
    while not wire.stored.outbox():
        await by_command(wire, players)
        await wire.still()
    assert len(players[0].posts) == count


async def comes(wire: Wire, players: tuple[RandomPlayer, ...], count: int) -> None:
    await wire.anna.wait_for(lambda: len(players[0].posts) > count)
    await wire.quiet()
    check_chain(players[0].posts, wire.stored)
    assert all(set(ids(post)) <= {RETIRED} for post in players[0].posts[:-1])


async def test_a_game_goes_on_in_an_archived_an_unlocked_or_no_thread(wire: Wire) -> None:
    players = await wire.begin()
    await boards(wire, players, 1)
    thread, channel = players[0].place, wire.standin.channel(HARBOUR)
    assert thread.thread is not None
    thread.thread.archived = True
    wire.standin.model.publish(ChannelChanged(thread))
    await boards(wire, players, 2)
    assert not thread.thread.archived
    await comes(wire, players, 0)

    wire.standin.deny(channel, Permission.SEND_MESSAGES | Permission.MANAGE_THREADS)
    thread.thread.locked = thread.thread.archived = True
    wire.standin.model.publish(ChannelChanged(thread))
    count = len(players[0].posts)
    await refused(wire, players)
    thread.thread.locked = False
    wire.standin.model.publish(ChannelChanged(thread))
    await comes(wire, players, count)

    wire.standin.allow(channel, Permission.SEND_MESSAGES | Permission.MANAGE_THREADS)
    wire.standin.model.delete_channel(thread)
    # Who was called before the thread went can be led by command.
    await by_command(wire, players)
    await wire.anna.wait_for(lambda: len(players[0].posts) >= 1)
    assert players[0].place is channel
    await boards(wire, players, 2)
    assert (await wire.services.tables.reader.get(1)).thread == channel.id
    check_chain(players[0].posts, wire.stored)


async def test_a_post_that_is_forbidden_comes_as_soon_as_it_is_allowed(wire: Wire) -> None:
    players = await wire.begin()
    await boards(wire, players, 1)
    channel = wire.standin.channel(HARBOUR)
    for right in (MAY_WRITE, Permission.VIEW_CHANNEL):
        count = len(players[0].posts)
        wire.standin.deny(channel, right)
        await refused(wire, players)
        # What the bot knows to be closed is not tried at every event.
        requests: list[Request] = []
        wire.standin.faults.on_request.append(requests.append)
        await wire.post.on_resumed()
        await wire.post.on_ready()
        await wire.still()
        wire.standin.faults.on_request.remove(requests.append)
        assert wire.stored.outbox()
        # Private messages, such as the one before that loses its buttons, go elsewhere.
        closed = {str(channel.id), str(players[0].place.id)}
        assert not [each for each in requests if each.path.split("/")[2] in closed]

        wire.standin.allow(channel, right)
        await comes(wire, players, count)

    # Nobody tells the bot of either: it tries again when its session resumes.
    count = len(players[0].posts)
    channel.denied |= int(MAY_WRITE)
    await refused(wire, players)
    channel.denied = 0
    wire.standin.faults.drop_sockets()
    await comes(wire, players, count)


async def test_a_deleted_channel_silences_its_table_and_no_other(wire: Wire) -> None:
    players = await wire.begin()
    await wire.anna.slash("the-market", "game new", game="kogge")
    lobby = await wire.anna.wait_for_message("the-market", lambda m: "join:2" in ids(m))
    await wire.stored.until_outbox_empty()
    wire.standin.model.delete_channel(wire.standin.channel(HARBOUR))

    # A lobby message that was deleted is posted anew.
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
