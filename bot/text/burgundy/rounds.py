"""Phases, rounds and turns: what is asked in a turn, and what every action may be refused for."""

from __future__ import annotations

from bot.game.burgundy import rounds as rules
from bot.game.burgundy.view import BurgundySeatView, BurgundyView
from bot.game.contract import Decision
from bot.game.events import TurnEnded
from bot.text.burgundy.dice import BurgundyChapter
from bot.text.burgundy.speech import BurgundySpeech
from bot.text.events import EventWords, Frame
from bot.text.game_data import chapter_words
from bot.text.words import forms, msg


def _turn(speech: BurgundySpeech, decision: Decision, view: BurgundyView) -> str:
    """The dice that are left, and what the seat has; what can be done with it the menu says."""
    words = speech.words
    now = words("Round {phase}{round}.", phase=view.phase, round=view.round)
    to_do = words("You've used both dice. End your turn or undo something.")
    if view.left:
        left = speech.dice(view.left)
        to_do = words.plural("Your die: {dice}", "Your dice: {dice}", len(view.left), dice=left)
    elif view.purchases:
        to_do = words("You've used both dice. Buy a tile or end your turn.")
    return f"{now} {to_do}\n{_means(speech, view.seats[decision.seat])}"


def _means(speech: BurgundySpeech, seat: BurgundySeatView) -> str:
    """What a choice may cost; the picture shows goods and storage."""
    workers = speech.counted("workers", seat.workers)
    silverlings = speech.counted("silverlings", seat.silverlings)
    return speech.words("You have {things}.", things=speech.words.listing([workers, silverlings]))


CHAPTER = BurgundyChapter(
    chapter_words("burgundy", "rounds"),
    asked={"turn": _turn},
    frames={
        "round": Frame(msg("🎲 {what}."), joint=" · "),
        "mines": Frame(msg("⛏️ Mines: {what}.")),
    },
    events=(
        EventWords(
            rules.PhaseBegan,
            "news",
            msg("📦 Phase {phase}: depots refilled. Goods to come: {goods}."),
        ),
        EventWords(rules.DepotFilled, "news", msg("New in {depot}: {tiles}.")).quiet(),
        EventWords(rules.RoundBegan, "round", msg("Round {phase}{round}")),
        EventWords(rules.Rolled, "round", msg("{seat} {dice}")),
        EventWords(rules.GoodsPlaced, "round", msg("{good} to {depot}")),
        EventWords(rules.MinesPaid, "mines", msg("{seat} {silverlings}")).when(
            lambda event: event.workers, msg("{seat} {silverlings} and {workers}")
        ),
        EventWords(
            rules.DepotsCleared,
            "news",
            forms(
                "{count} leftover tile leaves the game.",
                "{count} leftover tiles leave the game.",
            ),
        ).quiet(lambda event: not event.count),
        EventWords(TurnEnded, "turn", msg("ends the turn")).quiet(),
    ),
)
