"""The games there are: of each title every version that was ever released, and the newest."""

from __future__ import annotations

from bot.game.burgundy import GAME as BURGUNDY
from bot.game.kogge import GAME as KOGGE
from bot.game.versions import Games

GAMES = Games((KOGGE, BURGUNDY))
