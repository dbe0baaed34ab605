"""Phase 3B f: raids on a ship or a city, the split of the cargo, and the forced move."""

from __future__ import annotations

from operator import sub

from bot.game.contract import Decision
from bot.game.kogge.data import GOODS
from bot.game.kogge.notation import goods_of, goods_word
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
from bot.text.contract import Label, Style
from bot.text.events import EventWords
from bot.text.kogge.parts import (
    Asked,
    KoggeChapter,
    KoggeMove,
    KoggePart,
    KoggeQuestion,
    reader,
    rival,
    route_label,
)
from bot.text.kogge.speech import KoggeSpeech
from bot.text.words import msg


def _half(asked: Asked, word: str) -> Label:
    speech, cargo = asked.speech, reader(asked).goods or (0,) * GOODS
    rest = speech.pieces(goods_word(map(sub, cargo, goods_of(word))))
    return Label(speech.pieces(word), None, speech.words("Beside it: {goods}", goods=rest))


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
        msg("Send {seat} the hidden route ({side})"),
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
            "{pushed} has lost the conflict in {away}. Send the ship away, or leave it there.",
            **facts,
        )
    return speech.words(
        "{pushed} has raided in {away}. Choose by which route the ship must leave.", **facts
    )


CHAPTER = KoggeChapter(
    moves={
        "raid_ship": KoggeMove(
            msg("Raid a ship"),
            "⚔️",
            msg("raid a ship"),
            Style.DANGER,
            msg("Half its cargo; ends your turn, and you never come back here"),
            {"seat": rival(msg("Whose ship do you raid?"), msg("Raid the ship of {seat}"))},
            (msg("Raid the ship of {seat}"),),
        ),
        "raid_city": KoggeMove(
            msg("Raid the city"),
            "⚔️",
            msg("raid the city"),
            Style.DANGER,
            msg("All goods here, offices too; ends your turn, and you never come back"),
        ),
        "split": KoggeMove(
            msg("Divide your cargo"),
            "✂️",
            msg("divide your cargo"),
            Style.PRIMARY,
            parts={"group": KoggePart(msg("Which goods make the first half?"), _half, name="half")},
            said=(msg("One half is {half}"),),
        ),
        "choose": KoggeMove(
            msg("Choose your loot"),
            "💰",
            msg("choose your loot"),
            Style.PRIMARY,
            parts={"group": KoggePart(msg("Which half do you take?"), _loot)},
            said=(msg("{group}"),),
        ),
        "push": KoggeMove(
            msg("Send the ship away"),
            "💨",
            msg("send a ship away"),
            Style.PRIMARY,
            parts={"route": KoggePart(msg("Which way must the ship go?"), _way)},
            said=(msg("{route}"),),
        ),
    },
    questions={
        "split": KoggeQuestion(
            msg("{seat} to divide the cargo"),
            msg(
                "Your ship is being raided. Divide your cargo in two halves; the robber takes one."
            ),
        ),
        "choose": KoggeQuestion(msg("{seat} to choose a half of the cargo"), _choose_question),
        "push": KoggeQuestion(msg("{seat} to send a ship away"), _push_question),
    },
    refusals={
        "own_raid": msg(
            "Your Raid lies in {city}, and a robber never enters such a city again. "
            "Take another way."
        ),
        "no_raid": msg(
            "You have no Raid left. The guild master sells a second one for three equal markers, "
            "once."
        ),
        "no_ship_here": msg("No other ship is in {city}. You can still raid the city itself."),
        "must_push": msg("The ship of {other} must leave, if there is any way. Choose one."),
    },
    events=(
        EventWords(CityRaided, "turn", msg("⚔️ raids {city} and takes {pieces}")).remembered(7),
        EventWords(ShipRaided, "turn", msg("⚔️ raids the ship of {other} in {city}")).remembered(8),
        EventWords(CargoSplit, "turn", msg("divides the cargo: {groups}")),
        EventWords(CargoSplitSecretly, "turn", msg("divides the cargo")),
        EventWords(Looted, "turn", msg("takes {pieces} from {other}")),
        EventWords(LootedSecretly, "turn", msg("takes half the cargo of {other}")),
        EventWords(Pushed, "turn", msg("sends {other} from {city} to {to}")).remembered(4),
        EventWords(
            PushFailed,
            "turn",
            msg("turns up {marker} in {city} ({route}) for {other}, who cannot sail there"),
        ).remembered(4),
        EventWords(
            PushImpossible, "news", msg("No way leads {other} out of {city}; the ship stays.")
        ),
    ),
)
