"""The buyer's steps, with which a turn begins (section 4)."""

from __future__ import annotations

from bot.game.contract import Decision
from bot.game.guatemala.data import CONTENT
from bot.game.guatemala.moving import BuyerMoved, Passed, cost_of
from bot.game.guatemala.view import GuatemalaView
from bot.text.chapter import Part
from bot.text.contract import Label
from bot.text.events import EventWords, Frame
from bot.text.game_data import chapter_words
from bot.text.guatemala.speech import Asked, GuatemalaChapter, GuatemalaSpeech
from bot.text.words import msg


def _step(speech: GuatemalaSpeech, decision: Decision, view: GuatemalaView) -> str:
    """The money, and the lines in reach with what each offers."""
    words, money = speech.words, view.seats[decision.seat].money
    lines = [
        words(
            "Your turn in round {round}. You have {money}.",
            round=view.round,
            money=speech.counted("money", money),
        )
    ]
    for steps in range(1, CONTENT.steps + 2):
        cost = cost_of(steps)
        if cost > money:
            continue
        position = view.reached(steps)
        facts = {
            "steps": steps,
            "where": speech.position(position),
            "offers": speech.in_full(view, position),
        }
        if cost:
            price = speech.counted("price", cost)
            lines.append(words("**{steps}** for {price}, {where}: {offers}", price=price, **facts))
        else:
            lines.append(words("**{steps}** {where}: {offers}", **facts))
    return "\n".join(lines)


def _steps(asked: Asked, word: str) -> Label:
    facts = _facts(asked, word)
    if not facts["price"]:
        return Label(asked.speech.words("{steps}: {where} · {offers}", **facts), "👣")
    return Label(asked.speech.words("{steps}: pay {price} · {where} · {offers}", **facts), "🪙")


def whole(asked: Asked) -> Label:
    """A step of the buyer as an action by itself."""
    word = asked.prefix[1]
    facts = _facts(asked, word)
    if not facts["price"]:
        text = asked.speech.words("Move {steps} → {where}: {offers}", **facts)
        return Label(text, "👣", called=word)
    text = asked.speech.words("Pay {price}, move {steps} → {where}: {offers}", **facts)
    return Label(text, "🪙", called=word)


def _facts(asked: Asked, word: str) -> dict[str, str | int]:
    """How many steps, for how much, where they lead, and what lies there."""
    position = asked.view.reached(int(word))
    return {
        "steps": word,
        "price": cost_of(int(word)),
        "where": asked.speech.line(position),
        "offers": asked.speech.in_short(asked.view, position),
    }


def _said(asked: Asked, word: str) -> str:
    return asked.speech.counted("steps", int(word))


CHAPTER = GuatemalaChapter(
    chapter_words("guatemala", "moving"),
    frames={"line": Frame(msg("{seat}: {what}."), joint=" · ", by_seat=True)},
    parts={"move": {"steps": Part(_steps, _said)}},
    asked={"step": _step},
    events=(
        EventWords(BuyerMoved, "line", msg("moves to {position}")).when(
            lambda event: event.paid, msg("pays {paid} to move to {position}")
        ),
        EventWords(Passed, "line", msg("stays, and gives up the turn")),
    ),
)
