"""Phase 3B c and d: buying a pair of markers, and trading with the city."""

from __future__ import annotations

from bot.game.choices import Bundle
from bot.game.kogge.trade import PairBought, Traded
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.kogge.parts import Asked, KoggeChapter, KoggeMove, KoggePart, good, pieces
from bot.text.words import forms, msg


def _pair(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    numbers = dict.fromkeys(asked.view.display[int(word) - 1])
    cities = words.listing([speech.city(int(number)) for number in numbers])
    text = words("Pair {number}: {markers}", number=word, markers=_markers(asked, word))
    return Label(text, "🔢", cities)


def _markers(asked: Asked, word: str) -> str:
    return " + ".join(asked.view.display[int(word) - 1])


def _what_to_take(asked: Asked) -> str:
    assert isinstance(asked.choices, Bundle)
    return asked.speech.words(
        "For {give} you get {least} to {most} goods of other kinds. Which?",
        give=asked.speech.pieces(asked.prefix[1]),
        least=asked.choices.least,
        most=asked.choices.most,
    )


CHAPTER = KoggeChapter(
    moves={
        "buy": KoggeMove(
            msg("Buy a pair of markers"),
            "🔢",
            msg("buy a pair of markers"),
            note=msg("Costs one good of your choice"),
            parts={
                "pair": KoggePart(msg("Which pair do you buy?"), _pair, _markers),
                "good": good(msg("Which good do you pay?"), msg("Pay {goods}")),
            },
            said=(msg("Buy the pair {pair}"), msg("Buy the pair {pair} for {good}")),
        ),
        "trade": KoggeMove(
            msg("Trade with the city"),
            "⚖️",
            msg("trade with the city"),
            note=msg("Two goods for each you give, of another kind"),
            parts={
                "give": pieces(msg("What do you give the city?"), msg("Give {pieces}")),
                "take": pieces(_what_to_take, msg("Get {pieces}")),
            },
            said=(msg("Trade {give}"), msg("Trade {give} for {take}")),
        ),
    },
    refusals={
        "pair_sold": msg("Pair {count} is sold. Choose one that is still on display."),
        "pairs_gone": msg("All pairs of this round are sold; new ones come next round."),
        "nothing_to_pay": msg(
            "This costs one good, and your ship carries none. Load or trade first."
        ),
        "trade_needs_move": msg(
            "Your ship began its movement in {city}, and you may trade only in another city than "
            "that. Take another action; next turn, sail first."
        ),
        "city_empty": msg("{city} has no goods to trade. Goods in offices do not count."),
        "nothing_to_trade": msg("Your ship carries nothing that you could trade."),
        "trade_same_good": msg(
            "{city} has only what you offer yourself, and goods are never traded for their own "
            "kind."
        ),
        "trade_too_much": msg(
            "For {pieces}, {city} has too little of other kinds: each good given must bring at "
            "least "
            "one of another kind. Give less."
        ),
        "trade_too_little": forms(
            "You give {count} good, so take at least {count} in return.",
            "You give {count} goods, so take at least {count} in return.",
        ),
        "trade_for_itself": msg(
            "Trading {give} for {take} would pay a good with its own kind. Every good you take "
            "must "
            "be paid with another kind."
        ),
        "not_in_city": msg(
            "{city} does not have {pieces}. Take what lies in the city; goods in offices do not "
            "count."
        ),
    },
    events=(
        EventWords(PairBought, "turn", msg("buys the pair {pieces} for {good}")),
        EventWords(Traded, "turn", msg("trades {give} for {take}")),
    ),
)
