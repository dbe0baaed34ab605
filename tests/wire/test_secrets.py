"""Nobody, the operator included, is shown anything that depends on what they may not know."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

import msgspec
import pytest

from bot.game.kogge import GAME
from bot.local import Message, Standin
from bot.local.model import ChannelKind
from bot.titles import TITLES
from bot.tools.noninterference.feed import Feed
from bot.tools.noninterference.game import GameSetting
from bot.tools.noninterference.shown import Kind
from bot.tools.noninterference.wire import check_bot
from tests.wire.conftest import Wire
from tests.wire.hands import Hands, play_on, sit_down
from tests.wire.process import process_on

CHANGES = 5

ALL_HIDDEN = {
    "goods": "hidden",
    **dict.fromkeys(("taxes", "offices", "conflicts", "memory"), "on"),
}
SECRET_NUMBERS = {"goods": "markers", **dict.fromkeys(("taxes", "offices", "memory"), "on")}
LOBBY = ("opened", "joined", "set an option", "started")


@pytest.mark.parametrize(
    ("options", "most"),
    [(ALL_HIDDEN, 50), pytest.param(SECRET_NUMBERS, 120, marks=pytest.mark.slow)],
)
def test_nobody_of_five_gets_anything_that_depends_on_what_others_hide(
    options: dict[str, str], most: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Four players and a spectator, the advanced game, hidden goods or secret numbers of markers:
    see bot.tools.noninterference."""
    with caplog.at_level(logging.DEBUG, "bot"):
        checked = check_bot(TITLES["kogge"], GameSetting(4, options, "2"), most=most)

    assert checked.leak is None, checked.leak
    assert checked.checks[Kind.MESSAGE] >= most
    # Of actions the operator is told the kind, and numbers.
    words = {fact for record in caplog.records for fact in facts(record) if isinstance(fact, str)}
    assert words <= {"kogge", *GAME.moves, *LOBBY, "not_seated"}
    assert words & set(GAME.moves)


def facts(record: logging.LogRecord) -> Iterable[object]:
    return record.args.values() if isinstance(record.args, Mapping) else record.args or ()


PUBLIC_ID = re.compile(r"[a-z]+\d*:\d+(:o\d+:)?|log1:\d+::then")
NONCE = re.compile(r"\d+\.(post|lobby|story|film)\.\d+")
PUBLIC_FILE = re.compile(r"board\.png|points-\d+\.png|game-\d+\.gif")


@pytest.mark.slow
async def test_a_hidden_game_leaves_no_secret_in_names_of_things_or_in_the_log(
    tmp_path: Path,
) -> None:
    async with Standin() as standin, process_on(standin, tmp_path) as process:
        await process.start(LOG_LEVEL="DEBUG")
        hands = [Hands(standin, standin.person(n), Random(n)) for n in ("Anna", "Bert")]
        await sit_down(standin, *(each.person for each in hands), options={"goods": "hidden"})
        await play_on(hands)
        await process.kept.settled()
        assert await process.stop() == 0

        everything = [m for kept in standin.model.messages.values() for m in kept.values()]
        private = [m for m in everything if m.is_ephemeral or is_dm(standin, m)]
        public = [m for m in everything if m not in private]
        for message in public:
            for part in message.parts:
                assert PUBLIC_ID.fullmatch(part["custom_id"])
            assert message.nonce is None or NONCE.fullmatch(message.nonce)
            assert all(PUBLIC_FILE.fullmatch(file.filename) for file in message.attachments)
            known = msgspec.json.encode(message).decode()
            assert [m.id for m in private if str(m.id) in known] == []
        said = process.log.read_text()
        assert "Traceback" not in said
        assert standin.token not in said
        assert said.count("acted table=1") == len(process.kept.log()) - 1
        secrets = {
            "actions": {entry.action for entry in process.kept.log() if " " in entry.action},
            "words": {m.text for m in private if m.text},
            "ids": {p["custom_id"] for m in private for p in m.parts if "custom_id" in p},
        }
        # How many there are is up to chance: the process draws the game's key itself.
        assert all(secrets.values())
        assert [each for kind in secrets.values() for each in kind if each in said] == []


def is_dm(standin: Standin, message: Message) -> bool:
    return standin.model.channels[message.channel_id].kind is ChannelKind.DM


# What is done in secret changes nothing that others have received or receive later


async def choose_and_change(wire: Wire, bert: Hands, changes: int) -> None:
    await bert.open()
    await wire.quiet()
    for number in (*range(changes, 0, -1), 0):
        choices = bert.choices()
        await bert.choose(choices[number % len(choices)])
        await wire.quiet()


@pytest.mark.usefixtures("unhurried")
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
