"""English and Italian texts in whole games: lists are not empty, plurals are right, and no label is
cut."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from bot.game.contract import in_turn
from bot.game.trial import views_before
from bot.text.words import words_for
from bot.titles import TITLES
from tests.policy.menus import offered
from tests.text.moments import moments_of
from tests.text.people import called

NAMES = called("Anna", "Elena", "Åbo", "Bert")
EMPTY = r": ?[.,;)]|\(\)|  |: $"


class Checks(NamedTuple):
    tables: tuple[tuple[int, dict[str, str]], ...]
    faults: Mapping[str, str]
    """By language, a pattern for errors in any text."""
    cut: str
    """A pattern for a label that was cut."""


CHECKS = {
    "kogge": Checks(
        (
            (4, {}),
            (3, {"goods": "open", "taxes": "on"}),
            (3, dict.fromkeys(("taxes", "offices", "conflicts", "memory"), "on")),
        ),
        {
            "en": EMPTY,
            "it": rf"{EMPTY}|"
            r"\b(?:prende|pretende|ottiene|dà|offre|riceve|paga|trova|punta|carica|vende|merci|"
            r"segnalini|pagare|Prendi|Pretendi|Ricevi|Offri|Paga|Dai|Dare|Hai) niente\b|"
            r"(?<!\S)(?:1|(?!(?:senza|ha|più|Produce|di) )\S*[^\s\d🪨🦊🔮🧂]) "
            r"(?:🪨 |🦊 |🔮 |🧂 )?(?:minerali|pellicce|ambre|sali)\b",
        },
        r"\w ?…",
    ),
    "burgundy": Checks(
        ((4, {"boards": "random"}), (2, {"sold_goods": "hidden"})),
        {
            "en": rf"{EMPTY}|\b1 (?:workers|silverlings|tiles|spaces|points|types)\b|"
            r"\btypes \d\.?$",
            "it": rf"{EMPTY}|[Hh]ai niente|\btipi \d\.?$|"
            r"\b1 (?:lavoratori|monete|tessere|caselle|punti|tipi)\b",
        },
        "…",
    ),
}
each_game = pytest.mark.parametrize("name", CHECKS)
each_language = pytest.mark.parametrize("locale", ["en", "it"])


@each_game
@each_language
def test_lists_are_not_empty_and_plurals_are_right(name: str, locale: str) -> None:
    title, checks = TITLES[name], CHECKS[name]
    text, fault = title.text(words_for(locale), NAMES), re.compile(checks.faults[locale])
    for seats, options in checks.tables:
        for moment in moments_of(title.game, seats, 3, options):
            view = title.game.view(moment.state, moment.decision.seat)
            events = [each for each in moment.events if each.visible_to(moment.decision.seat)]
            before, after = text.at(moment.view), text.at(view)
            for shown in (
                *text.story(events),
                before.question(moment.decision),
                before.action(moment.action),
                after.board(),
                after.hand(),
                after.alt(events),
            ):
                assert not fault.search(shown), shown


@each_game
@each_language
def test_no_entry_of_a_menu_is_cut(name: str, locale: str) -> None:
    title, checks = TITLES[name], CHECKS[name]
    fault = re.compile(f"{checks.faults[locale]}|{checks.cut}")
    for each in offered(title, 41):
        for action in each.menu:
            views = views_before(title.game, each.view, in_turn(action))
            label = title.text(words_for(locale), NAMES).action_label(action, views)
            assert not fault.search(label.text), label
            assert not fault.search(label.description or ""), label
