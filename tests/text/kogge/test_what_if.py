"""What planned actions would change, and the points during the game."""

from __future__ import annotations

import pytest

from bot.game.contract import SPECTATOR
from bot.game.kogge import GAME
from bot.tables.core.record import fold
from bot.text.kogge.game_text import KoggeText
from bot.text.words import Words
from tests.game.kogge.places import LUBECK, REVAL, RIGA
from tests.game.kogge.positions import play, table
from tests.recorded.results import names, read_record
from tests.text.people import called

TEXT, EN, NAMES = KoggeText(), Words(), called("Anna", "Bert", "Cleo")


def test_a_trade_tells_goods_and_victory_points_and_nothing_that_stays() -> None:
    state = table(ships=(REVAL, LUBECK), hands=("oo5", ""), city={REVAL: "ss"}, start=RIGA)
    before = GAME.view(state, 0)
    play(state, 0, "trade o ss")
    told = TEXT.what_if(EN, before, GAME.view(state, 0), NAMES)
    assert [line.split(":")[0] for line in told] == ["Victory points", "Goods"]
    assert told[0] == "Victory points: 12 → 25"
    assert TEXT.what_if(EN, before, before, NAMES) == []


def test_a_purchase_tells_what_it_brings_before_what_it_costs_and_no_loss_of_points() -> None:
    state = table(ships=(REVAL, LUBECK), hands=("oo5", ""), display=("87",), start=RIGA)
    before = GAME.view(state, 0)
    play(state, 0, "buy 1 ore")
    told = TEXT.what_if(EN, before, GAME.view(state, 0), NAMES)
    assert [line.split(":")[0] for line in told] == ["Markers", "Goods"]


@pytest.mark.parametrize(
    ("bids", "mine", "told"),
    [
        ((), "5", "the first so far"),
        (("4",), "5", "beats all bids so far"),
        (("66", "3"), "5", "behind **Bert**"),
    ],
)
def test_a_bid_is_weighed_against_those_that_lie_open(
    bids: tuple[str, ...], mine: str, told: str
) -> None:
    state = table(seats=3, hands=("5", "66", "34"), asked="bid", order=(1, 2, 0), at=len(bids))
    for seat, bid in enumerate(bids, 1):
        state.bids[seat] = bid
    before = GAME.view(state, 0)
    state.bids[0] = mine
    (line,) = TEXT.what_if(EN, before, GAME.view(state, 0), NAMES)
    assert line.endswith(told)


@pytest.mark.parametrize("name", [each for each in names(GAME) if "-laps-" in each][::9])
def test_at_the_end_by_laps_the_points_are_those_of_the_result(name: str) -> None:
    *_, last = fold(GAME, read_record(GAME, name))
    outcome = GAME.outcome(last.state)
    assert outcome is not None
    assert TEXT.scores(GAME.view(last.state, SPECTATOR)) == outcome.scores
