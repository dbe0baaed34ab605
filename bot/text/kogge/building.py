"""Phase 3B a: building an office."""

from __future__ import annotations

from bot.game.kogge.building import Built
from bot.text.contract import Label, Style
from bot.text.events import EventWords
from bot.text.kogge.parts import Asked, KoggeChapter, KoggeMove, KoggePart, reader
from bot.text.words import forms, msg


def _price(asked: Asked) -> tuple[str, str]:
    """What an office costs where the reader's ship is: goods, and markers, as bundle words."""
    return asked.view.cities[reader(asked).city].price or ("", "")


def _paid(asked: Asked, word: str) -> str:
    goods, markers = _price(asked)
    return asked.speech.pieces({"both": goods + markers, "goods": goods}.get(word, markers))


def _way_to_pay(asked: Asked, word: str) -> Label:
    text = asked.speech.words("Pay {pieces}", pieces=_paid(asked, word))
    return Label(text, "🏠", None, Style.SUCCESS)


def _build_now(asked: Asked, label: Label) -> Label:
    speech, words = asked.speech, asked.speech.words
    if reader(asked).city < 0:
        return label
    note = words("Costs {price}; brings one point", price=_paid(asked, "both"))
    if "either_price" in asked.view.variants:
        goods, markers = map(speech.pieces, _price(asked))
        note = words("Costs {goods}, or {markers}; brings one point", goods=goods, markers=markers)
    return label._replace(description=note)


CHAPTER = KoggeChapter(
    moves={
        "build": KoggeMove(
            msg("Build an office"),
            "🏠",
            msg("build an office"),
            Style.SUCCESS,
            None,
            {"price": KoggePart(msg("How do you pay for the office?"), _way_to_pay, _paid)},
            (msg("Build an office for {price}"),),
            _build_now,
        )
    },
    refusals={
        "city_full": msg("{city} has two offices, and no city takes a third. Choose another city."),
        "needs_goods": msg(
            "For an office in {city} you still lack {pieces}: it costs one of each good "
            "the city does not produce. Trade for it, or build elsewhere."
        ),
        "needs_markers": forms(
            "For an office in {city} you need {count} marker of number {marker}. "
            "Buy a pair or ask the guild master for it.",
            "For a second office in {city} you need {count} markers of number {marker}. "
            "Buy pairs or ask the guild master for them.",
        ),
        "needs_either": forms(
            "For an office in {city} you need {pieces} more, or else {count} marker of number "
            "{marker}. Trade or buy a pair, or build elsewhere.",
            "For a second office in {city} you need {pieces} more, or else {count} markers of "
            "number {marker}. Trade or buy pairs, or build elsewhere.",
        ),
    },
    events=(
        EventWords(
            Built, "turn", msg("🏠 builds an office in {city} for {pieces} (now {points} points)")
        ).remembered(4),
    ),
)
