"""Presses and answers that are late, doubled, by others or across a restart."""

from __future__ import annotations

import asyncio
import json
import re
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.reply import Answers, Reply, reason
from bot.cogs.ui.services import Services
from bot.local import ModalOpened
from bot.local.model import AppEmoji
from bot.tables.play import MetricsSink
from bot.titles import TITLES
from tests.cogs.actors import stored
from tests.cogs.conftest import Club, emit, forge_id, id_with, parts, wording

PATIENCE_S = 30.0
EMOJI = "1234567890123456789"
"""The id of an emoji."""


def defer_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Defer every interaction before its answer is ready."""

    monkeypatch.setattr(Reply, "start_timer", Reply._start_deferring)


async def test_deferred_answers_stay_private_edit_in_place_or_remove_the_placeholder(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.lobby()
    defer_all(monkeypatch)
    await club.people[1].click(await club.lobby_message(table.id), custom_id="join:1")
    assert len((await club.tables.reader.get(1)).players) == 2
    deleted = [each.path for each in club.requests if each.method == "DELETE"]
    assert sum(path.endswith("/messages/@original") for path in deleted) == 1
    await club.people[0].click(await club.lobby_message(table.id), custom_id="begin:1")
    table = await club.tables.reader.get(1)

    panel = await club.panel(table.id)
    result = await club.person(table, 0).click(panel, custom_id="play:1")
    assert result.is_private
    (answer,) = [each for each in (result.response, *result.followups) if each is not None][-1:]
    assert "first office" in wording(answer)
    assert answer.attachments

    result = await club.person(table, 0).click(answer, custom_id="act:1:0:found,4")
    assert (await club.actions(1))[-1] == "found 4"
    assert result.followups == []
    shown = stored(club.standin, answer)
    assert "Riga" in wording(shown)

    # A failed acknowledgement does not lose the answer.
    club.fail("POST", "/interactions/*/*/callback", status=400, code=50035, times=1)
    result = await club.person(table, 1).click(panel, custom_id="play:1")
    assert result.is_private
    assert "first office" in wording(result.response)


@pytest.mark.usefixtures("word_by_word")
async def test_a_form_that_can_no_longer_be_opened_is_explained(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")
    panel = await club.open_panel(table, seat)
    defer_all(monkeypatch)
    result = await club.person(table, seat).click(panel, custom_id=id_with(panel, "type:"))
    assert not isinstance(result.outcome, ModalOpened)
    assert "took too long" in wording(result.followups[-1])


async def test_a_failed_answer_undoes_nothing(club: Club) -> None:
    table = await club.game(*club.people[1:])
    # Unknown interaction; invalid form body; unknown message.
    for seat, (status, code) in enumerate(((404, 10062), (400, 50035), (404, 10008))):
        person, panel = club.person(table, seat), await club.open_panel(table, seat)
        route = "/interactions/*/callback" if code == 10008 else "/interactions/*/*/callback"
        club.fail("POST", route, status=status, code=code, times=1)
        await person.click(panel, custom_id=f"act:1:0:found,{4 + seat}")
        assert (await club.actions(1))[-1] == f"found {4 + seat}"
    # A deleted message is replaced by a new one.
    (shown,) = club.private(table, person)
    assert shown.id != panel.id
    assert "Stralsund" in wording(shown)


async def test_an_answer_whose_emoji_discord_refuses_is_sent_with_plain_ones(
    club: Club,
) -> None:
    table, seat = await club.burgundy()
    person, panel = club.person(table, seat), await club.panel(table.id)
    club.standin.model.emojis[int(EMOJI)] = AppEmoji(
        id=int(EMOJI), name="die", content_type="image/png", data=b""
    )
    club.services.signs.update((sign, f"<:{sign}:{EMOJI}>") for sign in TITLES.signs)
    route = "/interactions/*/*/callback"
    custom = (await person.click(panel, custom_id="play:1")).response
    club.fail("POST", route, status=400, code=50035, times=1)
    plain = (await person.click(panel, custom_id="play:1")).response
    found = re.findall(r"<:burgundy_\w+?_(\d):\d+>", wording(custom))
    assert len(found) == 2, "the dice"
    shown = [sign for sign, _ in re.findall("((\\d)\ufe0f\u20e3)", wording(plain))]
    assert found == [each[0] for each in shown]
    assert EMOJI in json.dumps(parts(custom))
    assert EMOJI not in json.dumps(parts(plain))


def test_the_log_does_not_quote_refused_content() -> None:
    response: Any = SimpleNamespace(status=400, reason="Bad Request")
    refused = discord.HTTPException(response, {"code": 50035, "message": "oo5 is no value"})
    assert "oo5" in str(refused)
    assert reason(refused) == "code 50035"
    assert reason(OSError("oo5")) == "OSError"


async def test_a_stop_waits_for_interactions_that_may_need_an_answer(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.game()
    panel = await club.panel(table.id)
    answers: Answers = vars(club.bot)["answers"]
    endings: list[asyncio.Task[None]] = []
    waited: list[bool] = []

    async def is_ours(*_: Any) -> bool:
        ending = asyncio.create_task(answers.finish(PATIENCE_S))
        # Without a pending answer it would have ended by then.
        for _again in range(2):
            await Answers(MetricsSink()).finish(PATIENCE_S)
        waited.append(not ending.done())
        endings.append(ending)
        return True

    monkeypatch.setattr(Services, "is_ours", is_ours)

    await club.person(table, 0).click(panel, custom_id="play:1")
    await club.person(table, 0).slash(club.place(table), "game status")

    assert waited == [True, True]
    # The interactions turned out to be this process's, and all are answered.
    await asyncio.wait_for(asyncio.gather(*endings), PATIENCE_S)


# Presses


async def late_press(club: Club, person: Any, panel: Any, custom_id: str) -> str:
    """Press a button that the panel no longer has. Returns the panel's text."""
    emit(club, person, panel, custom_id)
    await club.settle()
    return wording(stored(club.standin, panel))


