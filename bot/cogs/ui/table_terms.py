"""What a table can agree on besides its game's options, and what it has agreed on, as far as it
means something here."""

from __future__ import annotations

from collections.abc import Mapping

from bot.cogs.ui.services import Services
from bot.game.contract import Option
from bot.tables import Table
from bot.tables.core.seating import HINTS, OFF, ON, TERMS, term


def gives_hints(services: Services, table: Table) -> bool:
    """Whether there is a strong player for what a table plays, and anybody to think for it. Raises
    title_gone."""
    return services.title_of(table).mind is not None and services.thinkers.can_think


def allows_hints(services: Services, table: Table) -> bool:
    """Whether people at the table may ask the strong player. Raises title_gone."""
    return gives_hints(services, table) and term(table, HINTS) != OFF


def shows_hints(services: Services, table: Table) -> bool:
    """Whether everybody's panel has a button for it. Raises title_gone."""
    return gives_hints(services, table) and term(table, HINTS) == ON


def offered_terms(services: Services, table: Table) -> tuple[Option, ...]:
    """What the table can agree on; nothing of hints where there are none. Raises title_gone."""
    has_hints = gives_hints(services, table)
    return tuple(each for each in TERMS if has_hints or each.name != HINTS)


def agreed(services: Services, table: Table) -> Mapping[str, str]:
    """The value of each of these that holds. Raises title_gone."""
    return {each.name: term(table, each.name) for each in offered_terms(services, table)}
