"""The settings, read from the environment and `.env` here and nowhere else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, StringConstraints, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.store import check_address, sqlite_file

ALL_SHARDS = "all"
SHARDS_MOST = 16384
"""More than Discord itself has ever needed for a bot."""

Budget = Annotated[
    str, StringConstraints(pattern=r"^(off|[1-9]\d{0,5}/[1-9]\d{0,5}/[1-9]\d{0,5})$")
]
"""`PERSON/SERVER/SECONDS`, or `off` for no limit: see bot.cogs.ui.budgets."""


class UnusableSetting(ValueError):
    """The message says why, in one line that quotes no secret."""


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
    log_format: Literal["text", "json"] = "text"
    """Lines for people, or a JSON object a line."""
    health_port: int | None = Field(default=None, ge=1, le=65535)
    """Where `/healthz` and `/metrics` are served; nowhere where it is not set."""
    health_host: str = "127.0.0.1"
    """The address they are served at; everybody who reaches it can read them."""
    backup_folder: Path = Path("var/backups")
    """Where backups of a SQLite database are kept."""
    backup_hour: int = Field(default=4, ge=0, le=23)
    """The hour of the day, in UTC, at which one is made."""
    backup_keep: int = Field(default=14, ge=0)
    """How many are kept; with 0 none is made."""
    dev_guild: int | None = None
    """A server that gets the commands at once, instead of all servers within the hour."""
    shards: Literal["auto"] | Annotated[int, Field(ge=1, le=SHARDS_MOST)] | None = None
    """Into how many shards Discord divides the servers, for all processes that share the database;
    `auto` is as many as Discord recommends. One process has the database for itself if unset."""
    shard_ids: str = ALL_SHARDS
    """Which of them this process runs: `all`, some such as `0-3,7`, or a part such as `2/4`."""
    member: str | None = Field(default=None, pattern=r"^[\w.-]{1,60}$")
    """What this process is called among them, in logs and metrics."""
    discord_proxy: str | None = Field(default=None, pattern=r"^https?://[^\s/]+(/\S*)?$")
    """A proxy for requests to Discord that keeps its limits for all processes together."""
    discord_api: str | None = None
    """Another Discord to connect to, such as the stand-in; for development."""
    watchdog_ms: int = Field(default=100, ge=0)
    """A warning is logged when the event loop is held for so many milliseconds; 0 for none."""
    drawing_threads: int = Field(default=2, ge=1, le=16)
    """How many pictures are drawn at once."""
    tables_per_person: int = Field(default=25, ge=1)
    """How many tables one person may have open in a server, where its owners set nothing."""
    tables_per_person_most: int = Field(default=100, ge=1)
    """How many they may set at most, and one person may have in all places together."""
    tables_per_server: int = Field(default=250, ge=1)
    """How many tables may be open in a server, where its owners set nothing."""
    tables_per_server_most: int = Field(default=1000, ge=1)
    """How many they may set at most."""
    budget_pictures: Budget = "120/600/60"
    """How many boards people may ask for: one person, a server, in how many seconds; or off."""
    budget_tables: Budget = "20/200/3600"
    """How many tables they may open."""
    budget_imports: Budget = "20/100/3600"
    """How many games in files they may give."""
    budget_exports: Budget = "60/600/3600"
    """How many games they may have as files."""
    budget_reports: Budget = "20/100/3600"
    """How many reports they may have."""
    budget_searches: Budget = "60/600/60"
    """How many rules they may look up."""
    budget_typing: Budget = "300/6000/30"
    """How often choices are offered to them while they type."""

    @field_validator("database_url")
    @classmethod
    def _can_be_used(cls, url: str) -> str:
        check_address(url)
        return url

    @field_validator("shards")
    @classmethod
    def _can_be_shared(cls, shards: int | str | None, others: ValidationInfo) -> int | str | None:
        url = others.data.get("database_url")
        if shards is not None and url is not None and sqlite_file(url) is not None:
            raise UnusableSetting(
                "a SQLite file is for one process alone: move the games to PostgreSQL first"
                " (`python -m bot move`, docs/hosting.md)"
            )
        return shards

    @field_validator("shard_ids")
    @classmethod
    def _can_be_run(cls, text: str, others: ValidationInfo) -> str:
        if others.data.get("shards") is None:
            if text != ALL_SHARDS:
                raise UnusableSetting("it means nothing without SHARDS")
            return text
        # Only here: a process that shares nothing imports nothing that is for sharing.
        from bot.cluster.members import parse_may

        try:
            parse_may(text)
        except ValueError as error:
            raise UnusableSetting(str(error)) from error
        return text


def environment_without_settings() -> dict[str, str]:
    """What is set in the environment of this process, but none of these settings."""
    return {k: v for k, v in os.environ.items() if k.lower() not in Settings.model_fields}
