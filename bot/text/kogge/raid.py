"""Phase 3B f: raids on a ship or a city, the split of the cargo, and the forced move."""

from __future__ import annotations

from operator import sub

from bot.game.contract import Decision
from bot.game.kogge.data import GOODS, goods_of, goods_word
from bot.game.kogge.raid import (
    CargoSplit,
    CargoSplitSecretly,
    CityRaided,
    Looted,
    LootedSecretly,
    Pushed,
    PushFailed,
    PushImpossible,
    ShipRaided,
)
from bot.game.kogge.view import KoggeView
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.kogge.parts import (
    Asked,
    KoggeChapter,
    KoggePart,
    reader,
    rival,
    route_label,
)
from bot.text.kogge.speech import KoggeSpeech
from bot.text.words import msg


def _half(asked: Asked, word: str) -> Label:
    speech, cargo = asked.speech, reader(asked).goods or (0,) * GOODS
    rest = speech.pieces(goods_word(map(sub, cargo, goods_of(word))))
    return Label(speech.pieces(word), None, speech.words("Other half: {goods}", goods=rest))


def _loot(asked: Asked, word: str) -> Label:
    words, groups = asked.speech.words, asked.view.groups
    which = words("First half") if word == "first" else words("Second half")
    if groups is None:
        return Label(which)
    goods = asked.speech.pieces(groups[word != "first"])
    return Label(words("{which}: {goods}", which=which, goods=goods))


def _way(asked: Asked, word: str) -> Label:
    pushed = _pushed(asked.view)
    return route_label(
        asked,
        word,
        asked.view.seats[pushed].city,
        msg("Send {seat} along the hidden {side} route"),
        msg("Send {seat} to {to}"),
        seat=asked.speech.seat(pushed),
    )


def _pushed(view: KoggeView) -> int:
    """Whose ship is being sent away. Raises ValueError where none is."""
    if view.pushed is None:
        raise ValueError("no ship is being sent away")
    return view.pushed


def _choose_question(speech: KoggeSpeech, decision: Decision, view: KoggeView) -> str:
    if not view.groups:
        return speech.words("The cargo is divided. Take one half.")
    groups = speech.groups(view.groups)
    return speech.words("The cargo is divided. Take one half: {groups}.", groups=groups)


def _push_question(speech: KoggeSpeech, decision: Decision, view: KoggeView) -> str:
    pushed = _pushed(view)
    facts = {"pushed": speech.seat(pushed), "away": speech.city(view.seats[pushed].city)}
    if view.may_pass:
        return speech.words(
            "{pushed} lost the conflict in {away}. Send their ship away, or leave it there.",
            **facts,
        )
    return speech.words(
        "{pushed} raided in {away}. Choose which way their ship must leave.", **facts
    )


CHAPTER = KoggeChapter(
    chapter_words("kogge", "raid"),
    parts={
        "raid_ship": {"seat": rival(msg("Raid {seat}'s ship"))},
        "split": {"group": KoggePart(_half, name="half")},
        "choose": {"group": KoggePart(_loot)},
        "push": {"route": KoggePart(_way)},
    },
    asked={"choose": _choose_question, "push": _push_question},
    events=(
        EventWords(CityRaided, "turn", msg("⚔️ raids {city} and finds nothing"))
        .when(lambda e: e.pieces, msg("⚔️ raids {city} and takes {pieces}"))
        .remembered(7),
        EventWords(ShipRaided, "turn", msg("⚔️ raids {other}'s ship in {city}")).remembered(8),
        EventWords(CargoSplit, "turn", msg("divides the cargo: {groups}")),
        EventWords(CargoSplitSecretly, "turn", msg("divides the cargo")),
        EventWords(Looted, "turn", msg("takes nothing from {other}")).when(
            lambda e: e.pieces, msg("takes {pieces} from {other}")
        ),
        EventWords(LootedSecretly, "turn", msg("takes half of {other}'s cargo")),
        EventWords(Pushed, "turn", msg("sends {other} from {city} to {to}")).remembered(4),
        EventWords(
            PushFailed,
            "turn",
            msg("reveals the {route} route in {city}: it leads to {place}, where {other} can't go"),
        ).remembered(4),
        EventWords(PushImpossible, "news", msg("{other}'s ship can't leave {city} and stays.")),
    ),
)
