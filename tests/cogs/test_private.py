"""Secrets: they reach their owner, and nobody else."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.cogs.common.shell import Look, Shell
from tests.cogs.conftest import Club, Presser, block_messages, ids


async def test_at_the_start_everybody_is_sent_the_own_hand(club: Club) -> None:
    table = await club.game()

    for seat in (0, 1):
        assert "Markers" in club.dms(club.person(table, seat))[-1].content


async def test_private_news_have_a_way_back_to_the_table(club: Club) -> None:
    table = await club.game()

    message = club.dms(club.person(table, 0))[-1]

    link = message.components[0].children[-1]
    assert link.url == f"https://discord.com/channels/{club.guild.id}/{table.thread}"
    assert ids(message) == ["hand:1"]


async def test_the_hand_button_works_in_direct_messages(club: Club) -> None:
    table = await club.game()
    person = club.person(table, 0)

    result = await person.user.click(club.dms(person)[-1], custom_id="hand:1")

    assert "Markers" in result.response.content


async def test_the_founding_choice_goes_to_its_owner_alone(club: Club) -> None:
    table = await club.game()
    await club.person(table, 0).slash(club.place(table), "kogge found", marker="4")

    assert "Riga" in club.dms(club.person(table, 0))[-1].content
    assert "Riga" not in club.dms(club.person(table, 1))[-1].content
    assert "Riga" not in (await club.panel(1)).content


async def test_who_blocks_messages_in_the_middle_of_a_game_is_noticed(club: Club) -> None:
    table = await club.game()
    person = club.person(table, 0)
    block_messages(club, person)

    await person.slash(club.place(table), "kogge found", marker="4")

    table = await club.shell.tables.get(1)
    assert not table.players[0].reachable
    told = [post.content for post in club.posts(table) if table.names[0] in post.content]
    assert any("My hand" in each for each in told)
    assert not any("Riga" in each for each in told)
    hand = await person.slash(club.place(table), "game hand")
    assert hand.ephemeral
    assert "Markers" in hand.response.content


async def test_a_hidden_game_shows_no_others_goods_to_anybody(club: Club) -> None:
    table = await club.lobby(club.people[1])
    await club.shell.tables.set_option(1, club.people[0].id, "goods", "hidden")
    await club.people[0].click(await club.lobby_message(1), custom_id="begin:1")
    table = await club.shell.tables.get(1)
    presser = Presser(club, Random(2))
    for _ in range(12):
        await presser.turn(table, (await club.asked(1))[0])

    for observer, person in ((-1, club.people[3]), (0, club.person(table, 0))):
        view = await club.shell.tables.view(1, observer)
        text = await person.slash(club.place(table), "game board", form="text")
        words = club.shell.words_for("en")
        assert text.response.content == club.shell.texts["kogge"].board(words, view, table.names)
        assert view.seats[1].goods is None


async def test_who_resigns_while_news_are_on_their_way_is_not_told_them(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.game()
    person, look = club.person(table, 0), Shell.look
    before = len(club.dms(person))

    async def resigned_first(self: Shell, table_id: int, observer: int, words: Any) -> Look:
        if observer == 0 and (await self.tables.get(table_id)).seat_of(person.id) == 0:
            await self.tables.resign(table_id, person.id)
        return await look(self, table_id, observer, words)

    monkeypatch.setattr(Shell, "look", resigned_first)
    await club.shell.tables.act(1, 0, ("found", "4"))
    await club.env.settle()

    assert (await club.shell.tables.get(1)).seat_of(person.id) is None
    assert len(club.dms(person)) == before
    assert await club.shell.tables.owed(1) == []
