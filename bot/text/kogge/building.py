"""Phase 3B a: building an office."""

from __future__ import annotations

from bot.game.kogge.actions import Built
from bot.game.kogge.view import KoggeView
from bot.text.contract import Label, Style
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.kogge.parts import Asked, KoggeChapter, KoggePart, reader
from bot.text.words import msg


def _price(view: KoggeView) -> tuple[str, str]:
    """What an office costs where the reader's ship is: goods, and markers, as bundle words."""
    return view.cities[view.seats[max(view.observer, 0)].city].price or ("", "")


def paid(view: KoggeView, price: str) -> str:
    """What the reader pays for an office by one of its prices, as a bundle word."""
    goods, markers = _price(view)
    return {"both": goods + markers, "goods": goods}.get(price, markers)


def _paid(asked: Asked, word: str) -> str:
    return asked.speech.pieces(paid(asked.view, word))


def _way_to_pay(asked: Asked, word: str) -> Label:
    text = asked.speech.words("Pay {pieces}", pieces=_paid(asked, word))
    return Label(text, "🏠", None, Style.SUCCESS)


def _build_now(asked: Asked, label: Label) -> Label:
    speech, words = asked.speech, asked.speech.words
    if reader(asked).city < 0:
        return label
    note = words("Costs {price}; gives 1 point", price=_paid(asked, "both"))
    if "either_price" in asked.view.variants:
        goods, markers = map(speech.pieces, _price(asked.view))
        note = words("Costs {goods}, or {markers}; gives 1 point", goods=goods, markers=markers)
    return label._replace(description=note)


CHAPTER = KoggeChapter(
    chapter_words("kogge", "building"),
    parts={"build": {"price": KoggePart(_way_to_pay, _paid)}},
    buttons={"build": _build_now},
    events=(
        EventWords(
            Built,
            "turn",
            msg("🏠 builds an office in {city} for {pieces} ({points} development points now)"),
        )
        .remembered(4)
        .reason(),
    ),
)
