"""The longest that anything typed, pressed or uploaded keeps the event loop from everybody else.

Hostile and large honest inputs go to the real bot over the stand-in; `holds` says what is
counted. The tables are prepared apart from the bot, the inputs are people's.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec.structs import replace

from bot.cogs.ui.services import Services
from bot.game.chance import commitment
from bot.game.contract import SPECTATOR, AnyGame
from bot.local.model import ComponentKind, Json
from bot.local.options import CannotDoError, OptionKind, innermost
from bot.local.person import Answer, NoAnswerError, Person
from bot.local.standin import Standin
from bot.store import ResultRow, Store
from bot.tables import Status, Tables
from bot.tables.archive.importing import MOST_BYTES, MOST_OTHER
from bot.tables.core.record import WHOLE, Entry, Record, decode, encode
from bot.tables.core.table_lines import undo_line
from bot.tools.measures.engine import CHATTY
from bot.tools.measures.holds import Holds, of_the_bot, watched
from bot.tools.measures.tables import (
    TOGETHER,
    copies,
    copy_of,
    open_tables,
    play_on,
)
from bot.tools.measures.turns import CHANNEL, running

ENTRIES = 10_000
"""Entries of the long game that is imported."""
ACTIONS = 1000
"""Actions of the long game that is looked back on, where its game lasts so long."""
PAST_TABLES = 10_000
"""Tables that are over, of one person."""
OPEN_TABLES = 200
"""Tables at which that person sits."""
FIRST, SECOND, OLD_HAND, IMPORTER = "Anna", "Bert", "Clara", "Dirk"
TIMEOUT_S = 120.0
UNBOUNDED = 6000
"""Characters that Discord lets somebody type where an option names no bound."""
LOOKING = ("replay", "review", "log", "export", "report", "board", "status", "promises")

Act = Callable[[], Awaitable[object]]


class Input(NamedTuple):
    """Something that a person does, and its name."""

    name: str
    act: Act


async def typed_worst(game: AnyGame) -> Mapping[str, float | str]:
    """The longest hold over all inputs, in ms, and which input that was."""
    worst, which = 0.0, ""
    async for name, held in typed(game):
        if held > worst:
            worst, which = held, name
    return {"typed_worst_ms": worst, "typed_worst": which}


async def typed(game: AnyGame) -> AsyncIterator[tuple[str, float]]:
    """Each input with how long it held the event loop, in ms."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with Standin() as standin:
            async with open_tables(game, folder) as (store, tables):
                there = await _prepared(game, standin, store, tables)
            with of_the_bot():
                opened = running(standin, folder)
                services = await opened.__aenter__()
            try:
                with watched() as holds:
                    people = _People(standin, services)
                    for each in _inputs(game, people, there):
                        yield each.name, await people.held(each, holds)
            finally:
                await opened.__aexit__(None, None, None)


class _There(NamedTuple):
    """What is prepared: a table that has just begun, one in the middle of its game, a long game
    that is over, and files of an even longer one, over and not over."""

    begun: int
    playing: int
    long: int
    file: bytes
    unfinished: bytes


class _People:
    """People at the stand-in, and whether the bot has finished with them."""

    def __init__(self, standin: Standin, services: Services) -> None:
        self.standin = standin
        self.services = services

    async def held(self, given: Input, holds: Holds) -> float:
        """The longest hold while the bot deals with an input, until its outbox is empty."""
        # What earlier inputs have left behind, here or at the stand-in, is not this one's: the
        # collector must not walk through it meanwhile.
        gc.collect()
        gc.freeze()
        holds.taken()
        with suppress(NoAnswerError, CannotDoError):
            await given.act()
        async with asyncio.timeout(TIMEOUT_S):
            # Neither the database nor the stand-in says when everything is quiet.
            while await self.services.tables.outbox.items() or self._waits():  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        return holds.taken()

    def _waits(self) -> bool:
        return any(
            message.is_loading
            for messages in self.standin.model.messages.values()
            for message in messages.values()
        )

    def person(self, name: str) -> Person:
        """Somebody, by the name shown."""
        return self.standin.person(name)

    def slash(self, name: str, command: str, **options: object) -> Act:
        """Somebody uses a command."""
        return lambda: self.person(name).slash(CHANNEL, command, options)

    def upload(self, data: bytes) -> Act:
        """Somebody imports a game from a file."""
        return self.slash(IMPORTER, "table import", file=("game.json", data))


