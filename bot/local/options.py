"""Builds the data of a slash command from what a person filled in.

Limits the values to what Discord's own client would let through: required options, choices, ranges
and lengths. Server-side faults are not its concern.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from bot.local.model import Channel, Command, Guild, Json, User
from bot.local.posting import Upload, describe_file
from bot.local.wire import Wire
from bot.local.world import World


class CannotDoError(Exception):
    """The chat client would not let a person do this; the message says why.

    `because` is the message without its facts, by which the page finds it in another language.
    """

    def __init__(self, because: str, **facts: object) -> None:
        super().__init__(because.format(**facts) if facts else because)
        self.because = because
        self.facts = {name: str(fact) for name, fact in facts.items()}


class OptionKind(IntEnum):
    """Types of command options."""

    SUBCOMMAND = 1
    GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ROLE = 8
    MENTIONABLE = 9
    NUMBER = 10
    ATTACHMENT = 11


_SUB = (OptionKind.SUBCOMMAND, OptionKind.GROUP)


@dataclass(slots=True)
class Resolved:
    """The objects behind the ids in an interaction's data."""

    world: World
    wire: Wire
    users: Json = field(default_factory=dict)
    members: Json = field(default_factory=dict)
    channels: Json = field(default_factory=dict)
    attachments: Json = field(default_factory=dict)

    def add_user(self, user: User, guild: Guild | None) -> str:
        """Record a user, as a member of a server where there is one; returns the id to send."""
        key = str(user.id)
        self.users[key] = self.wire.user(user)
        if guild is not None and self.world.is_member(user.id, guild):
            permissions = str(self.world.user_permissions(user.id, guild))
            member = self.wire.member(user, guild, with_user=False)
            self.members[key] = {**member, "permissions": permissions}
        return key

    def add_channel(self, channel: Channel, viewer: User) -> str:
        """Record a channel; returns the id to send."""
        key = str(channel.id)
        guild = self.world.guild_of(channel)
        granted = 0 if guild is None else self.world.user_permissions(viewer.id, guild)
        self.channels[key] = {**self.wire.channel(channel), "permissions": str(granted)}
        return key

    def add_file(self, filename: str, data: bytes) -> str:
        """Keep an uploaded file; returns the id to send."""
        file_id = self.world.snowflakes.next()
        self.world.files[file_id] = data
        attachment = describe_file(Upload(filename, data), file_id, None)
        url = self.wire.attachment_url(0, attachment)
        self.attachments[str(file_id)] = {
            "id": str(file_id),
            "filename": filename,
            "size": len(data),
            "url": url,
            "proxy_url": url,
            "content_type": attachment.content_type,
            "ephemeral": True,
        }
        return str(file_id)

    def data(self) -> Json:
        """The `resolved` part, without empty kinds."""
        kinds = {
            "users": self.users,
            "members": self.members,
            "channels": self.channels,
            "attachments": self.attachments,
        }
        return {kind: entries for kind, entries in kinds.items() if entries}


def is_offered(world: World, command: Command, person: User, guild: Guild | None) -> bool:
    """Whether a person is offered a command on a server, or in direct messages for `None`."""
    spec = command.spec
    contexts = spec.get("contexts")
    if guild is not None:
        needed = int(spec.get("default_member_permissions") or 0)
        allowed = needed & ~world.user_permissions(person.id, guild) == 0
        allowed = allowed and command.guild_id in (None, guild.id)
        return allowed and (contexts is None or 0 in contexts)
    everywhere = command.guild_id is None and spec.get("dm_permission") is not False
    return everywhere if contexts is None else 1 in contexts


def find_command(
    world: World, text: str, guild: Guild | None = None
) -> tuple[Command, list[str], Json]:
    """The command that `kogge bid` names, the path below it, and its innermost part.

    On a server, one of its own comes before one of all servers.
    Raises `CannotDoError` when there is no such command.
    """
    name, *path = text.removeprefix("/").split()
    scopes = (None, None if guild is None else guild.id)
    of_that_name = [
        c
        for c in world.commands.values()
        if (c.spec["name"], c.spec.get("type", 1)) == (name, 1) and c.guild_id in scopes
    ]
    if not of_that_name:
        known = ", ".join(sorted(c.spec["name"] for c in world.commands.values())) or "none"
        raise CannotDoError(f"there is no command /{name}; registered are: {known}")
    command = max(of_that_name, key=lambda c: c.guild_id is not None)
    leaf = command.spec
    for step in path:
        parts = [o for o in leaf.get("options") or [] if o["type"] in _SUB]
        found = next((o for o in parts if o["name"] == step), None)
        if found is None:
            known = ", ".join(o["name"] for o in parts) or "none"
            raise CannotDoError(f"/{text} has no part {step!r}; there are: {known}")
        leaf = found
    if any(o["type"] in _SUB for o in leaf.get("options") or []):
        known = ", ".join(o["name"] for o in leaf["options"])
        raise CannotDoError(f"/{text} needs one of its parts: {known}")
    return command, path, leaf


def innermost(world: World) -> Iterator[tuple[str, Json]]:
    """Every command that can be typed, such as `kogge bid`, with its definition as registered."""
    for command in world.commands.values():
        yield from _innermost(command.spec["name"], command.spec)


