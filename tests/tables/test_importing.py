"""Files that lie, or are of the wrong kind, leave no trace."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from bot.tables import TableError
from bot.tables.archive import importing
from bot.tables.core import record
from bot.tables.core.record import Entry, Record
from bot.tables.core.time_slice import TimeSlice
from tests.tables.world import ANNA, BEN, World


async def given_up(world: World) -> Record:
    """A game of which all is known."""
    table = await world.game(ANNA, BEN)
    for seat in (0, 1):
        await world.tables.play.act(table.id, seat, ("choose", "2"))
    for user in (ANNA, BEN):
        await world.tables.leaving.abandon(table.id, user)
    return record.decode((await world.tables.reader.export(table.id, 0)).data)


def with_entry(found: Record, entry: Entry) -> Record:
    """The record with one entry more."""
    return replace(found, entries=(*found.entries, entry))


async def test_a_file_that_does_not_fit_leaves_no_trace(world: World) -> None:
    whole = await given_up(world)
    drawn = replace(whole.entries[2], drawn=(1,))
    lies = {
        "does_not_fit": [
            replace(whole, key="00" * 32),
            replace(whole, key="no key"),
            replace(whole, seats=("Anna",)),
            replace(whole, entries=()),
            replace(whole, entries=(*whole.entries[:2], drawn, *whole.entries[3:])),
            with_entry(whole, Entry(7, "choose 1")),
            with_entry(whole, Entry(0, "choose 9")),
            with_entry(whole, Entry(-1, "@import abc")),
            with_entry(whole, Entry(-1, "@import " + "11" * 32)),
            with_entry(whole, Entry(0, "@undo 99999")),
            with_entry(whole, Entry(0, "@undo " + "9" * 5000)),
        ],
        "not_a_game": [
            replace(whole, seats=("Anna", "B" * 33)),
            replace(whole, seats=("Anna", "B\nC")),
            replace(whole, entries=whole.entries * 5000),
        ],
        "not_whole": [replace(whole, key="")],
        "other_rules": [replace(whole, version=2)],
        "unknown_game": [replace(whole, game="chess")],
        "unknown_option": [replace(whole, options={"length": "endless"})],
    }
    files = {code: [record.encode(each) for each in records] for code, records in lies.items()}
    files["not_a_game"] += [b"", b"[" * 10**6, b"\xff", b"{}", b" " * 3_000_000]
    before = await world.store.census()

    for code, given in files.items():
        for data in given:
            with pytest.raises(TableError) as refused:
                await world.tables.imports.check(data)
            assert refused.value.code == code, data[-200:]

    assert await world.store.census() == before


async def test_times_that_cannot_be_are_now_and_a_repeated_delivery_makes_one_table(
    world: World,
) -> None:
    whole = await given_up(world)
    late = datetime(9999, 12, 31, tzinfo=UTC)
    entries = tuple(replace(entry, at=late) for entry in whole.entries)
    data = record.encode(replace(whole, entries=entries))

    checked = await world.tables.imports.check(data)
    tables = [
        await world.tables.imports.open(checked, ANNA, 1, 500, delivery="once") for _ in range(2)
    ]

    assert tables[0].id == tables[1].id
    log = await world.tables.reader.log(tables[0].id, 0)
    assert {each.at for each in log} == {world.clock.now()}


async def test_a_file_with_more_parts_than_any_game_is_refused_before_they_are_made(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = record.encode(await given_up(world))
    keys = b",".join(b'"%d":"0"' % number for number in range(5000))
    entry = b'{"seat":0,"action":"@pause"}'
    bombs = [
        b"{" + keys + b"," + whole[1:],
        whole.replace(b'"options":{', b'"options":{' + keys, 1),
        whole.replace(b'"entries":[', b'"entries":[' + b",".join([entry] * 20_000) + b",", 1),
        whole.replace(b'"drawn":[', b'"drawn":[' + b"1," * 500_000, 1),
        whole.replace(b'"entries":[', b'"entries":[' + b"[" * 200_000, 1),
    ]
    assert all(len(bomb) < importing.MOST_BYTES for bomb in bombs)
    monkeypatch.setattr(record, "decode", lambda _: pytest.fail("it was read"))
    for bomb in bombs:
        with pytest.raises(TableError) as refused:
            await world.tables.imports.check(bomb)
        assert refused.value.code == "not_a_game"


async def test_others_may_have_their_turn_at_every_step_of_an_import(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await given_up(world)
    long = replace(whole, entries=(*whole.entries, *[Entry(0, "@pause")] * 1000))
    taken = 0
    take = TimeSlice.take

    async def counted(time_slice: TimeSlice) -> None:
        nonlocal taken
        taken += 1
        await take(time_slice)

    monkeypatch.setattr(TimeSlice, "take", counted)
    checked = await world.tables.imports.check(record.encode(long))
    await world.tables.imports.open(checked, ANNA, 1, 500)
    # Each entry is folded and written.
    assert taken >= 2 * len(long.entries)
