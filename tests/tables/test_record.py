"""Records: the log of a game that stands for itself."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from bot.tables.core import record
from bot.tables.core.record import Entry, Record, RecordError
from tests.games.pebbles import GAME, Pebbles
from tests.tables.world import ANNA, BEN, World, whole_record


async def finished(world: World) -> Record:
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 3, Random(6))
    await world.tables.leaving.resign(table.id, ANNA)
    await world.play(table.id, 500, Random(6))
    return await whole_record(world.tables, table.id)


def with_entry(whole: Record, seq: int, entry: Entry) -> Record:
    entries = list(whole.entries)
    entries[seq] = entry
    return replace(whole, entries=tuple(entries))


async def test_a_record_survives_json(world: World) -> None:
    whole = replace(await finished(world), seats=('Anna ,{"seat":0}', "Bèn"))
    text = record.encode(whole)
    assert record.decode(text) == whole
    assert text.count(b"\n") == len(whole.entries)


async def test_folding_gives_the_state_that_was_played(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 30, Random(6))
    whole = await whole_record(world.tables, table.id)
    played = (await world.tables._unit_of_work.cache.read(table.id)).position()
    *_, last = record.fold(GAME, whole)
    assert last.entry == whole.entries[-1]
    assert GAME.encode(last.state) == played.blob
    assert tuple(last.events) == played.recent[-1].events
    assert last.noticed is played.recent[-1].noticed


async def test_the_key_of_a_finished_game_vouches_for_every_draw(world: World) -> None:
    whole = await finished(world)
    assert sum(len(entry.drawn) for entry in whole.entries) > 5
    record.verify(GAME, whole)


async def test_a_draw_that_the_key_did_not_make_is_found(world: World) -> None:
    whole = await finished(world)
    seq, entry = next((n, e) for n, e in enumerate(whole.entries) if n and e.drawn)
    other = (entry.drawn[0] + 1) % 3
    forged = with_entry(whole, seq, replace(entry, drawn=(other, *entry.drawn[1:])))
    said = f"'die'.: recorded {other}, the key makes {entry.drawn[0]}"
    with pytest.raises(RecordError, match=f"entry {seq}: .*{said}") as error:
        record.verify(GAME, forged)
    assert error.value.seq == seq


async def test_a_draw_that_was_left_out_or_made_up_is_found(world: World) -> None:
    whole = await finished(world)
    seq, entry = next((n, e) for n, e in enumerate(whole.entries) if n and e.drawn)
    for drawn, reason in (((), "recorded missing"), ((*entry.drawn, 1), "more outcomes")):
        with pytest.raises(RecordError, match=f"entry {seq}: .*{reason}"):
            record.verify(GAME, with_entry(whole, seq, replace(entry, drawn=drawn)))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"key": ""}, "not over yet"),
        ({"key": "00" * 32}, "not the one whose hash"),
        ({"key": "key"}, "hexadecimal"),
        ({"game": "chess"}, "plays 'pebbles', version 1"),
        ({"version": 2}, "rules version 2"),
        ({"seats": ("Anna",)}, "not played by 1"),
        ({"seats": ("",) * 100_000}, "not played by 100000"),
        ({"entries": ()}, "empty"),
    ],
)
async def test_a_record_that_cannot_be_verified_says_why(
    world: World, change: dict[str, object], reason: str
) -> None:
    with pytest.raises(RecordError, match=reason):
        record.verify(GAME, replace(await finished(world), **change))


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (Entry(0, "take 9"), "'take 9' by seat 0"),
        (Entry(0, "juggle"), "'juggle' by seat 0"),
        (Entry(-1, "choose 1"), "no such seat"),
        (Entry(2, "@resign"), "no such seat"),
        (Entry(0, "choose 1", (1, 1)), "more outcomes"),
    ],
)
async def test_an_entry_against_the_rules_is_pointed_out(
    world: World, entry: Entry, reason: str
) -> None:
    forged = with_entry(await finished(world), 1, entry)
    with pytest.raises(RecordError, match=f"entry 1: .*{reason}"):
        list(record.fold(GAME, forged))


def test_a_game_without_a_table_has_a_plain_set_up() -> None:
    whole = Record("pebbles", 1, {}, ("a", "b"), (Entry(-1, "setup", (3, 4)),))
    (only,) = record.fold(GAME, whole)
    assert (only.state.cards, only.events) == ([[3], [4]], [])


def test_a_record_starts_with_its_set_up() -> None:
    whole = Record("pebbles", 1, {}, ("a", "b"), (Entry(0, "choose 1"),))
    with pytest.raises(RecordError, match="starts with 'setup'"):
        list(record.fold(GAME, whole))


def test_rules_of_another_version_are_refused() -> None:
    whole = Record("pebbles", 1, {}, ("a", "b"), (Entry(-1, "setup", (3, 4)),))
    with pytest.raises(RecordError, match="this program plays 'pebbles', version 2"):
        list(record.fold(Pebbles(version=2), whole))


def test_what_is_no_record_is_refused() -> None:
    for data in (b"{}", b"", b"\xff", b"[1]", b'{"game":1}', b'{"x":"\xff"}', b"[" * 100_000):
        with pytest.raises(RecordError, match="not the record of a game"):
            record.decode(data)


def test_a_format_of_a_later_day_is_refused() -> None:
    with pytest.raises(RecordError, match=r"'game 2'.*newer"):
        record.decode(b'{"format":"game 2","what":"ever"}')
