"""Unclaimed, the example of a title: whole games, secrets, words, pictures, players, the bot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, Action, Decision, Event, IllegalAction, canonical
from bot.game.frames import frame_of, question_of
from bot.game.hidden import UNSEEN
from bot.policy.contract import Policy
from bot.policy.search import strong
from bot.render.asked import WHOLE, AskedWords
from bot.text import Words, Written
from bot.titles import TITLES
from bot.titles.title import Titles
from kontor import actions
from tests.cogs.conftest import Club, wording
from tests.games.unclaimed import JUDGEMENT, TITLE
from tests.games.unclaimed.rules import GAME, KINDS, NO_BID, State, Take
from tests.games.unclaimed.words import UnclaimedWords
from tests.render.compare import contents

NAMES = ("Anna", "Bert", "Clara", "Dirk")
TABLES = [(seats, rounds) for seats in GAME.seats for rounds in GAME.options[0].values]
OTHER = {"bid": ("take", "hat"), "take": ("bid", "hat")}
LEVELS: Mapping[str, Policy] = {**TITLE.players, "strong": strong(JUDGEMENT, nodes=60)}


class Step(NamedTuple):
    before: State
    decision: Decision
    action: Action
    events: list[Event]
    after: State


def played(seats: int, seed: int, *levels: str, rounds: str = "6") -> Iterator[Step]:
    """Play a game with computer players of these levels."""
    chance = RandomChance(rng := Random(seed))
    state = GAME.setup(seats, {"rounds": rounds}, chance)
    while asked := [each for each in GAME.pending(state) if not each.optional]:
        decision, seat = asked[0], asked[0].seat
        level = LEVELS[levels[seat % len(levels)]]
        action = level(GAME.view(state, seat), decision, GAME.walk(state, seat), rng)
        before = GAME.decode(GAME.encode(state))
        events = GAME.apply(state, seat, action, chance)
        yield Step(before, decision, action, events, GAME.decode(GAME.encode(state)))


def observers(state: State) -> range:
    return range(SPECTATOR, len(state.players))


def words_of(state: State, observer: int) -> UnclaimedWords:
    names = tuple(Written(name) for name in NAMES[: len(state.players)])
    return UnclaimedWords(Words(), names, GAME.view(state, observer))


@pytest.mark.parametrize(("seats", "rounds"), TABLES)
def test_no_card_is_lost_in_whole_games(seats: int, rounds: str) -> None:
    for seed, level in enumerate([*LEVELS, *["random"] * 8]):
        *_, last = steps = list(played(seats, seed, level, rounds=rounds))
        for step in steps:
            assert not GAME.invariants(step.after)
            assert (GAME.outcome(step.after) is None) == (step is not last)
        outcome = GAME.outcome(last.after)
        assert outcome is not None
        points = [row for _, row in outcome.lines]
        assert outcome.scores == tuple(map(sum, zip(*points, strict=True)))
        assert last.after.round == int(rounds)


@pytest.mark.parametrize(
    ("bids", "umbrellas", "takers"),
    [
        pytest.param(("umbrella", "parrot", "hat"), (0, 0, 0), [1, 2, 0], id="the highest bid"),
        pytest.param(("violin", "violin", "parrot"), (5, 1, 9), [2, 1, 0], id="fewer points"),
        pytest.param(("violin", "violin", "violin"), (1, 1, 0), [2, 0, 1], id="by seats"),
    ],
)
def test_the_highest_bid_takes_first_then_the_player_with_fewer_points(
    bids: Sequence[str], umbrellas: Sequence[int], takers: Sequence[int]
) -> None:
    chance = RandomChance(Random(1))
    state = GAME.setup(3, {}, chance)
    for player, count in zip(state.players, umbrellas, strict=True):
        player.tickets, player.things = [1] * len(KINDS), [count, 0, 0, 0, 0]
    for seat, ticket in enumerate(bids):
        GAME.apply(state, seat, ("bid", ticket), chance)
    assert frame_of(state, Take).seats == takers


@pytest.mark.parametrize("seats", GAME.seats)
def test_resampled_states_look_the_same_and_differ_in_secrets(seats: int) -> None:
    rng = Random(seats)
    for step in played(seats, 1, "random"):
        state = step.after
        for observer in observers(state):
            seen = GAME.view(state, observer)
            twins = [GAME.resample(state, observer, rng) for _ in range(6)]
            twins += [GAME.determinize(seen, rng) for _ in range(6)]
            for twin in twins:
                assert GAME.view(twin, observer) == seen
                assert not GAME.invariants(twin)
            if GAME.outcome(state) is not None:
                continue
            for seat, player in enumerate(seen.known.players):
                hands = {GAME.hand(twin, seat) for twin in twins}
                assert (len(hands) == 1) == (seat == observer), hands
                is_sealed = question_of(state) == "bid" and state.players[seat].bid != NO_BID
                assert (player.bid == UNSEEN) == (is_sealed and seat != observer)
            assert len({tuple(twin.deck) for twin in twins}) > 1


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_better_players_win(seats: int) -> None:
    def wins(level: str, others: str, games: int = 40) -> float:
        total = 0.0
        for seed in range(games):
            levels = [others] * seats
            levels[seed % seats] = level
            *_, last = played(seats, seed, *levels)
            outcome = GAME.outcome(last.after)
            assert outcome is not None
            total += (seed % seats in outcome.winners) / len(outcome.winners)
        return total / games

    assert wins("easy", "random") > 1 / seats + 0.1
    assert wins("normal", "random") > 1 / seats + 0.3
    assert wins("normal", "easy") > 1 / seats + 0.1


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_observer_has_a_picture(seats: int) -> None:
    names = NAMES[:seats]
    steps = list(played(seats, 2, "normal"))
    for step in (steps[0], next(each for each in steps if each.action[0] == "take"), steps[-1]):
        drawn = set()
        for observer in observers(step.after):
            visible = [event for event in step.events if event.visible_to(observer)]
            picture = TITLE.pictures.draw(GAME.view(step.after, observer), names, visible)
            drawn.add(contents(picture))
        assert len(drawn) == seats + 1, "each sees their own tickets"
        seat = step.decision.seat
        every = tuple(canonical(each) for each in actions(GAME, step.before, seat))
        view = GAME.view(step.before, seat)
        asked = TITLE.pictures.draw(view, names, asked=AskedWords((), WHOLE, every))
        assert asked != TITLE.pictures.draw(view, names)


def test_everything_has_words() -> None:
    kinds: set[str] = set()
    for seats in GAME.seats:
        for step in played(seats, 3, "easy"):
            check_decision(step)
            for observer in observers(step.after):
                text = words_of(step.after, observer)
                visible = [event for event in step.events if event.visible_to(observer)]
                kinds |= {event.kind for event in visible}
                assert all(text.story([event]) for event in visible)
                assert text.board()
                assert text.alt(visible)
                assert observer == SPECTATOR or text.hand()
    assert kinds == {*GAME.events}


def check_decision(step: Step) -> None:
    """Check the words for a decision, its legal actions and refusals."""
    state, seat, kind = step.before, step.decision.seat, step.decision.kind
    text = words_of(state, seat)
    assert text.question(step.decision)
    assert text.to_act(step.decision)
    assert text.called(kind, text.names)
    assert text.prompt((kind,), GAME.legal(state, seat, (kind,)))
    every = [*actions(GAME, state, seat)]
    assert len({text.action_label(each).text for each in every}) == len(every)
    for action in ((kind, "cat"), (kind,), ("fly",), (kind, step.action[1], "x"), OTHER[kind]):
        with pytest.raises(IllegalAction) as refused:
            GAME.apply(state, seat, action, RandomChance(Random(1)))
        assert text.refusal(refused.value.refusal)
        assert text.rules(refused.value.refusal.topic)


async def test_the_bot_plays_it(tmp_path: Path) -> None:
    async with Club(tmp_path, Titles((*TITLES.every, TITLE))) as club:
        table = await club.start_game("unclaimed", ("rounds", "6"), seats=2)
        assert "Bid a ticket" in wording(await club.open_panel(table, 0))
        await club.finish(table.id)
        posts = "\n".join(map(wording, club.posts(table)))
        assert all(part in posts for part in ("Bids: ", "the game is over"))
