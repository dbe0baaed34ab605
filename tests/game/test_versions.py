"""Rules versions side by side, by title and number."""

from __future__ import annotations

import pytest

from bot.game.versions import Games, UnknownTitle, Versions
from tests.games.pebbles import GAME, NEWER


class Stones(type(GAME)):  # type: ignore[misc]
    """Another title."""

    name = "stones"


STONES = Stones(4)
GAMES = Games((GAME, NEWER, STONES))


def test_by_name_there_is_the_newest_and_by_number_each() -> None:
    for games in (GAMES, Games((STONES, NEWER, GAME))):
        assert set(games) == {"pebbles", "stones"}
        assert games["pebbles"] is games.of("pebbles", 2) is NEWER
        assert games.of("pebbles", 1) is GAME
        assert games.versions("pebbles") == (1, 2)
        assert games.versions("stones") == (4,)
        assert games.versions("chess") == ()
        assert set(games.every) == {GAME, NEWER, STONES}


def test_no_other_version_serves_in_place_of_one_that_is_not_there() -> None:
    for name, version, said in (
        ("pebbles", 3, "'pebbles' has no rules version 3. There is: 1, 2."),
        ("pebbles", 0, "'pebbles' has no rules version 0. There is: 1, 2."),
        ("chess", 1, "There is no game 'chess'. There is: pebbles, stones."),
    ):
        with pytest.raises(UnknownTitle) as caught:
            GAMES.of(name, version)
        assert str(caught.value) == said
    with pytest.raises(UnknownTitle) as caught:
        Versions({"pebbles": 1, "stones": 2})["chess"]
    assert str(caught.value) == "There is no game 'chess'. There is: pebbles, stones."


def test_there_are_no_two_of_one_version() -> None:
    with pytest.raises(ValueError, match="two games 'pebbles', version 1"):
        Games((GAME, type(GAME)(version=1)))


def test_words_serve_all_versions_but_those_that_have_their_own() -> None:
    words = Versions({"pebbles": "new"}, {("pebbles", 1): "old"})
    assert [words.of("pebbles", version) for version in (1, 2, 3)] == ["old", "new", "new"]
    assert words["pebbles"] == "new"
    keys = [words.key("pebbles", version) for version in (1, 2, 3)]
    assert keys == ["pebbles.1", "pebbles", "pebbles"]
    assert [words.by_key(key) for key in keys] == ["old", "new", "new"]
    for key in ("pebbles.2", "pebbles.x", "pebbles.", "chess", "chess.1", ""):
        with pytest.raises(KeyError):
            words.by_key(key)
    with pytest.raises(KeyError):
        words.of("chess", 1)
    made = Games((GAME, NEWER)).each(lambda game: game.options)
    assert made.of("pebbles", 1) == GAME.options != made.of("pebbles", 2) == NEWER.options
    assert made["pebbles"] == NEWER.options
