"""Hidden information and invariants."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, Observer
from bot.game.guatemala import GAME
from bot.game.guatemala.buying import occupy
from bot.game.guatemala.data import EMPTY
from bot.game.guatemala.plantation import board_for
from bot.game.guatemala.state import ALLOWS, BLOCKS, UNANSWERED, Blocking, Buying, GuatemalaState
from tests.game.guatemala.positions import FULL, LINES, harvest, play, sacks, table


def test_observers_know_only_the_number_of_sacks_in_the_bag_and_others_hands() -> None:
    """Also after the end. Money is public."""
    over = table(seats=3, asked="step", still=2, hands=("red red white", FULL, ""))
    play(over, 0, "pass")
    for state in (table(seats=3, hands=("red red white", FULL, ""), bag="black white"), over):
        for observer in (SPECTATOR, 0, 1, 2):
            known = GAME.view(state, observer).known
            assert known.bag == [sum(state.bag)]
            for seat, colours in enumerate(("red red white", FULL, "")):
                own = sacks(colours)
                assert known.players[seat].hand == (own if seat == observer else [sum(own)])
                known.players[seat].hand = own
            known.bag = state.bag
            assert known == state


# Resampling varies all secrets


def twins(state: GuatemalaState, observer: Observer) -> list[GuatemalaState]:
    """Return many states that look alike to the observer."""
    return [GAME.resample(state, observer, Random(seed)) for seed in range(60)]


def test_hands_of_others_and_the_bag_vary_in_colours_but_not_in_number() -> None:
    """The observer's hand and the board leave the rest of each colour for them."""
    state = GAME.setup(3, {}, RandomChance(Random(1)))
    for observer in (SPECTATOR, 0, 2):
        resampled = twins(state, observer)
        assert len({tuple(twin.bag) for twin in resampled}) > 10
        for seat in range(3):
            hands = {tuple(twin.players[seat].hand) for twin in resampled}
            assert len(hands) == 1 if seat == observer else len(hands) > 20
    state = table(seats=3, hands=("red red red red", "white", "black"), bag="red white")
    for twin in twins(state, 0):
        assert sum(player.hand[2] for player in twin.players[1:]) + twin.bag[2] == 1


def test_early_answers_vary_except_the_first_ones_that_did_not_block() -> None:
    """If the first in order has answered and the question is still open, the answer was no. A seat
    without a fitting sack never blocks, and public information does not vary."""
    state = table(seats=4, buyer="t4", sack="red", hands=("", "red", "red white", "white black"))
    play(state, 0, "take")
    for seat, answer in ((3, "no"), (1, "no")):
        play(state, seat, f"block {answer}")
    answers = set()
    for twin in twins(state, 2):
        frame = twin.frames[-1]
        assert isinstance(frame, Blocking)
        assert frame.answers[:3] == [UNANSWERED, ALLOWS, UNANSWERED]
        answers.add(frame.answers[3])
        assert frame.answers[3] == ALLOWS or twin.players[3].hand[frame.colour]
        assert GAME.view(twin, 2) == GAME.view(state, 2)
    assert answers == {ALLOWS, BLOCKS}


def test_only_a_sack_from_a_hand_discloses_information() -> None:
    """Answers about a block are sealed decisions, not disclosures."""
    state = table(buyer="t4", sack="red", hands=("white brown", "red"))
    for line in ("buy 24 a1", "take", "end", "move 1", "pass", "place t1"):
        assert not GAME.discloses(state, tuple(line.split()))
    harvest(state)
    assert GAME.discloses(state, ("refill", "white"))


# Invariants

BOARD = board_for(3)
Spoiler = Callable[[GuatemalaState], None]


def _worker_on(seat: int, colour: int, name: str) -> Spoiler:
    def spoil(state: GuatemalaState) -> None:
        state.players[seat].workers[colour].append(BOARD.cell_of_name[name])
        occupy(state, BOARD.cell_of_name[name])

    return spoil


SPOILERS: dict[str, Spoiler] = {
    "white_worker: 8": lambda state: state.production.__setitem__(0, EMPTY),
    "black_sack: 8": lambda state: state.track.append(0),
    "black_sack: a negative count": lambda state: state.bag.__setitem__(0, -1),
    "road: 49": lambda state: state.roads.clear(),
    "roads are on": lambda state: state.roads.append(state.roads[0]),
    "port1 has": lambda state: state.ports.insert(0, state.ports.pop(1)),
    "centavos": lambda state: setattr(state.players[1], "money", -1),
    "one cell": _worker_on(1, 4, "f2"),
    "a piece is on": _worker_on(0, 0, "e5"),
    "illegal cell": lambda state: state.players[0].huts.__setitem__(0, 0),
    "taken does not match": lambda state: state.taken.__setitem__(0, 0),
    "red plantations are joined": _worker_on(1, 2, "f1"),
    "the red plantation of seat 0 is not connected": _worker_on(0, 2, "p9"),
    "is on space 3": lambda state: state.production.sort(),
    "4 pieces bought": lambda state: setattr(state, "frames", [Buying([0, 9, 18, 27])]),
}


def valid_table() -> GuatemalaState:
    estate: dict[str, Any] = {"huts": ({"red": "e2"},), "workers": ({"red": "f2"},)}
    return table(
        seats=3, hands=(FULL, "red white", ""), ships={"port2": "red"}, roads="f1-g1", **estate
    )


def test_invariants_report_missing_extra_and_misplaced_pieces() -> None:
    LINES.check_spoiled(valid_table, SPOILERS)
