"""How many tables may be open at once, as set by the host and by a server's owners."""

from __future__ import annotations

from typing import Any

import pytest

from bot.tables.people.servers import Limits
from tests.cogs.conftest import EXAMPLE, Club, wording

TOO_MANY_OWN = "as many open tables here as one person may have: "
TOO_MANY = "as many open tables as it may have: "


@pytest.fixture
def given() -> dict[str, Any]:
    """There is room for a few tables."""
    return {"limits": Limits(own=2, own_most=3, tables=3, tables_most=4)}


@pytest.fixture
async def owner(club: Club) -> Any:
    person = club.owner()
    await club.env.settle()
    return person


async def opened(club: Club, person: Any, place: Any = None) -> str:
    """What is said to somebody who opens a table; empty where it was opened."""
    content: str = wording((await person.slash(place or club.channel, "game new")).response)
    return "" if "opens a table" in content else content


async def test_where_nobody_sets_anything_the_numbers_of_the_host_hold(club: Club) -> None:
    anna, bert, clara, _ = club.people
    assert [await opened(club, anna), await opened(club, anna)] == ["", ""]
    assert f"{TOO_MANY_OWN}2" in await opened(club, anna)
    assert await opened(club, bert) == ""
    assert f"{TOO_MANY}3" in await opened(club, clara)
    await bert.slash(club.channel, "game leave")
    # A server that was allowed more before has what the host allows now.
    await club.services.tables.servers.change(club.guild.id, most_tables=900, most_own=900)
    assert await opened(club, anna) == ""
    assert f"{TOO_MANY_OWN}3" in await opened(club, anna)
    assert await opened(club, clara) == ""
    assert f"{TOO_MANY}4" in await opened(club, bert)


async def test_owners_set_fewer_or_as_many_as_the_host_allows(club: Club, owner: Any) -> None:
    anna = club.people[0]
    for option, most in (("tables", 4), ("per-person", 3)):
        refused = await owner.slash(club.channel, "server set", **{option: most + 1})
        assert f"allows {most} at most" in wording(refused.response)
    shown = await owner.slash(club.channel, "server show")
    assert "Open tables at once: 3" in wording(shown.response)
    assert "per person: 2" in wording(shown.response)

    await owner.slash(club.channel, "server set", **{"tables": 4, "per-person": 3})
    assert [await opened(club, anna) for _ in range(3)] == [""] * 3
    assert f"{TOO_MANY_OWN}3" in await opened(club, anna)
    assert await opened(club, owner) == ""
    assert f"{TOO_MANY}4" in await opened(club, owner)

    await owner.slash(club.channel, "server set", tables=1)
    assert f"{TOO_MANY}1" in await opened(club, owner)
    shown = await owner.slash(club.channel, "server set", **{"tables": 0, "per-person": 0})
    assert "Open tables at once: 3" in wording(shown.response)


async def test_direct_messages_are_no_way_around(club: Club) -> None:
    anna = club.people[0]
    private = anna.user

    async def alone() -> str:
        content: str = wording((await private.slash("game new")).response)
        return "" if "opens a table" in content else content

    assert [await alone(), await alone()] == ["", ""]
    assert f"{TOO_MANY_OWN}2" in await alone()
    assert await opened(club, anna) == ""
    # With three in all places there is no room for another in any of them.
    assert "3 open tables in all servers" in await opened(club, anna)


async def test_rematches_and_games_from_files_count_as_well(club: Club) -> None:
    anna, bert = club.people[:2]
    table = await club.game()
    for person in (anna, bert):
        await person.slash(club.place(table), "game abandon")
    assert [await opened(club, anna), await opened(club, anna)] == ["", ""]
    again = await anna.slash(club.place(table), "table rematch", table=table.id)
    assert f"{TOO_MANY_OWN}2" in wording(again.response)
    file = ("game.json", EXAMPLE.read_bytes())
    brought = await anna.slash(club.channel, "table import", file=file)
    assert f"{TOO_MANY_OWN}2" in wording(brought.response)
    await bert.slash(club.place(table), "table rematch", table=table.id)
    assert await club.services.tables.rematches.of(table.id) is not None
    assert f"{TOO_MANY}3" in await opened(club, club.people[2])
