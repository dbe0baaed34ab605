"""How the process begins and ends."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

from bot.local import InteractionKind, Person, Standin, Updated
from bot.local.faults import Request
from tests.robot import BUTTON
from tests.wire.hands import HARBOUR, PLACE, Hands, ids, sit_down
from tests.wire.posts import check_chain
from tests.wire.process import BotProcess, process_on

FIELDS = {"time", "level", "logger", "message", "table", "seq", "game", "seat", "kind", "ms"}


async def test_a_bot_that_is_stopped_ends_what_is_under_way_and_goes_on_where_it_was(
    standin: Standin, process: BotProcess, tmp_path: Path
) -> None:
    await process.start(LOG_LEVEL="DEBUG", LOG_FORMAT="json")
    async with process_on(standin, tmp_path) as second:
        second.log = tmp_path / "second.log"
        await second.launch()
        assert await second.exit_status() == 2
        assert re.fullmatch(r".*A bot is running on .*\n", second.log.read_text())
    anna, bert = (Hands(standin, standin.person(name), Random(name)) for name in ("Anna", "Bert"))
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
    standin.faults.on_request.remove(stop_at_the_post)
    assert isinstance(answer.outcome, Updated)
    kept = process.kept.log()
    assert kept[-1].action.startswith("found")
    assert kept[-1].seat != kept[-2].seat
    assert process.kept.owed() == []
    assert len(anna.posts) == 2
    await process.gone()
    lines = [json.loads(line) for line in process.log.read_text().splitlines()]
    acted = [line for line in lines if "kind" in line]
    assert [line["kind"] for line in acted] == ["found", "found"]
    assert all(set(line) == FIELDS for line in acted)
    assert all(entry.action not in process.log.read_text() for entry in kept if entry.seat >= 0)

    # A press while it is down changes nothing, and a start posts nothing again.
    messages = {channel: len(said) for channel, said in standin.model.messages.items()}
    fire(standin, bert.person, choice["custom_id"])
    await process.start()
    await process.kept.settled()
    assert process.kept.log() == kept
    who = next(each for each in (anna, bert) if each.is_called)
    await who.open()
    grown = {
        channel: len(said) - messages.get(channel, 0)
        for channel, said in standin.model.messages.items()
        if len(said) != messages.get(channel, 0)
    }
    assert grown == {anna.place.id: 1}
    assert ids(anna.person.sees(HARBOUR)[-1]) == []
    assert len(anna.posts) == 2
    check_chain(anna.posts, process.kept)
    await who.turn()
    assert len(process.kept.log()) > len(kept)
    assert await process.stop() == 0
    assert "Traceback" not in process.log.read_text()


def fire(standin: Standin, person: Person, custom_id: str) -> None:
    place = standin.channel(PLACE.format(1))
    data = {"component_type": BUTTON, "custom_id": custom_id}
    person.fire(InteractionKind.COMPONENT, place, data)
