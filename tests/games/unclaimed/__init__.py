"""Unclaimed, a small auction game with hidden tickets: an example of a whole title."""

from bot.text.commands import game_commands
from bot.titles.title import Title
from tests.games.unclaimed.picture import PICTURES
from tests.games.unclaimed.player import JUDGEMENT
from tests.games.unclaimed.rules import GAME, BidRevealed, TicketsShown
from tests.games.unclaimed.words import UnclaimedWords

TITLE = Title(
    game=GAME,
    text=UnclaimedWords,
    commands=game_commands(GAME),
    pictures=PICTURES,
    judgement=JUDGEMENT,
    revealing=(BidRevealed, TicketsShown),
)

__all__ = ["GAME", "TITLE"]
