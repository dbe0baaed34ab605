"""What a computer player is."""

from __future__ import annotations

from collections.abc import Callable
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
