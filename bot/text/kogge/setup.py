"""Setting up: the options of a table, and the first offices."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.kogge.data import CITY_GOOD, CITY_NAMES, CONTENT, GOOD_KEYS
from bot.game.kogge.setup import Crowded, Founded, FoundingChosen
from bot.game.kogge.view import KoggeView
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.kogge.parts import (
    Asked,
    KoggeChapter,
    KoggePart,
    said_city,
)
from bot.text.kogge.speech import NAMES, marker_sign
from bot.text.words import Words, msg

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
    named, values = NAMES.options, NAMES.option_values
    rules = values[f"edition {options.get('edition', 'english')}"]
    parts = [words(rules), words(values[f"goods {goods}"])]
    memory = ("memory_fur",) if options.get("memory") == "on" else ()
    for name in ("office_price", "failed_route", *memory):
        value = options.get(name, "edition")
        if value != "edition":
            parts.append(f"{words(named[name])}: {words(values[f'{name} {value}'])}")
    parts += [words(named[name]) for name in ADVANCED if options.get(name, "off") == "on"]
    return words("Options: {options}", options=" · ".join(parts))


def _city(asked: Asked, word: str) -> Label:
    speech, number = asked.speech, int(word)
    places = CONTENT.offices_per_city - len(asked.view.cities[number].offices)
    note = speech.words.plural(
        "Produces {good}; room for {count} office",
        "Produces {good}; room for {count} offices",
        places,
        good=speech.good(GOOD_KEYS[CITY_GOOD[number]]),
    )
    return Label(CITY_NAMES[number], marker_sign(speech.words, number), note)


CHAPTER = KoggeChapter(
    chapter_words("kogge", "setup"),
    parts={"found": {"marker": KoggePart(_city, said_city, "city")}},
    events=(
        EventWords(
            FoundingChosen,
            "news",
            msg("Your first office will be in {city}. Only you know this so far."),
        ),
        EventWords(Founded, "turn", msg("starts with an office in {city}")),
        EventWords(
            Crowded, "news", msg("Too many players chose {city}. Choosing again: {seats}.")
        ).remembered(5),
    ),
)
