"""The turn of two players: a card of one's own and one of the deck (section 9)."""

from __future__ import annotations

from bot.game.contract import Decision
from bot.game.events import TurnEnded
from bot.game.flandern import cards as rules
from bot.game.flandern.view import FlandernView
from bot.text.chapter import Part
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.flandern.building import whole as whole_built
from bot.text.flandern.building import whole_completed
from bot.text.flandern.cards import card
from bot.text.flandern.speech import TAKE, Asked, FlandernChapter, FlandernSpeech
from bot.text.game_data import chapter_words
from bot.text.labels import MOST_TEXT
from bot.text.words import msg


def _ask_turn(speech: FlandernSpeech, decision: Decision, view: FlandernView) -> str:
    """What is still to be done in this turn, and the means."""
    words, owner = speech.words, view.seats[decision.seat]
    if view.played:
        lines = [words("You've played your card. Draw one to end your turn.")]
    elif view.has_drawn:
        lines = [words("You've drawn. To end your turn, play a card or take your cards back.")]
    else:
        lines = [words("Play one of your cards and draw one, in either order.")]
    lines.append(
        words(
            "Your cards build for {guild}. You also score for {second}.",
            guild=speech.emblem(owner.guild),
            second=speech.emblem(owner.controlled),
        )
    )
    if view.still:
        still = words.plural(
            "Nothing was built or completed last turn.",
            "Nothing was built or completed in the last {count} turns.",
            view.still,
        )
        lines.append(still)
    return "\n".join(lines)


def _play(asked: Asked, button: Label) -> Label:
    """Where one card alone is left in the hand, the button plays it, and says so."""
    hand = asked.view.seats[asked.view.turn].hand or ()
    cards = [word for word in hand if word != TAKE]
    if len(cards) != 1:
        return button
    return button._replace(text=asked.speech.words("Play {card}", card=card(asked, cards[0]).text))


def _take(asked: Asked, button: Label) -> Label:
    """Which cards come back."""
    cards = asked.view.seats[asked.view.turn].open
    text = asked.speech.words("Take back {cards}", cards=asked.speech.cards(cards))
    return ending(asked, button._replace(text=text) if cards else button)


def _draw(asked: Asked, button: Label) -> Label:
    """Whose cards are in the deck, and how many; an empty one is made of the discards first."""
    speech, view = asked.speech, asked.view
    one, other = (speech.emblem(seat.controlled) for seat in view.seats)
    text = speech.words(
        "Draw a {one} or {other} card ({count} in the deck)",
        one=one,
        other=other,
        count=view.deck or len(view.discards),
    )
    return button._replace(text=text)


def ending(asked: Asked, label: Label) -> Label:
    """Says that an action ends the turn, where it does and there is room for it."""
    view = asked.view
    drawn = view.action is not None and view.action.drawn
    text = asked.speech.words("{what}, then end turn", what=label.text)
    ends = view.played if drawn else view.has_drawn
    return label._replace(text=text) if ends and len(text) <= MOST_TEXT else label


def whole(asked: Asked) -> Label:
    """A card of the hand to play."""
    word = asked.prefix[1]
    label = card(asked, word)
    text = asked.speech.words("Play {card}", card=label.text)
    return label._replace(text=text, called=asked.speech.card(word))


def whole_with(asked: Asked, word: str) -> Label:
    """A card of the hand, and what it then does; `asked` once it has been played."""
    speech = asked.speech
    what = whole_completed(asked) if asked.kind == "complete" else whole_built(asked)
    called = speech.card(word)
    facts = {"card": called, "what": what.text}
    text = speech.words("Play {card}: {what}", **facts)
    if len(text) > MOST_TEXT:
        text = speech.words("{card}: {what}", **facts)
    return ending(asked, what._replace(text=text, called=called))


CHAPTER = FlandernChapter(
    chapter_words("flandern", "two"),
    parts={"play": {"card": Part(card, lambda asked, word: asked.speech.card(word))}},
    buttons={"play": _play, "take": _take, "draw": _draw},
    asked={"turn": _ask_turn},
    events=(
        EventWords(rules.CardPlayed, "turn", msg("plays {card}")).quiet(),
        EventWords(rules.CardDrawn, "turn", msg("draws {card} for {guild}")),
        EventWords(
            rules.DrawnSetAside,
            "turn",
            msg("puts {card} for {guild} aside (already scored)"),
        ),
        EventWords(rules.DeckShuffled, "news", msg("🔀 The deck is reshuffled: {count} cards.")),
        EventWords(TurnEnded, "turn", msg("ends the turn")).quiet(),
    ),
)
