"""The texts in whole games, in Italian and in the pseudo-language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import pytest

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Action
from bot.game.kogge.data import CITY_NAMES
from bot.text.game_words import AnyGameWords
from bot.text.words import Words, all_words, words_for
from bot.titles import TITLES
from bot.titles.title import Title
from tests.text.moments import NAMES, Moment, moments_of
from tests.text.people import called

ADVANCED = dict.fromkeys(("taxes", "offices", "conflicts", "memory"), "on")
TABLES: list[tuple[str, int, dict[str, str], int]] = [
    ("kogge", 4, {}, 7),
    ("kogge", 4, {"goods": "open", "office_price": "either"}, 7),
    ("kogge", 3, {"edition": "italian"}, 7),
    ("kogge", 4, {"goods": "hidden", **ADVANCED}, 14),
    ("burgundy", 2, {"boards": "choose", "ties": "emptiest"}, 10),
    ("burgundy", 3, {"boards": "random", "sold_goods": "hidden"}, 9),
    ("guatemala", 2, {}, 5),
    ("guatemala", 4, {"setup": "random", "track": "99"}, 5),
    ("flandern", 2, {}, 5),
    ("flandern", 4, {}, 7),
    ("flandern", 3, {"golden_cities": "2", "bonus": "any", "guilds": "drawn"}, 6),
]
"""The last number is that of the kinds of decisions in the game."""
SPARED = {
    "kogge": "|".join(map(re.escape, CITY_NAMES)),
    # Spaces, phases and rounds.
    "burgundy": r"\b(?:[a-g][1-7]|[A-E][1-5]?|[A-D])\b",
    # Cells, roads, positions and columns.
    "guatemala": r"\b(?:[a-p][1-9](?:-[a-p][1-9])?|[trbl][1-9]|[a-p]-[a-p])\b",
    # Plots, their shapes, and the church's special quarters.
    "flandern": r"\b(?:[TPR][0-9]*|[A-D])\b",
}
"""Patterns for text that is not translated."""
LONG = called(*(f"A long name indeed {letter}" for letter in "ABCD"))
EMPTY = re.compile(r"\b(?:prend|pag|punt|pretend|otten|ottien|d[àa]|hai|ha|per)\w* niente\b", re.I)
"""Wrong Italian for "nothing"."""
MAX_CHOICES = 30
"""Maximum choices to check, in addition to the chosen one."""
INTERVAL = 8
"""After as many moments with its kinds, a moment is only checked at every n-th step."""
CUT = ("legend", "turn", "plantations")
"""Parts of the table with clipped texts."""


def labels_of(text: AnyGameWords, moment: Moment) -> Iterator[str]:
    """Yield the labels of the choices for each word of the action. They must be unique."""
    for prefix, choices, chosen in moment.steps:
        several = (
            choices.values if isinstance(choices, OneOf) else islice(choices.each(), MAX_CHOICES)
        )
        labels = [text.label(prefix, choices, word) for word in {*several, chosen}]
        texts = [label.text for label in labels]
        assert len(set(texts)) == len(texts), texts
        for label in labels:
            assert 1 <= len(label.text) <= 80
            assert label.description is None or 1 <= len(label.description) <= 100
            yield from (label.text, label.description or "")


def all_texts(title: Title, words: Words, moment: Moment) -> Iterator[str]:
    """Yield all texts at a moment, and check that they fit without being cut."""
    game, decision = title.game, moment.decision
    text = title.text(words, NAMES, moment.view)
    asked = text.question(decision)
    assert len(asked) <= 1500
    yield from (asked, text.called(decision.kind, NAMES))
    yield text.to_act(decision)
    yield from labels_of(text, moment)
    for prefix, choices, _ in moment.steps:
        yield text.prompt(prefix, choices)
    prefixes: list[Action] = [prefix for prefix, _, _ in moment.steps[1:]]
    for action in (*prefixes, moment.action):
        yield text.action(action)
    visible = [event for event in moment.events if event.visible_to(decision.seat)]
    for event in visible:
        assert type(event) is game.events[event.kind]
    yield from text.story(visible)
    after = game.view(moment.state, decision.seat)
    alt, hand = text.at(after).alt(visible), text.at(after).hand()
    boards = [text.at(after).named(names).board() for names in (NAMES, LONG)]
    assert len(alt) <= 1000
    for each in (hand, *boards):
        assert len(each) < 1900
        assert not each.endswith("…")
    yield from (alt, hand, boards[0])
    yield from close_ups(title, words, after)


def close_ups(title: Title, words: Words, view: Any) -> Iterator[str]:
    """Yield the texts for pictures of parts of the table."""
    for part in title.pictures.parts(view):
        close = title.text(words, NAMES, view).close_up(part)
        if close is not None:
            assert len(close.alt) <= 1000
            assert len(close.text) <= 1900
            for shown in () if part in CUT else (close.text, close.alt):
                assert not shown.endswith("…"), part
            yield from (close.title, close.text, close.alt, *close.legend.values())


@pytest.mark.parametrize(("name", "seats", "options", "asked"), TABLES)
def test_all_texts_are_translated_and_fit(
    name: str, seats: int, options: Mapping[str, str], asked: int, pseudo: Words
) -> None:
    # A Latin letter belongs to a missing fact or an English sentence.
    title, spared, latin = TITLES[name], re.compile(SPARED[name]), re.compile("[A-Za-z{}]")
    italian, kinds, met = words_for("it"), set[str](), Counter[str]()
    for number, moment in enumerate(moments_of(title.game, seats, 5, options)):
        kinds.add(moment.decision.kind)
        kinds_now = {moment.action[0], *(event.kind for event in moment.events)}
        met.update(kinds_now)
        rarest = min(met[each] for each in kinds_now)
        if rarest <= INTERVAL or number % INTERVAL == 0:
            for shown in all_texts(title, pseudo, moment):
                assert latin.search(spared.sub("", shown)) is None, shown
        if rarest <= 2 or number % INTERVAL == 4:
            for shown in all_texts(title, italian, moment):
                assert "{" not in shown
                assert "None" not in shown
                assert EMPTY.search(shown) is None, shown
    assert len(kinds) == asked, kinds


WITH_SIGNS = {
    "kogge": (4, {"goods": "open"}),
    "burgundy": (4, {"boards": "random"}),
    "guatemala": (4, {}),
    "flandern": (4, {}),
}


@pytest.mark.parametrize("title", TITLES.values(), ids=lambda title: str(title.game.name))
def test_texts_with_signs_of_pieces_fit_a_message(title: Title) -> None:
    signs = {name: f"<:{name}_0123abcd:1234567890123456789>" for name in title.pictures.signs}
    words, (seats, options) = words_for("en").signed(signs), WITH_SIGNS[title.game.name]
    for moment in islice(moments_of(title.game, seats, 2, options), 40, None, 19):
        view = title.game.view(moment.state, moment.decision.seat)
        text = title.text(words, NAMES, view)
        assert not text.hand().endswith("…")
        assert list(close_ups(title, words, view))
        # Alt texts and labels are plain.
        assert "<" not in text.alt(moment.events)
        assert not any("<" in shown for shown in labels_of(text.at(moment.view), moment))
        for decision in title.game.pending(moment.state):
            seen = title.game.view(moment.state, decision.seat)
            assert len(text.at(seen).question(decision)) <= 1900


TYPED = [("kogge", 3, {}), ("burgundy", 4, {"boards": "choose"}), ("guatemala", 4, {})]
TYPED += [("flandern", 2, {}), ("flandern", 4, {})]
MAX_CHECKED = 3


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "options"), TYPED)
def test_labels_and_words_of_the_notation_can_be_typed(
    name: str, seats: int, options: Mapping[str, str]
) -> None:
    # Discord may send the label of a choice instead of its value.
    game, checked = TITLES.games[name], Counter[tuple[str, int]]()
    text = TITLES.texts[name](words_for("en"), NAMES)
    languages = [TITLES.texts[name](words, NAMES) for words in all_words()]
    for moment in moments_of(game, seats, 2, options):
        for prefix, choices, chosen in moment.steps[1:]:
            checked[prefix[0], len(prefix)] += 1
            if checked[prefix[0], len(prefix)] > MAX_CHECKED:
                continue
            bundle = isinstance(choices, Bundle)
            for word in {*islice(choices.each(), MAX_CHOICES), chosen}:
                typed = {word}
                for each in languages:
                    label = each.at(moment.view).label(prefix, choices, word).text
                    typed |= {label, label.upper(), each.pieces(word)} if bundle else {label}
                for shown in typed:
                    read = text.at(moment.view).read(choices, shown, prefix)
                    assert read == word, shown
    assert len(checked) > 5
