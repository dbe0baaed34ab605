"""Forged interactions with custom ids and values that the bot has never sent."""

from __future__ import annotations

import logging
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle
from random import Random
from typing import Any

import pytest

from bot.cogs.ui import user_errors
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.routes import PressRoute, Way
from bot.local import InteractionKind, NoAnswer, Person
from bot.local.interactions import Interaction
from bot.local.model import Channel, Json
from bot.text.errors import ERRORS
from bot.titles import TITLES
from tests.wire.conftest import Wire
from tests.wire.players import HARBOUR, sit_down

pytestmark = pytest.mark.usefixtures("never_deferred")

BATCH = 24
TABLES = (1, 2, 3, 4, 5, 6, 99)
"""Running tables of each game, a lobby, an abandoned table, and one that does not exist."""
WORDS = (
    "",
    "zeppelin",
    "-1",
    "99",
    "999999999",
    "9" * 30,
    "1.5",
    "٣",
    "²",
    "ﷺ",
    "o*999.",
    "o" * 40,
    "{a}",
    "%s",
    "office9",
    "a*b",
    "\n",
)
"""No table accepts any of them."""
# For alerts, an empty value means any game.
VALUES = (*filter(None, WORDS), "x" * 100)
BROKEN = (
    "",
    ":",
    "act",
    "act:",
    "act:x",
    "act:01",
    "act:-1",
    "act:٣",
    "act:1:",
    "act:1:x:o*1000000000.",
    "act:1:x:" + "o*999999999." * 7,
    "act:1:x:o*2.",
    "act:1:2:3:4",
    "act:2147483648",
    "act:99999999999999999999999",
    "hand:" + "9" * 90,
    "teleport:1",
    "play9999:1",
    "\n:1",
    "a" * 4000,
    "act:1::" + "o*999." * 600,
)
BEGINNINGS = (
    *dict.fromkeys(kind for game in TITLES.games.values() for kind in game.moves),
    *("all", "own", "before", "after", "on", "undo", "pause", "replace"),
)
"""Possible first words."""
DECISIONS = ("", "0", "1", "2", "7", "o1", "o99", *TITLES, "zone", "board", "x" * 20, "ﷺ")


def state(wire: Wire) -> list[str]:
    with closing(sqlite3.connect(f"file:{wire.stored.path}?mode=ro", uri=True)) as connection:
        names = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        assert "tables" in names
        return [
            f"{name} {row!r}"
            for name in sorted(names)
            for row in connection.execute(f'SELECT * FROM "{name}"')
        ]


def forgeries(wire: Wire, rng: Random) -> Iterator[tuple[InteractionKind, Json, bool]]:
    """Yield interactions without end, and whether the bot can never have offered them.

    All verbs take turns, in their own ways and in all others.
    """
    routes = wire.bot.router._routes
    every = [(name, way) for name in routes for way in (*Way, None)]
    # Anyone may use most verbs without words.
    worded = [
        (name, way)
        for name, way in every
        if way in routes[name].ways and any(map(routes[name].words.__contains__, range(1, 5)))
    ]
    valid, others = (cycle(rng.sample(each, len(each))) for each in (worded, every))
    while True:
        is_valid = rng.random() < 0.7
        name, way = next(valid if is_valid else others)
        fits = is_valid or (way not in routes[name].ways and rng.random() < 0.5)
        yield forged(name, routes[name], rng, way, fits=fits)


def forged(
    name: str, verb: PressRoute, rng: Random, way: Way | None, *, fits: bool
) -> tuple[InteractionKind, Json, bool]:
    is_impossible = way not in verb.ways
    if rng.random() < 0.05:
        custom_id = rng.choice(BROKEN)
    else:
        faults = [
            fault
            for fault, is_possible in {
                "words": 9 not in verb.words,
                "table": verb.at_table is not None,
                "decision": not verb.has_decision,
            }.items()
            if is_possible
        ]
        # One fault must be enough for a refusal.
        wrong = [] if fits else rng.choice([faults, *([each] for each in faults)])
        counts = [
            count for count in (0, 1, 2, 3, 4, 5, 9) if (count in verb.words) != ("words" in wrong)
        ]
        count = rng.choice(counts) if wrong else max(counts)
        words = [rng.choice(WORDS) for _ in range(count)]
        if count > 1 and rng.random() < 0.7:
            words[0] = rng.choice(BEGINNINGS)
        tables = [
            each
            for each in (0, *TABLES)
            if (verb.at_table in (None, each != 0)) != ("table" in wrong)
        ]
        table = rng.choice(tables)
        decision = rng.choice(DECISIONS[1:] if "decision" in wrong else DECISIONS)
        decision = decision if verb.has_decision or "decision" in wrong else ""
        page = 0 if fits else rng.choice((0, 1, 999))
        is_impossible |= bool(wrong)
        custom_id = encoded(CustomId(name, table, decision or None, tuple(words), page))
    kind, data = interaction_data(rng, way, fits)
    return kind, {"custom_id": custom_id, **data}, is_impossible


