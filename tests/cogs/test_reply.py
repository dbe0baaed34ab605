"""Answers that come late, and people who are gone when they come."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import PurePosixPath
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.cogs.ui.components import Pressable
from bot.cogs.ui.layout import Layout, Row
from bot.cogs.ui.reply import Answers, Reply, reason
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import BOARD, QUESTION
from bot.tables.core.metrics_sink import NoMetrics
from bot.titles import TITLES
from tests.cogs.conftest import TEXT, Club, ids, parts, wording
from tests.cogs.test_burgundy import begun

PATIENCE_S = 30.0
EMOJI = "1234567890123456789"
"""The id of an emoji."""
ROW, GALLERY = 1, 12
"""Types of components."""


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    async def enter(self: Reply) -> Reply:
        await self._defer()
        return self

    monkeypatch.setattr(Reply, "__aenter__", enter)


async def test_a_late_answer_to_a_public_button_stays_private(
    club: Club, request: pytest.FixtureRequest
) -> None:
    table = await club.game()
    panel = await club.panel(table.id)
    request.getfixturevalue("late")
    result = await club.person(table, 0).click(panel, custom_id="play:1")
    assert result.ephemeral
    (answer,) = [each for each in (result.response, *result.followups) if each is not None][-1:]
    assert "first office" in wording(answer)
    assert answer.attachments


async def test_a_late_answer_changes_the_private_message_in_place(
    club: Club, request: pytest.FixtureRequest
) -> None:
    table = await club.game()
    panel = await club.open_panel(table, 0)
    request.getfixturevalue("late")
    result = await club.person(table, 0).click(panel, custom_id="act:1:0:found,4")
    assert (await club.actions(1))[-1] == "found 4"
    assert result.followups == []
    shown = club.env.backend.get_message(panel.channel_id, panel.id)
    assert "Riga" in wording(shown)


@pytest.mark.usefixtures("word_by_word")
async def test_a_form_that_can_no_longer_be_opened_is_explained(
    club: Club, request: pytest.FixtureRequest
) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")
    panel = await club.open_panel(table, seat)
    request.getfixturevalue("late")
    result = await club.person(table, seat).click(
        panel, custom_id=next(each for each in ids(panel) if each.startswith("type:"))
    )
    assert result.modal is None
    assert "took too long" in wording(result.followups[-1])


@pytest.mark.parametrize(
    ("status", "code"), [(404, 10062), (400, 50035)], ids=["person gone", "Discord fails"]
)
async def test_an_answer_that_cannot_be_given_undoes_nothing(
    club: Club, status: int, code: int
) -> None:
    table = await club.game()
    panel = await club.open_panel(table, 0)
    route = "/interactions/*/*/callback"
    club.env.inject_error("POST", route, status=status, code=code, times=1)
    await club.person(table, 0).click(panel, custom_id="act:1:0:found,4")
    assert (await club.actions(1))[-1] == "found 4"


async def test_an_answer_with_an_emoji_that_discord_refuses_comes_with_plain_signs(
    club: Club,
) -> None:
    table, seat = await begun(club)
    person, panel = club.person(table, seat), await club.panel(table.id)
    club.services.signs.update((sign, f"<:{sign}:{EMOJI}>") for sign in TITLES.signs)
    route = "/interactions/*/*/callback"
    taken = (await person.click(panel, custom_id="play:1")).response
    club.env.inject_error("POST", route, status=400, code=50035, times=1)
    plain = (await person.click(panel, custom_id="play:1")).response
    found = re.findall(r"<:burgundy_\w+?_(\d):\d+>", wording(taken))
    assert len(found) > 2
    shown = [sign for sign, _ in re.findall("((\\d)\ufe0f\u20e3)", wording(plain))]
    assert found == [each[0] for each in shown]
    assert EMOJI in json.dumps(parts(taken))
    assert EMOJI not in json.dumps(parts(plain))


async def test_a_late_press_that_needs_no_answer_leaves_no_empty_place_for_one(
    club: Club, request: pytest.FixtureRequest
) -> None:
    table = await club.lobby()
    request.getfixturevalue("late")
    await club.people[1].click(await club.lobby_message(table.id), custom_id="join:1")
    assert len((await club.services.tables.reader.get(1)).players) == 2
    assert deleted_answers(club) == 1


async def test_an_acknowledgement_that_fails_does_not_cost_the_answer(
    club: Club, request: pytest.FixtureRequest
) -> None:
    table = await club.game()
    panel = await club.panel(table.id)
    request.getfixturevalue("late")
    club.env.inject_error("POST", "/interactions/*/*/callback", status=400, code=50035, times=1)
    result = await club.person(table, 0).click(panel, custom_id="play:1")
    assert result.ephemeral
    assert "first office" in wording(result.response)


def deleted_answers(club: Club) -> int:
    return sum(
        entry.method == "DELETE" and entry.path.endswith("/messages/@original")
        for entry in club.env.http_requests
    )


async def test_an_answer_whose_message_was_taken_away_meanwhile_comes_as_a_new_one(
    club: Club,
) -> None:
    table = await club.game()
    person, panel = club.person(table, 0), await club.open_panel(table, 0)
    club.env.inject_error("POST", "/interactions/*/callback", status=404, code=10008, times=1)
    await person.click(panel, custom_id="act:1:0:found,4")
    assert (await club.actions(1))[-1] == "found 4"
    (shown,) = club.private(table, person)
    assert shown.id != panel.id
    assert "Riga" in wording(shown)


async def say_as_before(self: Reply, answer: Layout) -> None:
    view = discord.ui.View(timeout=None)
    for part in answer.parts:
        for press in part.presses if isinstance(part, Row) else ():
            assert isinstance(press, Pressable)
            view.add_item(press.item)
    view.stop()
    await self.interaction.response.send_message(
        answer.text, view=view, files=answer.files(), ephemeral=True
    )


@pytest.mark.usefixtures("word_by_word")
async def test_a_message_of_before_goes_on_working_and_becomes_a_layout(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, seat = await begun(club)
    person = club.person(table, seat)
    with monkeypatch.context() as before:
        before.setattr(Reply, "say", say_as_before)
        old = await club.open_panel(table, seat)
    question = old.content.splitlines()[-1]
    picture = await old.attachments[0].read()

    explained = (await person.click(old, custom_id="explain:1::on")).response

    assert explained.id == old.id
    assert explained.content == ""
    assert explained.flags.components_v2
    assert question in wording(explained)
    (gallery,) = [each for each in parts(explained) if each["type"] == GALLERY]
    assert PurePosixPath(gallery["items"][0]["media"]["url"]).name == BOARD
    assert gallery["items"][0]["description"]
    assert await explained.attachments[0].read() == picture

    dice = next(each for each in ids(explained) if each.endswith(":take"))
    asked = (await person.click(explained, custom_id=dice)).response
    assert asked.id == old.id
    assert [each.filename for each in asked.attachments] == [QUESTION]


@pytest.mark.usefixtures("word_by_word")
async def test_an_explanation_stands_below_the_choices_by_the_press_that_asked_for_it(
    club: Club,
) -> None:
    table, seat = await begun(club)
    person, panel = club.person(table, seat), await club.open_panel(table, seat)
    explained = (await person.click(panel, custom_id="explain:1::on")).response
    shown = [each for each in parts(explained) if each["type"] in (TEXT, GALLERY, ROW)]
    assert shown[0]["type"] == GALLERY
    question, choices, hint, foot = shown[-4:]
    assert question["content"] in wording(panel)
    assert choices["components"][0]["custom_id"].startswith("act:")
    assert hint["content"].startswith("> ")
    assert "explain:1::off" in [each["custom_id"] for each in foot["components"]]


def test_the_log_does_not_quote_what_discord_refused() -> None:
    response: Any = SimpleNamespace(status=400, reason="Bad Request")
    refused = discord.HTTPException(response, {"code": 50035, "message": "oo5 is no value"})
    assert "oo5" in str(refused)
    assert reason(refused) == "code 50035"
    assert reason(OSError("oo5")) == "OSError"


async def test_a_bot_that_ends_waits_for_what_it_has_heard_and_may_have_to_answer(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.game()
    panel = await club.panel(table.id)
    answers: Answers = vars(club.env.bot)["answers"]
    endings: list[asyncio.Task[None]] = []
    waited: list[bool] = []

    async def is_ours(*_: Any) -> bool:
        ending = asyncio.create_task(answers.finish(PATIENCE_S))
        # By then it has ended if nobody is to be answered.
        for _again in range(2):
            await Answers(NoMetrics()).finish(PATIENCE_S)
        waited.append(not ending.done())
        endings.append(ending)
        return True

    monkeypatch.setattr(Services, "is_ours", is_ours)

    await club.person(table, 0).click(panel, custom_id="play:1")
    await club.person(table, 0).slash(club.place(table), "game status")

    assert waited == [True, True]
    # What may have been heard by another process has been decided, and everybody is answered.
    await asyncio.wait_for(asyncio.gather(*endings), PATIENCE_S)
