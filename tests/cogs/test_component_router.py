"""Presses that come late, twice, from others, or across a restart."""

from __future__ import annotations

from typing import Any

import pytest
from simcord import interactions as wire
from simcord.backend import serializers

from tests.cogs.conftest import Club, ids, wording


def emit(club: Club, person: Any, message: Any, custom_id: str) -> Any:
    """Send a press without waiting for what comes of it; the message as Discord has it."""
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
    return stored


async def pressed_late(club: Club, person: Any, panel: Any, custom_id: str) -> str:
    """What a person is told whose press was on its way when their panel began to ask anew."""
    pressed = emit(club, person, panel, custom_id)
    await club.env.settle()
    return wording(club.env.backend.get_message(pressed.channel_id, pressed.id))


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


@pytest.mark.usefixtures("word_by_word")
async def test_a_form_that_was_open_during_a_restart_is_still_heard(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")
    panel = await club.open_panel(table, seat)
    form = await club.person(table, seat).click(
        panel, custom_id=next(each for each in ids(panel) if each.startswith("type:"))
    )
    assert form.modal is not None
    line = form.modal["components"][0]["component"]["custom_id"]
    word = (await club.words(1, seat, "bid"))[0]

    await club.restart()
    await club.person(table, seat).submit_modal(form, {line: word})

    assert (await club.actions(1))[-1] == f"bid {word}"
