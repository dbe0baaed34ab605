"""The bot on Discord."""

from __future__ import annotations

import argparse
import asyncio
import sys

import discord

from bot.commands import FAILED, OK, CannotRun
from bot.commands.settings import settings_or_reason
from bot.commands.until_stopped import until_stopped
from bot.host.logs import log_to_stderr
from bot.hosting import CannotListen, CannotShare, host
from bot.opening import CannotOpen
from bot.store import DatabaseLost

TOKEN_REFUSED = "Discord refuses the token: check DISCORD_TOKEN in .env"
SHARDS_REFUSED = (
    "Discord wants the bot divided into shards, or into more of them: set SHARDS,"
    ' see "Several processes" in docs/hosting.md'
)
INTENTS_REFUSED = "Discord refuses the intents of the bot: is there a newer version of it?"
REFUSED = {
    4004: TOKEN_REFUSED,
    4010: SHARDS_REFUSED,
    4011: SHARDS_REFUSED,
    4013: INTENTS_REFUSED,
    4014: INTENTS_REFUSED,
}
"""What an operator is told, by the code with which the gateway ends a connection. Each start would
end like that, and Discord allows only so many a day."""


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """It takes none: all is in the settings."""


def run(_args: argparse.Namespace) -> int:
    """Until it is stopped. Raises CannotRun for settings or a token that will not do."""
    settings = settings_or_reason()
    if settings.discord_token is None:
        raise CannotRun(
            "DISCORD_TOKEN is not set: put the bot's token into .env (see .env.example)"
        )
    token = settings.discord_token.revealed()
    log_to_stderr(settings.log_level, settings.log_format)
    try:
        asyncio.run(until_stopped(host(settings, token)))
    except DatabaseLost as error:
        raise CannotRun(str(error)) from error
    except CannotOpen as error:
        raise CannotRun(f"DATABASE_URL cannot be used: {error}") from error
    except CannotShare as error:
        raise CannotRun(str(error)) from error
    except CannotListen as error:
        raise CannotRun(f"HEALTH_HOST and HEALTH_PORT cannot be used: {error}") from error
    except discord.LoginFailure as error:
        raise CannotRun(TOKEN_REFUSED) from error
    except discord.ConnectionClosed as error:
        if error.code in REFUSED:
            raise CannotRun(f"{REFUSED[error.code]} (code {error.code})") from error
        print(f"Discord has ended the connection for good: code {error.code}", file=sys.stderr)
        return FAILED
    except discord.PrivilegedIntentsRequired as error:
        raise CannotRun(INTENTS_REFUSED) from error
    except discord.HTTPException as error:
        print(f"Discord refuses the bot: {error}", file=sys.stderr)
        return FAILED
    return OK
