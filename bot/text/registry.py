"""The words of every game, by the name of the game."""

from __future__ import annotations

from bot.game.versions import Versions
from bot.text.burgundy.game_text import BurgundyText
from bot.text.contract import AnyGameText
from bot.text.kogge.game_text import KoggeText

TEXTS: Versions[AnyGameText] = Versions({"kogge": KoggeText(), "burgundy": BurgundyText()})
