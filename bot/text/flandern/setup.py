"""The guilds that people play for, and the options of a table (sections 3, 9 and 12)."""

from __future__ import annotations

from bot.game.flandern import setup as rules
from bot.game.flandern.data import EMBLEM_OF_KEY, HOME
from bot.game.flandern.plan import CITIES
from bot.game.flandern.view import FlandernView
from bot.text.chapter import Part
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.flandern.speech import NAMES, Asked, FlandernChapter
from bot.text.game_data import chapter_words
from bot.text.words import Words, msg


def variants(words: Words, view: FlandernView) -> str:
    """How a table departs from the default rules, '' where it does not.

    The set-up is left out: it can be seen.
    """
    differs = {
        "golden_cities 2": view.golden_cities == 2 and view.golden_left,
        "bonus any": view.any_bonus,
    }
    return " · ".join(
        f"{words(NAMES.options[key.split()[0]])}: {words(NAMES.option_values[key])}"
        for key, is_so in differs.items()
        if is_so
    )


def _guild(asked: Asked, word: str) -> Label:
    """A guild with its home city."""
    speech, home = asked.speech, CITIES[HOME[EMBLEM_OF_KEY[word]]]
    text = speech.words(
        "{guild} · home city {city}", guild=speech.emblem(word), city=speech.city(home)
    )
    return Label(text, speech.sign(word))


def whole(asked: Asked) -> Label:
    """A guild to play for."""
    return _guild(asked, asked.prefix[1])


_GUILD = {"guild": Part(_guild, lambda asked, word: asked.speech.emblem(word))}

CHAPTER = FlandernChapter(
    chapter_words("flandern", "setup"),
    parts={"guild": _GUILD, "control": _GUILD},
    events=(
        EventWords(rules.GuildChosen, "turn", msg("plays {guild}")),
        EventWords(rules.ControlChosen, "turn", msg("takes {guild} as second guild")),
        EventWords(
            rules.CityMissing, "news", msg("{city} is out of play: nobody plays its guild.")
        ),
    ),
)
