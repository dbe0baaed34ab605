"""What is promised of a game's menu of whole actions, at moments of its recorded games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any, NamedTuple

from bot.game.choices import Done
from bot.game.contract import Action, AnyGame, Decision, Seat
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
    game, greedy, moment = title.game, title.own_players["greedy"], 0
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
            assert is_whole(title.game, each.state, seat, action), action
        for language in ("en", "it"):
            labels = [
                title.text.whole(words_for(language), action, each.view, NAMES)
                for action in each.menu
            ]
            texts = [label.text for label in labels]
            assert len(set(texts)) == len(texts), texts
            assert not any(text.endswith("…") for text in texts), texts
            assert all(label.name in label.text for label in labels)
        met[each.decision.kind] += 1
        found += each.greedy in each.menu
        first += each.greedy == each.menu[0]
    assert set(met) >= kinds
    assert found >= 0.95 * met.total()
    assert first >= 0.9 * met.total()
