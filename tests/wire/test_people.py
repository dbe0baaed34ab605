"""Closed direct messages, and what people do to channels in the middle of a game."""

from __future__ import annotations

import re

import pytest

from bot.local import Message, Permission
from bot.local.changes import ChannelChanged
from bot.local.faults import Request
from tests.wire.conftest import Wire
from tests.wire.hands import HARBOUR, Hands, answered, begin, ids, play_on, sit_down
from tests.wire.posts import RETIRED, check_chain

pytestmark = pytest.mark.usefixtures("unhurried")


async def boards(wire: Wire, hands: tuple[Hands, ...], more: int) -> None:
    """Play until so many boards more have been posted."""
    wanted = len(hands[0].posts) + more
    await play_on(hands, until=lambda: len(hands[0].posts) >= wanted)


async def test_who_blocks_messages_is_told_of_at_join_and_reads_the_hand_at_the_table(
    wire: Wire,
) -> None:
    wire.standin.faults.block_dms(wire.bert.id)
    await wire.anna.slash(HARBOUR, "game new")
    lobby = await wire.anna.wait_for_message(HARBOUR, lambda m: "join:1" in ids(m))

    answer = await wire.bert.press(lobby, custom_id="join:1")

    assert not wire.bert.inbox
    await wire.anna.wait_for(lambda: "direct messages" in lobby.text)
    private = [m for m in wire.bert.sees(HARBOUR) if m.is_ephemeral]
    assert any("direct messages" in m.text for m in private), answer.text
    assert private[0] not in wire.anna.sees(HARBOUR)

    await begin(wire.anna, lobby)
    anna, bert = wire.hands(wire.anna), wire.hands(wire.bert)
    board = await bert.shown_board()
    hand = await wire.bert.press(board, custom_id="hand:1")
    assert hand.is_private
    assert "Your hand" in hand.text
    await boards(wire, (anna, bert), 2)
    assert not wire.bert.inbox


async def test_messages_that_are_opened_later_arrive_again(wire: Wire) -> None:
    wire.standin.faults.block_dms(wire.bert.id)
    anna, bert = await wire.begin()
    await wire.kept.settled()
    assert not (await wire.services.tables.reader.get(1)).players[await seat(wire, bert)].reachable

    wire.standin.faults.block_dms(wire.bert.id, blocked=False)
    await bert.turn()

    await wire.bert.wait_for(lambda: wire.bert.inbox)
    await wire.kept.settled()
    assert (await wire.services.tables.reader.get(1)).players[await seat(wire, bert)].reachable
    await boards(wire, (anna, bert), 1)


async def test_messages_that_are_closed_later_are_told_of_once(wire: Wire) -> None:
    anna, bert = await wire.begin()
    await wire.kept.settled()
    wire.standin.faults.block_dms(wire.bert.id)

    await bert.turn()
    await boards(wire, (anna, bert), 4)
    await wire.kept.settled()

    notices = [m for m in wire.vera.sees(anna.place) if "direct messages" in m.text]
    assert len(notices) == 1
    assert "Bert" in notices[0].text


async def test_a_deleted_thread_moves_the_game_to_its_channel(wire: Wire) -> None:
    hands = await wire.begin()
    await boards(wire, hands, 2)
    await wire.kept.settled()
    wire.standin.model.delete_channel(hands[0].place)

    # Who was called before the thread went can be led by command.
    await by_command(wire, hands)
    await wire.anna.wait_for(lambda: len(hands[0].posts) >= 1)
    assert hands[0].place.name == HARBOUR
    await boards(wire, hands, 3)
    await wire.kept.settled()
    assert (await wire.services.tables.reader.get(1)).thread == hands[0].place.id
    check_chain(hands[0].posts, wire.kept)


async def test_an_archived_thread_is_used_again(wire: Wire) -> None:
    hands = await wire.begin()
    await boards(wire, hands, 2)
    await wire.kept.settled()
    thread = hands[0].place
    assert thread.thread is not None
    thread.thread.archived = True
    wire.standin.model.publish(ChannelChanged(thread))

    await boards(wire, hands, 3)

    assert not thread.thread.archived
    await wire.kept.settled()
    check_chain(hands[0].posts, wire.kept)
    assert all(set(ids(post)) <= {RETIRED} for post in hands[0].posts[:-1])


async def test_a_deleted_channel_silences_its_table_and_no_other(wire: Wire) -> None:
    hands = await wire.begin()
    await wire.anna.slash("the-market", "game new")
    await wire.kept.settled()
    wire.standin.model.delete_channel(wire.standin.channel(HARBOUR))

    lobby = await wire.anna.wait_for_message("the-market", lambda m: "join:2" in ids(m))
    await wire.bert.press(lobby, custom_id="join:2")
    await begin(wire.anna, lobby, 2)
    others = tuple(
        wire.hands(person, table=2, home="the-market") for person in (wire.anna, wire.bert)
    )
    await boards(wire, others, 2)

    answer = await wire.anna.slash("the-market", "game turn", table=1)
    assert answer.is_private
    assert "first office" in answer.text
    hands[0].panel = answer.message
    await hands[0].choose(hands[0].choices()[0])
    await wire.kept.settled()
    assert len(wire.kept.log()) == 2


@pytest.mark.parametrize(
    "right",
    [Permission.SEND_MESSAGES_IN_THREADS | Permission.SEND_MESSAGES, Permission.VIEW_CHANNEL],
)
async def test_a_post_that_is_forbidden_comes_as_soon_as_it_is_allowed(
    wire: Wire, right: Permission
) -> None:
    hands = await wire.begin()
    await boards(wire, hands, 2)
    await wire.kept.settled()
    count, channel = len(hands[0].posts), wire.standin.channel(HARBOUR)
    wire.standin.deny(channel, right)
    await refused(wire, hands)
    assert len(hands[0].posts) == count

    wire.standin.allow(channel, right)

    await wire.anna.wait_for(lambda: len(hands[0].posts) > count)
    await boards(wire, hands, 2)
    await wire.kept.settled()
    check_chain(hands[0].posts, wire.kept)
    assert all(set(ids(post)) <= {RETIRED} for post in hands[0].posts[:-1])


