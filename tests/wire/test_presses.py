"""Presses that come twice, at once, too late, or from somebody else."""

from __future__ import annotations

import asyncio

import pytest

from bot.cogs.ui import open_panels
from bot.local import InteractionKind, Person
from bot.local.interactions import Interaction
from bot.local.model import Json
from tests.robot import BUTTON
from tests.wire.conftest import Wire
from tests.wire.hands import TIMEOUT_S, Hands
from tests.wire.witness import check_actions

pytestmark = pytest.mark.usefixtures("unhurried")


def fire(person: Person, hands: Hands, part: Json) -> Interaction:
    data = {"component_type": BUTTON, "custom_id": part["custom_id"]}
    return person.fire(InteractionKind.COMPONENT, hands.place, data, source=hands.panel)


async def answered(wire: Wire, pressed: Interaction, times: int) -> None:
    path, enough = f"/interactions/{pressed.id}/*", asyncio.Event()

    def count(_: object) -> None:
        if len(wire.standin.faults.asked("POST", path)) >= times:
            enough.set()

    wire.standin.faults.on_request.append(count)
    count(None)
    await asyncio.wait_for(enough.wait(), TIMEOUT_S)


async def whole_choices(hands: Hands) -> list[Json]:
    await hands.open()
    return [part for part in hands.choices() if part["type"] == BUTTON]


async def at_the_guild_master(wire: Wire) -> tuple[Hands, Hands, list[Json]]:
    """A game in which somebody is to move the guild master: who, who not, and the choices."""
    await wire.begin()
    who, other = await wire.hands_at(await wire.act_until("advance"))
    return who, other, await whole_choices(who)


async def test_presses_that_come_twice_or_at_once_act_once(wire: Wire) -> None:
    who, _, choices = await at_the_guild_master(wire)
    before = wire.kept.log()
    pressed = fire(who.person, who, choices[0])
    wire.standin.interactions.deliver(pressed)
    wire.standin.interactions.deliver(pressed)
    await answered(wire, pressed, 3)
    await wire.quiet()
    after = wire.kept.log()
    assert len(after) == len(before) + 1
    assert wire.kept.acted()[str(pressed.id)] == after[-1].seq

    # Two different choices of one person, at once.
    who, _ = await wire.hands_at(await wire.act_until("advance"))
    choices, before = await whole_choices(who), wire.kept.log()
    assert len(choices) == 2
    both = [fire(who.person, who, part) for part in choices]
    await asyncio.gather(*(each.outcome for each in both))
    await wire.quiet()
    assert len(wire.kept.log()) == len(before) + 1
    assert len(set(wire.kept.acted()) & {str(each.id) for each in both}) == 1


async def test_sealed_choices_of_two_persons_at_once_both_count(wire: Wire) -> None:
    anna, bert = await wire.witnesses()
    await anna.open()
    await bert.open()

    await asyncio.gather(anna.choose(anna.choices()[0]), bert.choose(bert.choices()[1]))

    assert len(anna.done | bert.done) == 2
    assert len(wire.kept.log()) == 3
    await wire.anna.wait_for(lambda: len(anna.posts) == 2)
    check_actions([anna, bert], wire.kept)


async def test_who_is_not_asked_is_answered_kindly_and_does_nothing(wire: Wire) -> None:
    who, other, choices = await at_the_guild_master(wire)
    before, seen = wire.kept.log(), len(who.person.sees(who.place))
    board = who.board()
    assert board is not None
    for person in (other.person, wire.vera):
        # Discord lets nobody press what only another sees; the bot does not rely on that.
        await answered(wire, fire(person, who, choices[0]), 1)
    assert len(who.person.sees(who.place)) == seen
    for custom_id in ("play:1", "hand:1", "board:1", "status:1"):
        for person in (who.person, other.person, wire.vera):
            answer = await person.press(board, custom_id=custom_id)
            assert answer.is_private
            assert answer.text, (custom_id, person.name)
    assert wire.kept.log() == before


async def test_a_button_of_an_earlier_turn_is_answered_with_what_is_asked_now(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A panel whose token is too old to reach it stays where it is.
    monkeypatch.setattr(open_panels, "TOKEN_S", -1.0)
    who, _, choices = await at_the_guild_master(wire)
    old = who.panel
    await who.open()
    await who.choose(choices[0])
    before = wire.kept.log()
    assert old is not None
    answer = await who.person.press(old, custom_id=choices[1]["custom_id"])
    assert answer.is_private
    assert "earlier moment" in answer.text
    assert wire.kept.log() == before
    assert choices[1] not in old.parts
