"""What is done in secret changes nothing that others have received or receive later."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.local import Answer, Message, Person
from bot.tools.noninterference.feed import Feed
from tests.wire.conftest import Wire, on_the_wire
from tests.wire.hands import Hands, ids
from tests.wire.test_secrets import look_around

CHANGES = 7
ACTIONS = 50

pytestmark = pytest.mark.usefixtures("unhurried")


async def choose_and_change(wire: Wire, bert: Hands, changes: int) -> None:
    """The first city is chosen in the end, and others before it."""
    await bert.open()
    await wire.quiet()
    for number in (*range(changes, 0, -1), 0):
        choices = bert.choices()
        await bert.choose(choices[number % len(choices)])
        await wire.quiet()


async def test_a_sealed_choice_that_is_changed_changes_nothing_for_others(wire: Wire) -> None:
    anna, bert = await wire.begin(goods="hidden")
    await anna.open()
    await wire.quiet()
    await choose_and_change(wire, bert, 0)
    before = anna.board()
    assert before is not None
    edited = before.edited_at
    assert edited is not None, "that there is a choice may be seen"

    with Feed(wire.standin, wire.anna) as hers, Feed(wire.standin, wire.vera) as watched:
        await choose_and_change(wire, bert, CHANGES)

    assert [entry.action.split()[0] for entry in wire.kept.log()].count("found") == CHANGES + 2
    assert hers.lines == []
    assert watched.lines == []
    assert before.edited_at == edited


async def received(folder: Path, changes: int) -> list[Sequence[str]]:
    """All that another player and a watcher get of a game in which so much is done in secret."""
    async with on_the_wire(folder) as wire:
        anna, bert = await wire.begin(goods="hidden")
        await wire.quiet()
        with Feed(wire.standin, wire.anna) as hers, Feed(wire.standin, wire.vera) as watched:
            await choose_and_change(wire, bert, changes)
            for person in (wire.anna, wire.vera):
                await look_around(wire, person)
            await anna.open()
            # She sees the panel sooner than the bot knows that it is there, to be moved later.
            await wire.quiet()
            await anna.choose(anna.choices()[1])
            await wire.quiet()
            for person in (wire.anna, wire.vera):
                await look_around(wire, person)
            for seed in range(ACTIONS):
                await wire.act_any(seed=seed)
                # What is posted must not depend on how fast that is.
                await wire.quiet()
            for person in (wire.anna, wire.vera):
                await look_around(wire, person)
                await go_back(person)
        return [hers.lines, watched.lines]


async def go_back(person: Person) -> None:
    """Through the pages of the log, and a few turns of the replay."""
    log = shown(await person.slash("the-market", "game log", table=1))
    for page in ("page1:", "page1:", "page2:"):
        await person.press(log, custom_id=one(log, page))
    replay = shown(await person.slash("the-market", "game replay", table=1))
    for step in ("step2:", "step2:", "step3:", "step1:"):
        await person.press(replay, custom_id=one(replay, step))


def shown(answer: Answer) -> Message:
    """The message of an answer."""
    assert answer.message is not None
    return answer.message


def one(message: Message, start: str) -> str:
    """The button whose id begins so."""
    (found,) = [each for each in ids(message) if each.startswith(start)]
    return found


async def test_how_often_somebody_chose_in_secret_shows_in_nothing_afterwards(
    tmp_path: Path,
) -> None:
    folders = [tmp_path / name for name in ("few", "many")]
    for folder in folders:
        folder.mkdir()
    few, many = [
        await received(folder, changes)
        for folder, changes in zip(folders, (0, CHANGES), strict=True)
    ]

    assert few[0] == many[0]
    assert few[1] == many[1]
    assert len(few[0]) > len(few[1]) > ACTIONS
