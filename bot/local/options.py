"""Interaction data of commands, selects and modals.

Makes the checks of Discord's own client: required options, choices, ranges and lengths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any

from bot.local.model import Channel, Command, ComponentKind, Guild, Json, User, is_select
from bot.local.posting import describe_file
from bot.local.wire import Wire
from bot.local.world import World


class CannotDoError(Exception):
    """Discord's client would not allow this action; the message says why.

    `message` may have placeholders for `params`; the page translates it before it fills them.
    """

    def __init__(self, message: str, **params: object) -> None:
        super().__init__(message.format(**params) if params else message)
        self.message = message
        self.params = {name: str(value) for name, value in params.items()}


class OptionKind(IntEnum):
    """Types of command options that the bot uses."""

    SUBCOMMAND = 1
    GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ROLE = 8
    ATTACHMENT = 11


# Commands


def is_offered(world: World, command: Command, person: User, guild: Guild | None) -> bool:
    """Return whether a person may use a command on a server, or in DMs if `guild` is `None`."""
    spec, contexts = command.spec, command.spec.get("contexts")
    if guild is None:
        by_default = command.guild_id is None and spec.get("dm_permission") is not False
        return by_default if contexts is None else 1 in contexts
    needed = int(spec.get("default_member_permissions") or 0)
    is_allowed = needed & ~world.user_permissions(person.id, guild) == 0
    is_on_guild = command.guild_id in (None, guild.id) and (contexts is None or 0 in contexts)
    return is_allowed and is_on_guild


def find_command(
    world: World, text: str, guild: Guild | None = None
) -> tuple[Command, list[str], Json]:
    """Return the command of a text such as `kogge bid`, its subcommand names and its last part.

    A server's own commands take precedence over global ones. Raises `CannotDoError` if there is no
    such command.
    """
    scopes = (None, None if guild is None else guild.id)
    commands = [command for command in world.commands.values() if command.guild_id in scopes]
    commands.sort(key=lambda command: command.guild_id is not None)
    paths = {
        " ".join(part["name"] for part in path): (command, path)
        for command in commands
        for path in innermost(command.spec)
    }
    words = text.removeprefix("/")
    if words not in paths:
        known = ", ".join(sorted(paths)) or "none"
        raise CannotDoError(f"there is no command /{words}; registered are: {known}")
    command, path = paths[words]
    return command, [part["name"] for part in path[1:]], path[-1]


def subcommands(spec: Json) -> list[Json]:
    """Return the subcommands and groups of a command or group."""
    kinds = (OptionKind.SUBCOMMAND, OptionKind.GROUP)
    return [option for option in spec.get("options") or [] if option["type"] in kinds]


def innermost(spec: Json, before: tuple[Json, ...] = ()) -> Iterator[tuple[Json, ...]]:
    """Yield each path that can be sent, from the command to its last subcommand."""
    path = (*before, spec)
    for part in subcommands(spec):
        yield from innermost(part, path)
    if not subcommands(spec):
        yield path


# Values


class Filling:
    """Builder of one interaction's data, including the resolved objects of ids.

    Users and channels are given as objects or ids, files as name and bytes. Methods raise
    `CannotDoError` for invalid input.
    """

    def __init__(self, world: World, wire: Wire, person: User, guild: Guild | None) -> None:
        self._world = world
        self._wire = wire
        self._person = person
        self._guild = guild
        self._resolved: Json = {}

    def command(
        self,
        command: Command,
        path: Sequence[str],
        leaf: Json,
        values: Mapping[str, object],
        focused: str | None,
    ) -> Json:
        """Return the data of a command, or of an autocompletion of the option `focused`."""
        specs = {spec["name"]: spec for spec in leaf.get("options") or []}
        for name in values:
            if name not in specs:
                known = ", ".join(specs) or "none"
                raise CannotDoError(f"there is no option {name!r}; there are: {known}")
        options: list[Json] = []
        for name, spec in specs.items():
            option: Json = {"type": spec["type"], "name": name}
            if name == focused:
                options.append({**option, "value": str(values.get(name, "")), "focused": True})
            elif values.get(name) is not None:
                options.append({**option, "value": self._option(spec, values[name], focused)})
            elif spec.get("required") and focused is None:
                raise CannotDoError("the option {name} is required", name=repr(name))
        for depth, name in reversed(list(enumerate(path))):
            is_innermost = depth == len(path) - 1
            kind = OptionKind.SUBCOMMAND if is_innermost else OptionKind.GROUP
            options = [{"type": int(kind), "name": name, "options": options}]
        data: Json = {"id": str(command.id), "name": command.spec["name"], "type": 1}
        if command.guild_id is not None:
            data["guild_id"] = str(command.guild_id)
        return {**data, "options": options, "resolved": self._resolved}

    def _option(self, spec: Json, value: object, focused: str | None) -> object:
        try:
            return self._value(spec, value)
        except CannotDoError:
            # Autocompletion also sends incomplete values of other options.
            if focused is None:
                raise
            return str(value)

    def _value(self, spec: Json, value: object) -> object:
        name, choices = spec["name"], spec.get("choices") or []
        if choices:
            for choice in choices:
                if value in (choice["value"], choice["name"]):
                    return choice["value"]
            shown = ", ".join(str(choice["name"]) for choice in choices)
            raise CannotDoError(f"{name!r} is one of: {shown}; not {value!r}")
        match OptionKind(spec["type"]), value:
            case OptionKind.STRING, _:
                return _checked(str(value), spec, name, 6000)
            case OptionKind.INTEGER, _:
                return _number(spec, str(value))
            case OptionKind.BOOLEAN, bool():
                return value
            case OptionKind.USER | OptionKind.CHANNEL as kind, _:
                id_text = str(getattr(value, "id", value))
                key, world = int(id_text) if id_text.isdigit() else 0, self._world
                if kind is OptionKind.USER and key in world.users:
                    return self._user(world.users[key])
                if kind is OptionKind.CHANNEL and key in world.channels:
                    return self._channel(world.channels[key])
            case OptionKind.ROLE, _ if self._guild is not None:
                roles = {each["id"]: each for each in self._wire.guild(self._guild)["roles"]}
                if str(value) in roles:
                    self._resolved["roles"] = {str(value): roles[str(value)]}
                    return str(value)
            case OptionKind.ATTACHMENT, (str(filename), bytes(data)):
                return self._file(filename, data)
        raise CannotDoError(f"{name!r} cannot take {value!r}")

    def _user(self, user: User) -> str:
        key, guild, world = str(user.id), self._guild, self._world
        self._resolved.setdefault("users", {})[key] = self._wire.user(user)
        if guild is not None and world.is_member(user.id, guild):
            member = self._wire.member(user, guild, with_user=False)
            member["permissions"] = str(world.user_permissions(user.id, guild))
            self._resolved.setdefault("members", {})[key] = member
        return key

    def _channel(self, channel: Channel) -> str:
        guild = self._world.guild_of(channel)
        granted = 0 if guild is None else self._world.user_permissions(self._person.id, guild)
        payload = {**self._wire.channel(channel), "permissions": str(granted)}
        self._resolved.setdefault("channels", {})[str(channel.id)] = payload
        return str(channel.id)

    def _file(self, filename: str, data: bytes) -> str:
        file_id = self._world.snowflakes.next()
        self._world.files[file_id] = data
        attachment = describe_file((filename, data), file_id, None)
        payload = self._wire.attachment(attachment, 0, is_ephemeral=True)
        self._resolved.setdefault("attachments", {})[str(file_id)] = payload
        return str(file_id)

    def select(self, select: Json, chosen: Sequence[object]) -> list[str]:
        """Return the values of a select's options, given their values or labels."""
        minimum, maximum = select.get("min_values", 1), select.get("max_values", 1)
        if not minimum <= len(chosen) <= maximum:
            raise CannotDoError(f"choose {minimum} to {maximum} options, not {len(chosen)}")
        options = select.get("options") or []
        values = {each["label"]: each["value"] for each in options}
        values |= {each["value"]: each["value"] for each in options}
        for choice in chosen:
            if choice not in values:
                labels = [option["label"] for option in options]
                raise CannotDoError(f"there is no {choice!r} to choose, only {labels}")
        return [str(values[choice]) for choice in chosen]

    def modal(self, modal: Json, values: Mapping[str, object]) -> Json:
        """Return the data of a modal, given values by the custom ids of its fields."""
        remaining, components = dict(values), list[Json]()
        for part in modal["components"]:
            if part["type"] == ComponentKind.LABEL:
                value = remaining.pop(part["component"]["custom_id"], None)
                filled = self._field(part["component"], part["label"], value)
                components.append({"type": ComponentKind.LABEL, "component": filled})
            else:
                components.append({"type": part["type"], "id": part.get("id", 0)})
        if remaining:
            raise CannotDoError(f"the form has no field {sorted(remaining)}")
        return {"custom_id": modal["custom_id"], "components": components}

    def _field(self, field: Json, label: str, value: Any) -> Json:
        custom_id, needed = field["custom_id"], field.get("required", True)
        filled: Json = {"type": field["type"], "custom_id": custom_id, "id": field.get("id", 0)}
        if is_select(field):
            if value is None:
                value = [each["value"] for each in field["options"] if each.get("default")]
            chosen = value if isinstance(value, list | tuple) else [value]
            return {**filled, "values": self.select(field, chosen) if chosen or needed else []}
        text = str(field.get("value") or "") if value is None else str(value)
        if not text and needed:
            raise CannotDoError("{name} must be filled in", name=repr(label))
        return {**filled, "value": text and _checked(text, field, label, 4000)}


def _checked(text: str, spec: Json, name: str, max_length: int) -> str:
    minimum, maximum = spec.get("min_length") or 0, spec.get("max_length") or max_length
    if not minimum <= len(text) <= maximum:
        raise CannotDoError(
            "{name} must have {least} to {most} characters",
            name=repr(name),
            least=minimum,
            most=maximum,
        )
    return text


def _number(spec: Json, text: str) -> int:
    name, minimum, maximum = repr(spec["name"]), spec.get("min_value"), spec.get("max_value")
    if not text.removeprefix("-").isdecimal():
        raise CannotDoError("{name} needs a number, not {value}", name=name, value=repr(text))
    number = int(text)
    if (minimum is not None and number < minimum) or (maximum is not None and number > maximum):
        span = f"{'' if minimum is None else minimum}..{'' if maximum is None else maximum}"
        raise CannotDoError(
            "{name} must be in the range {span}, not {value}", name=name, span=span, value=number
        )
    return number
