"""Golden transcripts of the English texts in recorded games.

``GOLDEN=refresh pytest tests/text/test_transcripts.py`` writes them again. Read the difference
before you commit it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.game.choices import OneOf
from bot.game.contract import Action, Event, Seat, in_turn, parse_action
from bot.game.sides import own_looks
from bot.game.trial import views_before
from bot.tables.core.record import fold
from bot.text.words import Words, words_for
from bot.titles import NAMES, TITLES
from bot.titles.title import Title
from tests.recorded.results import names, read_record
from tests.text.people import called

FOLDER = Path(__file__).parent / "transcripts"
REFRESH = os.environ.get("GOLDEN") == "refresh"
EN, PEOPLE = words_for("en"), called("Anna", "Bob", "Cleo", "Do_ra")
SIGNED = EN.signed({name: f"<{name}>" for name in TITLES.signs})
GAMES = {"kogge": 10, "burgundy": 7, "guatemala": 3, "flandern": 4}
"""Every n-th recorded game is used."""
MAX_SEEN = 2
"""How often each kind of action and event is shown."""
MAX_CHOICES = 6
"""Maximum choices shown for a word, in addition to the chosen one."""


class Moment(NamedTuple):
    """A step of a recorded game: state and view of its seat before and after, and the events."""

    seat: Seat
    action: Action
    before: Any
    state: Any
    then: Any
    after: Any
    events: Sequence[Event]


def moments(title: Title) -> Iterator[Moment]:
    """Yield the moments with a kind of action or event that was rarely seen before."""
    game, met = title.game, Counter[str]()
    for name in names(game)[:: GAMES[game.name]]:
        before = b""
        for entry, new in fold(game, read_record(game, name)):
            action = parse_action(entry.action)
            kinds = {action[0], *(event.kind for event in entry.events)}
            met.update(kinds)
            if before and min(met[kind] for kind in kinds) <= MAX_SEEN:
                old = game.decode(before)
                views = game.view(old, entry.seat), game.view(new, entry.seat)
                yield Moment(entry.seat, action, views[0], old, new, views[1], entry.events)
            before = game.encode(new)


def texts_at(title: Title, at: Moment, words: Words) -> Iterator[str]:
    """Yield all texts for the seat of a step."""
    game, view = title.game, at.before
    text = title.text(words, PEOPLE, view)
    for decision in game.pending(at.state):
        if decision.seat == at.seat:
            yield f"asks: {text.question(decision)}"
            yield f"awaits: {text.to_act(decision)}"
            legal = partial(game.legal, at.state, at.seat)
            menu = [*title.menu(view, decision, legal)][:MAX_CHOICES]
            for entry in dict.fromkeys((*menu, at.action)):
                label = text.action_label(entry, views_before(game, view, in_turn(entry)))
                yield f"offers: {label.emoji} {label.text} | {label.name} | {label.description}"
    for place, word in enumerate(at.action):
        prefix = at.action[:place]
        choices = game.legal(at.state, at.seat, prefix)
        yield f"prompts: {text.prompt(prefix, choices)}"
        several = islice(choices.each(), MAX_CHOICES) if isinstance(choices, OneOf) else ()
        for each in dict.fromkeys((*several, word)):
            label = text.label(prefix, choices, each)
            yield f"  {each}: {label.emoji} {label.text} | {label.name} | {label.description}"
        if isinstance(choices, OneOf) and choices.groups and place:
            for by in choices.groups:
                for group in dict.fromkeys(map(by.of, choices.values)):
                    of = OneOf(by.param, (group,))
                    yield f"  [{text.label(prefix, of, group).text}]"
    yield f"says back: {text.action(at.action)}"
    visible = [event for event in at.events if event.visible_to(at.seat)]
    yield from (f"tells: {line}" for line in text.story(visible))
    yield from (f"in short: {line.text}" for line in text.summary(visible))
    yield from (f"reason: {reason}" for reason in text.reasons(visible))
    yield f"is remembered: {[text.weight(event) for event in visible]}"
    yield from (f"changes: {line}" for line in text.at(at.after).what_if(view))


def texts_of(title: Title, view: Any, words: Words) -> Iterator[str]:
    """Yield all texts about the state of a table."""
    text = title.text(words, PEOPLE, view)
    yield f"hand: {text.hand()}"
    yield f"board: {text.board()}"
    yield f"picture: {text.alt(())}"
    for part in title.pictures.parts(view):
        close = text.close_up(part)
        if close is not None:
            yield f"{part}: {close.title}: {close.text}"


def transcript(title: Title) -> Iterator[str]:
    """Yield the texts for options and moments (every other one with the pieces' signs), and now and
    then those about the state of the table."""
    for option in title.game.options:
        for value in option.values:
            yield f"plays by: {title.text(EN).options_summary({option.name: value})}"
    for number, at in enumerate(moments(title)):
        words = SIGNED if number % 2 else EN
        yield f"# {number}: seat {at.seat}, {' '.join(at.action)}"
        yield from texts_at(title, at, words)
        outcome = title.game.outcome(at.then)
        if outcome is not None:
            looks = own_looks(len(outcome.scores))
            yield f"result: {title.text(words, PEOPLE).outcome(outcome, looks)}"
        if outcome is not None or number % 11 == 10:
            yield from texts_of(title, at.after, words)


@pytest.mark.parametrize("name", NAMES)
def test_texts_match_the_transcript(name: str) -> None:
    golden, now = FOLDER / f"{name}.txt", "\n".join(transcript(TITLES[name])).splitlines()
    if REFRESH:
        FOLDER.mkdir(exist_ok=True)
        golden.write_text("\n".join(now) + "\n", encoding="utf-8")
    assert "\n".join(unified_diff(golden.read_text("utf-8").splitlines(), now, n=2)) == ""