async def test_a_double_press_or_delivery_acts_once(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "stop")
    person, panel = club.person(table, seat), await club.open_panel(table, seat)
    stop = id_with(panel, ":stop")
    before = len(await club.actions(1))

    emit(club, person, panel, stop)
    again = emit(club, person, panel, stop)
    await club.settle()
    club.standin.interactions.deliver(again)
    await club.settle()

    assert len(await club.actions(1)) == before + 1
    assert len(club.posts(table)) == len({post.id for post in club.posts(table)})


@pytest.mark.usefixtures("idle_panels")
async def test_a_stale_press_is_answered_with_the_current_question(club: Club) -> None:
    table = await club.game()
    panel = await club.open_panel(table, 0)
    seat = await club.play_until(1, "bid")
    before = await club.actions(1)

    for is_restarted in (False, True):
        if is_restarted:
            await club.restart()
        text = await late_press(club, club.person(table, 0), panel, "act:1:0:found,4")
        assert "out of date" in text
        assert ("bid" in text.lower()) == (seat == 0) or "Waiting for" in text
        assert await club.actions(1) == before


async def test_a_press_for_another_player_or_with_an_unknown_verb_is_refused(
    club: Club,
) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")
    decision = (await club.tables.reader.pending(1))[0]
    post = await club.panel(1)
    foreign = CustomId("act", 1, decision.id, ("bid",)).encoded()
    before = await club.actions(1)

    emit(club, club.person(table, 1 - seat), post, "play:1")
    await club.settle()
    forge_id(club, post, foreign)
    result = await club.person(table, 1 - seat).click(post, custom_id=foreign)

    assert result.is_private
    assert "someone else" in wording(result.response)
    forge_id(club, post, "teleport:1")
    result = await club.person(table, 0).click(post, custom_id="teleport:1")
    assert result.is_private
    assert "no longer works" in wording(result.response)
    assert await club.actions(1) == before


@pytest.mark.usefixtures("word_by_word")
async def test_a_form_open_during_a_restart_still_works(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")
    panel = await club.open_panel(table, seat)
    form = await club.person(table, seat).click(panel, custom_id=id_with(panel, "type:"))
    line = form.modal["components"][0]["component"]["custom_id"]
    word = (await club.words(1, seat, "bid"))[0]

    await club.restart()
    await club.person(table, seat).submit(form, {line: word})

    assert (await club.actions(1))[-1] == f"bid {word}"
