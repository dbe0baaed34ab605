"""The pictures of every title, at moments of recorded games."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from bot.game.contract import SPECTATOR, Event
from bot.game.game import AnyGame
from bot.render.legend import LEGEND
from bot.tables.core.record import fold
from bot.text.user_text import plain
from bot.text.words import words_for
from bot.titles import TITLES
from tests.recorded.results import names, read_record
from tests.render.compare import TOLERATED, assert_golden, different, read
from tests.render.pictured import NAMES, Pictured, unlit
from tests.render.titles import PICTURED

of_each_title = pytest.mark.parametrize("pictured", PICTURED.values(), ids=PICTURED)


def test_every_title_has_data_for_these_tests() -> None:
    assert set(PICTURED) == set(TITLES)


@of_each_title
def test_every_sample_matches_its_golden_picture_and_is_small_enough(
    pictured: Pictured,
) -> None:
    for name in pictured.samples:
        drawn = unlit(pictured, name)
        assert len(drawn) < pictured.kilobytes * 1000, name
        assert_golden(f"{pictured.name}_{name}", drawn)


@of_each_title
def test_large_parts_match_their_golden_pictures(pictured: Pictured) -> None:
    for golden, (name, part) in pictured.large.items():
        assert_golden(f"{pictured.name}_{golden}", unlit(pictured, name, part))


@of_each_title
def test_the_legend_explains_every_sign(pictured: Pictured) -> None:
    view = pictured.sample("middle_game")[0]
    close = pictured.title.text(words_for("en"), NAMES, view).close_up(LEGEND)
    assert close is not None
    assert set(close.legend) == set(pictured.signs)
    assert_golden(f"{pictured.name}_legend", unlit(pictured, "middle_game", LEGEND))


@of_each_title
def test_choices_are_lit_in_their_part_of_the_table_and_nowhere_else(pictured: Pictured) -> None:
    part_asked = pictured.title.pictures.part_asked
    for kind, question in pictured.asked.items():
        sample, asked = pictured.at(question.moment), pictured.question(question)
        assert part_asked(sample[0], asked) == question.part, kind
        lit = pictured.draw(sample, question.part, asked)
        assert lit != pictured.draw(sample, question.part), kind
        assert_golden(f"{pictured.name}_asked_{kind}", lit)
        for other in pictured.unlit.get(kind, ()):
            assert pictured.draw(sample, other, asked) == pictured.draw(sample, other)
    for asked, part in pictured.question_parts:
        assert part_asked(pictured.sample("middle_game")[0], asked) == part, asked


@of_each_title
def test_a_table_has_a_close_up_of_each_part_with_pieces(pictured: Pictured) -> None:
    for name, parts in pictured.parts.items():
        assert pictured.parts_of(pictured.sample(name)) == parts, name


def test_a_different_number_exceeds_the_tolerance() -> None:
    burgundy = PICTURED["burgundy"]
    view, seated, events = burgundy.sample("middle_game")
    richer = deepcopy(view)
    richer.known.players[2].workers = 9
    other = burgundy.draw((richer, seated, events))
    assert different(read(unlit(burgundy, "middle_game")), read(other)) > TOLERATED


@pytest.mark.slow
@of_each_title
def test_the_latest_events_are_marked(pictured: Pictured) -> None:
    marked = set()
    for view, event in examples(pictured.title.game):
        seated = plain(NAMES[: len(view.known.players)])
        if pictured.draw((view, seated, ())) != pictured.draw((view, seated, (event,))):
            marked.add(event.kind)
    assert marked == pictured.marked


def examples(game: AnyGame) -> Iterator[tuple[Any, Event]]:
    """Yield an event of each kind from recorded games, preferably the last of an action, with the
    view of a seat that may see it."""
    found = set()
    for is_last in (True, False):
        for name in names(game):
            for entry, state in fold(game, read_record(game, name)):
                for event in entry.events[-1:] if is_last else entry.events:
                    if event.kind not in found:
                        found.add(event.kind)
                        observer = next(
                            each for each in range(SPECTATOR, 4) if event.visible_to(each)
                        )
                        yield game.view(state, observer), event


@pytest.mark.slow
@of_each_title
def test_labels_are_drawn_in_another_language(pictured: Pictured) -> None:
    view, seated, events = pictured.sample("middle_game")
    italian = pictured.title.pictures.draw(view, seated, events, None, words_for("it").drawn)
    assert italian != unlit(pictured, "middle_game")
