"""Colours of one's own and of a server's, boards in words, and what pictures say."""

from __future__ import annotations

import io
from random import Random
from typing import Any

from PIL import Image

from bot.render.palettes import NAMES, SHARED
from bot.render.sides import SIDE_LOOKS
from bot.text.personal_settings import PALETTES
from tests.cogs.conftest import Club, ids, wording
from tests.cogs.test_undo import guild_master_moved


async def colours(message: Any) -> set[str]:
    (picture,) = message.attachments
    with Image.open(io.BytesIO(await picture.read())) as opened:
        palette = opened.getpalette("RGB") or []
    return {f"#{bytes(palette[at : at + 3]).hex()}" for at in range(0, len(palette), 3)}


RED = SIDE_LOOKS[0].fill
"""Colour of the first seat."""


async def test_each_sees_boards_in_colours_of_their_own_and_all_in_those_of_the_server(
    club: Club,
) -> None:
    assert list(NAMES) == list(PALETTES)
    table = await club.game()
    anna, bert = club.people[:2]
    await anna.slash(club.channel, "me set", palette="red_green")
    owner = club.owner()
    await club.env.settle()
    answer = await owner.slash(club.channel, "server set", palette="contrast")
    assert "high contrast" in wording(answer.response)

    hers = (await anna.slash(club.place(table), "game board")).response
    panel = await club.open_panel(table, 0)
    for_her = [await colours(each) for each in (hers, panel)]
    his = (await bert.slash(club.place(table), "game board")).response
    await club.act(table.id, Random(1))
    await club.act(table.id, Random(1))
    await club.env.settle()

    for shown in for_her:
        assert SHARED["red_green"][RED] in shown
        assert RED not in shown
    assert RED in await colours(his)
    assert SHARED["contrast"][RED] in await colours(await club.panel(table.id))


async def test_who_wants_boards_in_words_gets_no_pictures_but_what_they_say(club: Club) -> None:
    table, seat = await guild_master_moved(club)
    person = club.person(table, seat)
    with_picture = await club.open_panel(table, seat)
    assert with_picture.attachments
    await person.slash(club.channel, "me set", board="text")

    board = (await person.slash(club.place(table), "game board")).response
    panel = await club.open_panel(table, seat)
    replay = (await person.slash(club.place(table), "game replay")).response

    for answer in (board, panel, replay):
        assert not answer.attachments
    assert "**1 Stockholm**: " in wording(board)
    # What the board says stands before the same question with the same buttons.
    described = wording(panel).removesuffix(f"\n{wording(with_picture)}")
    assert described != wording(panel)
    assert "Pairs for sale" in described
    assert ids(panel) == ids(with_picture)
    assert "Pairs for sale" in wording(replay)

    asked_for = (await person.slash(club.place(table), "game board", form="picture")).response
    (picture,) = asked_for.attachments
    assert picture.description == described

    # What a picture says begins with what has changed.
    (picture,) = (await club.panel(table.id)).attachments
    news, _, matters = picture.description.partition(" Round 1.")
    assert "moves the guild master" in news
    assert "point" in matters
