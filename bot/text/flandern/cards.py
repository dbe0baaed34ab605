"""The cards that all lay out in secret, and the order in which they act (section 4)."""

from __future__ import annotations

from bot.game.contract import Decision
from bot.game.flandern import cards as rules
from bot.game.flandern.data import EMBLEM_KEYS
from bot.game.flandern.plan import CITY_OF_NAME
from bot.game.flandern.view import FlandernSeatView, FlandernView
from bot.text.chapter import Part
from bot.text.contract import Label
from bot.text.events import EventWords, Frame
from bot.text.flandern import figures
from bot.text.flandern.building import SITE_CARD
from bot.text.flandern.speech import (
    CARD_EMOJI,
    TAKE,
    Asked,
    FlandernChapter,
    FlandernSpeech,
)
from bot.text.game_data import chapter_words
from bot.text.labels import MOST_TEXT
from bot.text.markup import capital
from bot.text.words import msg

_NOTHING, _FULL = msg("nothing to do there now"), msg("full, nothing to do there now")
_BRINGS = msg("{card}: brings back {cards}")
_MOST_NAMED = 3
"""Played cards that a label names; more are counted."""
_BRINGS_NOTHING = msg("{card}: no cards to bring back")
_SITES = msg("{card}: {plots} in {cities} · {pieces} left")
_NO_SITES = msg("{card}: no site pieces left now")


def _own(asked: Asked) -> FlandernSeatView:
    """The seat that is asked."""
    return asked.view.seats[max(asked.view.observer, 0)]


def _ask_choose(speech: FlandernSpeech, decision: Decision, view: FlandernView) -> str:
    """Who is first, what is golden, and the own guild."""
    words = speech.words
    facts = {"round": view.round, "first": speech.seat(view.first)}
    begin = words(
        "Round {round}: everyone plays a card face down. Whoever adds the most influence "
        "cards goes first.",
        **facts,
    )
    if decision.seat == view.first:
        order = words("In a tie, you go first.")
    else:
        order = words("In a tie, {first} goes first, then clockwise.", **facts)
    lines = [f"{begin} {order}"]
    if view.golden_card:
        card = speech.card(view.golden_card)
        lines.append(words("Your secret golden card, played last: **{card}**.", card=card))
    lines.append(
        words(
            "You are {guild}, with {influence}. {plots} are still free.",
            guild=speech.guilds_of(view, decision.seat),
            influence=speech.counted("influence", view.seats[decision.seat].influence or 0),
            plots=speech.counted("plots", sum(len(city.free) for city in view.cities)),
        )
    )
    return "\n".join(lines)


def card(asked: Asked, word: str) -> Label:
    """A card of the hand: what it could do now, and how its city stands."""
    if word in CITY_OF_NAME:
        return _city_card(asked, word)
    speech, view, own = asked.speech, asked.view, _own(asked)
    if word != SITE_CARD:
        few = len(own.open) <= _MOST_NAMED
        cards = speech.cards(own.open) if few else speech.counted("cards", len(own.open))
        facts = {"cards": cards}
        message = _BRINGS if own.open else _BRINGS_NOTHING
    else:
        found = figures.open_plots(view, own.guild)
        facts = {
            "plots": speech.counted("plots", sum(found)),
            "cities": speech.counted("cities", len(found)),
            "pieces": speech.counted("pieces", view.sites),
        }
        message = _SITES if view.sites else _NO_SITES
    return Label(speech.words(message, card=speech.card(word), **facts), CARD_EMOJI[word])


def _city_card(asked: Asked, word: str) -> Label:
    speech, words, view = asked.speech, asked.speech.words, asked.view
    city = figures.city_of(view, word)
    ways = figures.ways(view, city, _own(asked).guild)
    now, free = (plots.bit_count() for plots in (ways["plots"], city.free))
    facts = {"now": now, "plots": speech.counted("free", free)}
    can = [words("on {now} of {plots}", **facts)] if now else []
    if ways["sites"]:
        can.append(speech.counted("sites", ways["sites"].bit_count()))
    text = words(
        "{city}: {ways} · worth {worth}",
        city=speech.city(word),
        ways=", ".join(can) or words(_NOTHING if city.free else _FULL),
        worth=speech.brief(view, city),
    )
    return Label(text, speech.sign(EMBLEM_KEYS[city.home]), speech.unsaid(view, city))


def _choose(asked: Asked, button: Label) -> Label:
    """Where one card alone is left in the hand, what can still be chosen is said."""
    hand, speech = _own(asked).hand or (), asked.speech
    if len(hand) != 1:
        return button
    text = speech.words("Play {card} with influence cards", card=speech.card(hand[0]))
    return button._replace(text=text)


def _influence(asked: Asked, word: str) -> Label:
    """How many influence cards are added, and how many stay."""
    speech, count = asked.speech, int(word)
    held = _own(asked).influence or 0
    left = speech.words.plural("{count} left", "{count} left", held - count)
    text = speech.words(
        "{influence} · {left}", influence=capital(speech.influence(count)), left=left
    )
    return Label(text, CARD_EMOJI["influence"])


def whole(asked: Asked) -> Label:
    """A card and the influence cards added to it, and what the card could do."""
    _, word, count = asked.prefix
    label, name = card(asked, word), asked.speech.card(word)
    if count == "0":
        return label._replace(called=name)
    long, short = (
        label.text.replace(name, f"{name} +{added}", 1)
        for added in (asked.speech.counted("influence", int(count)), count)
    )
    return label._replace(text=long if len(long) <= MOST_TEXT else short, called=name)


CHAPTER = FlandernChapter(
    chapter_words("flandern", "cards"),
    parts={
        "choose": {
            "card": Part(card, lambda asked, word: asked.speech.card(word)),
            "influence": Part(_influence, lambda asked, word: asked.speech.influence(int(word))),
        }
    },
    buttons={"choose": _choose},
    asked={"choose": _ask_choose},
    frames={
        "reveal": Frame(msg("🃏 {what}."), joint="; "),
    },
    events=(
        EventWords(
            rules.RoundBegun, "news", msg("Round {round}: {first} is the first player.")
        ).quiet(),
        EventWords(
            rules.GoldenDrawn,
            "news",
            msg("You go first. Your secret golden card: {card}."),
        ),
        EventWords(
            rules.GoldenFaceDown,
            "turn",
            msg("draws a golden card from deck {deck}, face down"),
        ),
        EventWords(
            rules.GoldenSetAside,
            "turn",
            msg("puts the golden card {card} aside (already scored)"),
        ),
        EventWords(
            rules.NoGolden, "turn", msg("has no golden card left to draw: this is the last round")
        ),
        EventWords(
            rules.CardChosen,
            "news",
            msg("You play {card} {influence}. It stays secret for now."),
        ).quiet(),
        EventWords(rules.CardRevealed, "reveal", msg("{seat}: {card}")).when(
            lambda event: event.influence, msg("{seat}: {card} {influence}")
        ),
        EventWords(rules.SeatsOrdered, "reveal", msg("turn order: {seats}")),
        EventWords(rules.GoldenRevealed, "turn", msg("reveals the golden card {card}")),
        EventWords(rules.CardsTakenBack, "turn", msg("takes back {cards}")).when(
            lambda event: {*event.cards} <= {TAKE}, msg("has no other card to take back")
        ),
        EventWords(rules.Impossible, "turn", msg("can't use the {card} card")).when(
            lambda event: event.golden, msg("but can't use it")
        ),
    ),
)
