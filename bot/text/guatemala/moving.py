"""The buyer's steps, with which a turn begins (section 4)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import Decision
from bot.game.guatemala.buyer import BuyerMoved, Passed, step_cost
from bot.game.guatemala.data import CONTENT
from bot.game.guatemala.view import GuatemalaView
from bot.text.chapter import Part
from bot.text.contract import Label
from bot.text.events import EventWords, Frame
from bot.text.game_data import chapter_words
from bot.text.guatemala.figures import harvests
from bot.text.guatemala.speech import Asked, GuatemalaChapter, GuatemalaSpeech
from bot.text.markup import capital, uncapital
from bot.text.words import msg


def _step(speech: GuatemalaSpeech, decision: Decision, view: GuatemalaView) -> str:
    """The money, and who would score for the sacks in reach; the buttons tell the rest."""
    words, money = speech.words, view.seats[decision.seat].money
    said = words(
        "Round {round}. You have {money}.",
        round=view.round,
        money=speech.counted("money", money),
    )
    lines = [said]
    for steps in range(1, CONTENT.steps + 2):
        position = view.reached(steps)
        sack = view.sack_in(position)
        if sack is None or step_cost(steps) > money or not harvests(view, sack.colour):
            continue
        facts = {"where": speech.position(position), "sack": speech.signed(sack)}
        harvest = speech.harvest(view, sack.colour)
        lines.append(words("{where}, {sack}: {harvest}", harvest=harvest, **facts))
    return "\n".join(map(capital, lines))


def _steps(asked: Asked, word: str) -> Label:
    facts = _facts(asked, word)
    if not facts["price"]:
        return Label(asked.speech.words("{steps}: {where} · {offers}", **facts), "🚶")
    return Label(asked.speech.words("{steps}: pay {price} · {where} · {offers}", **facts), "🪙")


def whole(asked: Asked) -> list[Label]:
    """A step of the buyer as an action by itself; the second without its place."""
    words, facts = asked.speech.words, _facts(asked, asked.prefix[1])
    if facts["price"]:
        return [
            Label(words(message, **facts), "🪙", called=asked.prefix[1])
            for message in (
                msg("Pay {price}, move {steps} → {where}: {offers}"),
                msg("Pay {price}, move {steps}: {offers}"),
            )
        ]
    return [
        Label(words(message, **facts), "🚶", called=asked.prefix[1])
        for message in (
            msg("Move {steps} → {where}: {offers}"),
            msg("Move {steps}: {offers}"),
        )
    ]


def whole_with(asked: Asked, there: Sequence[Label]) -> list[Label]:
    """A step, and what is done there at once, from the fullest to the shortest."""
    words, facts = asked.speech.words, _facts(asked, asked.prefix[1])
    messages = [
        msg("Move {steps} → {where}, then {then}"),
        msg("Move {steps}, then {then}"),
        msg("{steps}: {then}"),
    ]
    if facts["price"]:
        messages = [
            msg("Pay {price}, move {steps} → {where}, then {then}"),
            msg("Pay {price}, move {steps}, then {then}"),
            msg("{steps} (−{price}): {then}"),
            msg("{steps}: {then}"),
        ]
    return [
        each._replace(
            text=words(message, then=uncapital(each.text), **facts), called=asked.prefix[1]
        )
        for each in there
        for message in messages
    ]


def _facts(asked: Asked, word: str) -> dict[str, str | int]:
    """How many steps, for how much, where they lead, and what lies there."""
    position = asked.view.reached(int(word))
    return {
        "steps": word,
        "price": step_cost(int(word)),
        "where": asked.speech.side(position),
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
        EventWords(BuyerMoved, "line", msg("moves the buyer to {position}")).when(
            lambda event: event.paid, msg("moves the buyer to {position} (−{paid})")
        ),
        EventWords(Passed, "line", msg("stays put and skips the turn")),
    ),
)
