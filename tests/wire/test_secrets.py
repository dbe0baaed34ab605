"""Secrets: messages to users and log lines must not depend on hidden information."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

import pytest

from bot.game.contract import SPECTATOR, Observer
from bot.game.kogge import GAME
from bot.titles import TITLES
from tests.leaks.bot import Feed, check_bot
from tests.leaks.game import Kind, Setting
from tests.wire.conftest import Wire
from tests.wire.players import RandomPlayer

CHANGES = 5
MAX_MESSAGES = 50

ALL_HIDDEN = {
    "goods": "hidden",
    **dict.fromkeys(("taxes", "offices", "conflicts", "memory"), "on"),
}
SECRET_NUMBERS = {"goods": "markers", **dict.fromkeys(("taxes", "offices", "memory"), "on")}
LOBBY = ("opened", "joined", "set option", "started")


@pytest.mark.parametrize(
    ("options", "observer"),
    [
        (ALL_HIDDEN, 1),
        *(
            pytest.param(options, observer, marks=pytest.mark.slow)
            for options in (ALL_HIDDEN, SECRET_NUMBERS)
            for observer in (SPECTATOR, 3)
        ),
    ],
)
def test_messages_to_players_and_spectators_do_not_depend_on_secrets(
    options: dict[str, str], observer: Observer, caplog: pytest.LogCaptureFixture
) -> None:
    """Four players and a spectator in the advanced game, with hidden goods or marker numbers."""
    with caplog.at_level(logging.DEBUG, "bot"):
        checked = check_bot(TITLES["kogge"], Setting(4, options, "2"), observer, MAX_MESSAGES)

    assert checked.leak is None, checked.leak
    assert checked.counts[Kind.MESSAGE] >= MAX_MESSAGES
    # The log names only the kinds of actions, and numbers.
    words = {arg for record in caplog.records for arg in log_args(record) if isinstance(arg, str)}
    assert words <= {"kogge", *GAME.moves, *LOBBY, "not_seated", "NotFound"}
    assert words & set(GAME.moves)
    # The text of a log line has no details of actions.
    assert not [each.msg for each in caplog.records if any(map(str.isdigit, each.msg))]


def log_args(record: logging.LogRecord) -> Iterable[object]:
    return record.args.values() if isinstance(record.args, Mapping) else record.args or ()


# Secret actions must not change messages of others


async def choose_and_change(wire: Wire, bert: RandomPlayer, changes: int) -> None:
    await bert.open()
    await wire.quiet()
    for number in (*range(changes, 0, -1), 0):
        choices = bert.choices()
        await bert.choose(choices[number % len(choices)])
        await wire.quiet()


@pytest.mark.usefixtures("never_deferred")
async def test_changes_of_a_secret_choice_are_invisible_to_others(wire: Wire) -> None:
    anna, bert = await wire.begin(goods="hidden")
    await anna.open()
    await wire.quiet()
    await choose_and_change(wire, bert, 0)
    before = anna.board()
    assert before is not None
    edited = before.edited_at
    assert edited is not None, "the first choice may be visible"

    annas, veras = (Feed(wire.standin, person) for person in (wire.anna, wire.vera))
    await choose_and_change(wire, bert, CHANGES)

    assert [entry.action.split()[0] for entry in wire.stored.log()].count("found") == CHANGES + 2
    assert annas.lines == []
    assert veras.lines == []
    assert before.edited_at == edited
