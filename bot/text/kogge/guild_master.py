"""Phase 2: the guild master moves on; by advanced rule A taxes are taken at each stop."""

from __future__ import annotations

from bot.game.contract import Decision
from bot.game.kogge.data import CITY_GOOD, CONTENT, GOOD_KEYS
from bot.game.kogge.guild_master import (
    Confiscated,
    GuildMasterBrought,
    GuildMasterMoved,
    LapCompleted,
    TaxChosen,
    TaxPaid,
    TaxPaidSecretly,
)
from bot.game.kogge.view import KoggeView
from bot.text.contract import Label
from bot.text.events import EventWords, Frame
from bot.text.game_data import chapter_words
from bot.text.kogge.parts import Asked, KoggeChapter, KoggePart, pieces
from bot.text.kogge.speech import KoggeSpeech, guild_master_sign, marker_sign
from bot.text.markup import uncapital
from bot.text.words import msg


def _steps(asked: Asked, word: str) -> Label:
    speech, words, view = asked.speech, asked.speech.words, asked.view
    target, passes = view.guild_reach[int(word) - 1]
    good = GOOD_KEYS[CITY_GOOD[target]]
    count = min(CONTENT.guild_goods, view.reserve[CITY_GOOD[target]])
    note = (
        words("Brings {goods}", goods=speech.counted(good, count))
        if count
        else words("Brings nothing: the reserve has no {good}", good=speech.good(good))
    )
    if passes:
        last = view.laps + 1 >= CONTENT.laps_to_end
        note = words("Ends the game!") if last else words("Completes a lap. {note}", note=note)
    to = speech.city(target)
    text = words.plural(
        "{count} city forward, to {to}", "{count} cities forward, to {to}", int(word), to=to
    )
    return Label(text, marker_sign(words, target), note, called=to)


def _advance_now(asked: Asked, label: Label) -> Label:
    return label._replace(emoji=guild_master_sign(asked.speech.words))


def _tax(speech: KoggeSpeech, decision: Decision, view: KoggeView) -> str:
    words = speech.words
    city = speech.city(view.seats[decision.seat].city)
    if any(view.seats[view.observer].goods or ()):
        return words(
            "The guild master collects taxes in {city}. Pay one good of your choice.", city=city
        )
    return words(
        "The guild master collects taxes in {city}. Your ship is empty, so you pay nothing. "
        "Confirm anyway: the others can't see your goods.",
        city=city,
    )


CHAPTER = KoggeChapter(
    chapter_words("kogge", "guild_master"),
    parts={
        "advance": {"steps": KoggePart(_steps, lambda *said: uncapital(_steps(*said).text))},
        "tax": {"pieces": pieces(msg("Pay {pieces}"), none=msg("Pay nothing"))},
    },
    buttons={"advance": _advance_now},
    asked={"tax": _tax},
    frames={"guild": Frame(msg("{what}"), joint=" ")},
    events=(
        EventWords(GuildMasterMoved, "guild", msg("{seat} moves the guild master to {city}.")),
        EventWords(GuildMasterBrought, "guild", msg("The city gets {goods}.")).when(
            lambda e: not e.count, msg("The reserve has no {good} for the city.")
        ),
        EventWords(LapCompleted, "guild", msg("🏁 Lap {count} is complete."))
        .remembered(6)
        .reason(),
        EventWords(
            Confiscated, "guild", msg("The guild master confiscates {pieces} in {city}.")
        ).remembered(3),
        EventWords(
            TaxChosen, "news", msg("You pay nothing in taxes. Only you know this so far.")
        ).when(lambda e: e.pieces, msg("You pay {pieces} in taxes. Only you know this so far.")),
        EventWords(TaxPaid, "turn", msg("has no goods to pay taxes with")).when(
            lambda e: e.pieces, msg("pays {pieces} in taxes")
        ),
        EventWords(TaxPaidSecretly, "news", msg("Taxes from {seats}: none.")).when(
            lambda e: e.pieces, msg("Taxes from {seats}: {pieces} in all.")
        ),
    ),
)
