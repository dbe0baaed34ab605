"""What a computer player is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from bot.game.choices import Choices
from bot.game.contract import Action, Decision

Legal = Callable[[Action], Choices]
"""`Game.legal` bound to a state and a seat: the domain of the next word after a prefix."""

Policy = Callable[[Any, Decision, Legal, Random], Action]
"""Called with (view, decision, legal, rng); returns a whole, legal action of the decision's seat.

It is asked once for each decision that holds the table up, and once for each open offer.
"""

Menu = Callable[[Any, Decision, Legal], Sequence[Action]]
"""Called with (view, decision, legal); returns whole, legal actions of the decision's seat that are
worth offering as one press each, the best first. None where a choice is better made word by word.

Where several actions are one decision, as the steps of a voyage, an entry is all of them, `joined`:
the first is legal now, and each of the others is carried out where it is then asked for and legal.

The same view gives the same menu. It is asked within a person's turn, so it must be quick.
"""
