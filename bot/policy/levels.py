"""The levels of computer player: what they are called, and the one that is made of another."""

from __future__ import annotations

from random import Random
from typing import Any

from bot.game.contract import ANSWER, Action, Decision, in_turn
from bot.policy.contract import NORMAL, Judgement, Legal, Policy

EASY = "easy"
"""Overlooks much: now and then it does the next best thing that came to mind."""
STRONG = "strong"
"""Thinks ahead, see `bot.policy.search`."""

LAPSES = 0.5
"""How often the easy player does not do what the normal one would."""
CAME_TO_MIND = 6
"""So many of the whole actions that people are offered come to its mind then."""

__all__ = ["EASY", "NORMAL", "STRONG", "easy_player"]


def easy_player(judgement: Judgement[Any]) -> Policy:
    """The normal player with lapses, in which it does any of the first things on the menu."""
    normal, moves = judgement.player(), judgement.game.moves

    def policy(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
        if decision.kind != ANSWER and rng.random() < LAPSES:
            menu = judgement.menu(view, decision, legal)[:CAME_TO_MIND]
            steps = dict.fromkeys(in_turn(entry)[0] for entry in menu)
            found = [step for step in steps if not moves[step[0]].free]
            if found:
                return rng.choice(found)
        return normal(view, decision, legal, rng)

    return policy
