"""Nobody, the operator included, is shown anything that depends on what they may not know."""

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
MOST = 50

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
def test_nobody_of_five_gets_anything_that_depends_on_what_others_hide(
    options: dict[str, str], observer: Observer, caplog: pytest.LogCaptureFixture
) -> None:
    """Four players and a spectator, the advanced game, hidden goods or secret numbers of markers:
    see tests.leaks."""
    with caplog.at_level(logging.DEBUG, "bot"):
        checked = check_bot(TITLES["kogge"], Setting(4, options, "2"), observer, MOST)

    assert checked.leak is None, checked.leak
    assert checked.counts[Kind.MESSAGE] >= MOST
    # Of actions the operator is told the kind, and numbers.
    words = {fact for record in caplog.records for fact in facts(record) if isinstance(fact, str)}
    assert words <= {"kogge", *GAME.moves, *LOBBY, "not_seated", "NotFound"}
    assert words & set(GAME.moves)
    # Nor does what was done stand in the words of a line themselves.
    assert not [each.msg for each in caplog.records if any(map(str.isdigit, each.msg))]


def facts(record: logging.LogRecord) -> Iterable[object]:
    return record.args.values() if isinstance(record.args, Mapping) else record.args or ()


# What is done in secret changes nothing that others have received or receive later


async def choose_and_change(wire: Wire, bert: RandomPlayer, changes: int) -> None:
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

    hers, watched = (Feed(wire.standin, person) for person in (wire.anna, wire.vera))
    await choose_and_change(wire, bert, CHANGES)

    assert [entry.action.split()[0] for entry in wire.stored.log()].count("found") == CHANGES + 2
    assert hers.lines == []
    assert watched.lines == []
    assert before.edited_at == edited
