"""What a player takes for an answer, on a bot that answers as the test says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import discord
import pytest

from bot.local import Standin
from bot.text.errors import ERRORS
from tests.cluster.players import Player
from tests.local.bots import PATIENCE_S, SampleBot, running

FOUND, BID = "act:1:0:found,4", "act:1:1:bid,1"
"""Two choices, of a decision and of the next one."""


def asking(custom_id: str) -> discord.ui.View:
    """A panel with one choice."""
    view = discord.ui.View(timeout=None)
    return view.add_item(discord.ui.Button(label="This", custom_id=custom_id))


@pytest.fixture
async def standin() -> AsyncIterator[Standin]:
    async with Standin(acknowledge_s=PATIENCE_S) as standin:
        yield standin


@pytest.fixture
async def bot(standin: Standin) -> AsyncIterator[SampleBot]:
    async with running(SampleBot(), standin) as bot:
        yield bot


class AtAPanel:
    """A player with a panel of an earlier interaction, who presses its only choice; `pressed` is
    that press, of which so far the answer is promised."""

    def __init__(self, standin: Standin, bot: SampleBot) -> None:
        self.player = Player(
            standin, standin.person("Anna"), 1, home=standin.channel("the-harbour")
        )
        self._bot = bot

    async def presses(self) -> None:
        player, bot = self.player, self._bot
        table = (await player.person.slash(player.channel, "game new", game="kogge")).message
        assert table is not None
        player.panel = (await player.person.press(table, label="Secret")).message
        self.opened = bot.seen[-1]
        await self.opened.edit_original_response(view=asking(FOUND))
        (choice,) = player.choices()
        self.choosing = asyncio.create_task(player.choose(choice))
        await bot.until(lambda: bot.seen[-1] is not self.opened)
        self.pressed = bot.seen[-1]
        await self.pressed.response.defer()


@pytest.fixture
async def at(standin: Standin, bot: SampleBot) -> AtAPanel:
    at = AtAPanel(standin, bot)
    await at.presses()
    return at


async def test_a_panel_that_is_refreshed_is_not_the_answer_to_a_press(at: AtAPanel) -> None:
    # Others have chosen: the panel asks what comes next, before the press is answered.
    await at.opened.edit_original_response(view=asking(BID))
    await at.pressed.edit_original_response(content=ERRORS["stale"], view=asking(BID))

    assert (await at.choosing).text == ERRORS["stale"]
    assert not at.player.presses[-1].is_done


async def test_a_panel_that_is_taken_away_is_not_the_answer_to_a_press(at: AtAPanel) -> None:
    # It moves below a new post, with what comes next.
    await at.opened.delete_original_response()
    await at.opened.followup.send("next", view=asking(BID), ephemeral=True)
    await at.pressed.followup.send(ERRORS["stale"], view=asking(BID), ephemeral=True)

    assert (await at.choosing).text == ERRORS["stale"]
    assert not at.player.presses[-1].is_done


async def test_a_refusal_beside_the_panel_is_an_answer(at: AtAPanel) -> None:
    await at.pressed.followup.send(ERRORS["conflict"], ephemeral=True)

    assert (await at.choosing).text == ERRORS["conflict"]
    assert not at.player.presses[-1].is_done


async def test_what_was_answered_and_is_refreshed_later_was_done(at: AtAPanel) -> None:
    await at.pressed.edit_original_response(content="founded", view=asking(BID))
    answer = await at.choosing

    assert answer.text == "founded"
    assert at.player.presses[-1].is_done
