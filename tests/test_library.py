"""The library: its page is right, and it reveals no secrets."""

from __future__ import annotations

import doctest
import re
import shutil
from pathlib import Path
from random import Random

import pytest

import kontor
from bot.tables.core.log import Paused
from kontor import exports

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "library.md"


def test_the_examples_of_the_library_page_are_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(DOCS / "kogge-game.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    done = doctest.testfile(str(PAGE), module_relative=False)
    assert done.attempted > 25
    assert done.failed == 0
    assert (tmp_path / "board.png").stat().st_size > 10_000


def test_the_library_page_lists_every_name() -> None:
    _, listed = PAGE.read_text(encoding="utf-8").split("## All there is")
    here, in_exports = (re.findall(r"`(\w+)`", part) for part in listed.split("`kontor.exports`"))
    for module, names in ((kontor, here), (exports, in_exports)):
        assert sorted(names) == sorted(module.__all__)
        assert all(hasattr(module, name) for name in names)


def test_spectators_see_only_visible_events() -> None:
    rules, chance = kontor.game("kogge"), kontor.RandomChance(Random(5))
    state = rules.setup(2, {}, chance)
    secret = rules.apply(state, 1, ("found", "4"), chance)
    mine, theirs = rules.view(state, 1), rules.view(state, kontor.SPECTATOR)
    assert kontor.story(rules, mine, secret)
    assert kontor.story(rules, theirs, secret) == []
    known = rules.apply(state, 0, ("found", "3"), chance)
    view = rules.view(state, kontor.SPECTATOR)
    assert kontor.story(rules, view, secret + known) == kontor.story(rules, view, known) != []
    assert kontor.draw(rules, view, secret + known) == kontor.draw(rules, view, known)
    assert kontor.draw(rules, view, known) != kontor.draw(rules, view)


def test_events_of_the_table_have_no_story() -> None:
    rules = kontor.game("kogge")
    view = rules.view(rules.setup(2, {}, kontor.RandomChance(Random(1))), 0)
    assert kontor.story(rules, view, [Paused(seat=0)]) == []


@pytest.mark.parametrize("name", kontor.games())
def test_every_game_is_described_played_by_computers_and_drawn_in_every_palette(name: str) -> None:
    rules, rng = kontor.game(name), Random(5)
    chance = kontor.RandomChance(rng)
    state = rules.setup(2, {}, chance)
    for player in kontor.players(rules).values():
        for _ in range(2):
            decision = rules.pending(state)[0]
            action = kontor.answer(rules, state, decision, player, rng)
            events = rules.apply(state, decision.seat, action, chance)
    view = rules.view(state, 0)
    assert kontor.describe(rules, view)
    whole, parts = kontor.draw(rules, view, events), kontor.parts(rules, view)
    assert whole.startswith(b"\x89PNG")
    first = [kontor.draw(rules, view, part=parts[0], palette=name) for name in kontor.PALETTES]
    assert len({whole, *first}) == 1 + len(kontor.PALETTES)
    with pytest.raises(ValueError, match="there is no part 'attic'"):
        kontor.draw(rules, view, part="attic")
    with pytest.raises(ValueError, match="there is no palette 'sepia'"):
        kontor.draw(rules, view, palette="sepia")


def test_missing_names_and_unknown_languages_are_accepted() -> None:
    rules = kontor.game("burgundy", 2)
    state = rules.setup(2, {}, kontor.RandomChance(Random(1)))
    view = rules.view(state, 0)
    assert "Player 2" in kontor.describe(rules, view, language="tlh")
    assert "Bob" in kontor.describe(rules, view, names=("Anna", "Bob"))


def test_actions_lists_every_legal_action_of_a_seat() -> None:
    rules = kontor.game("kogge")
    state = rules.setup(2, {}, kontor.RandomChance(Random(1)))
    found = list(kontor.actions(rules, state, 0))
    assert found == [("found", str(city)) for city in reversed(range(9))]
    assert list(kontor.actions(rules, state, 0, ("found", "3"))) == [("found", "3")]
    with pytest.raises(kontor.IllegalAction, match=r"must be 0\.\.8"):
        list(kontor.actions(rules, state, 0, ("found", "9")))


def test_a_record_of_unknown_rules_is_refused_at_once() -> None:
    record = exports.read((DOCS / "kogge-game.json").read_bytes())
    strange = exports.Record("chess", 1, record.options, record.seats, record.entries)
    with pytest.raises(exports.RecordError, match="does not play 'chess'"):
        exports.replay(strange)
    with pytest.raises(exports.RecordError, match="no key"):
        exports.check(exports.Record("kogge", 2, record.options, record.seats, record.entries))
