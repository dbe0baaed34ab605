"""Flandern 1302, as the program plays it."""

from __future__ import annotations

from bot.game.events import GameEnded
from bot.game.flandern import GAME
from bot.game.flandern.cards import CardRevealed, GoldenRevealed
from bot.game.flandern.state import sides
from bot.policy.flandern.judgement import JUDGEMENT, ORDERS
from bot.render import flandern
from bot.render.flandern.pieces import PALETTE, SIGNS
from bot.render.palettes import Recolouring
from bot.render.picture import CloseUps
from bot.text.commands import game_commands
from bot.text.flandern.words import FlandernWords
from bot.titles.title import Title

VERSIONS = (
    Title(
        game=GAME,
        text=FlandernWords,
        commands=game_commands(GAME),
        draw=flandern.draw,
        sides=sides,
        part_asked=flandern.part_asked,
        close_ups=CloseUps(flandern.parts, flandern.draw_part),
        colours=Recolouring(PALETTE, "flandern"),
        own_orders=ORDERS,
        judgement=JUDGEMENT,
        signs=SIGNS,
        revealing=(CardRevealed, GoldenRevealed, GameEnded),
    ),
)
"""Every version of the rules that a table may still need."""
