"""A game as a file: all of it when it is over, before that only what the asker may know."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bot.game.contract import SPECTATOR
from bot.tables import NotStarted
from bot.tables.core import record
from bot.tables.core.record import Record, RecordError
from tests.games.pebbles import GAME
from tests.tables.world import ANNA, BEN, CARA, World


async def exported(world: World) -> Record:
    """A game that was played to its end."""
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 500, Random(6))
    file = await world.tables.reader.export(table.id, SPECTATOR)
    assert file.is_whole
    return record.decode(file.data)


async def partial_export(world: World, table: int, observer: int) -> Any:
    """What the observer gets of a game that goes on."""
    file = await world.tables.reader.export(table, observer)
    assert not file.is_whole
    return json.loads(file.data)


async def test_a_game_that_is_over_is_exported_with_all_that_vouches_for_it(world: World) -> None:
    whole = await exported(world)

    assert whole.result is not None
    assert record.verify(GAME, whole) == whole.result
    assert [entry.at for entry in whole.entries] == [world.clock.now()] * len(whole.entries)
    assert whole.entries[0].asked[:2] == (("seat", (1, 1)), ("card", (1,) * 9))
    assert all(len(entry.asked) == len(entry.drawn) for entry in whole.entries)


async def test_what_a_file_says_of_draws_and_result_is_checked_as_well(world: World) -> None:
    whole = await exported(world)
    assert whole.result is not None
    seq, entry = next((n, e) for n, e in enumerate(whole.entries) if n and e.drawn)
    entries = list(whole.entries)
    entries[seq] = replace(entry, asked=(("die", (1, 1, 9)), *entry.asked[1:]))

    for forged, reason in (
        (replace(whole, entries=tuple(entries)), f"entry {seq}: it says that it drew from"),
        (replace(whole, result=replace(whole.result, winners=())), r"has winners \(\); by"),
        (replace(whole, entries=whole.entries[:-1]), "its game is not over"),
    ):
        with pytest.raises(RecordError, match=reason):
            record.verify(GAME, forged)


async def test_an_abandoned_game_is_whole_without_a_result(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 5, Random(6))
    await world.tables.leaving.abandon(table.id, ANNA)
    await world.tables.leaving.abandon(table.id, BEN)

    whole = record.decode((await world.tables.reader.export(table.id, 0)).data)

    assert len(whole.entries) == 6
    assert record.verify(GAME, whole) is None
    assert whole.result is None


async def test_a_game_that_goes_on_is_exported_without_key_numbers_and_others_secrets(
    world: World,
) -> None:
    table = await world.game(ANNA, BEN)
    world.clock.move(milliseconds=123.456)
    for number in (1, 2, 3):
        # Whoever changes a sealed choice tells nobody.
        await world.tables.play.act(table.id, 0, ("choose", str(number)))

    own, other, nobody = [
        await partial_export(world, table.id, observer) for observer in (0, 1, SPECTATOR)
    ]

    assert [line["action"] for line in own["lines"]] == ["choose 1", "choose 2", "choose 3"]
    assert own["view"]["chosen"] == 3
    assert [line.keys() for line in other["lines"]] == [{"at", "events"}] * 3
    assert nobody == {**other, "observer": SPECTATOR, "view": nobody["view"]}
    # Nor how many milliseconds anybody took.
    assert {line["at"] for line in own["lines"]} == {"2030-05-01T12:00:00Z"}
    for file in (own, other, nobody):
        assert set(file) == {
            *("format", "game", "version", "options", "seats"),
            *("key_hash", "observer", "lines", "view"),
        }
        assert all(set(e) == {"kind", "facts"} for line in file["lines"] for e in line["events"])


async def test_a_file_is_the_same_whatever_another_seat_chose_in_secret(world: World) -> None:
    files = []
    for number in ("1", "3"):
        table = await world.game(ANNA, BEN, CARA)
        await world.tables.play.act(table.id, 1, ("choose", number))
        files.append([await world.tables.reader.export(table.id, n) for n in (SPECTATOR, 0, 2, 1)])

    assert files[0][:3] == files[1][:3]
    # Whose secret it is has it in the file, or this test would prove nothing.
    assert files[0][3] != files[1][3]


async def test_a_file_that_is_not_whole_cannot_be_taken_for_a_record(world: World) -> None:
    table = await world.game(ANNA, BEN)
    file = await world.tables.reader.export(table.id, 0)
    with pytest.raises(RecordError, match="can be checked when the game has ended"):
        record.decode(file.data)


async def test_there_is_nothing_to_export_in_the_lobby(world: World) -> None:
    table = await world.lobby(ANNA)
    with pytest.raises(NotStarted):
        await world.tables.reader.export(table.id, 0)
