"""Languages on the way to people: nothing stays English, and each reader is told in her own."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.cogs.common.shell import Shell
from bot.game.kogge.data import CITY_NAMES
from bot.tables import Table
from bot.text.registry import TEXTS
from bot.text.words import Words, words_for
from tests.cogs.conftest import NAMES, Club, Presser, ids, part

TITLES = tuple(text.title for text in TEXTS.values())
LOOKS = (
    *("game status", "game log", "game replay", "game board", "game hand", "game turn"),
    *("game promises", "game report", "game mine", "game help", "game undo", "rules", "stats"),
    *("leaderboard", "me show", "table options", "table note", "seat orders"),
    *("server show", "game start", "game join", "table rematch", "game resume"),
)
"""What can be asked for at a table that goes on, some of it in vain."""
UNSAID = re.compile(
    # Names, addresses and signs; spaces of an estate, phases and dice; what stands in code.
    rf"{'|'.join(map(re.escape, (*NAMES, *CITY_NAMES, *TITLES)))}"
    r"|<[@#:/t][^>]*>|`[^`]*`|\b[A-Za-z]\d?\b|[\w.-]+\.(json|png|gif)|\w+/\w+"
)


class InOneLanguage(Club):
    """A club whose bot knows one language only."""

    def __init__(self, url: str, words: Words) -> None:
        super().__init__(url)
        self._words = words

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[Shell]:
        async with super()._open() as shell:
            yield replace(shell, words_for=lambda _: self._words)


@pytest.fixture
async def greeks(tmp_path: Path, pseudo: Words) -> AsyncIterator[Club]:
    """A club that speaks the pseudo-language."""
    async with InOneLanguage(f"sqlite+aiosqlite:///{tmp_path}/tables.sqlite", pseudo) as made:
        yield made


def texts(message: Any) -> Iterable[str]:
    """All that somebody reads in a message."""
    yield message.content
    for embed in message.embeds:
        yield from (str(embed.title or ""), str(embed.description or ""))
    for attachment in message.attachments:
        yield attachment.description or ""
    for custom_id in ids(message):
        found = part(message, custom_id)
        for shown in (found, *found.get("options", ())):
            yield from (
                str(shown.get(key) or "") for key in ("label", "description", "placeholder")
            )


def seen(club: Club) -> Iterable[str]:
    """All texts that anybody can read anywhere."""
    places = [club.channel, *club.channel.threads]
    for person in club.people:
        for place in places:
            for message in place.history(viewer=person):
                yield from texts(message)
        for message in club.dms(person):
            yield from texts(message)


def english(club: Club) -> set[str]:
    """The lines with Latin letters that are no names."""
    return {
        line
        for text in seen(club)
        for line in UNSAID.sub("", text).splitlines()
        if re.search("[A-Za-z]{2}", line)
    }


async def look_around(club: Club, table: Table) -> None:
    """Ask for all there is."""
    for command in LOOKS:
        await club.people[0].slash(club.place(table), command)
    await club.people[0].slash(club.place(table), "game board", form="text")
    await club.people[0].slash(club.place(table), "me quiet", **{"from": "22:00", "to": "seven"})
    await club.people[2].slash(club.place(table), "game hand", table=table.id)


@pytest.mark.parametrize("game", sorted(TEXTS))
async def test_nothing_that_anybody_reads_is_left_in_english(greeks: Club, game: str) -> None:
    host, guest = greeks.people[:2]
    await host.slash(greeks.channel, "game new", game=game, computers=1)
    await guest.click(await greeks.lobby_message(1), custom_id="join:1")
    await host.click(await greeks.lobby_message(1), custom_id="options:1")
    await host.click(await greeks.lobby_message(1), custom_id="begin:1")
    table = await greeks.shell.tables.get(1)
    presser = Presser(greeks, Random(3))
    for _ in range(6):
        await greeks.until(lambda: greeks.asked(1))
        (seat, *_) = await greeks.asked(1)
        if table.players[seat].user is not None:
            await presser.turn(table, seat)
    await look_around(greeks, table)

    assert english(greeks) == set()
