"""Thought that takes long: the strong player's search in processes of its own.

What belongs here is where and how long it is thought; how is `bot.policy.search`'s business.
"""

from bot.policy.contract import Judgement
from bot.policy.search import Considered
from bot.thinking.pool import SearchPool, SearchUnavailable, workers_of

__all__ = ["Considered", "Judgement", "SearchPool", "SearchUnavailable", "workers_of"]
