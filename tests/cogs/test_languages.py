"""Languages on the way to people: nothing stays English, and readers are told in their own."""

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
from tests.cogs.conftest import NAMES, Club, ids, part, wording
from tests.wire.hands import Hands

OF_GAME = ("game status", "game log", "game hand", "game turn", "table options", "seat orders")
"""What differs from game to game."""
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
"""What is the same for every game; some of it is asked in vain while a game goes on."""
SPARED = ("UTC", *NAMES, *CITY_NAMES)
UNSAID = re.compile(
    # Names and what stands in code; addresses, mentions and times; spaces of an estate, phases;
    # files.
    rf"https://discord\.com/\S+|{'|'.join(map(re.escape, SPARED))}"
    r"|<[@#:/t][^>]*>|`[^`]*`|\b[A-Za-z]\d?\b|[\w.-]+\.(json|png|gif)|\w+/\w+"
)


@pytest.fixture
def greek(monkeypatch: pytest.MonkeyPatch, pseudo: Words) -> None:
    """The bot knows one language only."""
    monkeypatch.setattr("bot.app.words_for", lambda _: pseudo)


def texts(message: Any) -> Iterable[str]:
    """All that somebody reads in a message."""
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
    """The lines with Latin letters that are no names."""
    return {
        line
        for message in club.all_messages()
        for text in texts(message)
        for line in UNSAID.sub("", text).splitlines()
        if re.search("[A-Za-z]{2}", line)
    }


async def look_around(club: Club, table: Table, commands: Iterable[str]) -> None:
    """Ask for all of this, and for what is somebody else's."""
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
async def test_nothing_that_anybody_reads_is_left_in_english(club: Club, game: str) -> None:
    host = club.people[0]
    table = await club.start_game(game, computers=1)
    await host.slash(club.channel, "game new", game=game)
    await host.click(await club.lobby_message(2), custom_id="options:2")
    rng = Random(3)

    async def people() -> list[int]:
        return [seat for seat in await club.asked(1) if table.players[seat].user is not None]

    for _ in range(4):
        await club.settle()
        (seat, *_) = await people()
        person, place = club.person(table, seat), club.place(table)
        await Hands(club.standin, person, rng, home=place).turn()
        await club.settle()
    await look_around(club, table, OF_GAME + OF_TABLES if game == "kogge" else OF_GAME)
    await club.give_up(table)

    assert english(club) == set()
    assert len(club.all_messages()) > 20


async def test_everybody_is_answered_in_her_own_language_and_the_channel_in_its_own(
    club: Club,
) -> None:
    anna, bert = club.people[:2]
    await anna.slash(club.channel, "me set", language="it")
    table = await club.game()

    mine = await anna.slash(club.place(table), "game status")
    yours = await bert.slash(club.place(table), "game status")

    assert "deve scegliere il primo ufficio" in wording(mine.response)
    assert "to choose a first office" in wording(yours.response)
    # In a server that has said nothing else, all read English together.
    assert part(await club.panel(table.id), f"play:{table.id}")["label"] == "Take your turn"
    quiet = await anna.slash(club.place(table), "me quiet", **{"from": "No"})
    assert "Ore di silenzio: no" in wording(quiet.response)
    assert "Sei al tavolo 1" in wording(club.dms(anna)[0])
    assert "You've joined table 1" in wording(club.dms(bert)[0])


async def test_a_channel_is_told_things_in_the_language_of_its_server(club: Club) -> None:
    server = club.bot.get_guild(club.guild.id)
    assert server is not None
    server.preferred_locale = discord.Locale.italian
    first = await club.game()
    assert part(await club.panel(first.id), f"play:{first.id}")["label"] == "Gioca il tuo turno"
    # What its owner has chosen goes before what Discord says.
    server.preferred_locale = discord.Locale.american_english
    shown = await club.owner().slash(club.channel, "server set", language="it")
    assert "Language of public posts: Italiano" in wording(shown.response)

    table = await club.game()

    assert part(await club.panel(table.id), f"play:{table.id}")["label"] == "Gioca il tuo turno"
    assert club.place(table).name == "Kogge · tavolo 2"
    (picture,) = [post.attachments[0] for post in club.posts(table) if post.attachments]
    assert "Scelta dei primi uffici" in picture.description
