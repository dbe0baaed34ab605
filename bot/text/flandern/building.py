"""Building quarters, putting up sites and completing them (sections 5 and 6)."""

from __future__ import annotations

from functools import partial

from bot.game.contract import Action, Decision
from bot.game.flandern import building as rules
from bot.game.flandern.city import emblem_at, emblems_for
from bot.game.flandern.data import EMBLEM_KEYS
from bot.game.flandern.plan import CITY_OF_NAME, PLACE_NAMES, PLACE_OF_NAME, PLOTS, members
from bot.game.flandern.view import FlandernView
from bot.text.chapter import Part
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.flandern import figures
from bot.text.flandern.speech import (
    CITY_EMOJI,
    NAMES,
    Asked,
    FlandernChapter,
    FlandernSpeech,
    split_tile,
)
from bot.text.game_data import chapter_words
from bot.text.words import msg

_CHURCH_WEIGHT = 2
SITE_CARD = "site"

# What is asked


def _ask_action(speech: FlandernSpeech, decision: Decision, view: FlandernView) -> str:
    """Which card it is, and for whom it builds; the picture shows how the cities stand."""
    words, action = speech.words, view.action
    assert action is not None
    keys = [EMBLEM_KEYS[emblem] for emblem in emblems_for(figures.number_of(action.guild))]
    facts = {
        "card": speech.card(action.city or SITE_CARD),
        "emblems": words.either([speech.emblem(key) for key in keys]),
    }
    if action.golden:
        lines = [words("Your golden card is **{card}**. You can use {emblems}.", **facts)]
    elif action.drawn:
        lines = [words("You drew **{card}**. You can use {emblems}.", **facts)]
    else:
        lines = [words("Your card is **{card}**. You can use {emblems}.", **facts)]
    if not action.city:
        pieces = speech.counted("pieces", view.sites)
        lines.append(
            words("A site is worth nothing until it's completed. Supply: {pieces}.", pieces=pieces)
        )
    return "\n".join(lines)


# Places


def _guild(view: FlandernView) -> str:
    return view.action.guild if view.action else ""


def group(asked: Asked, word: str) -> Label:
    """A city, and what it is worth now."""
    speech, city = asked.speech, figures.city_of(asked.view, word)
    worth = speech.words("worth {worth}", worth=speech.brief(asked.view, city))
    return Label(f"{speech.city(word)} · {worth}", CITY_EMOJI, speech.unsaid(asked.view, city))


def _called(asked: Asked, place: str) -> str:
    """A place, without its city where the card names that."""
    action = asked.view.action
    return asked.speech.plot(place) if action and action.city else asked.speech.place(place)


def _plot(asked: Asked, word: str) -> Label:
    """A plot: its shape, whose quarters can come there, and whose stand beside it."""
    speech, view = asked.speech, asked.view
    shape = PLOTS[PLACE_OF_NAME[word][1]].shape
    text = speech.words(
        "{plot} · {shape} · for {emblems} · next to {others}",
        plot=_called(asked, word),
        shape=speech.words(NAMES.shapes[shape]),
        emblems=speech.emblems(figures.fitting(view, word, _guild(view))),
        others=speech.emblems(figures.neighbours(view, word)),
    )
    return Label(text, "📐")


def _completed(asked: Asked, word: str) -> Label:
    """A site, and what the city would be worth without it."""
    speech = asked.speech
    emblem = EMBLEM_KEYS[emblem_at(*figures.city_at(asked.view, word))]
    city = figures.completed(asked.view, word)
    text = speech.words(
        "{plot} · {site} · worth {worth}",
        plot=_called(asked, word),
        site=speech.words(NAMES.sites[emblem]),
        worth=speech.brief(asked.view, city),
    )
    return Label(text, speech.sign(emblem), speech.unsaid(asked.view, city))


# Quarters


def _tile(asked: Asked, word: str) -> Label:
    """A quarter for the plot that has been chosen."""
    kind, place = asked.prefix
    return _quarter(asked, (kind, place, word), asked.speech.kind(word))


def whole(asked: Asked) -> Label:
    """A quarter and where it is built, or put up as a site."""
    speech, (_, place, tile) = asked.speech, asked.prefix
    called = _called(asked, place)
    text = speech.words("{quarter} → {plot}", quarter=speech.kind(tile), plot=called)
    return _quarter(asked, asked.prefix, text)._replace(called=called)


def _quarter(asked: Asked, action: Action, text: str) -> Label:
    """The text with how many free plots a quarter makes, if any (D says itself which one it takes),
    and with what the city is worth then; with a site, what it will be."""
    kind, place, tile = action
    speech, view = asked.speech, asked.view
    before, _ = figures.city_at(view, place)
    city = figures.with_quarter(view, place, tile)
    parts = [text]
    more = city.free.bit_count() - before.free.bit_count() + 1
    if more > 0:
        parts.append(f"+{speech.counted('plots', more)}")
    worth = speech.brief(view, city)
    if kind == SITE_CARD:
        parts.append(speech.words("then worth {worth}", worth=worth))
    else:
        parts.append(speech.words("worth {worth}", worth=worth))
    sign = speech.sign(tile.partition("-")[0])
    return Label(" · ".join(parts), sign, speech.unsaid(view, city))


def whole_completed(asked: Asked) -> Label:
    """A site that becomes a quarter."""
    label = _completed(asked, asked.prefix[1])
    text = asked.speech.words("Complete {plot}", plot=label.text)
    return label._replace(text=text, called=_called(asked, asked.prefix[1]))


_PLACED = {
    "place": Part(_plot, lambda asked, word: asked.speech.place(word)),
    "tile": Part(_tile, lambda asked, word: asked.speech.tile(word)),
}


def _weight(event: rules.QuarterBuilt | rules.SitePut) -> int:
    """The church's special quarters are remembered."""
    return _CHURCH_WEIGHT if split_tile(event.tile)[0].startswith("church-") else 0


def _button(what: str, asked: Asked, button: Label) -> Label:
    """How many ``plots`` there are to build on, or ``sites`` to complete; of one alone, which."""
    view = asked.view
    key = view.action.city if view.action else ""
    if not key:
        return button
    plots = members(figures.ways(view, figures.city_of(view, key), _guild(view))[what])
    if len(plots) != 1:
        facts = {"what": button.text, "choices": asked.speech.counted(what, len(plots))}
        return button._replace(text=asked.speech.words("{what}: {choices}", **facts))
    message, label = _ALONE[what]
    plot = label(asked, PLACE_NAMES[CITY_OF_NAME[key]][plots[0]])
    return button._replace(text=asked.speech.words(message, plot=plot.text))


_ALONE = {"plots": (msg("Build on {plot}"), _plot), "sites": (msg("Complete {plot}"), _completed)}


CHAPTER = FlandernChapter(
    chapter_words("flandern", "building"),
    parts={
        "build": _PLACED,
        "complete": {"place": Part(_completed, lambda asked, word: asked.speech.place(word))},
        "site": _PLACED,
    },
    buttons={"build": partial(_button, "plots"), "complete": partial(_button, "sites")},
    asked={"city": _ask_action, "site": _ask_action},
    events=(
        EventWords(rules.QuarterBuilt, "turn", msg("builds {item} at {place}")).remembered(_weight),
        EventWords(rules.SitePut, "turn", msg("puts up a site at {place}: {item}")).remembered(
            _weight
        ),
        EventWords(rules.QuarterCompleted, "turn", msg("completes the {site} at {place}")),
    ),
)
