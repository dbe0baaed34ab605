"""Records and their verification, exports, imports of untrusted files, turns, and reports."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import islice
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import pytest
from msgspec.structs import replace

from bot.game.chance import commitment
from bot.game.contract import SPECTATOR
from bot.game.kogge.state import KoggeState
from bot.game.log import Entry, RecordedEntry
from bot.store import EntryRow, OutboxKind, WriteBatch
from bot.tables import Rejected, export, importing
from bot.tables.core import cache, record
from bot.tables.core.log import NO_SEAT, Undone, import_line
from bot.tables.core.record import Record, RecordError, fold
from bot.tables.core.replay import replay
from bot.tables.history import turns_of
from bot.tables.votes import UNDO
from bot.titles import TITLES
from bot.workers import TimeSlice
from tests.games.pebbles import GAME, NEWER
from tests.recorded.results import read_record
from tests.tables.world import ANNA, BEN, KEY, World, whole_record

LONG_KEY = bytes(65)
HASH_OF_LONG = blake2b(LONG_KEY, digest_size=16, person=b"table key").hexdigest()


@pytest.fixture
async def whole(world: World) -> Record:
    """Return a game that was played to its end after a player had resigned."""
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 3, Random(6))
    await world.tables.leaving.resign(table.id, ANNA)
    await world.play(table.id, 500, Random(6))
    return await whole_record(world.tables, table.id)


def with_entry(whole: Record, seq: int, entry: RecordedEntry) -> Record:
    """Return the record with this entry replaced, or appended at its end."""
    return replace(whole, entries=(*whole.entries[:seq], entry, *whole.entries[seq + 1 :]))


async def test_a_record_survives_json_and_explains_why_it_fails(whole: Record) -> None:
    named = replace(whole, seats=('Anna ,{"seat":0}', "Bèn"))
    text = record.encode(named)
    assert record.decode(text) == named
    assert text.count(b"\n") == len(whole.entries)
    assert sum(len(entry.drawn) for entry in whole.entries) > 5
    record.verify(GAME, whole)
    seq, entry = next((n, e) for n, e in enumerate(whole.entries) if n and e.drawn)
    other, *rest = (entry.drawn[0] + 1) % 3, *entry.drawn[1:]
    at, wrong = f"entry {seq}: .*", f"'die'.: recorded {other}, the key makes {entry.drawn[0]}"

    def drawn(*outcomes: int) -> Record:
        return with_entry(whole, seq, replace(entry, drawn=outcomes))

    for forged, reason in (
        (replace(whole, key=""), "not over yet"),
        (replace(whole, key="00" * 32), "not the one whose hash"),
        (replace(whole, key="key"), "hexadecimal"),
        # A key of another size, and another key, each with its own hash.
        (replace(whole, key=LONG_KEY.hex(), key_hash=HASH_OF_LONG), "not the one whose hash"),
        (replace(whole, key="00" * 32, key_hash=commitment(bytes(32))), "entry 0: .*recorded"),
        (replace(whole, game="chess"), "plays 'pebbles', version 1"),
        (replace(whole, version=2), "rules version 2"),
        (replace(whole, seats=("Anna",)), "not played by 1"),
        (replace(whole, seats=("",) * 100_000), "not played by 100000"),
        (replace(whole, entries=()), "empty"),
        (replace(whole, entries=whole.entries[1:]), "starts with 'setup'"),
        (drawn(other, *rest), at + wrong),
        (drawn(), at + "recorded missing"),
        (drawn(*entry.drawn, 1), at + "more outcomes"),
        (with_entry(whole, 1, RecordedEntry(0, "take 9")), "entry 1: .*'take 9' by seat 0"),
        (with_entry(whole, 1, RecordedEntry(0, "juggle")), "entry 1: .*'juggle' by seat 0"),
        (with_entry(whole, 1, RecordedEntry(-1, "choose 1")), "entry 1: .*no such seat"),
        (with_entry(whole, 1, RecordedEntry(2, "@resign")), "entry 1: .*no such seat"),
        (with_entry(whole, 1, RecordedEntry(0, "choose 1", (1, 1))), "entry 1: .*more outcomes"),
    ):
        with pytest.raises(RecordError, match=reason) as error:
            record.verify(GAME, forged)
        assert "entry" not in reason or reason.startswith(f"entry {error.value.seq}: ")


def test_a_game_without_a_table_has_no_seat_order_in_its_set_up() -> None:
    whole = Record("pebbles", 1, {}, ("a", "b"), (RecordedEntry(-1, "setup", (3, 4)),))
    ((entry, state),) = record.fold(GAME, whole)
    assert (state.cards, entry.events) == ([[3], [4]], ())
    with pytest.raises(RecordError, match="this program plays 'pebbles', version 2"):
        list(record.fold(NEWER, whole))


def test_other_files_and_newer_records_are_refused() -> None:
    for data in (b"{}", b"", b"\xff", b"[1]", b'{"game":1}', b'{"x":"\xff"}', b"[" * 100_000):
        with pytest.raises(RecordError, match="not the record of a game"):
            record.decode(data)
    with pytest.raises(RecordError, match=r"'game 2'.*newer"):
        record.decode(b'{"format":"game 2","what":"ever"}')


async def partial_export(world: World, table: int, observer: int) -> Any:
    """Export a running game for the observer; the file must not be readable as a record."""
    file = await world.tables.exports.game(table, observer)
    assert not file.is_whole
    with pytest.raises(RecordError, match="can be checked when the game has ended"):
        record.decode(file.data)
    return json.loads(file.data)


async def test_a_finished_game_is_exported_with_its_key_draws_and_result(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 500, Random(6))
    file = await world.tables.exports.game(table.id, SPECTATOR)
    assert file.is_whole
    whole = record.decode(file.data)

    assert whole.result is not None
    assert record.verify(GAME, whole) == whole.result
    assert [entry.at for entry in whole.entries] == [world.clock.now()] * len(whole.entries)
    assert whole.entries[0].asked[:2] == (("seat", (1, 1)), ("card", (1,) * 9))
    assert all(len(entry.asked) == len(entry.drawn) for entry in whole.entries)
    # The draws and the result in the file are verified too.
    seq, entry = next((n, e) for n, e in enumerate(whole.entries) if n and e.drawn)
    wrong = replace(entry, asked=(("die", (1, 1, 9)), *entry.asked[1:]))
    for forged, reason in (
        (with_entry(whole, seq, wrong), f"entry {seq}: it says that it drew from"),
        (replace(whole, result=replace(whole.result, winners=())), r"has winners \(\); by"),
        (replace(whole, result=replace(whole.result, lines=(("loot", (1, 1)),))), "has lines"),
        (replace(whole, entries=whole.entries[:-1]), "its game is not over"),
    ):
        with pytest.raises(RecordError, match=reason):
            record.verify(GAME, forged)


async def test_a_running_game_is_exported_without_secrets(world: World) -> None:
    table = await world.game(ANNA, BEN)
    world.clock.move(milliseconds=123.456)
    for number in (1, 2, 3):
        # Changes of a sealed choice are secret.
        await world.act(table.id, 0, f"choose {number}")

    own, other, spectator = [
        await partial_export(world, table.id, observer) for observer in (0, 1, SPECTATOR)
    ]

    assert [line["action"] for line in own["lines"]] == ["choose 1", "choose 2", "choose 3"]
    assert own["view"]["known"]["chosen"][0] == 3
    assert [line.keys() for line in other["lines"]] == [{"at", "events"}] * 3
    assert spectator == {**other, "observer": SPECTATOR, "view": spectator["view"]}
    # Milliseconds could reveal a secret too.
    assert {line["at"] for line in own["lines"]} == {"2030-05-01T12:00:00Z"}
    for file in (own, other, spectator):
        assert set(file) == {
            *("format", "game", "version", "options", "seats"),
            *("key_hash", "observer", "lines", "view"),
        }
        assert all(set(e) == {"kind", "facts"} for line in file["lines"] for e in line["events"])


async def abandoned(world: World) -> Record:
    """Return the whole record of an abandoned game."""
    table = await world.game(ANNA, BEN)
    for seat in (0, 1):
        await world.act(table.id, seat, "choose 2")
    await world.all_abandon(table.id, ANNA, BEN)
    return record.decode((await world.tables.exports.game(table.id, 0)).data)


async def test_a_refused_file_leaves_no_trace(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await abandoned(world)
    assert len(whole.entries) == 3
    assert record.verify(GAME, whole) is whole.result is None
    drawn = replace(whole.entries[2], drawn=(1,))
    bad_records = {
        "does_not_fit": [
            replace(whole, key="00" * 32),
            replace(whole, key="no key"),
            replace(whole, seats=("Anna",)),
            replace(whole, entries=()),
            with_entry(whole, 2, drawn),
            with_entry(whole, 3, RecordedEntry(7, "choose 1")),
            with_entry(whole, 3, RecordedEntry(0, "choose 9")),
            with_entry(whole, 3, RecordedEntry(-1, "@import abc")),
            with_entry(whole, 3, RecordedEntry(-1, "@import " + "11" * 32)),
            with_entry(whole, 3, RecordedEntry(0, "@undo 99999")),
            with_entry(whole, 3, RecordedEntry(0, "@undo " + "9" * 5000)),
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
    files = {
        code: [record.encode(each) for each in records] for code, records in bad_records.items()
    }
    files["not_a_game"] += [b"", b"[" * 10**6, b"\xff", b"{}", b" " * 3_000_000]
    before = await world.store.census()

    async def refused(code: str, data: bytes) -> None:
        with pytest.raises(Rejected) as error:
            await world.tables.imports.check(data)
        assert error.value.code == code, data[-200:]

    for code, given in files.items():
        for data in given:
            await refused(code, data)
    assert await world.store.census() == before

    # Files with more values than any game are refused before they are decoded.
    data = record.encode(whole)
    keys = b",".join(b'"%d":"0"' % number for number in range(5000))
    entry = b'{"seat":0,"action":"@pause"}'
    monkeypatch.setattr(record, "decode", lambda _: pytest.fail("it was read"))
    for bomb in (
        b"{" + keys + b"," + data[1:],
        data.replace(b'"options":{', b'"options":{' + keys, 1),
        data.replace(b'"entries":[', b'"entries":[' + b",".join([entry] * 20_000) + b",", 1),
        data.replace(b'"drawn":[', b'"drawn":[' + b"1," * 500_000, 1),
        data.replace(b'"entries":[', b'"entries":[' + b"[" * 200_000, 1),
    ):
        assert len(bomb) < importing.MAX_BYTES
        await refused("not_a_game", bomb)


async def test_a_repeated_import_opens_one_table_with_possible_times(world: World) -> None:
    whole = await abandoned(world)
    late = datetime(9999, 12, 31, tzinfo=UTC)
    entries = tuple(replace(entry, at=late) for entry in whole.entries)
    data = record.encode(replace(whole, entries=entries))

    checked = await world.tables.imports.check(data)
    tables = [
        await world.tables.imports.open(checked, ANNA, 1, 500, delivery="once") for _ in range(2)
    ]

    assert tables[0].id == tables[1].id
    log = await world.tables.reader.log(await world.tables.reader.seen(tables[0].id, 0))
    assert {each.at for each in log} == {world.clock.now()}


async def test_a_position_after_an_undone_import_fits_both_keys(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    imports, new_key = world.tables.imports, bytes(32)
    monkeypatch.setattr(imports, "_new_key", lambda: new_key)
    checked = await imports.check(record.encode(await abandoned(world)))
    people = {0: (ANNA, "Anna"), 1: (BEN, "Ben")}
    table = await imports.open(checked, ANNA, 1, 500, people=people, vacant=False, source=1)
    assert await world.queued(table.id, OutboxKind.HAND) == [0, 1]
    await world.play(table.id, 4, Random(2))
    # Back to before everything, the import and earlier draws included.
    await world.tables.undo.propose(table.id, ANNA, 1)
    await world.tables.votes.answer(table.id, BEN, UNDO, agree=True)
    await world.play(table.id, 6, Random(3))
    await world.all_abandon(table.id, ANNA, BEN)

    entries = (await whole_record(world.tables, table.id)).entries
    undo = next(n for n, entry in enumerate(entries) if entry.action == "@undo 0")
    for seq in (2, 3, undo - 1, undo + 1, len(entries) - 1):
        position = (await world.tables.history.position(table.id, 0, seq)).record
        assert record.verify(GAME, position) is None
        assert not any(entry.action.startswith("@undo") for entry in position.entries)
        assert position.key == (KEY if seq < 3 else new_key).hex()
        *_, (_, state) = fold(GAME, position)
        assert GAME.view(state, 0) == await world.tables.history.view(table.id, 0, seq)
    with pytest.raises(Rejected, match="no_position"):
        await world.tables.history.position(table.id, SPECTATOR, 2)


async def test_an_import_lets_other_tasks_run_at_every_step(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await abandoned(world)
    long = replace(whole, entries=(*whole.entries, *[RecordedEntry(0, "@pause")] * 1000))
    take = AsyncMock()
    monkeypatch.setattr(TimeSlice, "take", take)
    checked = await world.tables.imports.check(record.encode(long))
    await world.tables.imports.open(checked, ANNA, 1, 500)
    # Each entry is replayed and written.
    assert take.await_count >= 2 * len(long.entries)


NOON = datetime(2030, 5, 1, 12, tzinfo=UTC)


def entry(seq: int, seat: int, round_: int = 1, *only: int) -> Entry:
    """Return a log entry with one event, visible to all or to `only` these seats."""
    undone = Undone(seat=seat, count=seq, only=only)
    return Entry(seat, "done", at=NOON, seq=seq, events=(undone,) if seq else (), round=round_)


def test_only_the_acting_seat_sees_more_than_an_actions_kind() -> None:
    done = Entry(1, "choose 3", (2,), (("die", (1, 1, 1)),), at=NOON, seq=4)
    seen = [done.seen_by(observer) for observer in (0, 1, SPECTATOR)]
    assert [each.action for each in seen] == ["choose", "choose 3", "choose"]
    assert {(each.kind, each.drawn, each.asked) for each in seen} == {("choose", (), ())}
    # An entry without a seat belongs to no one, although spectators have the same number.
    imported = Entry(NO_SEAT, import_line(KEY), at=NOON, seq=5)
    assert imported.seen_by(SPECTATOR).action == "@import"


def test_a_seats_consecutive_entries_in_a_round_are_one_turn() -> None:
    log = [
        *(entry(0, -1), entry(1, 0), entry(2, 0), entry(3, 1)),
        # A new round begins a new turn, even of the same seat.
        *(entry(4, 0, 2), entry(5, 0, 2)),
    ]
    assert [
        (turn.first, turn.last, turn.seat, turn.round) for turn in turns_of(log, SPECTATOR)
    ] == [*((0, 0, -1, 0), (1, 2, 0, 1), (3, 3, 1, 1), (4, 4, 0, 1), (5, 5, 0, 2))]


def test_entries_without_visible_events_make_no_turn() -> None:
    log = [entry(0, -1), entry(1, 0), entry(2, 1, 1, 1), entry(3, 0), entry(4, 1, 1, 1)]
    assert [(t.first, t.last) for t in turns_of(log, 1)] == [(n, n) for n in range(5)]
    # The state shown is still the newest.
    assert [(t.first, t.last) for t in turns_of(log, SPECTATOR)] == [(0, 0), (1, 4)]


async def test_a_log_is_replayed_once_for_all_steps_until_it_changes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    replays = AsyncMock(wraps=replay)
    monkeypatch.setattr("bot.tables.history.replay", replays)
    table = await world.game(ANNA, BEN, length="long")
    seen = []
    for _ in range(6):
        seen.append((await world.tables.reader.seen(table.id, 0)).view)
        await world.play(table.id, 1, Random(3))

    past = world.tables.history
    assert [await past.view(table.id, 0, seq) for seq in range(6)] == seen
    assert replays.await_count == 1
    await world.play(table.id, 1, Random(3))
    assert await past.turns(table.id, SPECTATOR)
    assert replays.await_count == 2


async def test_entries_are_the_same_in_memory_and_after_a_replay(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 12, Random(4))
    reader = world.tables.reader
    entries = await reader.entries(await reader.seen(table.id, SPECTATOR), 0)
    await world.reopen()
    reader = world.tables.reader
    assert await reader.entries(await reader.seen(table.id, SPECTATOR), 0) == entries
    assert len(entries) == 13


async def test_has_acted_needs_no_replay(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 12, Random(4))
    reader = world.tables.reader
    entries = await reader.entries(await reader.seen(table.id, SPECTATOR), 0)
    monkeypatch.setattr(cache, "replay", None)
    for in_memory in (True, False):
        reader = world.tables.reader
        seen = await reader.seen(table.id, SPECTATOR)
        assert bool(seen.recent) is in_memory
        for seat in (0, 1):
            last = max(each.seq for each in entries if each.seat == seat)
            assert await reader.has_acted(seen, seat, last - 1)
            assert not await reader.has_acted(seen, seat, last)
        await world.reopen()


KOGGE = TITLES.games["kogge"]
RECORDED = read_record(KOGGE, "4-laps-hidden")


def hidden(state: KoggeState) -> list[int]:
    """Return the counts of pieces in hidden hands and in the bag."""
    return [n for player in state.players for n in (*player.markers, *player.goods)] + state.bag


def distance(one: KoggeState, other: KoggeState) -> int:
    return sum(abs(a - b) for a, b in zip(hidden(one), hidden(other), strict=True))


def test_the_state_in_a_report_is_not_closer_to_the_real_one_than_others() -> None:
    *_, (_, real) = islice(fold(KOGGE, RECORDED), 91)
    stranger, *dealt = (KOGGE.resample(real, SPECTATOR, Random(seed)) for seed in range(9))
    assert all(KOGGE.view(each, SPECTATOR) == KOGGE.view(real, SPECTATOR) for each in dealt)
    to_real, to_any = (sum(distance(each, other) for each in dealt) for other in (real, stranger))
    assert to_real > 0.8 * to_any > 0


async def test_a_report_covers_a_damaged_log_up_to_its_error(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    batch, seq = WriteBatch(), await world.tables.reader.seq(table.id) + 1
    batch.insert(EntryRow(table.id, seq, 1, BEN, "choose 77", (), world.clock.now()))
    await world.store.commit(batch)
    await world.reopen()

    data = await world.tables.exports.report(table.id)

    report = export.decode_report(data)
    assert report.problem
    assert report.state
    assert b"77" not in data


async def test_a_whole_game_is_available_only_after_its_end(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 2, Random(2))
    with pytest.raises(Rejected, match="not_over"):
        await world.tables.history.finished(table.id)
    await world.play(table.id, 500, Random(2))
    game = await world.tables.history.finished(table.id)
    assert len(game.blobs) == len(game.entries) == await world.tables.reader.seq(table.id) + 1
    assert game.game.outcome(game.game.decode(game.blobs[-1])) is not None
    assert game.in_effect() == list(range(len(game.blobs)))
