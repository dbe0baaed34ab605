"""Taking a sack, blocking its scoring, and putting another in its place (section 6)."""

from __future__ import annotations

from bot.game.contract import Decision
from bot.game.guatemala import sacks as rules
from bot.game.guatemala.data import COLOUR_OF_KEY, CONTENT
from bot.game.guatemala.view import GuatemalaView, PieceView
from bot.text.chapter import Part
from bot.text.contract import Label, Style
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.guatemala.figures import SACK, harvests
from bot.text.guatemala.speech import (
    NAMES,
    Asked,
    GuatemalaChapter,
    GuatemalaSpeech,
)
from bot.text.markup import capital
from bot.text.words import Words, msg

_BLOCK_WEIGHT = 3
"""How memorable a block is, from 0 to 9."""


def _take(asked: Asked, button: Label) -> Label:
    """What everybody would score, as far as nobody blocks."""
    speech, buyer = asked.speech, asked.view.buyer
    sack = asked.view.sack_in(buyer) if buyer else None
    if sack is None:
        return button
    name = speech.piece(SACK, sack.colour)
    text = speech.words(
        "Take the {sack} (+{money}): {harvest}",
        sack=name,
        harvest=speech.harvest(asked.view, sack.colour),
        money=CONTENT.harvest_money,
    )
    return button._replace(text=text, called=name)


def _answer(asked: Asked, word: str) -> Label:
    """What a block would prevent, or everybody would score."""
    speech, taken = asked.speech, asked.view.taken
    emoji, style = ("✋", Style.DANGER) if word == rules.YES else ("👍", Style.NORMAL)
    if taken is None:
        return Label(capital(speech.fact("answer", word)), emoji, style=style)
    harvest = speech.harvest(asked.view, taken.colour)
    if word == rules.NO:
        text = speech.words("Don't block: {harvest}", harvest=harvest)
    elif harvests(asked.view, taken.colour):
        text = speech.words("Block: no one scores")
    else:
        text = speech.words("Block, even though no one would score")
    return Label(text, emoji, style=style)


def _only_answer(asked: Asked, button: Label) -> Label:
    """Who has no such sack lets it be by one press, which says so."""
    view, taken = asked.view, asked.view.taken
    if taken is None or view.seats[max(view.observer, 0)].holds(taken.colour) != 0:
        return button
    return _answer(asked, rules.NO)


def whole_answer(asked: Asked) -> Label:
    """An answer about a block."""
    return _answer(asked, asked.prefix[1])


def whole_refill(asked: Asked) -> Label:
    """A sack to put in the place of the one that was taken."""
    return _colour(asked, asked.prefix[1])


def _ask_block(speech: GuatemalaSpeech, decision: Decision, view: GuatemalaView) -> str:
    """What would be scored, and the means to prevent it, which only the asked seat knows."""
    words, taken = speech.words, view.taken
    if taken is None:
        return words("Will you block?")
    sack = speech.piece(SACK, taken.colour)
    lines = [
        words(
            "{seat} took the {sack}. Unless someone blocks: {harvest}.",
            seat=speech.seat(view.turn),
            sack=sack,
            harvest=speech.harvest(view, taken.colour),
        )
    ]
    count = view.seats[decision.seat].holds(taken.colour)
    if count:
        lines.append(
            words.plural(
                "You have {count} {sack}, so you can block.",
                "You have {count} of that colour, so you can block.",
                count,
                sack=sack,
            )
        )
    elif count is not None:
        lines.append(words("You have no {sack}, so you can't block.", sack=sack))
    lines.append(words("Your answer stays secret unless your block is the one that counts."))
    return "\n".join(lines)


def _ask_refill(speech: GuatemalaSpeech, decision: Decision, view: GuatemalaView) -> str:
    words, taken = speech.words, view.taken
    if taken is None:
        return words("Which sack goes on the board?")
    return words("Which sack goes on the empty space? Each shows who would score it now.")


def _colour(asked: Asked, word: str) -> Label:
    """A sack, who would score for it now, and how many of its colour stay in hand; called by its
    colour alone on the picture, where the sacks of a hand lie close together."""
    speech, words, view = asked.speech, asked.speech.words, asked.view
    name, sign = capital(speech.piece(SACK, word)), speech.sign_of(PieceView(SACK, word))
    colour = words(NAMES.colours[word])
    called = colour if colour in name else capital(colour)
    left = (view.seats[max(view.observer, 0)].holds(word) or 0) - 1
    if left < 0:
        return Label(name, sign, called=called)
    facts = {"sack": name, "harvest": speech.harvest(view, word)}
    text = words("{sack} · {harvest} · your last one", **facts)
    if left:
        text = words("{sack} · {harvest} · {count} more in hand", count=left, **facts)
    return Label(text, sign, called=called)


def _said(asked: Asked, word: str) -> str:
    return asked.speech.piece(SACK, word)


def order(words: Words, name: str, value: str) -> str | None:
    """A standing order about blocks, and from how many sacks of a colour on it holds."""
    if name == "never_block":
        return words("Never block")
    if name == "block_scoreless":
        return words("Block when I wouldn't score")
    colour = name.removeprefix("block_")
    if colour not in COLOUR_OF_KEY:
        return None
    least, sack = int(value), GuatemalaSpeech(words).piece(SACK, colour)
    return words.plural(
        "Block with a {sack} if I have one",
        "Block with a {sack} if I have {count} or more",
        least,
        sack=sack,
    )


CHAPTER = GuatemalaChapter(
    chapter_words("guatemala", "sacks"),
    parts={
        "block": {"answer": Part(_answer, lambda asked, word: asked.speech.fact("answer", word))},
        "refill": {"colour": Part(_colour, _said)},
    },
    buttons={"take": _take, "block": _only_answer},
    asked={"block": _ask_block, "refill": _ask_refill},
    events=(
        EventWords(
            rules.SackTaken,
            "line",
            msg("takes the {sack} (+{money})"),
        ),
        EventWords(rules.BlockAnswered, "news", msg("Your answer: {answer}. Only you know it.")),
        EventWords(rules.Blocked, "line", msg("blocks with a {sack}: no one scores")).remembered(
            _BLOCK_WEIGHT
        ),
        EventWords(rules.NotBlocked, "harvest", msg("No one blocks")),
        EventWords(rules.Refilled, "line", msg("fills the empty space with a {sack}")),
        EventWords(
            rules.RefilledBlindly, "line", msg("draws a {sack} from the bag for the empty space")
        ),
        EventWords(rules.LeftEmpty, "line", msg("has no sack left for the empty space")),
    ),
)
