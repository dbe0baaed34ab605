"""Languages: every text is translated, and each reader gets their own language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from typing import Any

import discord
import pytest

from bot.game.kogge.data import CITY_NAMES
from bot.tables import Table
from bot.text.words import Words
from bot.titles import TITLES
from tests.cogs.conftest import NAMES, Club, ids, part, press, wording
from tests.wire.players import RandomPlayer

OF_GAME = ("game status", "game log", "game hand", "game turn", "table options", "seat orders")
"""Commands whose answers differ from game to game."""
OF_TABLES = (
    *(
        "game replay",
        "game review",
        "game promises",
        "game report",
        "game mine",
        "game help",
        "game undo",
    ),
    *("game start", "game join", "game resume", "table rematch", "table note"),
    *("rules", "stats", "leaderboard", "me show"),
)
"""Commands whose answers are alike for every game. Some are refused while a game is running."""
PROPER_NAMES = ("UTC", *NAMES, *CITY_NAMES)
UNTRANSLATED = re.compile(
    # URLs and names; mentions and times; code; spaces of an estate and phases; files; fractions.
    rf"https://discord\.com/\S+|{'|'.join(map(re.escape, PROPER_NAMES))}"
    r"|<[@#:/t][^>]*>|`[^`]*`|\b[A-Za-z]\d?\b|[\w.-]+\.(json|png|gif)|\w+/\w+"
)


@pytest.fixture
def greek(monkeypatch: pytest.MonkeyPatch, pseudo: Words) -> None:
    """Make the bot speak only the pseudo-language, in Greek letters."""
    monkeypatch.setattr("bot.app.words_for", lambda _: pseudo)


def texts(message: Any) -> Iterable[str]:
    """Yield all texts of a message."""
    yield wording(message)
    for attachment in message.attachments:
        yield attachment.description or ""
    for custom_id in ids(message):
        found = part(message, custom_id)
        for shown in (found, *found.get("options", ())):
            yield from (
                str(shown.get(key) or "") for key in ("label", "description", "placeholder")
            )


def english(club: Club) -> set[str]:
    """Return the lines with Latin letters outside of names."""
    return {
        line
        for message in club.all_messages()
        for text in texts(message)
        for line in UNTRANSLATED.sub("", text).splitlines()
        if re.search("[A-Za-z]{2}", line)
    }


async def look_around(club: Club, table: Table, commands: Iterable[str]) -> None:
    """Use these commands, and some that are refused."""
    anna, clara, place = club.people[0], club.people[2], club.place(table)
    for command in commands:
        await anna.slash(place, command)
    await anna.slash(place, "game board", form="text")
    await anna.slash(place, "me quiet", **{"from": "22:00", "to": "99"})
    await clara.slash(place, "game hand", table=table.id)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(each, marks=[] if each == "kogge" else pytest.mark.slow)
        for each in sorted(TITLES.texts)
    ],
)
@pytest.mark.usefixtures("greek")
async def test_every_text_is_translated(club: Club, game: str) -> None:
    host = club.people[0]
    table = await club.start_game(game, computers=1)
    await host.slash(club.channel, "game new", game=game)
    options = (await host.click(await club.lobby_message(2), custom_id="options:2")).response
    joining = await press(host, options, "joining")
    await host.choose(joining, ["records"], custom_id="set:2::players")
    rng = Random(3)

    async def people() -> list[int]:
        return [seat for seat in await club.asked(1) if table.players[seat].user is not None]

    for _ in range(4):
        await club.settle()
        (seat, *_) = await people()
        person, place = club.person(table, seat), club.place(table)
        await RandomPlayer(club.standin, person, rng, home=place).turn()
        await club.settle()
    await look_around(club, table, OF_GAME + OF_TABLES if game == "kogge" else OF_GAME)
    await club.give_up(table)

    assert english(club) == set()
    assert len(club.all_messages()) > 20


async def test_a_person_is_answered_in_their_language_and_posts_use_the_servers(
    club: Club,
) -> None:
    anna, bert = club.people[:2]
    await anna.slash(club.channel, "me set", language="it")
    table = await club.game()

    hers = await anna.slash(club.place(table), "game status")
    his = await bert.slash(club.place(table), "game status")

    assert "deve scegliere il primo ufficio" in wording(hers.response)
    assert "to choose a first office" in wording(his.response)
    # A server without a chosen language gets English posts.
    assert part(await club.panel(table.id), f"play:{table.id}")["label"] == "Take your turn"
    off = await anna.slash(club.place(table), "me quiet", **{"from": "No"})
    assert "Ore di silenzio: no" in wording(off.response)
    assert "Sei al tavolo 1" in wording(club.dms(anna)[0])
    assert "You've joined table 1" in wording(club.dms(bert)[0])


async def test_public_posts_use_the_language_of_the_server(club: Club) -> None:
    server = club.bot.get_guild(club.guild.id)
    assert server is not None
    server.preferred_locale = discord.Locale.italian
    first = await club.game()
    assert part(await club.panel(first.id), f"play:{first.id}")["label"] == "Gioca il tuo turno"
    # The owner's setting overrides Discord's.
    server.preferred_locale = discord.Locale.american_english
    shown = await club.owner().slash(club.channel, "server set", language="it")
    assert "Language of public posts: Italiano" in wording(shown.response)

    table = await club.game()

    assert part(await club.panel(table.id), f"play:{table.id}")["label"] == "Gioca il tuo turno"
    assert club.place(table).name == "Kogge · tavolo 2"
    (picture,) = [post.attachments[0] for post in club.posts(table) if post.attachments]
    assert "Scelta dei primi uffici" in picture.description
