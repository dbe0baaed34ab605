"""Routes for the application: itself, its commands, users and servers."""

from __future__ import annotations

from bot.local import errors
from bot.local.api import ApiRoute, Call, Result, guild_of
from bot.local.changes import CommandsChanged
from bot.local.command_checks import check_command, check_commands
from bot.local.limits import DiscordLimits, Limiter
from bot.local.model import Command, Json
from bot.local.roles import roles
from bot.local.wire import Wire
from bot.local.world import World

_GUILDS_A_PAGE = 200
_GLOBAL = "/applications/{app_id}/commands"
_GUILD = "/applications/{app_id}/guilds/{guild_id}/commands"


class AppRoutes:
    """What the bot asks about itself and its servers."""

    def __init__(self, world: World, wire: Wire, limits: DiscordLimits, limiter: Limiter) -> None:
        self._world = world
        self._wire = wire
        self._limits = limits
        self._limiter = limiter

    def routes(self) -> list[ApiRoute]:
        """The table."""
        command_routes = [
            route
            for base in (_GLOBAL, _GUILD)
            for route in (
                ApiRoute("GET", base, self.commands),
                ApiRoute("PUT", base, self.replace_commands),
                ApiRoute("POST", base, self.add_command),
                ApiRoute("GET", base + "/{command_id}", self.command),
                ApiRoute("PATCH", base + "/{command_id}", self.edit_command),
                ApiRoute("DELETE", base + "/{command_id}", self.delete_command),
            )
        ]
        guild = "/guilds/{guild_id}"
        return [
            *command_routes,
            ApiRoute("GET", "/gateway", self.gateway_url, open=True),
            ApiRoute("GET", "/gateway/bot", self.gateway_for_bot),
            ApiRoute("GET", "/users/@me", self.me),
            ApiRoute("GET", "/users/@me/guilds", self.guilds),
            ApiRoute("GET", "/users/{user_id}", self.user),
            ApiRoute("GET", "/applications/@me", self.application),
            ApiRoute("GET", "/oauth2/applications/@me", self.application),
            ApiRoute("GET", guild, self.guild),
            ApiRoute("GET", guild + "/channels", self.channels),
            ApiRoute("GET", guild + "/roles", self.roles),
            ApiRoute("GET", guild + "/members", self.members),
            ApiRoute("GET", guild + "/members/search", self.members),
            ApiRoute("GET", guild + "/members/{user_id}", self.member),
        ]

    async def gateway_url(self, call: Call) -> Result:
        """Where the gateway is."""
        return {"url": self._wire.base_url.replace("http", "ws", 1) + "/gateway"}

    async def gateway_for_bot(self, call: Call) -> Result:
        """Where the gateway is, how many shards are recommended, and what session starts are
        left."""
        return {
            "url": self._wire.base_url.replace("http", "ws", 1) + "/gateway",
            "shards": self._limits.shards,
            "session_start_limit": self._limiter.session_starts(),
        }

    async def me(self, call: Call) -> Result:
        """The bot's user."""
        return self._wire.me()

    async def guilds(self, call: Call) -> Result:
        """The bot's servers, by id, a page at a time."""
        before, after = call.number("before", 0), call.number("after", 0)
        guilds = sorted(self._world.guilds.values(), key=lambda guild: guild.id)
        found = [g for g in guilds if g.id > after and (not before or g.id < before)]
        return [
            {"id": str(guild.id), "name": guild.name, "features": [], "owner": False}
            for guild in found[: call.number("limit", _GUILDS_A_PAGE)]
        ]

    async def user(self, call: Call) -> Result:
        """Any user."""
        user = self._world.users.get(call.id("user_id"))
        if user is None:
            raise errors.unknown_user()
        return self._wire.user(user)

    async def application(self, call: Call) -> Result:
        """The application."""
        return self._wire.application()

    async def guild(self, call: Call) -> Result:
        """A server."""
        return self._wire.guild(guild_of(call, self._world), with_members=False)

    async def channels(self, call: Call) -> Result:
        """The channels of a server without its threads."""
        guild = guild_of(call, self._world)
        return list(self._wire.guild(guild, with_members=False)["channels"])

    async def roles(self, call: Call) -> Result:
        """The roles of a server."""
        return roles(guild_of(call, self._world), self._world.bot)

    async def members(self, call: Call) -> Result:
        """The members of a server, or those whose name begins with `query`."""
        guild = guild_of(call, self._world)
        start = call.request.query.get("query", "").lower()
        after, limit = call.number("after", 0), call.number("limit", 1000)
        users = sorted(self._world.members(guild), key=lambda user: user.id)
        found = [u for u in users if u.id > after and u.name.lower().startswith(start)]
        return [self._wire.member(user, guild) for user in found[:limit]]

    async def member(self, call: Call) -> Result:
        """One member of a server."""
        guild, user_id = guild_of(call, self._world), call.id("user_id")
        if not self._world.is_member(user_id, guild):
            raise errors.unknown_member()
        return self._wire.member(self._world.users[user_id], guild)

    # Commands

    async def commands(self, call: Call) -> Result:
        """The commands of one scope."""
        scope = self._scope(call)
        return [self._wire.command(c) for c in self._world.commands.values() if c.guild_id == scope]

    async def replace_commands(self, call: Call) -> Result:
        """Register exactly these commands."""
        scope = self._scope(call)
        specs = call.body.json
        if not isinstance(specs, list):
            raise errors.invalid_json()
        check_commands(specs)
        return [self._wire.command(c) for c in self._world.set_commands(scope, specs)]

    async def add_command(self, call: Call) -> Result:
        """Register one command, in place of another of its name."""
        scope = self._scope(call)
        spec = call.body.payload
        others = [s for s in self._specs(scope) if not _same(s, spec)]
        check_commands([*others, spec])
        made = self._world.set_commands(scope, [*others, spec])
        return self._wire.command(made[-1])

    async def command(self, call: Call) -> Result:
        """One command."""
        return self._wire.command(self._command(call))

    async def edit_command(self, call: Call) -> Result:
        """Change one command."""
        command = self._command(call)
        spec = {**command.spec, **call.body.payload}
        check_command(spec)
        command.spec = spec
        self._world.publish(CommandsChanged())
        return self._wire.command(command)

    async def delete_command(self, call: Call) -> Result:
        """Unregister one command."""
        command = self._command(call)
        others = [s for s in self._specs(command.guild_id) if not _same(s, command.spec)]
        self._world.set_commands(command.guild_id, others)
        return None

    def _specs(self, scope: int | None) -> list[Json]:
        return [c.spec for c in self._world.commands.values() if c.guild_id == scope]

    def _command(self, call: Call) -> Command:
        scope = self._scope(call)
        command = self._world.commands.get(call.id("command_id"))
        if command is None or command.guild_id != scope:
            raise errors.unknown_command()
        return command

    def _scope(self, call: Call) -> int | None:
        if call.id("app_id") != self._world.bot.id:
            raise errors.missing_access()
        if "guild_id" not in call.request.match_info:
            return None
        return guild_of(call, self._world).id


def _same(spec: Json, other: Json) -> bool:
    key = (spec.get("name"), spec.get("type", 1))
    return key == (other.get("name"), other.get("type", 1))
