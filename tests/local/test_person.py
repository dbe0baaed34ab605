"""The driver that acts like a person at the page."""

from __future__ import annotations

import asyncio

import pytest

from bot.local import CannotDoError, Channel, NoAnswerError, Person, Standin


async def test_waiting_ends_with_the_change_that_was_waited_for(
    anna: Person, bert: Person, harbour: Channel
) -> None:
    waiting = asyncio.create_task(anna.wait_for_message(harbour, lambda m: "ahoy" in m.content))
    bert.say(harbour, "hello")
    bert.say(harbour, "ahoy there")
    assert (await waiting).content == "ahoy there"


async def test_waiting_in_vain_tells_what_was_seen(anna: Person, harbour: Channel) -> None:
    anna.say(harbour, "only this")
    with pytest.raises(TimeoutError, match=r"waited 0\.01 s in vain; last seen: 'only this'"):
        await anna.wait_for(lambda: len(anna.sees(harbour)) > 1, timeout=0.01)


async def test_talk_is_held_to_what_the_client_lets_through(anna: Person, harbour: Channel) -> None:
    with pytest.raises(CannotDoError, match="empty"):
        anna.say(harbour, "  ")
    with pytest.raises(CannotDoError, match="at most 2000"):
        anna.say(harbour, "x" * 2001)


async def test_own_words_are_read_and_those_of_others_are_not(
    anna: Person, bert: Person, harbour: Channel
) -> None:
    anna.say(harbour, f"hello {bert.mention}")
    assert (anna.unread(harbour), bert.unread(harbour)) == ((0, 0), (1, 1))
    bert.read(harbour)
    assert bert.unread(harbour) == (0, 0)


async def test_without_a_bot_nothing_answers(
    anna: Person, harbour: Channel, standin: Standin
) -> None:
    standin.model.set_commands(None, [{"name": "game", "description": "x"}])
    standin.interactions.acknowledge_s = 0.01
    with pytest.raises(NoAnswerError):
        await anna.slash(harbour, "game")