def _inputs(game: AnyGame, people: _People, there: _There) -> Iterator[Input]:
    for path, spec in innermost(people.standin.model):
        options = spec.get("options") or []
        known = {"table": there.begun, "game": game.name}
        filled = {each["name"]: _filled(each, known) for each in options}
        values = {name: value for name, value in filled.items() if value is not None}
        for each in options:
            if not each.get("autocomplete"):
                continue
            for typed in ("", "a", "raid", *map(str, _hostile(each))):
                yield Input(
                    f"autocomplete /{path} {each['name']}: {typed[:12]}",
                    _completing(people, path, each["name"], typed, values),
                )
        yield Input(f"/{path}", people.slash(FIRST, path, **values))
    for topic in ("raid", "the guild master pays a tax", "x"):
        yield Input(f"/rules {topic}", people.slash(FIRST, "rules", topic=topic, game=game.name))
    for name, data in _bombs(game):
        yield Input(f"/table import {name}", people.upload(data))
    yield Input(f"/table import of {ENTRIES} entries", people.upload(there.file))
    unfinished = people.upload(there.unfinished)
    yield Input(f"/table import of {ENTRIES} entries, not over", unfinished)
    for command in LOOKING:
        answered = people.slash(FIRST, f"game {command}", table=there.long)
        yield Input(f"/game {command} of {ACTIONS} actions", answered)
        yield Input(f"/game {command} of {ENTRIES} entries, not over", _newest(people, command))
        answered = people.slash(FIRST, f"game {command}", table=there.playing)
        yield Input(f"/game {command} of a game", answered)
    for back in ("step", "round"):
        answered = people.slash(FIRST, "game undo", back=back, table=there.playing)
        yield Input(f"/game undo of a {back}", answered)
    yield Input("/game turn of a game", people.slash(FIRST, "game turn", table=there.playing))
    for verb in ("plan:", "act:", "plans:"):
        yield Input(f"{verb} in a plan", _pressing(people, verb))
    for verb in ("step", "page"):
        yield Input(f"{verb} of {ACTIONS} actions", _pressing(people, verb))
    for command in ("game mine", "game mine", "stats", "leaderboard", "me show"):
        yield Input(f"/{command} of an old hand", people.slash(OLD_HAND, command))
    yield Input("/metrics", _counting(people))
    yield Input(f"/me forget of {PAST_TABLES} tables", _forgetting(people))


def _filled(option: Json, known: Mapping[str, object]) -> object:
    """A value as long as an option may take; None where it takes no text.

    Of the options in `known`, without which nothing else is looked at, their values.
    """
    if option["name"] in known:
        return known[option["name"]]
    if option["type"] != OptionKind.STRING or option.get("choices"):
        return None
    return _hostile(option)[0]


def _hostile(option: Json) -> tuple[str, ...]:
    most = option.get("max_length", UNBOUNDED)
    return tuple((part * most)[:most] for part in ("1x", "a ", "\u202e{a}", "9", "ß"))


def _completing(
    people: _People, path: str, name: str, typed: str, values: Mapping[str, object]
) -> Act:
    given = {**values, name: typed}
    return lambda: people.person(FIRST).autocomplete(CHANNEL, path, focused=name, values=given)


def _pressing(people: _People, verb: str) -> Act:
    """The last button of that verb that somebody was shown."""

    async def act() -> None:
        person = people.person(FIRST)
        for message in reversed(person.sees(CHANNEL)):
            found = message.custom_ids(verb, kind=ComponentKind.BUTTON)
            if found:
                await person.press(message, custom_id=found[-1])
                return

    return act


def _newest(people: _People, command: str) -> Act:
    """A command at the table that was opened last."""

    async def act() -> None:
        found = await people.services.tables.reader.find(people.standin.channel(CHANNEL).id)
        await people.person(FIRST).slash(CHANNEL, f"game {command}", table=found[0].id)

    return act


def _forgetting(people: _People) -> Act:
    async def act() -> None:
        person = people.person(OLD_HAND)
        asked: Answer = await person.slash(CHANNEL, "me forget")
        assert asked.message is not None
        await person.press(asked.message, custom_id=asked.message.custom_ids()[0])

    return act


def _counting(people: _People) -> Act:
    async def act() -> None:
        with of_the_bot():
            await asyncio.create_task(people.services.tables.reader.census())

    return act


