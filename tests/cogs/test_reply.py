"""Answers that come late, and people who are gone when they come."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.cogs.ui.reply import Reply, reason
from tests.cogs.conftest import Club, ids, wording


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer is late: the interaction has been acknowledged before it is ready."""

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
    """How many answers the bot has taken back."""
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


def test_the_log_does_not_quote_what_discord_refused() -> None:
    response: Any = SimpleNamespace(status=400, reason="Bad Request")
    refused = discord.HTTPException(response, {"code": 50035, "message": "oo5 is no value"})
    assert "oo5" in str(refused)
    assert reason(refused) == "code 50035"
    assert reason(OSError("oo5")) == "OSError"
