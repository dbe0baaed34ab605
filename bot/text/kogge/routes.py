"""Changing a route (phase 3B e), and by advanced rule D looking at what lies face down."""

from __future__ import annotations

from bot.game.kogge.routes import Looked, Rerouted, ReroutedSecretly, ReroutedWith, RoutesKept, Saw
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.kogge.parts import (
    Asked,
    KoggeChapter,
    KoggePart,
    markers_held,
    pieces,
    reader,
    route_label,
    said_city,
)
from bot.text.kogge.speech import marker_sign
from bot.text.words import msg


def _old(asked: Asked, word: str) -> Label:
    label = route_label(
        asked,
        word,
        reader(asked).city,
        msg("Replace the hidden {side} route"),
        msg("Replace the {side} route to {to}"),
    )
    # Exchanging a marker is not sailing it: whoever takes it up sees it.
    return label._replace(description=None) if label.emoji == "❔" else label


def _new(asked: Asked, word: str) -> Label:
    words, number = asked.speech.words, int(word)
    note = words("You have {count}", count=markers_held(asked, number))
    to = asked.speech.city(number)
    return Label(words("New route to {to}", to=to), marker_sign(words, number), note, called=to)


def _look_now(asked: Asked, label: Label) -> Label:
    # A button shows no description, so its label warns.
    city = reader(asked).city
    if city < 0 or any(route.marker is None for route in asked.view.cities[city].routes):
        return label
    text = asked.speech.words("{action} (you know both already)", action=label.text)
    return label._replace(text=text)


CHAPTER = KoggeChapter(
    chapter_words("kogge", "routes"),
    parts={
        "reroute": {"route": KoggePart(_old), "marker": KoggePart(_new, said_city, "city")},
        "peek": {"fee": pieces(msg("Pay {pieces}"))},
    },
    buttons={"peek": _look_now},
    events=(
        EventWords(
            Rerouted,
            "turn",
            msg("replaces the {route} route in {city} (to {place}) with a hidden one"),
        ),
        EventWords(ReroutedWith, "news", msg("Your new route in {city} leads to {place}.")),
        EventWords(ReroutedSecretly, "turn", msg("replaces the {route} route in {city}")),
        EventWords(RoutesKept, "turn", msg("keeps the routes of {city}")),
        EventWords(Looked, "turn", msg("pays {fee} and looks at the routes of {city}")),
        EventWords(
            Saw, "news", msg("You see the routes of {city}: left to {left}, right to {right}.")
        ),
    ),
)
