"""What is promised of every title's pictures, drawn from views made by hand."""

from __future__ import annotations

from hashlib import sha256

import pytest

from bot.render import png
from bot.render.legend import LEGEND
from bot.text.user_text import Written
from bot.text.words import words_for
from bot.titles import TITLES
from tests.render.compare import TOLERATED, assert_golden, different, read
from tests.render.pictured import Pictured, unlit
from tests.render.sameness import draws_twins_alike, printed_elsewhere
from tests.render.titles import PICTURED

LONGEST = ("burgundy", "guatemala")
"""Whose random games are drawn by `make check` alone."""
of_each_title = pytest.mark.parametrize("pictured", PICTURED.values(), ids=PICTURED)


def test_every_title_is_pictured() -> None:
    assert set(PICTURED) == set(TITLES)


@of_each_title
def test_every_sample_is_drawn_as_its_golden_picture_and_is_not_too_large(
    pictured: Pictured,
) -> None:
    for name in pictured.samples:
        drawn = unlit(pictured, name)
        assert len(drawn) < pictured.kilobytes * 1000, name
        assert_golden(f"{pictured.name}_{name}", drawn)


@of_each_title
def test_large_parts_are_drawn_as_their_golden_pictures(pictured: Pictured) -> None:
    for golden, (name, part, words) in pictured.large.items():
        drawn = pictured.draw(pictured.samples[name](), part, words)
        assert_golden(f"{pictured.name}_{golden}", drawn)


@of_each_title
def test_the_legend_explains_every_sign(pictured: Pictured) -> None:
    view, names, _ = sample = pictured.samples["middle_game"]()
    written = [Written(name) for name in names]
    close = pictured.title.text.close_up(words_for("en"), view, LEGEND, written)
    assert close is not None
    assert set(close.legend) == set(pictured.signs)
    assert_golden(f"{pictured.name}_legend", pictured.draw(sample, LEGEND, close.legend))


@of_each_title
def test_what_is_asked_is_lit_where_it_lies_and_nowhere_else(pictured: Pictured) -> None:
    for kind, (name, part, asked) in pictured.asked.items():
        sample = pictured.samples[name]()
        assert pictured.part_asked(sample, asked) == part, kind
        lit = pictured.draw(sample, part, asked=asked)
        assert lit != unlit(pictured, name, part), kind
        assert_golden(f"{pictured.name}_asked_{kind}", lit)
        for elsewhere in pictured.unlit.get(kind, ()):
            assert pictured.draw(sample, elsewhere, asked=asked) == unlit(pictured, name, elsewhere)
    for sample, asked, where in pictured.lies:
        assert pictured.part_asked(sample, asked) == where, asked


@of_each_title
def test_a_table_has_the_parts_in_which_there_is_something(pictured: Pictured) -> None:
    for name, parts in pictured.parts.items():
        assert pictured.parts_of(pictured.samples[name]()) == parts, name


@of_each_title
def test_another_piece_or_another_number_is_more_than_the_tolerance(pictured: Pictured) -> None:
    view, names, events = pictured.samples["middle_game"]()
    here = read(unlit(pictured, "middle_game"))
    alike = [
        number
        for number, other in enumerate(pictured.changed(view))
        if different(here, read(pictured.draw((other, names, events)))) <= TOLERATED
    ]
    assert alike == []


@of_each_title
def test_all_that_an_observer_may_know_is_shown(pictured: Pictured) -> None:
    for number, (name, part, other) in enumerate(pictured.told()):
        _, names, events = pictured.samples[name]()
        assert pictured.draw((other, names, events), part) != unlit(pictured, name, part), number


@of_each_title
def test_what_has_just_happened_is_marked(pictured: Pictured) -> None:
    marked, before = set(), dict[str, bytes]()
    for kind in pictured.title.game.events:
        name, facts = pictured.happened.get(kind, ("middle_game", {}))
        view, names, _ = pictured.samples[name]()
        event = pictured.example(kind, facts)
        if name not in before:
            before[name] = pictured.draw((view, names, ()))
        if pictured.draw((view, names, (event,))) != before[name]:
            marked.add(kind)
    assert marked == pictured.marked


@pytest.mark.slow
def test_another_process_with_another_hash_seed_gives_the_same_bytes() -> None:
    program = "from tests.render.test_titles import fingerprints; print(*fingerprints())"
    assert printed_elsewhere(program, "4242") == fingerprints()


def fingerprints() -> list[str]:
    """Of one picture of each title and of a part of another, drawn now."""
    chosen = (
        ("kogge", "hidden_goods", ""),
        ("kogge", "extreme", "0"),
        ("burgundy", "choosing", ""),
        ("guatemala", "filled", ""),
        ("flandern", "scored", ""),
    )
    drawn = [
        PICTURED[title].draw(PICTURED[title].samples[name](), part) for title, name, part in chosen
    ]
    return [sha256(png.contents(each)).hexdigest() for each in drawn]


@pytest.mark.slow
@of_each_title
def test_labels_can_be_drawn_in_another_language(pictured: Pictured) -> None:
    view, names, events = pictured.samples["middle_game"]()
    italian = pictured.title.draw(view, names, events, None, words_for("it").drawn)
    assert italian != unlit(pictured, "middle_game")


@pytest.mark.parametrize(
    ("pictured", "game"),
    [
        pytest.param(
            each,
            game,
            marks=[pytest.mark.slow] * (game > 0 or each.name in LONGEST),
            id=f"{each.name}-{game}",
        )
        for each in PICTURED.values()
        for game in range(len(each.random))
    ],
)
def test_a_random_game_is_drawn_and_its_pictures_betray_no_secret(
    pictured: Pictured, game: int
) -> None:
    seats, options = pictured.random[game]
    draws_twins_alike(
        pictured.title.game,
        pictured.title.draw,
        seats,
        options,
        900 if game else 240,
        lambda move: move in (1, seats + 1) or move % (60 if game else 120) == 0,
    )
