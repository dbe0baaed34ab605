"""A person's tables: their next table, what happened since their last turn, and `/game mine`."""

from __future__ import annotations

from random import Random
from typing import Any

from bot.tables import Table
from tests.cogs.conftest import Club, id_with, part, parts, press, wording

SINCE = "Since your last turn"


def links(message: Any) -> dict[str, str]:
    """Return the addresses of a message's link buttons by label."""
    return {each["label"]: each["url"] for each in parts(message) if each.get("url")}


async def until_turn_of(club: Club, table: Table, seat: int, rng: Random) -> None:
    """Act at random, past the bot, until the seat has to act."""
    while seat not in await club.asked(table.id):
        await club.step(table.id, rng)


async def end_turn_of(club: Club, table: Table, seat: int, rng: Random) -> None:
    """Act at random, past the bot, until the seat no longer has to act."""
    while seat in await club.asked(table.id):
        await club.step(table.id, rng)


# Since your last turn


async def test_a_turn_opens_with_what_the_others_did_since_ones_own(club: Club) -> None:
    rng = Random(3)
    table, first = await club.burgundy()
    second = 1 - first
    assert SINCE not in wording(await club.open_panel(table, first))
    await end_turn_of(club, table, first, rng)
    assert SINCE not in wording(await club.open_panel(table, second))  # Their first turn.
    await end_turn_of(club, table, second, rng)
    await until_turn_of(club, table, first, rng)

    for _ in range(2):
        panel = await club.open_panel(table, first)
        heading, *lines = wording(panel).split("\n")
        assert heading == f"-# {SINCE}"
        assert table.names[second] in lines[0]
        await club.restart()
    person = club.person(table, first)
    panel = await club.open_panel(table, first)

    replay = (await person.click(panel, custom_id=f"since:{table.id}")).response
    assert replay.id != panel.id
    turns = await club.tables.history.turns(table.id, first)
    own = next(n for n, turn in enumerate(turns) if turn.seat == first)
    assert part(replay, id_with(replay, "step2:"))["custom_id"].endswith(f"own,{own}")
    back = await press(person, replay, "step3:")
    assert part(back, id_with(back, "step2:"))["custom_id"].endswith(f"own,{own + 1}")

    await club.step(table.id, rng)
    assert "since:" not in str(parts(await club.open_panel(table, first)))


async def test_it_shows_what_the_seat_may_know_even_if_memory_does_not_reach_back(
    club: Club,
) -> None:
    """The result depends neither on others' secret actions nor on what is in memory."""
    table = await club.start_game("kogge", ("goods", "hidden"), seats=3)
    tables, rng, compared = club.tables, Random(4), 0
    acted: set[int] = set()
    while compared < 25:
        seat = (await club.asked(table.id))[0]
        remembered = await tables.reader.others_events(await tables.reader.seen(table.id, seat))
        tables._unit_of_work.cache.drop(table.id)
        read = await tables.reader.others_events(await tables.reader.seen(table.id, seat))
        assert read == remembered
        assert all(event.visible_to(seat) for event in read)
        assert not read or seat in acted
        compared += bool(read)
        acted.add(seat)
        await club.act(table.id, rng)


# The next table


async def test_after_a_turn_a_link_leads_to_the_table_that_waits_longest(club: Club) -> None:
    rng, (anna, bert) = Random(1), club.people[:2]
    tables = []
    for _ in range(3):
        table = await club.lobby(bert, game="burgundy")
        tables.append(await club.begin(table, anna))
    seats = [(await club.tables.reader.seat_of(table.id, anna.id)) for table in tables]
    for table, seat in zip(tables, seats, strict=True):
        await until_turn_of(club, table, seat, rng)
    # The first table has waited longest.
    for table, seat in list(zip(tables, seats, strict=True))[::-1]:
        panel = await club.open_panel(table, seat)
        assert not links(panel)
        await end_turn_of(club, table, seat, rng)
        panel = await club.open_panel(table, seat)
        if table is tables[0]:
            assert not links(panel)
        else:
            ((label, url),) = links(panel).items()
            assert label == f"Next: The Castles of Burgundy · table {tables[0].id}"
            assert url.endswith(str((await club.panel(tables[0].id)).id))
