"""The title Flandern 1302."""

from __future__ import annotations

from bot.game.events import GameEnded
from bot.game.flandern import GAME
from bot.game.flandern.cards import CardRevealed, GoldenRevealed
from bot.policy.flandern.judgement import JUDGEMENT, ORDERS
from bot.render.flandern import PICTURES
from bot.text.commands import game_commands
from bot.text.flandern.words import FlandernWords
from bot.titles.title import Title

VERSIONS = (
    Title(
        game=GAME,
        text=FlandernWords,
        commands=game_commands(GAME),
        pictures=PICTURES,
        own_orders=ORDERS,
        judgement=JUDGEMENT,
        revealing=(CardRevealed, GoldenRevealed, GameEnded),
    ),
)
"""All versions of the rules that tables may still use."""
