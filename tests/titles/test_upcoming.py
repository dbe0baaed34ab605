"""Who is on turn after the one who is."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

from bot.game.contract import SPECTATOR, Decision
from bot.titles import TITLES
from bot.titles.upcoming import in_order
from bot.tools.playing import play, players


class Ordered(NamedTuple):
    """A view of a game that is played in this order."""

    order: tuple[int, ...]


def asked(seat: int, kind: str = "turn") -> Decision:
    return Decision(id="1", seat=seat, kind=kind)


def test_the_next_in_order_follows_and_the_first_only_where_it_goes_around() -> None:
    view = Ordered((2, 0, 1))

    assert in_order("turn")(view, asked(2)) == 0
    assert in_order("turn")(view, asked(1)) is None
    assert in_order("turn", around=True)(view, asked(1)) == 2
    assert in_order("turn")(view, asked(2, "block")) is None
    assert in_order("turn")(view, asked(3)) is None


@pytest.mark.parametrize("name", [pytest.param("burgundy", marks=pytest.mark.slow), "kogge"])
def test_whoever_is_said_to_be_next_mostly_is(name: str) -> None:
    title = TITLES[name]
    said: int | None = None
    before: int | None = None
    right = wrong = 0
    for done in play(title.game, players(title, ["normal"], 3), {}, Random(1)):
        now = [each for each in title.game.pending(done.state) if not each.optional]
        if len(now) != 1:
            said = before = None
            continue
        if said is not None and now[0].seat != before:
            right += now[0].seat == said
            wrong += now[0].seat != said
        before = now[0].seat
        said = title.upcoming(title.game.view(done.state, SPECTATOR), now[0])

    assert right > 4 * wrong
