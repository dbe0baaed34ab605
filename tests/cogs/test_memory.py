"""The bot's memory does not grow with the number of tables played so far."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from bot.client import GameBot
from tests.cogs.conftest import Club, refuse

OURS = "bot."


@pytest.fixture(autouse=True)
def shared_pictures() -> None:
    """Use the program's own picture cache."""


def collections(root: object) -> Iterator[tuple[str, int]]:
    """Yield the path and size of every collection reachable through the bot's own objects.

    Leaves out each `OrderedDict`: these are bounded caches, which may fill up.
    """
    seen: set[int] = set()
    ahead: list[tuple[str, Any]] = [("", root)]
    while ahead:
        path, found = ahead.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, Mapping | set | frozenset | list | deque):
            if not isinstance(found, OrderedDict):
                yield path, len(found)
            inner = found.values() if isinstance(found, Mapping) else found
            ahead += [(f"{path}[]", each) for each in inner]
        elif type(found).__module__.startswith(OURS):
            held: dict[str, Any] = getattr(found, "__dict__", {})
            ahead += [(f"{path}.{name}", each) for name, each in held.items()]
        elif callable(found) and hasattr(found, "__self__"):
            ahead.append((path, found.__self__))


def sizes(club: Club) -> dict[str, int]:
    bot = club.bot
    assert isinstance(bot, GameBot)
    found: dict[str, int] = {}
    for root in (*bot.cogs.values(), bot.router, bot.answers, club.services):
        for path, size in collections(root):
            place = f"{type(root).__name__}{path}"
            found[place] = found.get(place, 0) + size
    return found


async def season(club: Club) -> None:
    """Play one game to its end, and close two games and two lobbies unfinished."""
    anna, bert = club.people[:2]
    tables = club.tables

    played = await club.game(bert)
    chosen = await club.game(bert)
    await club.person(chosen, 0).slash(
        club.place(chosen), "kogge found", marker="4", table=chosen.id
    )
    started = await club.game(bert)
    opened = await club.lobby(bert)
    refused = await club.lobby(bert)
    refuse(club, "POST", "/channels/*/messages", 403, 50013)
    await anna.click(await club.lobby_message(refused.id), custom_id=f"begin:{refused.id}")
    club.standin.faults.clear()
    await club.finish(played.id)
    for table in (chosen, started, opened, refused):
        await tables.leaving.dissolve(table.id)
    await club.settle()
    assert not await tables.outbox.items()


@pytest.mark.slow
async def test_finished_tables_use_no_memory(club: Club) -> None:
    await season(club)
    before = sizes(club)
    assert "PostCog._posts._failures" in before
    assert any(place.endswith("._last") for place in before)
    await season(club)
    after = sizes(club)
    assert {place: size for place, size in after.items() if size > before.get(place, 0)} == {}
