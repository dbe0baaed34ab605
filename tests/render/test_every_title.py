"""The pictures of every title: highlights, threads and caches."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from typing import Any

import pytest
from PIL import Image

from bot.cogs.panel.browsing import listed, usable_pieces
from bot.game.chance import RandomChance
from bot.game.choices import Bundle, Done, OneOf
from bot.game.contract import Action, Seat, canonical, in_turn
from bot.game.game import AnyGame
from bot.game.trial import views_before
from bot.policy.random import random_policy
from bot.render import picture, tiles
from bot.render.asked import WHOLE, AskedWords, LayeredCanvas, Places
from bot.render.cache import PARTS, PICTURES
from bot.render.theme import Palette
from bot.text.user_text import Written, plain
from bot.text.words import words_for
from bot.titles import TITLES
from bot.titles.title import Title
from bot.tools.playing import ComputerPlayer, play
from tests.policy.menus import offered
from tests.render.compare import contents, forget
from tests.render.titles import PICTURED

NAMES = (Written("Anna"), Written("Bert"), Written("Clara"))
CHECKED = range(0, 400, 23)
"""Numbers of the actions after which the questions are drawn."""
MAX_BYTES = 300_000
"""Maximum size of a picture."""
JOINED = 61
"""Every n-th moment of recorded games is checked for joined actions."""


def questions(game: AnyGame, state: Any, seat: Seat, rng: Random) -> Iterator[tuple[Action, OneOf]]:
    """Yield the choices with several words, along an action of each kind."""

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
    """Yield the choices of pieces, along an action of each kind."""

    def follow(prefix: Action) -> Iterator[tuple[Action, Bundle]]:
        choices = game.legal(state, seat, prefix)
        if isinstance(choices, Bundle) and usable_pieces(choices):
            yield prefix, choices
        if isinstance(choices, OneOf):
            for word in choices.values if not prefix else [choices.sample(rng)]:
                yield from follow((*prefix, word))

    yield from follow(())


of_every_title = pytest.mark.parametrize(
    "title",
    [
        pytest.param(
            title,
            # Older rules have no pictures of their own.
            marks=() if title is TITLES[title.game.name] else pytest.mark.slow,
            id=f"{title.game.name}-{title.game.version}",
        )
        for title in TITLES.every
    ],
)


def drawn(title: Title, view: Any, asked: AskedWords, part: str | None) -> None:
    """Draw a question on its part of the table."""
    if part in title.pictures.parts(view):
        title.pictures.draw_part(view, plain(NAMES), (), part, {}, asked)
    else:
        title.pictures.draw(view, plain(NAMES), (), asked)


@of_every_title
def test_every_choice_has_a_place_and_a_name_from_its_button(
    title: Title, monkeypatch: pytest.MonkeyPatch
) -> None:
    lit: list[Places] = []
    monkeypatch.setattr(picture, "draw_asked", lambda _sheet, places, _asked: lit.append(places))
    game, rng, words, pieces = title.game, Random(3), set(), set()

    def check(view: Any, asked: AskedWords, part: str | None) -> None:
        drawn(title, view, asked, part)
        places = lit.pop()
        assert [word for word in asked.words if word and not places.get(word)] == [], asked
        assert set(places) <= set(asked.words)

    seats = [ComputerPlayer(random_policy(game.moves), blind=True)] * len(NAMES)
    for number, played in enumerate(play(game, seats, {}, rng)):
        if number not in CHECKED:
            continue
        for seat in range(len(NAMES)):
            view = game.view(played.state, seat)
            for prefix, choices in questions(game, played.state, seat, rng):
                for language in (words_for("en"), words_for("it")):
                    labels = [
                        title.text(language, NAMES, view).label(prefix, choices, word)
                        for word in choices.values
                    ]
                    assert all(label.name and label.name in label.text for label in labels)
                names = tuple(label.name for label in labels)
                asked = AskedWords(prefix, choices.param, choices.values, names)
                part = title.pictures.part_asked(view, asked)
                if part is not None:
                    assert len(set(names)) == len(names), asked
                    check(view, asked, part)
                    words.add((prefix[0], choices.param))
        for decision in game.pending(played.state):
            view = game.view(played.state, decision.seat)
            for prefix, bundle in bundles(game, played.state, decision.seat, rng):
                letters = usable_pieces(bundle)
                asked = AskedWords(prefix, bundle.param, letters, tagged=False)
                part = title.pictures.part_asked(view, asked)
                assert part is not None, asked
                check(view, asked, part)
                pieces.add((prefix[0], bundle.param))
    minimum = {"guatemala": 4}.get(game.name, 6)
    assert len(words) >= minimum, words
    assert len(pieces) >= {"kogge": 3}.get(game.name, 0), pieces


@pytest.mark.slow
@of_every_title
def test_joined_actions_are_described_and_lit_by_the_view_before_each(title: Title) -> None:
    game, words, joined = title.game, words_for("en"), set[tuple[str, ...]]()
    for moment in offered(title, JOINED):
        view, legal = moment.view, partial(game.legal, moment.state, moment.decision.seat)
        offers = list(moment.menu)
        if title.judgement is not None and not moment.decision.optional:
            offers += title.judgement.candidates(view, moment.decision, legal)
        actions = dict[str, Action]()
        for action in dict.fromkeys(offers):
            views = views_before(game, view, in_turn(action))
            label = title.text(words, NAMES).action_label(action, views)
            assert actions.setdefault(label.text, action) == action
            kinds = tuple(each[0] for each in in_turn(action))
            if len(kinds) == 1 or kinds in joined:
                continue
            joined.add(kinds)
            word = canonical(action)
            asked = AskedWords((), WHOLE, (word,), (label.name,), views={word: views})
            drawn(title, view, asked, title.pictures.part_asked(view, asked))
    assert len(joined) > 1


Draws = list[Callable[[], bytes]]


def some_pictures() -> Draws:
    """Return pictures of three titles, with and without a question."""
    kogge, _, guatemala, flandern = PICTURED.values()
    turn, cells = kogge.asked["turn"], guatemala.asked["cells"]
    return [
        partial(kogge.draw, kogge.at(turn.moment), turn.part, kogge.question(turn)),
        partial(guatemala.draw, guatemala.at(cells.moment), cells.part, guatemala.question(cells)),
        partial(flandern.draw, flandern.sample("middle_game")),
    ]


def whole_games() -> Draws:
    """Return pictures of every title in a whole game: tables, parts and questions."""
    draws: Draws = []
    for title in TITLES.values():
        game, rng = title.game, Random(7)
        seats = [ComputerPlayer(random_policy(game.moves), blind=True)] * len(NAMES)
        for number, played in enumerate(play(game, seats, {}, rng)):
            if number % 60:
                continue
            view, names = game.view(played.state, number % len(NAMES)), plain(NAMES)
            draws.append(partial(title.pictures.draw, view, names, played.events))
            for prefix, choices in questions(game, played.state, number % len(NAMES), rng):
                asked = AskedWords(prefix, choices.param, choices.values)
                if title.pictures.part_asked(view, asked) is not None:
                    draws.append(partial(title.pictures.draw, view, names, played.events, asked))
                    break
            part = rng.choice(title.pictures.parts(view))
            draws.append(partial(title.pictures.draw_part, view, names, played.events, part, {}))
    return draws


@pytest.mark.parametrize(
    "pictures", [some_pictures, pytest.param(whole_games, marks=pytest.mark.slow)]
)
def test_a_picture_does_not_depend_on_the_cache_or_on_other_threads(
    pictures: Callable[[], Draws], monkeypatch: pytest.MonkeyPatch
) -> None:
    draws, rng = pictures(), Random(1)

    forget()
    expected = list[bytes]()
    for draw in draws:
        drawn = draw()
        assert len(drawn) < MAX_BYTES
        expected.append(contents(drawn))

    def different(threads: int, times: int) -> set[int]:
        """Draw each picture several times, in random order. Return the numbers of wrong ones."""
        order = [*range(len(draws))] * times
        rng.shuffle(order)
        with ThreadPoolExecutor(threads) as pool:
            drawn = pool.map(lambda number: contents(draws[number]()), order)
        return {
            number for number, found in zip(order, drawn, strict=True) if found != expected[number]
        }

    forget()
    assert different(threads=4, times=2) == set(), "with empty caches"
    assert different(threads=3, times=1) == set(), "with full caches"
    with monkeypatch.context() as small:
        # Much is evicted while other threads use it, or before it is needed again.
        small.setattr(PARTS, "limit", 2 << 20)
        small.setattr(PICTURES, "limit", 1 << 20)
        forget()
        assert different(threads=3, times=1) == set(), "with small caches"

    def in_one_piece(canvas: LayeredCanvas, palette: Palette) -> Image.Image:
        return palette.reduce(canvas.image)

    monkeypatch.setattr(tiles, "compose", in_one_piece)
    assert different(threads=1, times=1) == set(), "without tiles"


@of_every_title
def test_a_canvas_is_freed_as_soon_as_it_is_drawn(
    title: Title, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvases: list[weakref.ref[LayeredCanvas]] = []
    init = LayeredCanvas.__init__

    def recorded(canvas: LayeredCanvas, width: int, height: int) -> None:
        canvases.append(weakref.ref(canvas))
        init(canvas, width, height)

    monkeypatch.setattr(LayeredCanvas, "__init__", recorded)
    state = title.game.setup(2, {}, RandomChance(Random(1)))
    view = title.game.view(state, 0)
    gc.disable()
    try:
        title.pictures.draw(view, plain(NAMES[:2]), ())
        assert [canvas() for canvas in canvases] == [None]
    finally:
        gc.enable()
