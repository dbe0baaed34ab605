"""Phase 3B b: deals with the guild master."""

from __future__ import annotations

from bot.game.kogge.data import CITY_GOOD, CONTENT, GOOD_KEYS
from bot.game.kogge.guild_deals import ChitBought, GoodExchanged, MarkerExchanged, RaidMarkerBought
from bot.text.contract import Label, Style
from bot.text.events import EventWords
from bot.text.kogge.parts import (
    Asked,
    KoggeChapter,
    KoggeMove,
    KoggePart,
    good,
    markers_held,
    said_marker,
)
from bot.text.kogge.speech import CHIT_POWERS
from bot.text.speech import keycap
from bot.text.words import msg


def _three_alike(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    have, price = markers_held(asked, int(word)), CONTENT.raid_price
    note = words("You have {count} and pay {price}", count=have, price=price)
    text = words("Pay with {markers}", markers=speech.pieces(word * price))
    return Label(text, keycap(word), note, called=word)


def _chit(asked: Asked, word: str) -> Label:
    return Label(asked.speech.chit(word), "🎖️", asked.speech.words(CHIT_POWERS[word]))


def _to_take(asked: Asked, word: str) -> Label:
    speech = asked.speech
    text = speech.words("Marker {number}, {city}", number=int(word), city=speech.city(int(word)))
    return Label(text, keycap(word))


def _to_give(asked: Asked, word: str) -> Label:
    speech, words, number = asked.speech, asked.speech.words, int(word)
    colour = speech.good(GOOD_KEYS[CITY_GOOD[number]])
    have = markers_held(asked, number)
    note = words("You have {count} of number {number}", count=have, number=number)
    text = words("Marker {number} for 1 {good}", number=number, good=colour)
    return Label(text, keycap(number), note, called=word)


CHAPTER = KoggeChapter(
    moves={
        "buy_raid": KoggeMove(
            msg("Buy a second Raid"),
            "⚔️",
            msg("buy a second Raid"),
            note=msg("Costs three equal markers; only once in the game"),
            parts={
                "marker": KoggePart(
                    msg("Which three equal markers do you pay?"),
                    _three_alike,
                    said_marker,
                )
            },
            said=(msg("Buy a second Raid for three markers {marker}"),),
        ),
        "sell_six": KoggeMove(
            msg("Sell six alike for a bonus chit"),
            "🎖️",
            msg("sell goods for a bonus chit"),
            Style.SUCCESS,
            msg("Costs six goods of a kind; brings one point and a power"),
            {
                "good": good(
                    msg("Which six goods do you sell?"),
                    msg("Sell {goods}"),
                    CONTENT.bonus_price,
                    name="six",
                ),
                "chit": KoggePart(
                    msg("Which bonus chit do you take?"),
                    _chit,
                ),
            },
            (msg("Sell {six}"), msg("Sell {six} for the bonus chit {chit}")),
        ),
        "swap_good": KoggeMove(
            msg("Swap a good for a marker"),
            "🔁",
            msg("swap a good for a marker"),
            note=msg("One good for one marker of its colour"),
            parts={
                "good": good(msg("Which good do you give?"), msg("Pay {goods}")),
                "marker": KoggePart(
                    msg("Which marker do you take? These are in the bag."),
                    _to_take,
                    said_marker,
                ),
            },
            said=(msg("Swap {good}"), msg("Swap {good} for marker {marker}")),
        ),
        "swap_marker": KoggeMove(
            msg("Swap a marker for a good"),
            "🔁",
            msg("swap a marker for a good"),
            note=msg("One marker for one good of its colour"),
            parts={"marker": KoggePart(msg("Which marker do you give?"), _to_give, said_marker)},
            said=(msg("Swap marker {marker} for a good of its colour"),),
        ),
    },
    # The four deals with the guild master count as one action of a turn.
    doings={"guild": msg("deal with the guild master")},
    refusals={
        "no_guild_master": msg(
            "The guild master is in {city}, and he deals only with ships in his city. "
            "Sail there first."
        ),
        "raid_already_bought": msg(
            "You have bought your second Raid already, and nobody gets a third."
        ),
        "needs_three_alike": msg(
            "A second Raid costs {count} equal markers, and you have no {count} of a number. "
            "Buy pairs to get there."
        ),
        "needs_six_alike": msg(
            "A bonus chit costs {count} goods of one kind, and you have no {count} alike. "
            "Load and trade for more."
        ),
        "all_chits_gone": msg(
            "All bonus chits are sold. Take another of the guild master's deals."
        ),
        "chits_gone": msg("No bonus chit “{chit}” is left. Choose another kind."),
        "bag_short": msg(
            "The bag has no marker of the colour of {good} now. "
            "Pay with another good, or come back."
        ),
        "bag_lacks_marker": msg("The bag has no marker {marker} now. Choose another number."),
        "wrong_colour": msg(
            "Marker {marker} is not of the colour of {good}: a good brings a marker for a city "
            "that produces it. Choose such a number."
        ),
        "reserve_short": msg("The reserve has no {good} left. Swap a marker of another colour."),
    },
    events=(
        EventWords(RaidMarkerBought, "turn", msg("buys a second Raid for {pieces}")).remembered(4),
        EventWords(
            ChitBought,
            "turn",
            msg("🎖️ sells {pieces} for the bonus chit {chit} (now {points} points)"),
        ).remembered(7),
        EventWords(GoodExchanged, "turn", msg("swaps {good} for marker {marker}")),
        EventWords(MarkerExchanged, "turn", msg("swaps marker {marker} for {good}")),
    ),
)
