"""Guatemala Café, as the program plays it."""

from __future__ import annotations

from bot.game.events import GameEnded
from bot.game.guatemala import GAME
from bot.game.guatemala.sacks import Blocked, NotBlocked, Refilled, RefilledBlindly
from bot.policy.guatemala.judgement import JUDGEMENT
from bot.policy.guatemala.orders import ORDERS
from bot.render import guatemala
from bot.render.guatemala.pieces import PALETTE, SIGNS
from bot.render.palettes import Recolouring
from bot.render.picture import CloseUps
from bot.text.commands import game_commands
from bot.text.guatemala.words import GuatemalaWords
from bot.titles.title import Title
from bot.titles.upcoming import in_order

VERSIONS = (
    Title(
        game=GAME,
        text=GuatemalaWords,
        commands=game_commands(GAME),
        draw=guatemala.draw,
        part_asked=guatemala.part_asked,
        close_ups=CloseUps(guatemala.parts, guatemala.draw_part),
        colours=Recolouring(PALETTE, "guatemala"),
        own_orders=ORDERS,
        signs=SIGNS,
        upcoming=in_order("step", "act", "refill", around=True),
        judgement=JUDGEMENT,
        revealing=(Blocked, NotBlocked, Refilled, RefilledBlindly, GameEnded),
    ),
)
"""Every version of the rules that a table may still need."""
