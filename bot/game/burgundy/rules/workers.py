"""A die for workers (section 7.3, tiles 13 and 14)."""

from __future__ import annotations

from bot.game.burgundy.data import CONTENT, knowledge
from bot.game.burgundy.rules.common import DIE_OF_WORD, DIE_WORDS, dice, knows, no_die, use_die
from bot.game.burgundy.state import Player, State
from bot.game.choices import OneOf
from bot.game.contract import Refusal, Seat
from bot.game.grammar import EventRecorder, Rule, rule

TOPIC = "workers"
PAYMASTER, CREW = 13, 14
"""The knowledge tiles that add a silverling, and that make it more workers."""


def gain(player: Player) -> tuple[int, int]:
    """The workers and silverlings that the player gets for a die."""
    workers = knowledge(CREW).amount if knows(player, CREW) else CONTENT.die_workers
    return workers, knowledge(PAYMASTER).amount if knows(player, PAYMASTER) else 0


def _gate(state: State, seat: Seat) -> Refusal | None:
    return no_die(state, TOPIC)


def _dice(state: State, seat: Seat) -> OneOf:
    return OneOf("die", tuple([DIE_WORDS[die] for die in dice(state)]))


def _workers(state: State, seat: Seat, recorder: EventRecorder, die: str) -> None:
    player = state.players[seat]
    use_die(state, DIE_OF_WORD[die], 0)
    workers, silverlings = gain(player)
    player.workers += workers
    player.silverlings += silverlings
    recorder.all("workers_taken", seat=seat, die=die, workers=workers, silverlings=silverlings)


def _why_not(state: State, seat: Seat, prefix: tuple[str, ...], word: str) -> Refusal | None:
    return Refusal("no_such_die", TOPIC, {"die": word}) if word in DIE_OF_WORD else None


WORKERS: Rule[State] = (
    rule("workers", TOPIC, _gate).word("die", _dice).does(_workers, explain=_why_not)
)
