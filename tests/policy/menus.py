"""What is promised of a game's menu of whole actions, at moments of its recorded games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from bot.game.chance import RandomChance
from bot.game.choices import Done
from bot.game.contract import Action, AnyGame, Decision, Seat, in_turn
from bot.game.trial import views_before
from bot.tables.core.record import fold
from bot.text.words import words_for
from bot.titles.title import Title
from tests.recorded.results import names, read_record
from tests.text.moments import NAMES

MOST = 25
"""A menu has no more entries, as a select has."""


class Offered(NamedTuple):
    """A decision of a recorded game, what is offered for it, and what the greedy player does."""

    state: Any
    decision: Decision
    view: Any
    menu: list[Action]
    greedy: Action


def offered(title: Title, every: int) -> Iterator[Offered]:
    """The decisions of every so many moments of all recorded games."""
    game, greedy, moment = title.game, title.quick_players["normal"], 0
    for name in names(game):
        for folded in fold(game, read_record(game, name)):
            moment += 1
            if moment % every:
                continue
            for decision in game.pending(folded.state):
                view = game.view(folded.state, decision.seat)
                legal = partial(game.legal, folded.state, decision.seat)
                menu = [*title.menu(view, decision, legal)]
                choice = greedy(view, decision, legal, Random(moment))
                yield Offered(folded.state, decision, view, menu, choice)


def can_be_carried_out(game: AnyGame, state: Any, seat: Seat, entry: Action) -> bool:
    """Whether each of the actions of an entry is legal and whole after those before it."""
    first, *rest = in_turn(entry)
    if not is_whole(game, state, seat, first):
        return False
    ahead = deepcopy(state) if rest else state
    for before, action in pairwise((first, *rest)):
        game.apply(ahead, seat, before, RandomChance(Random(1)))
        if not is_whole(game, ahead, seat, action):
            return False
    return True


def is_whole(game: AnyGame, state: Any, seat: Seat, action: Action) -> bool:
    """Whether each word of an action is legal after those before it, and nothing is missing."""
    for place, word in enumerate(action):
        choices = game.legal(state, seat, action[:place])
        if isinstance(choices, Done) or not choices.admits(word):
            return False
    return isinstance(game.legal(state, seat, action), Done)


def check_menus(title: Title, every: int, kinds: set[str]) -> None:
    """At sampled moments each entry can be carried out and is told apart from the others, and what
    the greedy player does is among them, nearly always as the first; decisions of all these kinds
    were met."""
    met, found, first = Counter[str](), 0, 0
    for each in offered(title, every):
        seat = each.decision.seat
        assert 1 <= len(each.menu) <= MOST
        for action in each.menu:
            assert can_be_carried_out(title.game, each.state, seat, action), action
        views = [views_before(title.game, each.view, in_turn(action)) for action in each.menu]
        for language in ("en", "it"):
            labels = [
                title.text.whole(words_for(language), action, seen, NAMES)
                for action, seen in zip(each.menu, views, strict=True)
            ]
            texts = [label.text for label in labels]
            assert len(set(texts)) == len(texts), texts
            assert not any(text.endswith("…") for text in texts), texts
            assert all(label.name in label.text for label in labels)
        met[each.decision.kind] += 1
        begun = [in_turn(entry)[0] for entry in each.menu]
        found += each.greedy in begun
        first += each.greedy == begun[0]
    assert set(met) >= kinds
    assert found >= 0.95 * met.total()
    assert first >= 0.9 * met.total()
