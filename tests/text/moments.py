"""Whole games at random, step by step, for tests that look at every moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from bot.game.chance import RandomChance
from bot.game.choices import Domain, Done
from bot.game.contract import Action, AnyGame, Decision, Event
from bot.text.contract import AnyGameText
from bot.text.words import Words
from tests.text.people import called

NAMES = called("安娜", "波", "克里斯", "朵拉")
"""Names without a Latin letter, so that those left over come from the texts."""


@dataclass
class Moment:
    """One step: what was asked, how the answer was built, and what came of it."""

    state: Any
    decision: Decision
    view: Any
    """The asked seat's view before the action."""
    steps: list[tuple[Action, Domain, str]]
    action: Action
    events: list[Event]


def sampled(domain: Domain, _prefix: Action, rng: Random) -> str:
    """Any word of a domain."""
    return domain.sample(rng)


def moments_of(
    game: AnyGame,
    seats: int,
    seed: int,
    options: Mapping[str, str] | None = None,
    choose: Callable[[Domain, Action, Random], str] = sampled,
) -> Iterator[Moment]:
    """A whole game; at each step one of those who may say something does."""
    rng = Random(seed)
    chance = RandomChance(rng)
    state = game.setup(seats, options or {}, chance)
    while game.outcome(state) is None:
        decision = rng.choice(game.pending(state))
        view = game.view(state, decision.seat)
        steps: list[tuple[Action, Domain, str]] = []
        prefix: Action = ()
        while not isinstance(choices := game.legal(state, decision.seat, prefix), Done):
            word = choose(choices, prefix, rng)
            steps.append((prefix, choices, word))
            prefix = (*prefix, word)
        events = game.apply(state, decision.seat, prefix, chance)
        yield Moment(state, decision, view, steps, prefix, events)


def labels_of(text: AnyGameText, words: Words, moment: Moment) -> list[str]:
    """Every label of every choice on the way to the action; unique within each choice."""
    texts = []
    for prefix, choices, _ in moment.steps:
        made = [
            text.label(words, prefix, choices, word, moment.view, NAMES) for word in choices.each()
        ]
        said = [label.text for label in made]
        assert len(set(said)) == len(said), said
        for label in made:
            assert 1 <= len(label.text) <= 80
            assert label.description is None or 1 <= len(label.description) <= 100
            texts += [label.text, label.description or ""]
    return texts


def all_said(
    game: AnyGame, text: AnyGameText, parts: Iterable[str], words: Words, moment: Moment
) -> list[str]:
    """All that is said at a moment, of the table and of these parts of it; nothing is cut."""
    decision, view = moment.decision, moment.view
    asked = text.question(words, decision, view, NAMES)
    assert len(asked) <= 1500
    called = text.called(words, decision.kind, NAMES)
    texts = [asked, called, text.awaited(words, decision, NAMES), *labels_of(text, words, moment)]
    texts += [text.prompt(words, p, choices, view, NAMES) for p, choices, _ in moment.steps]
    prefixes: list[Action] = [prefix for prefix, _, _ in moment.steps[1:]]
    texts += [text.action(words, action, view, NAMES) for action in (*prefixes, moment.action)]
    heard = [event for event in moment.events if event.heard_by(decision.seat)]
    for event in heard:
        assert type(event) is game.events[event.kind]
    texts += text.story(words, heard, NAMES)
    after = game.view(moment.state, decision.seat)
    alt, hand = text.alt(words, after, heard, NAMES), text.hand(words, after, NAMES)
    board = text.board(words, after, NAMES)
    assert len(alt) <= 1000
    assert max(len(hand), len(board)) < 1900
    for part in parts:
        close = text.close_up(words, after, part, NAMES)
        assert close is not None
        assert len(close.alt) <= 1000
        assert len(close.text) <= 1900
        assert not close.text.endswith("…")
        assert not close.alt.endswith("…")
        texts += [close.title, close.text, close.alt, *close.legend.values()]
    return [*texts, alt, hand, board]
