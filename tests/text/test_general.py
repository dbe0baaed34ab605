"""The lobby, the lists of tables and other words around a game."""

from __future__ import annotations

from bot.text import general
from bot.text.general import LobbySeat
from bot.text.markup import bold, clip, code_block, escape
from bot.text.user_text import Mention, Written
from bot.text.words import words_for

EN = words_for("en")


def lobby(*seated: LobbySeat) -> str:
    return general.lobby(EN, tagline="Trade.", seated=seated, seats=(2, 3, 4), options="English")


def test_the_lobby_tells_who_sits_and_how_many_are_needed() -> None:
    text = lobby(LobbySeat(Written("Anna"), host=True))
    assert "1. **Anna** (host)" in text
    assert "Start waits for 1 more player." in text


def test_the_lobby_tells_of_computers_and_of_closed_direct_messages() -> None:
    text = lobby(
        LobbySeat(Written("Bob"), reachable=False), LobbySeat(Written("Computer 1"), "normal")
    )
    assert "**Bob** (takes no direct messages)" in text
    assert "(normal)" in text
    assert "2 more may join." in text


def test_a_full_lobby_says_so() -> None:
    assert "The table is full." in lobby(*[LobbySeat(Written(name)) for name in "ABCD"])


def test_an_empty_lobby_says_so() -> None:
    assert "Nobody has joined yet." in lobby()


def test_a_table_in_a_list_tells_who_is_awaited() -> None:
    line = general.table_line(
        EN, table=7, game="Kogge", status="playing", place="<#5>", awaited=["Anna to bid"]
    )
    assert line == "**Table 7** · Kogge, being played · <#5>\nWaiting for Anna to bid."


def test_every_button_fits_discord() -> None:
    for name in ("JOIN", "ADD_COMPUTER", "REMOVE_COMPUTER", "TAKE_TURN", "ANSWER_OFFER"):
        assert 1 <= len(getattr(general, name)) <= 80


def test_markdown_in_a_name_is_shown_as_it_is() -> None:
    assert bold("a_b*c") == r"**a\_b\*c**"
    assert escape("<@42>") == "\\<@\u200b42\\>"
    assert bold(Mention(42, Written("Anna"))) == "**<@42>**"


def test_a_fence_in_a_name_does_not_end_a_block() -> None:
    assert code_block("a```b").count("```") == 2


def test_a_long_text_is_cut_with_an_ellipsis() -> None:
    assert clip("abcdef", 4) == "abc…"
    assert clip("abcd", 4) == "abcd"
