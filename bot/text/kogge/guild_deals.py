"""Phase 3B b: deals with the guild master."""

from __future__ import annotations

from bot.game.kogge.data import CITY_GOOD, CITY_NAMES, CONTENT, GOOD_KEYS
from bot.game.kogge.guild_deals import ChitBought, GoodExchanged, MarkerExchanged, RaidMarkerBought
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.kogge.parts import (
    Asked,
    KoggeChapter,
    KoggePart,
    good,
    markers_held,
    said_marker,
)
from bot.text.kogge.speech import NAMES, chit_sign, marker_sign
from bot.text.words import msg


def _three_alike(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    have, price = markers_held(asked, int(word)), CONTENT.raid_price
    note = words("You have {count} and pay {price}", count=have, price=price)
    text = words("Pay with {markers}", markers=speech.pieces(word * price))
    return Label(text, marker_sign(words, word), note, called=word)


def _chit(asked: Asked, word: str) -> Label:
    words = asked.speech.words
    return Label(asked.speech.chit(word), chit_sign(words, word), words(NAMES.powers[word]))


def _to_take(asked: Asked, word: str) -> Label:
    speech = asked.speech
    city = CITY_NAMES[int(word)]
    text = speech.words("Marker {number}: {city}", number=int(word), city=city)
    return Label(text, marker_sign(speech.words, word))


def _to_give(asked: Asked, word: str) -> Label:
    speech, words, number = asked.speech, asked.speech.words, int(word)
    goods = speech.counted(GOOD_KEYS[CITY_GOOD[number]], 1)
    note = words("You have {count}", count=markers_held(asked, number))
    text = words("Marker {number} for {goods}", number=number, goods=goods)
    return Label(text, marker_sign(words, number), note, called=word)


CHAPTER = KoggeChapter(
    chapter_words("kogge", "guild_deals"),
    parts={
        "buy_raid": {"marker": KoggePart(_three_alike, said_marker)},
        "sell_six": {
            "good": good(msg("Sell {goods}"), CONTENT.bonus_price, name="six"),
            "chit": KoggePart(_chit),
        },
        "swap_good": {
            "good": good(msg("Pay {goods}")),
            "marker": KoggePart(_to_take, said_marker),
        },
        "swap_marker": {"marker": KoggePart(_to_give, said_marker)},
    },
    events=(
        EventWords(RaidMarkerBought, "turn", msg("buys a second Raid for {pieces}")).remembered(4),
        EventWords(
            ChitBought,
            "turn",
            msg("🎖️ sells {pieces} for the bonus chit “{chit}” ({points} development points now)"),
        )
        .remembered(7)
        .reason(),
        EventWords(GoodExchanged, "turn", msg("swaps {goods} for marker {marker}")),
        EventWords(MarkerExchanged, "turn", msg("swaps marker {marker} for {goods}")),
    ),
)
