"""Setting up: the options of a table, and the first offices."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.contract import Decision
from bot.game.kogge.data import CITY_GOOD, CITY_NAMES, CONTENT, GOOD_KEYS
from bot.game.kogge.setup import Crowded, Founded, FoundingChosen
from bot.game.kogge.view import KoggeView
from bot.text.contract import Label, Style
from bot.text.events import EventWords
from bot.text.kogge.parts import (
    Asked,
    KoggeChapter,
    KoggeMove,
    KoggePart,
    KoggeQuestion,
    said_city,
)
from bot.text.kogge.speech import KoggeSpeech
from bot.text.speech import keycap
from bot.text.words import Words, msg

OPTIONS = {
    "edition": msg("Edition"),
    "office_price": msg("Price of an office"),
    "failed_route": msg("Hidden route that fails"),
    "goods": msg("Goods and markers"),
    "taxes": msg("Taxes"),
    "offices": msg("Deals with offices"),
    "conflicts": msg("Conflicts"),
    "memory": msg("Memory"),
    "memory_fur": msg("Fur at the start, with Memory"),
}

OPTION_VALUES = {
    ("edition", "english"): msg("English rules"),
    ("edition", "italian"): msg("Italian rules"),
    ("office_price", "edition"): msg("as in the edition"),
    ("office_price", "both"): msg("goods and markers"),
    ("office_price", "either"): msg("goods or markers"),
    ("failed_route", "edition"): msg("as in the edition"),
    ("failed_route", "uses_step"): msg("costs the step"),
    ("failed_route", "keeps_step"): msg("costs only the fee"),
    ("goods", "markers"): msg("open, but the numbers of markers are secret"),
    ("goods", "open"): msg("open to all"),
    ("goods", "hidden"): msg("hidden from the others"),
    ("taxes", "off"): msg("none"),
    ("taxes", "on"): msg("taken where the guild master stops"),
    ("offices", "off"): msg("none"),
    ("offices", "on"): msg("ships may deal with the offices of others"),
    ("conflicts", "off"): msg("none"),
    ("conflicts", "on"): msg("ships may fight; goods and markers are hidden then"),
    ("memory", "off"): msg("none"),
    ("memory", "on"): msg("all route markers lie face down"),
    ("memory_fur", "edition"): msg("as in the edition"),
    ("memory_fur", "two"): msg("two fur"),
    ("memory_fur", "three"): msg("three fur"),
}

ADVANCED = ("taxes", "offices", "conflicts", "memory")
"""Options that add a rule; the summary names those that are on."""

VARIANTS = {
    "either_price": ("office_price", "either"),
    "failed_route_keeps_step": ("failed_route", "keeps_step"),
    "open": ("goods", "open"),
    "hidden": ("goods", "hidden"),
    "three_fur": ("memory_fur", "three"),
    **{name: (name, "on") for name in ADVANCED},
}
"""The option and value that each variant of a view comes from."""


def edition(words: Words, view: KoggeView) -> str:
    """The rules a table plays by, in the lobby's words, taken from the view."""
    name, *differences = view.edition
    return options_summary(words, {"edition": name, **dict(VARIANTS[each] for each in differences)})


def options_summary(words: Words, options: Mapping[str, str]) -> str:
    """The edition, and any departures from it, in one line."""
    # Conflicts are fought only with hidden goods.
    goods = "hidden" if options.get("conflicts") == "on" else options.get("goods", "markers")
    rules = OPTION_VALUES["edition", options.get("edition", "english")]
    hands = OPTION_VALUES["goods", goods]
    parts = [words(rules), words("goods {how}", how=words(hands))]
    memory = ("memory_fur",) if options.get("memory") == "on" else ()
    for name in ("office_price", "failed_route", *memory):
        value = options.get(name, "edition")
        if value != "edition":
            parts.append(f"{words(OPTIONS[name])}: {words(OPTION_VALUES[name, value])}")
    parts += [words(OPTIONS[name]) for name in ADVANCED if options.get(name, "off") == "on"]
    return words("Played by: {options}", options=" · ".join(parts))


def _city(asked: Asked, word: str) -> Label:
    speech, number = asked.speech, int(word)
    places = CONTENT.offices_per_city - len(asked.view.cities[number].offices)
    note = speech.words.plural(
        "Produces {good}; room for {count} office",
        "Produces {good}; room for {count} offices",
        places,
        good=speech.good(GOOD_KEYS[CITY_GOOD[number]]),
    )
    return Label(CITY_NAMES[number], keycap(number), note)


def _question(speech: KoggeSpeech, decision: Decision, view: KoggeView) -> str:
    if view.chosen is not None:
        return speech.words(
            "Your first office will stand in {city}. You may choose anew until all have chosen.",
            city=speech.city(view.chosen),
        )
    return speech.words(
        "Choose the city of your first office by one of your markers. "
        "Nobody sees it until all have chosen."
    )


CHAPTER = KoggeChapter(
    moves={
        "found": KoggeMove(
            msg("Choose your first city"),
            "🏠",
            msg("choose your first city"),
            Style.PRIMARY,
            msg("The others learn it when all have chosen"),
            {
                "marker": KoggePart(
                    msg("In which city will your first office stand?"), _city, said_city, "city"
                )
            },
            (msg("First office in {city}"),),
        )
    },
    questions={"found": KoggeQuestion(msg("{seat} to choose a first city"), _question)},
    refusals={
        "no_such_marker": msg(
            "You have no marker {marker} any more. Choose a number that you hold."
        ),
        "city_barred": msg(
            "{city} was wanted by too many, so whoever chose it needs another city now."
        ),
    },
    events=(
        EventWords(
            FoundingChosen,
            "news",
            msg("Your first office will stand in {city}. Nobody else knows it yet."),
        ),
        EventWords(Founded, "turn", msg("founds an office in {city}")),
        EventWords(
            Crowded, "news", msg("Too many for {city}: {seats} choose again, and not that city.")
        ).remembered(5),
    ),
)