def _bombs(game: AnyGame) -> Iterator[tuple[str, bytes]]:
    """Files of the largest size allowed, each hard to read in a different way."""
    key = bytes(32)
    head = (
        f'{{"format":"{WHOLE}","game":"{game.name}","version":{game.version},'
        f'"key":"{key.hex()}","key_hash":"{commitment(key)}",'
    ).encode()
    yield "nested", b"[" * MOST_BYTES
    yield "nested in a game", head + b'"options":' + b'{"a":' * (MOST_BYTES // 5 - 80)
    number = b"9" * (MOST_BYTES - 400)
    yield "one number", head + b'"seats":["A","B"],"options":{},"entries":[{"seat":' + number
    keys = b",".join(b'"%d":"0"' % number for number in range(MOST_BYTES // 13))
    yield "keys", b'{"format":"game 1",' + keys + b"}"
    yield "options", head + b'"options":{' + keys + b'},"seats":["A","B"],"entries":[]}'
    entry = b'{"seat":0,"action":"@pause"}'
    entries = b",".join([entry] * (MOST_BYTES // (len(entry) + 1) - 40))
    tail = b'"seats":["A","B"],"options":{},"entries":[' + entries + b"]}"
    yield "entries", head + tail
    drawn = b",".join([b"1"] * (MOST_BYTES // 2 - 400))
    draws = b'"seats":["A","B"],"options":{},"entries":[{"seat":0,"action":"a","drawn":['
    yield "draws", head + draws + drawn + b"]}]}"
    words = b'"seats":["A","B"],"options":{},"entries":[{"seat":-1,"action":"setup '
    yield "one action", head + words + b"1 " * (MOST_BYTES // 2 - 400) + b'"}]}'
    # Marks above, then below the letter: all of them change places before anybody sees them.
    marks = "".join(mark * (MOST_OTHER // 5) for mark in ("\u0315", "\u0323")).encode()
    title = head.replace(game.name.encode(), b"a" + marks, 1)
    yield "a title of marks", title + b'"seats":["A","B"],"options":{},"entries":[]}'


async def _prepared(game: AnyGame, standin: Standin, store: Store, tables: Tables) -> _There:
    guild, channel = standin.model.guild.id, standin.channel(CHANNEL).id
    first, old = standin.person(FIRST).id, standin.person(OLD_HAND).id

    async def begun(*users: int) -> int:
        table = await tables.lobby.open(game.name, users[0], "Player 1", guild, channel)
        for place, user in enumerate(users[1:], 2):
            await tables.lobby.join(table.id, user, f"Player {place}")
        await tables.lobby.start(table.id, users[0])
        return table.id

    others = range(1, max(game.seats))
    fresh = await begun(first, standin.person(SECOND).id)
    playing = await begun(first, *others)
    await play_on(game, tables, playing, Random(2), ACTIONS // 4, CHATTY)
    whole = await _whole(game, tables, lambda: begun(first, *others))
    file = (await tables.reader.export(whole, SPECTATOR)).data
    held = await begun(old, *others)
    await play_on(game, tables, held, Random(1), 5)
    await copies(store, held, OPEN_TABLES)
    await _pasts(store, held, old, guild, game.name)
    await tables.outbox.acknowledge(await tables.outbox.items())
    record = decode(file)
    cut = replace(record, entries=record.entries[: len(record.entries) // 2], result=None)
    files = (encode(lengthened(each, ENTRIES)) for each in (record, cut))
    return _There(fresh, playing, whole, *files)


async def _whole(game: AnyGame, tables: Tables, begin: Callable[[], Awaitable[int]]) -> int:
    """A game that is over and had as many actions as were wanted, or nearly."""
    table = await begin()
    await play_on(game, tables, table, Random(0), ACTIONS, CHATTY)
    await play_on(game, tables, table, Random(0), 100_000, 0)
    return table


async def _pasts(store: Store, model: int, user: int, guild: int, game: str) -> None:
    stored = await store.load(model)
    assert stored is not None
    entries = await store.entries(model)
    now = datetime.now(UTC)
    row = ResultRow(0, user, 0, "Player 1", guild, game, 2, 1, 9, 9, 99, now, 25.0, 8.0)
    for first in range(0, PAST_TABLES, TOGETHER):
        units = []
        numbers = range(first, min(first + TOGETHER, PAST_TABLES))
        ids = await store.new_table_ids(len(numbers))
        for number, table in zip(numbers, ids, strict=True):
            over = replace(stored, table=replace(stored.table, status=Status.FINISHED.value))
            batch = copy_of(table, over)
            for entry in entries:
                batch.insert(replace(entry, table=table))
            ended = now - timedelta(hours=number)
            batch.insert(replace(row, table=table, finished=ended))
            units.append(batch)
        await asyncio.gather(*(store.commit(batch) for batch in units))


def lengthened(record: Record, entries: int) -> Record:
    """A record with that many entries, or one less: actions are taken back and done again, and
    again.

    What is drawn after an undo is what was drawn before it, so the record still fits its key.
    """
    actions = len(record.entries) - 1
    times, once_more = divmod(max(0, entries - 1 - actions) // 2, actions)
    # What each draw was made from is not needed, and would make the file too large.
    short = [replace(entry, asked=()) for entry in record.entries]
    made: list[Entry] = [short[0]]
    for place, entry in enumerate(short[1:]):
        before = len(made) - 1
        made.append(entry)
        for _ in range(times + (place < once_more)):
            made += (Entry(entry.seat, undo_line(before), at=entry.at), entry)
    return replace(record, entries=tuple(made))
