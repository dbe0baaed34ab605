"""The roles of the stand-in's server, as Discord's JSON."""

from __future__ import annotations

from bot.local.model import ALL_PERMISSIONS, EVERYONE_PERMISSIONS, Guild, Json, User


def roles(guild: Guild, bot: User) -> list[Json]:
    """@everyone, and the role that carries the bot's permissions."""
    return [
        _role(guild.id, "@everyone", EVERYONE_PERMISSIONS, 0),
        _role(guild.bot_role_id, bot.name, ALL_PERMISSIONS, 1),
    ]


def _role(role_id: int, name: str, permissions: int, position: int) -> Json:
    return {
        "id": str(role_id),
        "name": name,
        "permissions": str(permissions),
        "position": position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": position > 0,
        "mentionable": False,
        "flags": 0,
        "icon": None,
        "unicode_emoji": None,
    }
