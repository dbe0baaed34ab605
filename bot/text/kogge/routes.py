"""Changing a route (phase 3B e), and by advanced rule D looking at what lies face down."""

from __future__ import annotations

from bot.game.kogge.routes import Looked, Rerouted, ReroutedSecretly, ReroutedWith, RoutesKept, Saw
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.kogge.parts import (
    Asked,
    KoggeChapter,
    KoggeMove,
    KoggePart,
    KoggeQuestion,
    markers_held,
    pieces,
    reader,
    route_label,
    said_city,
)
from bot.text.speech import keycap
from bot.text.words import msg


def _old(asked: Asked, word: str) -> Label:
    label = route_label(
        asked,
        word,
        reader(asked).city,
        msg("Replace the hidden route ({side})"),
        msg("Replace the route to {to}"),
    )
    # Exchanging a marker is not sailing it: whoever takes it up sees it.
    return label._replace(description=None) if label.emoji == "❔" else label


def _new(asked: Asked, word: str) -> Label:
    words, number = asked.speech.words, int(word)
    have = markers_held(asked, number)
    note = words("You have {count} of number {number}", count=have, number=number)
    to = asked.speech.city(number)
    return Label(words("New route to {to}", to=to), keycap(number), note, called=to)


CHAPTER = KoggeChapter(
    moves={
        "reroute": KoggeMove(
            msg("Change a route"),
            "🧭",
            msg("change a route"),
            note=msg("Lay one of your markers face down and take up the old one"),
            parts={
                "route": KoggePart(msg("Which route do you change?"), _old),
                "marker": KoggePart(
                    msg("Where shall the new, hidden route lead?"), _new, said_city, "city"
                ),
            },
            said=(msg("{route}"), msg("{route} by a hidden one to {city}")),
        ),
        "peek": KoggeMove(
            msg("Look at the routes here"),
            "👁️",
            msg("look at the routes"),
            note=msg("Costs one good or marker; only you see them"),
            parts={
                "fee": pieces(
                    msg("Which good or marker do you pay for the look?"),
                    msg("Pay {pieces}"),
                )
            },
            said=(msg("Look at the routes here, paying {fee}"),),
        ),
    },
    questions={
        "exchange": KoggeQuestion(
            msg("{seat} to change a route of the first city or not"),
            msg(
                "You have looked at the routes of {city}. You may exchange one of them for a "
                "marker of yours, or leave it at that."
            ),
        )
    },
    refusals={
        "route_hidden": msg(
            "That route in {city} is face down, and only open ones can be changed: a new route "
            "stays until somebody has sailed it."
        ),
        "marker_of_city": msg(
            "A route out of {city} cannot lead to {city} itself. Lay a marker of another number."
        ),
        "no_markers": msg("You have no markers. Buy a pair or swap a good for one."),
        "no_memory": msg(
            "At this table route markers lie open; looks are for Memory, an option it did not "
            "choose."
        ),
        "peek_too_late": msg(
            "You may look at the routes of a city only before your ship moves. Try next turn."
        ),
        "cannot_pay_peek": msg("A look costs one good or marker, and you have none. Sail or stop."),
        "route_has_failed": msg(
            "You have tried that route out of {city}, and it cannot be used. Take the other one, "
            "or end your movement."
        ),
    },
    events=(
        EventWords(
            Rerouted, "turn", msg("lays a new hidden route in {city} and takes back {marker}")
        ),
        EventWords(ReroutedWith, "news", msg("Your new route in {city} leads to {marker}.")),
        EventWords(ReroutedSecretly, "turn", msg("exchanges a hidden route in {city}")),
        EventWords(RoutesKept, "turn", msg("keeps the routes of {city}")),
        EventWords(Looked, "turn", msg("pays {fee} and looks at the routes of {city}")),
        EventWords(
            Saw, "news", msg("You see the routes of {city}: left to {left}, right to {right}.")
        ),
    ),
)
