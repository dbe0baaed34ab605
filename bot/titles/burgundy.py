"""The title The Castles of Burgundy."""

from __future__ import annotations

from dataclasses import replace

from bot.game.burgundy import GAME, GAME_2
from bot.game.burgundy.rounds import CastlePlaced, Scored
from bot.game.events import GameEnded
from bot.policy.burgundy.judgement import JUDGEMENT
from bot.render.burgundy.close_up import PICTURES
from bot.text.burgundy.words import BurgundyWords
from bot.text.commands import game_commands
from bot.titles.title import Title, in_order

_TITLE = Title(
    game=GAME,
    text=BurgundyWords,
    commands=game_commands(GAME),
    pictures=PICTURES,
    judgement=JUDGEMENT,
    upcoming=in_order("turn", "extra"),
    revealing=(CastlePlaced, Scored, GameEnded),
)
VERSIONS = (_TITLE, replace(_TITLE, game=GAME_2))
"""All versions of the rules that tables may still use."""
