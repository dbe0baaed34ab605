"""Presses that come late, twice, from others, or across a restart."""

from __future__ import annotations

from typing import Any

import pytest
from simcord import interactions as wire
from simcord.backend import serializers

from bot.cogs.ui.custom_id import CustomId
from tests.cogs.conftest import Club, forge_id, id_with, wording


def emit(club: Club, person: Any, message: Any, custom_id: str) -> Any:
    """Send a press without waiting for what comes of it."""
    backend = club.env.backend
    stored = backend.get_message(
        message.channel_id if hasattr(message, "channel_id") else message.channel.id, message.id
    )
    record, payload = wire.base_payload(
        backend,
        type=3,
        channel_id=stored.channel_id,
        guild_id=club.guild.id,
        user_id=person.id,
        data={"custom_id": custom_id, "component_type": 2},
    )
    payload["message"] = dict(serializers.message_payload(backend, stored))
    record.source_message_id = stored.id
    backend.emit("INTERACTION_CREATE", payload)
    return payload


async def pressed_late(club: Club, person: Any, panel: Any, custom_id: str) -> str:
    """What a person is told whose press was on its way when their panel began to ask anew."""
    pressed = emit(club, person, panel, custom_id)["message"]
    await club.env.settle()
    return wording(club.env.backend.get_message(int(pressed["channel_id"]), int(pressed["id"])))


async def test_a_press_made_or_delivered_twice_acts_once(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "stop")
    person, panel = club.person(table, seat), await club.open_panel(table, seat)
    stop = id_with(panel, ":stop")
    before = len(await club.actions(1))

    emit(club, person, panel, stop)
    payload = emit(club, person, panel, stop)
    await club.env.settle()
    club.env.backend.emit("INTERACTION_CREATE", payload)
    await club.env.settle()

    assert len(await club.actions(1)) == before + 1
    assert len(club.posts(table)) == len({post.id for post in club.posts(table)})


@pytest.mark.usefixtures("unused")
async def test_a_stale_press_is_answered_with_what_is_asked_now(club: Club) -> None:
    table = await club.game()
    panel = await club.open_panel(table, 0)
    seat = await club.play_until(1, "bid")
    before = await club.actions(1)

    for is_restarted in (False, True):
        if is_restarted:
            await club.restart()
        said = await pressed_late(club, club.person(table, 0), panel, "act:1:0:found,4")
        assert "earlier moment" in said
        assert ("bid" in said.lower()) == (seat == 0) or "Waiting for" in said
        assert await club.actions(1) == before


async def test_a_press_for_somebody_else_or_of_another_age_is_answered(
    club: Club,
) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")
    decision = (await club.tables.reader.pending(1))[0]
    post = await club.panel(1)
    foreign = CustomId("act", 1, decision.id, ("bid",)).encoded()
    before = await club.actions(1)

    emit(club, club.person(table, 1 - seat), post, "play:1")
    await club.env.settle()
    forge_id(club, post, foreign)
    result = await club.person(table, 1 - seat).click(post, custom_id=foreign)

    assert result.ephemeral
    assert "somebody else" in wording(result.response)
    forge_id(club, post, "teleport:1")
    result = await club.person(table, 0).click(post, custom_id="teleport:1")
    assert result.ephemeral
    assert "no longer works" in wording(result.response)
    assert await club.actions(1) == before


@pytest.mark.usefixtures("word_by_word")
async def test_a_form_that_was_open_during_a_restart_is_still_heard(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")
    panel = await club.open_panel(table, seat)
    form = await club.person(table, seat).click(panel, custom_id=id_with(panel, "type:"))
    assert form.modal is not None
    line = form.modal["components"][0]["component"]["custom_id"]
    word = (await club.words(1, seat, "bid"))[0]

    await club.restart()
    await club.person(table, seat).submit_modal(form, {line: word})

    assert (await club.actions(1))[-1] == f"bid {word}"