def encoded(press: CustomId) -> str:
    try:
        return press.encoded()
    except ValueError:
        return f"{press.verb}:{press.table}:{press.decision}:{','.join(press.words)}"


def interaction_data(rng: Random, way: Way | None, fits: bool) -> tuple[InteractionKind, Json]:
    """Return data with values that the bot never offers; `None` means an unknown component."""
    values: list[Any] = [rng.choice(VALUES)]
    if not fits:
        values = [rng.choice((*VALUES, None, 7, True, ["x"], "x" * 5000)) for _ in range(3)]
        values = values * rng.choice((0, 1, 30))
    match way:
        case Way.FORM:
            lines = [{"type": 18, "component": {"type": 4, "value": each}} for each in values]
            return InteractionKind.MODAL_SUBMIT, {"components": lines * rng.choice((1, 2))}
        case Way.SELECT:
            return InteractionKind.COMPONENT, {"component_type": 3, "values": values}
        case Way.BUTTON:
            return InteractionKind.COMPONENT, {"component_type": 2}
    return InteractionKind.COMPONENT, {"component_type": rng.choice((0, 1, 4, 5, 8))}


async def six_tables(wire: Wire) -> None:
    await sit_down(wire.standin, wire.anna, wire.bert)
    await wire.act_until("advance")
    for table, game in ((2, "burgundy"), (3, "guatemala"), (4, "flandern")):
        await wire.anna.slash(HARBOUR, "game new", game=game, computers=1)
        await wire.anna.slash(HARBOUR, "game start", table=table)
    await wire.bert.slash(HARBOUR, "game new", game="kogge")
    await wire.bert.slash(HARBOUR, "game new", game="kogge")
    await wire.bert.slash(HARBOUR, "game abandon", table=6)
    await quiet(wire)


async def quiet(wire: Wire) -> None:
    for table in TABLES[:-1]:
        await wire.services.tables.computers.until_idle(table, 20)
        await wire.quiet(table)


async def check_answers(fired: list[tuple[Interaction, bool]]) -> None:
    for each, is_impossible in fired:
        outcome = await each.outcome
        assert not isinstance(outcome, NoAnswer), each.payload["data"]
        message = getattr(outcome, "message", None)
        if message is not None:
            assert "went wrong on my side" not in message.text, each.payload["data"]
        if is_impossible:
            assert message is not None, each.payload["data"]
            assert ERRORS["old_button"] in message.text, each.payload["data"]


@pytest.mark.parametrize("presses", [480, pytest.param(3000, marks=pytest.mark.slow)])
async def test_forged_interactions_are_refused_and_change_nothing(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, presses: int
) -> None:
    await six_tables(wire)
    codes: Counter[str] = Counter()
    code_of = user_errors.code_of

    def counted(error: user_errors.ExpectedError) -> str:
        codes[code_of(error)] += 1
        return code_of(error)

    monkeypatch.setattr(user_errors, "code_of", counted)
    rng = Random(11)
    forging = forgeries(wire, rng)
    board = wire.player(wire.anna).board()
    places: list[tuple[Channel, Any]] = [
        (wire.player(wire.anna).place, board),
        (wire.standin.channel(HARBOUR), None),
    ]
    before = state(wire)
    for _ in range(presses // BATCH):
        fired = []
        for _ in range(BATCH):
            person: Person = rng.choice((wire.anna, wire.anna, wire.bert, wire.bert, wire.vera))
            place, source = rng.choice((*places, (person.dm, None)))
            kind, data, is_impossible = next(forging)
            fired.append((person.fire(kind, place, data, source=source), is_impossible))
        await check_answers(fired)
    await quiet(wire)

    assert state(wire) == before
    assert [each.message for each in caplog.records if each.levelno >= logging.ERROR] == []
    assert codes["unforeseen"] == 0
    # The refusals have different reasons.
    assert len(codes) > 10, codes
