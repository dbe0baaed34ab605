"""The title Guatemala Café."""

from __future__ import annotations

from bot.game.events import GameEnded
from bot.game.guatemala import GAME
from bot.game.guatemala.sacks import Blocked, NotBlocked, Refilled, RefilledBlindly
from bot.policy.guatemala.judgement import JUDGEMENT, ORDERS
from bot.render.guatemala import PICTURES
from bot.text.commands import game_commands
from bot.text.guatemala.words import GuatemalaWords
from bot.titles.title import Title, in_order

VERSIONS = (
    Title(
        game=GAME,
        text=GuatemalaWords,
        commands=game_commands(GAME),
        pictures=PICTURES,
        own_orders=ORDERS,
        upcoming=in_order("step", "act", "refill", around=True),
        judgement=JUDGEMENT,
        revealing=(Blocked, NotBlocked, Refilled, RefilledBlindly, GameEnded),
    ),
)
"""All versions of the rules that tables may still use."""