def _innermost(path: str, spec: Json) -> Iterator[tuple[str, Json]]:
    parts = [o for o in spec.get("options") or [] if o["type"] in _SUB]
    for part in parts:
        yield from _innermost(f"{path} {part['name']}", part)
    if not parts:
        yield path, spec


@dataclass(frozen=True, slots=True)
class Filled:
    """A command with its options, as a person is about to send it.

    `focused` names the option that is being typed into, for autocomplete.
    """

    world: World
    wire: Wire
    person: User
    guild: Guild | None
    command: Command
    path: list[str]
    leaf: Json
    values: Mapping[str, object]
    focused: str | None = None

    def data(self) -> Json:
        """The interaction's `data`; raises `CannotDoError`."""
        resolved = Resolved(self.world, self.wire)
        options = self._options(resolved)
        for depth, name in reversed(list(enumerate(self.path))):
            innermost = depth == len(self.path) - 1
            kind = OptionKind.SUBCOMMAND if innermost else OptionKind.GROUP
            options = [{"type": int(kind), "name": name, "options": options}]
        data: Json = {
            "id": str(self.command.id),
            "name": self.command.spec["name"],
            "type": 1,
            "options": options,
        }
        if resolved.data():
            data["resolved"] = resolved.data()
        if self.command.guild_id is not None:
            data["guild_id"] = str(self.command.guild_id)
        return data

    def _options(self, resolved: Resolved) -> list[Json]:
        specs = {spec["name"]: spec for spec in self.leaf.get("options") or []}
        for name in self.values:
            if name not in specs:
                known = ", ".join(specs) or "none"
                raise CannotDoError(f"there is no option {name!r}; there are: {known}")
        options = []
        for name, spec in specs.items():
            value = self.values.get(name)
            if value is None and name == self.focused:
                value = ""
            if value is None:
                if spec.get("required") and self.focused is None:
                    raise CannotDoError("the option {name} is required", name=repr(name))
                continue
            option: Json = {"type": spec["type"], "name": name}
            if self.focused is not None:
                option["value"] = self._draft(spec, value, resolved)
                if name == self.focused:
                    option["focused"] = True
            else:
                option["value"] = self._value(spec, value, resolved)
            options.append(option)
        return options

    def _draft(self, spec: Json, value: object, resolved: Resolved) -> object:
        """A value while it is being typed: any text is accepted."""
        if spec["name"] == self.focused:
            return str(value)
        try:
            return self._value(spec, value, resolved)
        except CannotDoError:
            return str(value)

    def _value(self, spec: Json, value: object, resolved: Resolved) -> object:
        name, kind = spec["name"], OptionKind(spec["type"])
        choices = spec.get("choices") or []
        if choices:
            for choice in choices:
                if value in (choice["value"], choice["name"]):
                    return choice["value"]
            shown = ", ".join(str(choice["name"]) for choice in choices)
            raise CannotDoError(f"{name!r} is one of: {shown}; not {value!r}")
        if kind is OptionKind.STRING:
            return _text(spec, str(value))
        if kind in (OptionKind.INTEGER, OptionKind.NUMBER):
            return _number(spec, kind, value)
        if kind is OptionKind.BOOLEAN:
            if not isinstance(value, bool):
                raise CannotDoError(f"{name!r} is true or false, not {value!r}")
            return value
        if kind in (OptionKind.USER, OptionKind.MENTIONABLE):
            user = self.world.users.get(_id(value))
            if user is None:
                raise CannotDoError(f"{name!r} needs a person, not {value!r}")
            return resolved.add_user(user, self.guild)
        if kind is OptionKind.CHANNEL:
            channel = self.world.channels.get(_id(value))
            if channel is None:
                raise CannotDoError(f"{name!r} needs a channel, not {value!r}")
            return resolved.add_channel(channel, self.person)
        if kind is OptionKind.ATTACHMENT and isinstance(value, tuple):
            filename, data = value
            return resolved.add_file(filename, data)
        raise CannotDoError(f"{name!r} cannot take {value!r}")


def _text(spec: Json, value: str) -> str:
    least, most = spec.get("min_length", 0), spec.get("max_length", 6000)
    if not least <= len(value) <= most:
        raise CannotDoError(
            "{name} must have {least} to {most} characters",
            name=repr(spec["name"]),
            least=least,
            most=most,
        )
    return value


def _number(spec: Json, kind: OptionKind, value: object) -> int | float:
    try:
        number = int(str(value)) if kind is OptionKind.INTEGER else float(str(value))
    except ValueError:
        raise CannotDoError(
            "{name} needs a number, not {value}", name=repr(spec["name"]), value=repr(value)
        ) from None
    least, most = spec.get("min_value"), spec.get("max_value")
    if (least is not None and number < least) or (most is not None and number > most):
        span = f"{'' if least is None else least}..{'' if most is None else most}"
        raise CannotDoError(
            "{name} must be in the range {span}, not {value}",
            name=repr(spec["name"]),
            span=span,
            value=number,
        )
    return number


def _id(value: object) -> int:
    """The id behind a person, user, channel or text; 0 when it is none of these."""
    found = getattr(value, "id", value)
    text = str(found)
    return int(text) if text.isdigit() else 0
