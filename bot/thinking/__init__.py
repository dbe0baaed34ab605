"""The strong player's search in worker processes.

This package decides where and how long to search; `bot.policy.search` does the search.
"""

from bot.policy.contract import Judgement
from bot.policy.search import Considered
from bot.thinking.pool import SearchPool, SearchUnavailable, workers_of

__all__ = ["Considered", "Judgement", "SearchPool", "SearchUnavailable", "workers_of"]
