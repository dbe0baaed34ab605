"""What is typed into commands, by those who keep to Discord's bounds and those who do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.cogs.common.bounds import MOST_TYPED
from bot.local import Choices, InteractionKind, Person, Replied
from bot.local.interactions import Outcome
from bot.local.model import Json
from bot.local.options import OptionKind, find_command
from bot.tables import PROMISE_MOST
from bot.tables.notes import MOST as NOTES_MOST
from bot.text import guidebook
from tests.wire.conftest import Wire
from tests.wire.hands import HARBOUR

HOSTILE = ("1x" * 3000, "ﷺ" * 6000, "9" * 5000, "é" * 6000, "{" * 6000, "a " * 3000)
LONGER = {
    ("table note", "text"): NOTES_MOST,
    **{
        (f"kogge deal {move}", option): PROMISE_MOST
        for move in ("offer", "counter")
        for option in ("promise", "ask")
    },
}
"""What needs more room than other options."""


def leaves(wire: Wire) -> Iterator[tuple[str, Json]]:
    """Every command with its path, and each of its options, as Discord was told of them."""

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
    """What comes of a command of which nobody has checked what it holds."""
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


async def test_every_option_that_is_typed_or_counted_has_a_bound(wire: Wire) -> None:
    seen = set()
    for path, option in leaves(wire):
        if option["type"] == OptionKind.STRING and not option.get("choices"):
            most = LONGER.get((path, option["name"]), MOST_TYPED)
            assert option.get("max_length") == most, (path, option["name"])
            seen.add((path, option["name"]))
        if option["type"] == OptionKind.INTEGER:
            assert option["min_value"] >= 0, (path, option["name"])
            assert option["max_value"] < 2**31, (path, option["name"])
    assert set(LONGER) <= seen
    assert len(seen) > 50


@pytest.mark.parametrize("typed", HOSTILE, ids=range(len(HOSTILE)))
async def test_what_is_too_long_is_refused_and_never_read(
    wire: Wire, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folded: list[str] = []

    def keep(text: str) -> tuple[str, ...]:
        folded.append(text)
        return ()

    monkeypatch.setattr(guidebook, "tokens", keep)

    outcome = await send(wire, wire.anna, "rules", {"topic": typed, "game": "kogge"})
    offered = await send(
        wire, wire.anna, "rules", {"topic": typed, "game": "kogge"}, focused="topic"
    )

    assert isinstance(outcome, Replied)
    assert f"at most {MOST_TYPED} characters" in outcome.message.content
    assert isinstance(offered, Choices)
    assert offered.choices == []
    assert folded == []


async def test_no_command_reads_what_is_too_long_or_no_number(wire: Wire) -> None:
    """Every option of every command in its turn, typed and chosen from."""
    await wire.begin()
    before = wire.kept.log()
    for path, option in leaves(wire):
        kind, name = option["type"], option["name"]
        if kind == OptionKind.STRING:
            for value in ("x" * 6000, 7, "zeppelin") if option.get("choices") else ("x" * 6000, 7):
                refused = await send(wire, wire.anna, path, {name: value})
                assert isinstance(refused, Replied), (path, name)
                assert "too long" in refused.message.content or (
                    "has changed since" in refused.message.content
                ), (path, name, refused.message.content)
            if option.get("autocomplete"):
                offered = await send(wire, wire.anna, path, {name: "x" * 6000}, focused=name)
                assert isinstance(offered, Choices)
                assert offered.choices == []
        elif kind == OptionKind.INTEGER:
            for number in (2**31, -1, 10**30, "12", True, 1.5):
                refused = await send(wire, wire.anna, path, {name: number})
                assert isinstance(refused, Replied), (path, name)
                assert "has changed since" in refused.message.content, (path, name, number)
    assert wire.kept.log() == before


@pytest.mark.parametrize("day", ["1.99999999999999999999", "9" * 100, "1.1.99999", "0.0.", "٣.٤."])
async def test_a_day_that_no_calendar_has_is_no_fault(wire: Wire, day: str) -> None:
    outcome = await send(wire, wire.anna, "me away", {"until": day})
    assert isinstance(outcome, Replied)
    assert outcome.message.is_ephemeral
