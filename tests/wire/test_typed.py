"""What is typed into commands, by those who keep to Discord's bounds and those who do not."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bot.cogs.ui.routes import MAX_TYPED
from bot.local import Choices, InteractionKind, NoAnswer, Person, Replied
from bot.local.interactions import Outcome
from bot.local.model import Json
from bot.local.options import OptionKind, find_command
from bot.tables import MAX_PROMISE
from bot.tables.notes import MAX_LENGTH as MAX_NOTES
from bot.text import guidebook
from tests.wire.conftest import Wire
from tests.wire.players import HARBOUR

pytestmark = pytest.mark.usefixtures("unhurried")

HOSTILE = ("1x" * 3000, "ﷺ" * 6000, "9" * 5000, "é" * 6000, "{" * 6000, "a " * 3000)
LONGER = {
    ("table note", "text"): MAX_NOTES,
    **{
        (f"kogge deal {move}", option): MAX_PROMISE
        for move in ("offer", "counter")
        for option in ("promise", "ask")
    },
}
"""What needs more room than other options."""


def leaves(wire: Wire) -> Iterator[tuple[str, Json]]:
    def walk(path: str, part: Json) -> Iterator[tuple[str, Json]]:
        for option in part.get("options") or []:
            if option["type"] in (OptionKind.SUBCOMMAND, OptionKind.GROUP):
                yield from walk(f"{path} {option['name']}", option)
            else:
                yield path, option

    for command in wire.standin.model.commands.values():
        yield from walk(command.spec["name"], command.spec)


async def send(
    wire: Wire, person: Person, command: str, values: dict[str, Any], focused: str = ""
) -> Outcome:
    found, path, leaf = find_command(wire.standin.model, command)
    kinds = {option["name"]: option["type"] for option in leaf.get("options") or []}
    options: list[Json] = [
        {"type": kinds[name], "name": name, "value": value}
        | ({"focused": True} if name == focused else {})
        for name, value in values.items()
    ]
    for name in reversed(path):
        options = [{"type": 1, "name": name, "options": options}]
    if len(path) == 2:
        options[0]["type"] = 2
    data = {"id": str(found.id), "name": found.spec["name"], "type": 1, "options": options}
    kind = InteractionKind.AUTOCOMPLETE if focused else InteractionKind.COMMAND
    return await person.fire(kind, wire.standin.channel(HARBOUR), data).outcome


async def test_every_option_has_a_bound_and_what_is_longer_is_refused_and_never_read(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = set()
    for path, option in leaves(wire):
        if option["type"] == OptionKind.STRING and not option.get("choices"):
            most = LONGER.get((path, option["name"]), MAX_TYPED)
            assert option.get("max_length") == most, (path, option["name"])
            seen.add((path, option["name"]))
        if option["type"] == OptionKind.INTEGER:
            assert option["min_value"] >= 0, (path, option["name"])
            assert option["max_value"] < 2**31, (path, option["name"])
    assert set(LONGER) <= seen
    assert len(seen) > 50

    folded: list[str] = []

    def keep(text: str) -> tuple[str, ...]:
        folded.append(text)
        return ()

    monkeypatch.setattr(guidebook, "tokens", keep)
    for typed in HOSTILE:
        values = {"topic": typed, "game": "kogge"}
        outcome = await send(wire, wire.anna, "rules", values)
        assert isinstance(outcome, Replied)
        assert f"at most {MAX_TYPED} characters" in outcome.message.text
        offered = await send(wire, wire.anna, "rules", values, focused="topic")
        assert isinstance(offered, Choices)
        assert offered.choices == []
    assert folded == []

    # A day that no calendar has.
    for day in ("1.99999999999999999999", "9" * 100, "1.1.99999", "0.0.", "٣.٤."):
        outcome = await send(wire, wire.anna, "me away", {"until": day})
        assert isinstance(outcome, Replied), day
        assert outcome.message.is_ephemeral
        assert "went wrong on my side" not in outcome.message.text


async def test_no_command_reads_what_is_too_long_or_no_number(wire: Wire) -> None:
    await wire.begin()
    before = wire.stored.log()
    for path, option in leaves(wire):
        kind, name = option["type"], option["name"]
        if kind == OptionKind.STRING:
            for value in ("x" * 6000, 7, "zeppelin") if option.get("choices") else ("x" * 6000, 7):
                refused = await send(wire, wire.anna, path, {name: value})
                assert isinstance(refused, Replied), (path, name)
                assert "too long" in refused.message.text or (
                    "has been updated" in refused.message.text
                ), (path, name, refused.message.text)
            if option.get("autocomplete"):
                offered = await send(wire, wire.anna, path, {name: "x" * 6000}, focused=name)
                assert isinstance(offered, Choices)
                assert offered.choices == []
        elif kind == OptionKind.INTEGER:
            for number in (2**31, -1, "12", True):
                refused = await send(wire, wire.anna, path, {name: number})
                assert isinstance(refused, Replied), (path, name)
                assert "has been updated" in refused.message.text, (path, name, number)
    assert wire.stored.log() == before


NONSENSE = ("", "-", "x", "0", "99", "-1", "9" * 100, "٣", "²", "ﷺ" * 100, "{a}", "{", "%s", "\n")
NUMBERS = (1, 2, 3, 99, 2**31 - 1)
SCALARS = (OptionKind.STRING, OptionKind.INTEGER)


def nonsense(options: list[Json], rng: Random) -> dict[str, Any]:
    return {
        option["name"]: rng.choice(NUMBERS)
        if option["type"] == OptionKind.INTEGER
        else rng.choice([choice["value"] for choice in option.get("choices") or ()] or NONSENSE)
        for option in options
        if option["type"] in SCALARS and (option.get("required") or rng.random() < 0.7)
    }


async def test_nonsense_in_every_command_is_answered_in_words(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    await wire.begin()
    await wire.act_until("advance")
    rng, options = Random(6), dict[str, list[Json]]()
    for path, option in leaves(wire):
        options.setdefault(path, []).append(option)
    for path, known in options.items():
        if any(each.get("required") and each["type"] not in SCALARS for each in known):
            continue
        for person in rng.sample((wire.anna, wire.bert, wire.vera), 2):
            values = nonsense(known, rng)
            outcome = await send(wire, person, path, values)
            assert not isinstance(outcome, NoAnswer), (path, values)
            if isinstance(outcome, Replied):
                assert "went wrong on my side" not in outcome.message.text, (path, values)
        for option in known:
            if option.get("autocomplete"):
                typed = {**nonsense(known, rng), option["name"]: rng.choice(NONSENSE)}
                offered = await send(wire, wire.anna, path, typed, focused=option["name"])
                assert isinstance(offered, Choices), (path, typed)
    # discord.py itself notes what goes wrong while something is offered.
    assert [each.message for each in caplog.records if each.levelno >= logging.ERROR] == []


async def test_a_form_takes_no_more_than_its_lines_have_room_for(wire: Wire) -> None:
    await wire.begin()
    who, _other = await wire.players_at(await wire.act_until("bid"))
    asked = next(each for each in await wire.services.tables.reader.pending(1) if not each.optional)
    before = wire.stored.log()
    for custom_id, lines in (
        (f"typed:1:{asked.id}:bid", ["1x" * 2000]),
        (f"typed:1:{asked.id}:bid", ["1x" * 2001]),
        ("noted:1", ["x" * (MAX_NOTES + 1)]),
        (f"promised:1:{asked.id}:offer", ["x" * (MAX_PROMISE + 1), ""]),
        (f"promised:1:{asked.id}:offer", ["x"] * 3),
        ("noted:1", []),
    ):
        components = [{"type": 18, "component": {"type": 4, "value": line}} for line in lines]
        data = {"custom_id": custom_id, "components": components}
        outcome = await who.person.fire(InteractionKind.MODAL_SUBMIT, who.place, data).outcome
        assert isinstance(outcome, Replied), custom_id
        assert outcome.message.is_ephemeral
    assert wire.stored.log() == before
    assert await wire.services.tables.notes.get(1, who.person.id) == ""
