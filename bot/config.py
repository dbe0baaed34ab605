"""The settings, read from the environment and `.env` by bot/__main__.py and nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """What an operator may set; `.env.example` names each of them."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", extra="ignore", env_ignore_empty=True
    )

    discord_token: SecretStr | None = None
    """The bot's token, from Discord's developer portal."""
    database_url: str = "sqlite+aiosqlite:///var/games.sqlite"
    """Where the tables are kept, as an SQLAlchemy URL with an async driver."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """How much is logged."""
    dev_guild: int | None = None
    """A server that gets the commands at once, instead of all servers within the hour."""
    discord_api: str | None = None
    """Another Discord to connect to, such as the stand-in; for development."""
    drawing_threads: int = Field(default=2, ge=1, le=16)
    """How many pictures are drawn at once."""


def sqlite_folder(url: str) -> Path | None:
    """The folder of a SQLite file, which must exist before it is opened; None for others."""
    scheme, _, rest = url.partition(":///")
    if not scheme.startswith("sqlite") or not rest or rest.startswith(":memory:"):
        return None
    return Path(rest.partition("?")[0]).parent
