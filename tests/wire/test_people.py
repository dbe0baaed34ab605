"""What people do to channels in the middle of a game."""

from __future__ import annotations

from random import Random

import pytest

from bot.local import Permission
from bot.local.changes import ChannelChanged
from bot.local.faults import Request
from tests import robot
from tests.wire.conftest import Wire
from tests.wire.hands import HARBOUR, Hands, answered, begin, ids, play_on
from tests.wire.witness import RETIRED, check_chain

pytestmark = pytest.mark.usefixtures("unhurried")

MAY_WRITE = Permission.SEND_MESSAGES_IN_THREADS | Permission.SEND_MESSAGES


async def boards(wire: Wire, hands: tuple[Hands, ...], more: int) -> None:
    wanted = len(hands[0].posts) + more
    await play_on(hands, until=lambda: len(hands[0].posts) >= wanted)
    await wire.quiet()


async def seat(wire: Wire, hands: Hands) -> int:
    return await wire.services.tables.reader.seat_of(1, hands.person.id)


async def by_command(wire: Wire, hands: tuple[Hands, ...]) -> None:
    asked = {d.seat for d in await wire.services.tables.reader.pending(1) if not d.optional}
    for each in hands:
        if await seat(wire, each) in asked:
            answer = await each.person.slash("the-market", "game turn", table=1)
            await answered(wire.standin, each.person, answer)
            each.panel = answer.message
            await robot.turn(each, Random(1).choice)
            return


async def refused(wire: Wire, hands: tuple[Hands, ...]) -> None:
    count = len(hands[0].posts)
    while not wire.kept.owed():
        await by_command(wire, hands)
        await wire.still()
    assert len(hands[0].posts) == count


async def comes(wire: Wire, hands: tuple[Hands, ...], count: int) -> None:
    await wire.anna.wait_for(lambda: len(hands[0].posts) > count)
    await wire.quiet()
    check_chain(hands[0].posts, wire.kept)
    assert all(set(ids(post)) <= {RETIRED} for post in hands[0].posts[:-1])


async def test_a_game_goes_on_in_an_archived_an_unlocked_or_no_thread(wire: Wire) -> None:
    hands = await wire.begin()
    await boards(wire, hands, 1)
    thread, channel = hands[0].place, wire.standin.channel(HARBOUR)
    assert thread.thread is not None
    thread.thread.archived = True
    wire.standin.model.publish(ChannelChanged(thread))
    await boards(wire, hands, 2)
    assert not thread.thread.archived
    await comes(wire, hands, 0)

    wire.standin.deny(channel, Permission.SEND_MESSAGES | Permission.MANAGE_THREADS)
    thread.thread.locked = thread.thread.archived = True
    wire.standin.model.publish(ChannelChanged(thread))
    count = len(hands[0].posts)
    await refused(wire, hands)
    thread.thread.locked = False
    wire.standin.model.publish(ChannelChanged(thread))
    await comes(wire, hands, count)

    wire.standin.allow(channel, Permission.SEND_MESSAGES | Permission.MANAGE_THREADS)
    wire.standin.model.delete_channel(thread)
    # Who was called before the thread went can be led by command.
    await by_command(wire, hands)
    await wire.anna.wait_for(lambda: len(hands[0].posts) >= 1)
    assert hands[0].place is channel
    await boards(wire, hands, 2)
    assert (await wire.services.tables.reader.get(1)).thread == channel.id
    check_chain(hands[0].posts, wire.kept)


async def test_a_post_that_is_forbidden_comes_as_soon_as_it_is_allowed(wire: Wire) -> None:
    hands = await wire.begin()
    await boards(wire, hands, 1)
    channel = wire.standin.channel(HARBOUR)
    for right in (MAY_WRITE, Permission.VIEW_CHANNEL):
        count = len(hands[0].posts)
        wire.standin.deny(channel, right)
        await refused(wire, hands)
        # What the bot knows to be closed is not tried at every event.
        requests: list[Request] = []
        wire.standin.faults.on_request.append(requests.append)
        await wire.post.on_resumed()
        await wire.post.on_ready()
        await wire.still()
        wire.standin.faults.on_request.remove(requests.append)
        assert wire.kept.owed()
        # Private messages, such as the one before that loses its buttons, go elsewhere.
        closed = {str(channel.id), str(hands[0].place.id)}
        assert not [each for each in requests if each.path.split("/")[2] in closed]

        wire.standin.allow(channel, right)
        await comes(wire, hands, count)

    # Nobody tells the bot of either: it tries again when its session resumes.
    count = len(hands[0].posts)
    channel.denied |= int(MAY_WRITE)
    await refused(wire, hands)
    channel.denied = 0
    wire.standin.faults.drop_sockets()
    await comes(wire, hands, count)


async def test_a_deleted_channel_silences_its_table_and_no_other(wire: Wire) -> None:
    hands = await wire.begin()
    await wire.anna.slash("the-market", "game new", game="kogge")
    lobby = await wire.anna.wait_for_message("the-market", lambda m: "join:2" in ids(m))
    await wire.kept.settled()
    wire.standin.model.delete_channel(wire.standin.channel(HARBOUR))

    # A lobby message that was deleted is posted anew.
    wire.standin.model.delete_message(lobby)
    await wire.bert.slash("the-market", "game join")
    lobby = await wire.anna.wait_for_message(
        "the-market", lambda m: "join:2" in ids(m) and "Bert" in m.text
    )
    await begin(wire.anna, lobby, 2)
    others = tuple(
        wire.hands(person, table=2, home="the-market") for person in (wire.anna, wire.bert)
    )
    await play_on(others, until=lambda: len(others[0].posts) >= 2)

    answer = await wire.anna.slash("the-market", "game turn", table=1)
    assert answer.is_private
    assert "first office" in answer.text
    hands[0].panel = answer.message
    await hands[0].choose(hands[0].choices()[0])
    await wire.kept.settled()
    assert len(wire.kept.log()) == 2
