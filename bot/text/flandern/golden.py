"""Cathedrals and leaders, which golden cards alone put on the board (section 5)."""

from __future__ import annotations

from bot.game.flandern import building as rules
from bot.game.flandern.city import emblem_at
from bot.game.flandern.data import EMBLEM_KEYS
from bot.text.chapter import Part
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.flandern import figures
from bot.text.flandern.speech import NAMES, Asked, FlandernChapter
from bot.text.game_data import chapter_words
from bot.text.words import msg


def _put(asked: Asked, word: str) -> Label:
    """A quarter, and what its city would be worth; of a site once that is completed."""
    speech = asked.speech
    city, plot = figures.city_at(asked.view, word)
    emblem = EMBLEM_KEYS[emblem_at(city, plot)]
    then = figures.completed(asked.view, word, asked.kind)
    facts = {"place": speech.place(word), "worth": speech.brief(asked.view, then)}
    if city.sites >> plot & 1:
        site = speech.words(NAMES.sites[emblem])
        text = speech.words("{place} · {site} · then worth {worth}", site=site, **facts)
    else:
        text = speech.words("{place} · worth {worth}", **facts)
    return Label(text, speech.sign(emblem), speech.unsaid(asked.view, then))


def whole(asked: Asked) -> Label:
    """A piece for a quarter."""
    return _put(asked, asked.prefix[1])


_PLACE = {"place": Part(_put, lambda asked, word: asked.speech.place(word))}

CHAPTER = FlandernChapter(
    chapter_words("flandern", "golden"),
    parts={"cathedral": _PLACE, "leader": _PLACE},
    events=(
        EventWords(rules.CathedralPut, "turn", msg("places a cathedral at {place}")).remembered(2),
        EventWords(
            rules.LeaderPut, "turn", msg("places a leader at {place}, on the {quarter}")
        ).remembered(1),
    ),
)
