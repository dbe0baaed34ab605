"""How people are named at a table and elsewhere."""

from __future__ import annotations

import discord

from bot.tables import Table
from bot.text.user_text import Mention, Name, Written, cleaned, shown_names
from bot.text.words import Words


def names(words: Words, table: Table) -> tuple[Written, ...]:
    """The players' names by seat; no two look the same."""
    return shown_names(words, table.names)


def mentions(words: Words, table: Table) -> list[Name]:
    """A mention of each person who plays, the name of each computer player; by seat."""
    return [
        Mention(player.user, name) if player.is_human and player.user is not None else name
        for player, name in zip(table.players, names(words, table), strict=True)
    ]


def owners(words: Words, table: Table) -> list[Name]:
    """The same, but people are mentioned as well while a computer player acts for them."""
    return [
        name if player.user is None else Mention(player.user, name)
        for player, name in zip(table.players, names(words, table), strict=True)
    ]


def own_name(words: Words, table: Table, user: discord.User | discord.Member) -> Written:
    """The name at the table of somebody who sits there; else their name on Discord."""
    seat = table.seat_of(user.id)
    return called(user) if seat is None else names(words, table)[seat]


def called(user: discord.User | discord.Member) -> Written:
    """Somebody's name on Discord; their account's where none of it is visible."""
    return Written(user.display_name) or Written(user.name)


def stored_name(user: discord.User | discord.Member) -> str:
    """Somebody's name on Discord, as it is stored."""
    return cleaned(user.display_name)
