"""Plans and previews show exactly what would happen, and no secrets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from bot.game import trial as trials
from bot.game.chance import RandomChance, RecordedChance
from bot.game.choices import Done
from bot.game.contract import Action, Chance, Event, IllegalAction, Seat, parse_action
from bot.game.game import AnyGame
from bot.game.game_end import GameEnds
from bot.game.trial import Horizon, Trial, preview, views_before
from bot.tables.core.record import fold
from bot.titles import TITLES
from tests.game.kogge.places import ABO, LUBECK, REVAL, RIGA
from tests.game.kogge.positions import table
from tests.game.sampled import SAMPLED
from tests.games.pebbles import GAME as PEBBLES
from tests.games.pebbles import Take
from tests.recorded.results import names, read_record, read_results

UNPREVIEWED = {Horizon.DRAW, Horizon.SEEN, Horizon.SEALED, Horizon.OVER}
"""Horizons at which the effect of the last action is not shown."""
MOMENTS = 40
"""States of a recorded game in which a plan is tried."""

every_game = pytest.mark.parametrize("name", SAMPLED)


def moments(game: AnyGame) -> Iterator[Any]:
    """Yield copies of states in the middle of a recorded game."""
    played = read_record(game, names(game)[0])
    stride = max(1, len(played.entries) // MOMENTS)
    for _, state in islice(fold(game, played), 1, None, stride):
        if game.outcome(state) is None:
            yield game.decode(game.encode(state))


def any_action(trial: Trial, rng: Random) -> Action:
    """Return a random action that can be tried next."""
    action: Action = ()
    while not isinstance(choices := trial.legal(action), Done):
        action = (*action, choices.sample(rng))
    return action


def to_act(game: AnyGame, state: Any) -> list[Seat]:
    """Return the seats to act."""
    return [each.seat for each in game.pending(state) if not each.optional]


def random_plan(game: AnyGame, state: Any, seat: Seat, rng: Random) -> list[Trial]:
    """Return the trials of a random plan up to its horizon; the first has no action."""
    plan = [trials.begin(game, state, seat)]
    while plan[-1].decision is not None:
        plan.append(trials.try_action(plan[-1], any_action(plan[-1], rng)))
    return plan


@every_game
def test_a_plan_shows_exactly_what_then_happens(name: str) -> None:
    game, rng, whole = TITLES.games[name], Random(5), 0
    for state in moments(game):
        seat = to_act(game, state)[0]
        real = game.decode(game.encode(state))
        plan = random_plan(game, state, seat, rng)[1:]
        known = [each for each in plan if each.horizon not in UNPREVIEWED]
        ahead = preview(game, game.view(state, seat), [each.done[-1] for each in known])
        assert [each.view for each in ahead] == [each.view for each in known]
        assert [tuple(each.events) for each in ahead] == [each.events for each in known]
        for trial in plan:
            events = game.apply(real, seat, trial.done[-1], RandomChance(rng))
            if trial.horizon in UNPREVIEWED:
                break
            assert trial.view == game.view(real, seat)
            assert trial.pending == game.pending(real)
            assert list(trial.events) == [event for event in events if event.visible_to(seat)]
            whole += 1
    assert whole > 5


def shown(trial: Trial, rng: Random) -> tuple[object, ...]:
    """Return everything that a trial shows to its seat."""
    choices = [] if trial.decision is None else [str(trial.legal()), any_action(trial, rng)]
    return (trial.view, trial.events, trial.horizon, trial.to_act, trial.mark(), *choices)


@every_game
def test_a_plan_does_not_depend_on_anything_hidden_from_its_seat(name: str) -> None:
    game = TITLES.games[name]
    for number, state in enumerate(moments(game)):
        for seat in range(len(state.players)):
            twin = game.resample(state, seat, Random(number))
            plan = random_plan(game, state, seat, Random(number))
            other = trials.begin(game, twin, seat)
            for trial in plan:
                if trial.done:
                    other = trials.try_action(other, trial.done[-1])
                assert shown(trial, Random(0)) == shown(other, Random(0)), (seat, trial.done)


def taking() -> Any:
    """Return a table of Pebbles where seat 0 must take pebbles."""
    state = PEBBLES.setup(2, {}, RandomChance(Random(1)))
    state.frames = [Take(0)]
    return state


def test_a_plan_stops_at_another_players_decision() -> None:
    state = taking()
    trial = trials.try_action(trials.begin(PEBBLES, state, 0), ("take", "2"))
    assert (trial.view.known.pebbles, state.pebbles, trial.horizon) == ([2, 0], [0, 0], None)
    sealed = trials.try_action(trial, ("choose", "3"))
    assert (sealed.horizon, sealed.view, sealed.decision) == (Horizon.SEALED, trial.view, None)
    with pytest.raises(ValueError, match="sealed"):
        trials.try_action(sealed, ("choose", "1"))
    waiting = trials.begin(PEBBLES, taking(), 1)
    assert (waiting.horizon, waiting.to_act) == (Horizon.OTHER, (0,))
    own = trials.begin(PEBBLES, taking(), 0)
    assert str(own.legal()) == "take"
    with pytest.raises(ValueError, match="gift"):
        trials.try_action(own, ("gift", "1"))
    with pytest.raises(IllegalAction):
        trials.try_action(own, ("take", "9"))


class WithDraw:
    """A game in which a draw decides between equal choices."""

    def __init__(self, honest: AnyGame) -> None:
        self._honest = honest

    def __getattr__(self, name: str) -> Any:
        return getattr(self._honest, name)

    def apply(self, state: Any, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """Apply the action, with a draw after each choice."""
        events: list[Event] = self._honest.apply(state, seat, action, chance)
        if action[0] == "choose":
            chance.draw("equal", (1, 1))
        return events


def test_a_plan_does_not_show_whether_a_sealed_choice_leads_to_a_draw() -> None:
    game: Any = WithDraw(PEBBLES)
    trial = trials.try_action(trials.begin(game, taking(), 0), ("take", "2"))
    assert trials.try_action(trial, ("choose", "3")).horizon is Horizon.SEALED


def test_a_plan_has_a_maximum_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "MAX_ACTIONS", 1)
    game = TITLES.games["guatemala"]
    ends = [random_plan(game, state, to_act(game, state)[0], Random(1)) for state in moments(game)]
    assert max(map(len, ends)) == 2
    assert Horizon.FULL in {plan[-1].horizon for plan in ends}


def test_a_turn_can_be_planned_during_the_turns_of_others() -> None:
    """The plan lists the seats that are assumed to pass."""
    for name in ("kogge", "burgundy", "guatemala"):
        game, found = TITLES.games[name], 0
        for state in moments(game):
            for seat in set(range(len(state.players))) - set(to_act(game, state)):
                trial = trials.begin(game, state, seat)
                if trial.decision is not None:
                    assert trial.assumed
                    assert seat not in trial.assumed
                    found += 1
        assert found > 2


def test_a_preview_stops_at_hidden_routes_and_secret_choices() -> None:
    game = TITLES.games["kogge"]
    state = table(ships=(REVAL, LUBECK), routes={REVAL: (f"{RIGA}", f"{ABO}?")}, asked="move")
    view, stop = game.view(state, 0), ("stop",)
    known, hidden = ("sail", "left", ""), ("sail", "right", "")
    seen = views_before(game, view, [known, stop])
    assert [each.known.players[0].city for each in seen] == [REVAL, RIGA]
    assert views_before(game, view, [hidden, stop]) == [view]
    begun = PEBBLES.setup(2, {}, RandomChance(Random(3)))
    assert preview(PEBBLES, PEBBLES.view(begun, 0), [("choose", "2")]) == []


@every_game
def test_the_end_of_a_game_is_announced_but_not_shown_by_a_plan(name: str) -> None:
    """The announcement uses nothing hidden from the seat. Checks two recorded games per ending."""
    game, results, taken = TITLES.games[name], read_results(TITLES.games[name]), Counter[str]()
    for each in names(game):
        taken[results[each].ending] += 1
        if taken[results[each].ending] > 2:
            continue
        record = read_record(game, each)
        *_, (_, state) = islice(fold(game, record), len(record.entries) - 1)
        last = record.entries[-1]
        seat, action = last.seat, parse_action(last.action)
        view = game.view(state, seat)
        end = GameEnds(game, view).of(seat, [action])
        assert end is not None
        twin = game.resample(state, seat, Random(1))
        assert GameEnds(game, game.view(twin, seat)).of(seat, [action]) == end
        plan = trials.try_action(trials.begin(game, state, seat), action)
        assert (plan.view, plan.decision) == (view, None)
        game.apply(state, seat, action, RecordedChance(last.drawn))
        assert end.outcome in (None, game.outcome(state))
    assert len(taken) > 1