async def refused(wire: Wire, hands: tuple[Hands, ...]) -> None:
    """Play until a post is refused."""
    while not wire.kept.owed():
        await by_command(wire, hands)
        await wire.still()


async def test_a_thread_that_is_unlocked_gets_what_it_was_not_told(wire: Wire) -> None:
    hands = await wire.begin()
    await boards(wire, hands, 2)
    await wire.quiet()
    thread, channel = hands[0].place, wire.standin.channel(HARBOUR)
    assert thread.thread is not None
    count = len(hands[0].posts)
    wire.standin.deny(channel, Permission.SEND_MESSAGES | Permission.MANAGE_THREADS)
    thread.thread.locked = thread.thread.archived = True
    wire.standin.model.publish(ChannelChanged(thread))
    await refused(wire, hands)
    assert len(hands[0].posts) == count

    thread.thread.locked = False
    wire.standin.model.publish(ChannelChanged(thread))

    await wire.anna.wait_for(lambda: len(hands[0].posts) > count)
    await wire.kept.settled()
    check_chain(hands[0].posts, wire.kept)


async def test_what_was_refused_is_tried_again_when_a_session_resumes(wire: Wire) -> None:
    hands = await wire.begin()
    await boards(wire, hands, 2)
    await wire.quiet()
    count, channel = len(hands[0].posts), wire.standin.channel(HARBOUR)
    # Nobody tells the bot of either.
    channel.denied |= int(Permission.SEND_MESSAGES_IN_THREADS | Permission.SEND_MESSAGES)
    await refused(wire, hands)
    channel.denied = 0
    assert len(hands[0].posts) == count

    wire.standin.faults.drop_sockets()

    await wire.anna.wait_for(lambda: len(hands[0].posts) > count)


async def test_what_the_bot_knows_to_be_closed_is_not_tried_at_every_event(wire: Wire) -> None:
    hands = await wire.begin()
    await boards(wire, hands, 2)
    await wire.quiet()
    channel = wire.standin.channel(HARBOUR)
    wire.standin.deny(channel, Permission.SEND_MESSAGES_IN_THREADS | Permission.SEND_MESSAGES)
    await refused(wire, hands)
    requests: list[Request] = []
    wire.standin.faults.on_request.append(requests.append)

    for _ in range(3):
        await wire.post.on_resumed()
        await wire.post.on_ready()
    await wire.still()

    assert wire.kept.owed()
    assert requests == []


async def test_without_the_right_to_attach_a_turn_is_told_in_words(wire: Wire) -> None:
    hands = await wire.begin()
    await boards(wire, hands, 2)
    await wire.kept.settled()
    channel = wire.standin.channel(HARBOUR)
    wire.standin.deny(channel, Permission.ATTACH_FILES)
    board = hands[0].board()
    await by_command(wire, hands)

    def in_words() -> list[Message]:
        seen = wire.vera.sees(hands[0].place)
        return [m for m in seen if "play:1" in ids(m) and not m.attachments]

    (told,) = await wire.vera.wait_for(in_words)
    assert re.search(r"^<@\d+>.*, ", told.text, re.MULTILINE)
    assert told is not board

    wire.standin.allow(channel, Permission.ATTACH_FILES)
    await by_command(wire, hands)
    await boards(wire, hands, 2)


async def test_without_the_right_to_make_threads_the_channel_serves(wire: Wire) -> None:
    channel = wire.standin.channel(HARBOUR)
    wire.standin.deny(channel, Permission.CREATE_PUBLIC_THREADS)
    hands = await wire.begin()

    await boards(wire, hands, 3)

    assert hands[0].place is channel
    await wire.kept.settled()
    check_chain(hands[0].posts, wire.kept)
    # The next table gets its thread as soon as that is allowed.
    wire.standin.allow(channel, Permission.CREATE_PUBLIC_THREADS)
    await sit_down(wire.standin, wire.anna, wire.bert, table=2)
    other = wire.hands(wire.anna, table=2)
    await other.shown_board()
    assert other.place.name == "Kogge · table 2"


async def test_a_deleted_lobby_message_is_posted_anew(wire: Wire) -> None:
    await wire.anna.slash(HARBOUR, "game new")
    lobby = await wire.anna.wait_for_message(HARBOUR, lambda m: "join:1" in ids(m))
    await wire.kept.settled()
    wire.standin.model.delete_message(lobby)

    await wire.bert.slash(HARBOUR, "game join")

    again = await wire.anna.wait_for_message(
        HARBOUR, lambda m: "join:1" in ids(m) and "Bert" in m.text
    )
    await wire.vera.slash(HARBOUR, "game join")
    await wire.vera.wait_for(lambda: "Vera" in again.text)


async def seat(wire: Wire, hands: Hands) -> int:
    """Where somebody sits."""
    return await wire.services.tables.reader.seat_of(1, hands.person.id)


async def by_command(wire: Wire, hands: tuple[Hands, ...]) -> None:
    """Whoever is awaited opens the panel by command, and plays the turn."""
    asked = {d.seat for d in await wire.services.tables.reader.pending(1) if not d.optional}
    for each in hands:
        if await seat(wire, each) in asked:
            answer = await each.person.slash("the-market", "game turn", table=1)
            await answered(wire.standin, each.person, answer)
            each.panel = answer.message
            while each.choices():
                await each.choose(each.choices()[0])
            return
