"""Command and modal input, within Discord's limits and beyond."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bot.cogs.dialogues.cups import MAX_NAME
from bot.cogs.ui.routes import MAX_TYPED
from bot.cogs.ui.web import MAX_ADDRESS
from bot.local import Choices, InteractionKind, NoAnswer, Person, Replied
from bot.local.interactions import Outcome
from bot.local.model import Json
from bot.local.options import OptionKind, find_command
from bot.tables import MAX_PROMISE
from bot.tables.notes import MAX_LENGTH as MAX_NOTES
from bot.tables.whispers import MAX_LENGTH as MAX_WHISPER
from bot.text import guidebook
from tests.wire.conftest import Wire
from tests.wire.players import HARBOUR

pytestmark = pytest.mark.usefixtures("never_deferred")

HOSTILE = ("1x" * 3000, "ﷺ" * 6000, "9" * 5000, "é" * 6000, "{" * 6000, "a " * 3000)
LONGER = {
    ("table note", "text"): MAX_NOTES,
    ("table whisper", "text"): MAX_WHISPER,
    ("table webhook", "url"): MAX_ADDRESS,
    ("cup new", "name"): MAX_NAME,
    **{
        (f"kogge deal {move}", option): MAX_PROMISE
        for move in ("offer", "counter")
        for option in ("promise", "ask")
    },
}
"""Maximum lengths of longer options."""


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
    registered, path, leaf = find_command(wire.standin.model, command)
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
    name = registered.spec["name"]
    data = {"id": str(registered.id), "name": name, "type": 1, "options": options}
    kind = InteractionKind.AUTOCOMPLETE if focused else InteractionKind.COMMAND
    return await person.fire(kind, wire.standin.channel(HARBOUR), data).outcome


async def test_every_option_has_a_limit_and_longer_input_is_refused_unread(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = set()
    for path, option in leaves(wire):
        if option["type"] == OptionKind.STRING and not option.get("choices"):
            maximum = LONGER.get((path, option["name"]), MAX_TYPED)
            assert option.get("max_length") == maximum, (path, option["name"])
            seen.add((path, option["name"]))
        if option["type"] == OptionKind.INTEGER:
            assert option["min_value"] >= 0, (path, option["name"])
            assert option["max_value"] < 2**31, (path, option["name"])
    assert set(LONGER) <= seen
    assert len(seen) > 50

    searched: list[str] = []

    def record(text: str) -> tuple[str, ...]:
        searched.append(text)
        return ()

    monkeypatch.setattr(guidebook, "tokens", record)
    for typed in HOSTILE:
        values = {"topic": typed, "game": "kogge"}
        outcome = await send(wire, wire.anna, "rules", values)
        assert isinstance(outcome, Replied)
        assert f"at most {MAX_TYPED} characters" in outcome.message.text
        proposed = await send(wire, wire.anna, "rules", values, focused="topic")
        assert isinstance(proposed, Choices)
        assert proposed.choices == []
    assert searched == []

    # Invalid dates.
    for day in ("1.99999999999999999999", "9" * 100, "1.1.99999", "0.0.", "٣.٤."):
        outcome = await send(wire, wire.anna, "me away", {"until": day})
        assert isinstance(outcome, Replied), day
        assert outcome.message.is_ephemeral
        assert "went wrong on my side" not in outcome.message.text


async def test_commands_refuse_long_texts_and_invalid_numbers(wire: Wire) -> None:
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
                proposed = await send(wire, wire.anna, path, {name: "x" * 6000}, focused=name)
                assert isinstance(proposed, Choices)
                assert proposed.choices == []
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


async def test_nonsense_in_any_command_gets_an_answer(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    await wire.begin()
    await wire.act_until("advance")
    rng, options = Random(6), dict[str, list[Json]]()
    for path, option in leaves(wire):
        options.setdefault(path, []).append(option)
    for path, specs in options.items():
        if any(each.get("required") and each["type"] not in SCALARS for each in specs):
            continue
        for person in rng.sample((wire.anna, wire.bert, wire.vera), 2):
            values = nonsense(specs, rng)
            outcome = await send(wire, person, path, values)
            assert not isinstance(outcome, NoAnswer), (path, values)
            if isinstance(outcome, Replied):
                assert "went wrong on my side" not in outcome.message.text, (path, values)
        for option in specs:
            if option.get("autocomplete"):
                typed = {**nonsense(specs, rng), option["name"]: rng.choice(NONSENSE)}
                proposed = await send(wire, wire.anna, path, typed, focused=option["name"])
                assert isinstance(proposed, Choices), (path, typed)
    # discord.py logs errors of autocompletion.
    assert [each.message for each in caplog.records if each.levelno >= logging.ERROR] == []


async def test_a_modal_with_too_much_text_is_refused(wire: Wire) -> None:
    await wire.begin()
    player, _other = await wire.players_at(await wire.act_until("bid"))
    pending = await wire.services.tables.reader.pending(1)
    bid = next(each for each in pending if not each.optional)
    before = wire.stored.log()
    for custom_id, lines in (
        (f"typed:1:{bid.id}:bid", ["1x" * 2000]),
        (f"typed:1:{bid.id}:bid", ["1x" * 2001]),
        ("noted:1", ["x" * (MAX_NOTES + 1)]),
        (f"promised:1:{bid.id}:offer", ["x" * (MAX_PROMISE + 1), ""]),
        (f"promised:1:{bid.id}:offer", ["x"] * 3),
        ("noted:1", []),
    ):
        components = [{"type": 18, "component": {"type": 4, "value": line}} for line in lines]
        data = {"custom_id": custom_id, "components": components}
        outcome = await player.person.fire(InteractionKind.MODAL_SUBMIT, player.place, data).outcome
        assert isinstance(outcome, Replied), custom_id
        assert outcome.message.is_ephemeral
    assert wire.stored.log() == before
    assert await wire.services.tables.notes.get(1, player.person.id) == ""
