"""How the process begins and ends."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot.local import InteractionKind, Person, Standin, Updated
from bot.local.faults import Request
from tests.robot import BUTTON
from tests.wire.hands import HARBOUR, PLACE, Hands, ids, sit_down
from tests.wire.process import ENDS_S, BotProcess, process_on


@pytest.fixture
async def standin() -> AsyncIterator[Standin]:
    """A Discord with nobody connected."""
    async with Standin(acknowledge_s=ENDS_S) as made:
        yield made


@pytest.fixture
async def process(standin: Standin, tmp_path: Path) -> AsyncIterator[BotProcess]:
    """The bot, not started yet."""
    async with process_on(standin, tmp_path) as made:
        yield made


def hands_of(standin: Standin, *names: str) -> list[Hands]:
    """People who sit down together."""
    return [Hands(standin, standin.person(name), Random(name)) for name in names]


@pytest.mark.parametrize("token", ["", "not.the.token"])
async def test_a_missing_or_refused_token_is_one_line_and_status_2(
    process: BotProcess, token: str
) -> None:
    await process.launch(DISCORD_TOKEN=token)

    assert await process.exit_status() == 2
    warnings = [line for line in process.log.read_text().splitlines() if " INFO " not in line]
    assert len(warnings) == 1
    assert "DISCORD_TOKEN" in warnings[0]


async def test_asked_to_stop_the_bot_ends_what_is_under_way(
    standin: Standin, process: BotProcess
) -> None:
    await process.start()
    anna, bert = hands_of(standin, "Anna", "Bert")
    await sit_down(standin, anna.person, bert.person)
    await anna.turn()
    await bert.open()
    choice, thread = bert.choices()[0], f"/channels/{bert.place.id}/messages"
    await process.kept.settled()
    # The answer to the last choice and the board that follows it are both on their way.
    standin.faults.delay("POST", "*", 0.2, times=2)

    def stop_at_the_post(request: Request) -> None:
        if request.method == "POST" and request.path == thread:
            process.ask_to_stop()

    standin.faults.on_request.append(stop_at_the_post)
    answer = await bert.choose(choice)

    assert await process.exit_status() == 0
    assert isinstance(answer.outcome, Updated)
    assert process.kept.log()[-1].action.startswith("found")
    assert process.kept.owed() == []
    assert len(anna.posts) == 2
    assert "Traceback" not in process.log.read_text()


async def test_a_press_while_the_bot_is_down_changes_nothing_and_works_later(
    standin: Standin, process: BotProcess
) -> None:
    await process.start()
    anna, bert = hands_of(standin, "Anna", "Bert")
    await sit_down(standin, anna.person, bert.person)
    await anna.open()
    choice = anna.choices()[0]
    assert await process.stop() == 0
    await process.gone()
    before = process.kept.log()

    fire(standin, anna.person, choice["custom_id"])
    await process.start()
    answer = await anna.choose(choice)

    assert answer.is_private
    assert len(process.kept.log()) == len(before) + 1
    assert list(process.kept.acted())[-1] == str(answer.interaction.id)


async def test_a_second_start_posts_nothing_again(standin: Standin, process: BotProcess) -> None:
    await process.start()
    anna, bert = hands_of(standin, "Anna", "Bert")
    await sit_down(standin, anna.person, bert.person)
    await anna.open()
    await process.kept.settled()
    messages = {c: len(m) for c, m in standin.model.messages.items()}

    assert await process.stop() == 0
    await process.gone()
    await process.start()
    await anna.open()

    after = {c: len(m) for c, m in standin.model.messages.items()}
    grown = {c for c in after if after[c] != messages.get(c)}
    assert grown == {anna.place.id}
    assert after[anna.place.id] == messages[anna.place.id] + 1
    assert ids(anna.person.sees(HARBOUR)[-1]) == []
    assert len(anna.posts) == 1


def fire(standin: Standin, person: Person, custom_id: str) -> None:
    """Press, and do not wait for an answer that will not come."""
    place = standin.channel(PLACE.format(1))
    data = {"component_type": BUTTON, "custom_id": custom_id}
    person.fire(InteractionKind.COMPONENT, place, data)
