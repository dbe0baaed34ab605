"""What is promised of every title's pictures: they light what is asked, word by word."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from typing import Any

import pytest

from bot.cogs.ui.action_builder import listed, usable_pieces
from bot.game.chance import RandomChance
from bot.game.choices import Bundle, Done, OneOf
from bot.game.contract import Action, AnyGame, Seat, canonical, in_turn
from bot.game.trial import views_before
from bot.policy.random import random_policy
from bot.render import picture, png, tiles
from bot.render.asked import WHOLE, AskedWords, Places, Sheet
from bot.render.contract import nowhere
from bot.render.kept import forget
from bot.render.theme import Palette
from bot.text.user_text import Written, plain
from bot.text.words import words_for
from bot.titles import TITLES
from bot.titles.title import Title
from bot.tools.playing import ComputerPlayer, play
from tests.policy.menus import offered

NAMES = (Written("Anna"), Written("Bert"), Written("Clara"))
LOOKED_AT = range(0, 400, 9)
"""Actions after which the questions are drawn."""
JOINED = 61
"""One in so many moments of recorded games is looked at for actions that are joined."""


def questions(game: AnyGame, state: Any, seat: Seat, rng: Random) -> Iterator[tuple[Action, OneOf]]:
    """The choices of one word out of several, along an action of each kind."""

    def follow(prefix: Action) -> Iterator[tuple[Action, OneOf]]:
        choices = game.legal(state, seat, prefix)
        if isinstance(choices, Done):
            return
        if prefix and isinstance(choices, OneOf) and choices.only() is None:
            yield prefix, choices
        words = listed(choices, 400) or [choices.sample(rng)]
        for word in words if not prefix else [rng.choice(words)]:
            yield from follow((*prefix, word))

    if any(decision.seat == seat for decision in game.pending(state)):
        yield from follow(())


def bundles(game: AnyGame, state: Any, seat: Seat, rng: Random) -> Iterator[tuple[Action, Bundle]]:
    """The choices of pieces, along an action of each kind."""

    def follow(prefix: Action) -> Iterator[tuple[Action, Bundle]]:
        choices = game.legal(state, seat, prefix)
        if isinstance(choices, Bundle) and usable_pieces(choices):
            yield prefix, choices
        if isinstance(choices, OneOf):
            for word in choices.values if not prefix else [choices.sample(rng)]:
                yield from follow((*prefix, word))

    yield from follow(())


@pytest.mark.parametrize("title", TITLES.every, ids=lambda title: str(title.game.name))
def test_every_word_that_is_asked_has_its_place_and_a_name_out_of_its_button(
    title: Title, monkeypatch: pytest.MonkeyPatch
) -> None:
    lit: list[Places] = []
    monkeypatch.setattr(picture, "draw_asked", lambda _sheet, places, _asked: lit.append(places))
    game, rng, drawn = title.game, Random(3), set()
    seats = [ComputerPlayer(random_policy(game.moves), blind=True)] * len(NAMES)
    for number, played in enumerate(play(game, seats, {}, rng)):
        if number not in LOOKED_AT:
            continue
        for seat in range(len(NAMES)):
            view = game.view(played.state, seat)
            for prefix, choices in questions(game, played.state, seat, rng):
                for words in (words_for("en"), words_for("it")):
                    labels = [
                        title.text.label(words, prefix, choices, word, view, NAMES)
                        for word in choices.values
                    ]
                    assert all(label.name and label.name in label.text for label in labels)
                asked = AskedWords(
                    prefix, choices.param, choices.values, tuple(label.name for label in labels)
                )
                part = title.part_asked(view, asked)
                if part is None:
                    continue
                assert len(set(asked.names)) == len(asked.names), asked
                if title.close_ups is not None and part in title.close_ups.parts(view):
                    title.close_ups.draw(view, plain(NAMES), (), part, {}, asked)
                else:
                    title.draw(view, plain(NAMES), (), asked)
                places = lit.pop()
                wanted = [word for word in asked.words if word]
                assert [word for word in wanted if not places.get(word)] == [], asked
                assert set(places) <= set(asked.words)
                drawn.add((prefix[0], choices.param))
    fewest = {"guatemala": 4}.get(title.game.name, 6)
    assert title.part_asked is nowhere or len(drawn) >= fewest, drawn


@pytest.mark.parametrize("title", TITLES.every, ids=lambda title: str(title.game.name))
def test_actions_that_are_joined_are_said_and_lit_each_by_the_view_before_it(title: Title) -> None:
    game, words, drawn = title.game, words_for("en"), set[tuple[str, ...]]()
    for moment in offered(title, JOINED):
        view, legal = moment.view, partial(game.legal, moment.state, moment.decision.seat)
        offers = list(moment.menu)
        if title.mind is not None and not moment.decision.optional:
            offers += title.mind.candidates(view, moment.decision, legal)
        said = dict[str, Action]()
        for action in dict.fromkeys(offers):
            views = views_before(game, view, in_turn(action))
            label = title.text.whole(words, action, views, NAMES)
            assert said.setdefault(label.text, action) == action
            kinds = tuple(each[0] for each in in_turn(action))
            if len(kinds) == 1 or kinds in drawn:
                continue
            drawn.add(kinds)
            word = canonical(action)
            asked = AskedWords((), WHOLE, (word,), (label.name,), views={word: views})
            part = title.part_asked(view, asked)
            if title.close_ups is not None and part in title.close_ups.parts(view):
                title.close_ups.draw(view, plain(NAMES), (), part, {}, asked)
            else:
                title.draw(view, plain(NAMES), (), asked)
    assert len(drawn) > 1


@pytest.mark.parametrize("title", TITLES.every, ids=lambda title: str(title.game.name))
def test_of_every_bundle_the_pieces_that_it_can_hold_are_lit(
    title: Title, monkeypatch: pytest.MonkeyPatch
) -> None:
    lit: list[Places] = []
    monkeypatch.setattr(picture, "draw_asked", lambda _sheet, places, _asked: lit.append(places))
    game, rng, drawn = title.game, Random(5), set()
    seats = [ComputerPlayer(random_policy(game.moves), blind=True)] * len(NAMES)
    for number, played in enumerate(play(game, seats, {}, rng)):
        if number not in LOOKED_AT:
            continue
        for decision in game.pending(played.state):
            view = game.view(played.state, decision.seat)
            for prefix, choices in bundles(game, played.state, decision.seat, rng):
                letters = usable_pieces(choices)
                asked = AskedWords(prefix, choices.param, letters, tagged=False)
                part = title.part_asked(view, asked)
                assert part is not None, asked
                if part:
                    assert title.close_ups is not None
                    title.close_ups.draw(view, plain(NAMES), (), part, {}, asked)
                else:
                    title.draw(view, plain(NAMES), (), asked)
                places = lit.pop()
                assert [letter for letter in letters if not places.get(letter)] == [], asked
                drawn.add((prefix[0], choices.param))
    assert len(drawn) >= {"kogge": 3}.get(title.game.name, 0), drawn


def pictures(title: Title) -> Iterator[Callable[[], bytes]]:
    """Draws a table now and then in a whole game, and one of its parts, once with a question."""
    game, rng = title.game, Random(7)
    seats = [ComputerPlayer(random_policy(game.moves), blind=True)] * len(NAMES)
    for number, played in enumerate(play(game, seats, {}, rng)):
        if number % 40:
            continue
        view, names = game.view(played.state, number % len(NAMES)), plain(NAMES)
        yield partial(title.draw, view, names, played.events)
        for prefix, choices in questions(game, played.state, number % len(NAMES), rng):
            asked = AskedWords(prefix, choices.param, choices.values)
            if title.part_asked(view, asked) is not None:
                yield partial(title.draw, view, names, played.events, asked)
                break
        if title.close_ups is not None:
            part = rng.choice(title.close_ups.parts(view))
            yield partial(title.close_ups.draw, view, names, played.events, part, {})


@pytest.mark.parametrize("title", TITLES.every, ids=lambda title: str(title.game.name))
def test_the_pictures_of_a_game_are_the_same_whatever_was_drawn_before_and_beside_them(
    title: Title, monkeypatch: pytest.MonkeyPatch
) -> None:
    draws = list(pictures(title))
    forget()
    in_order = [png.contents(draw()) for draw in draws]
    forget()
    with ThreadPoolExecutor(3) as threads:
        at_once = list(threads.map(lambda draw: png.contents(draw()), draws[::-1]))
    assert at_once[::-1] == in_order

    def in_one_piece(sheet: Sheet, palette: Palette) -> bytes:
        return png.encode(palette.reduce(sheet.image))

    monkeypatch.setattr(tiles, "encode", in_one_piece)
    assert [png.contents(draw()) for draw in draws] == in_order


@pytest.mark.parametrize("title", TITLES.every, ids=lambda title: str(title.game.name))
def test_a_picture_is_let_go_as_soon_as_it_is_drawn(
    title: Title, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[weakref.ref[Sheet]] = []
    begin = Sheet.__init__

    def begun(sheet: Sheet, width: int, height: int) -> None:
        made.append(weakref.ref(sheet))
        begin(sheet, width, height)

    monkeypatch.setattr(Sheet, "__init__", begun)
    state = title.game.setup(2, {}, RandomChance(Random(1)))
    view = title.game.view(state, 0)
    gc.disable()
    try:
        title.draw(view, plain(NAMES[:2]), ())
        assert [sheet() for sheet in made] == [None]
    finally:
        gc.enable()
