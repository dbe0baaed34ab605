"""What a person fills in: the data of commands, selects and forms.

Limits the values to what Discord's own client would let through: required options, choices, ranges
and lengths. Server-side faults are not its concern.
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
    """The chat client would not let a person do this; the message says why.

    `because` is the message without its facts, by which the page finds it in another language.
    """

    def __init__(self, because: str, **facts: object) -> None:
        super().__init__(because.format(**facts) if facts else because)
        self.because = because
        self.facts = {name: str(fact) for name, fact in facts.items()}


class OptionKind(IntEnum):
    """Types of command options, as far as the bot has them."""

    SUBCOMMAND = 1
    GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ATTACHMENT = 11


# Which commands there are


def is_offered(world: World, command: Command, person: User, guild: Guild | None) -> bool:
    """Whether a person is offered a command on a server, or in direct messages for `None`."""
    spec, contexts = command.spec, command.spec.get("contexts")
    if guild is None:
        everywhere = command.guild_id is None and spec.get("dm_permission") is not False
        return everywhere if contexts is None else 1 in contexts
    needed = int(spec.get("default_member_permissions") or 0)
    allowed = needed & ~world.user_permissions(person.id, guild) == 0
    is_here = command.guild_id in (None, guild.id) and (contexts is None or 0 in contexts)
    return allowed and is_here


def find_command(
    world: World, text: str, guild: Guild | None = None
) -> tuple[Command, list[str], Json]:
    """The command that `kogge bid` names, the path below it, and its innermost part.

    On a server, one of its own comes before one of all servers.
    Raises `CannotDoError` when there is no such command.
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
    """The parts of a command or a group that are typed after its name."""
    kinds = (OptionKind.SUBCOMMAND, OptionKind.GROUP)
    return [option for option in spec.get("options") or [] if option["type"] in kinds]


def innermost(spec: Json, before: tuple[Json, ...] = ()) -> Iterator[tuple[Json, ...]]:
    """A command with what is typed after its name: each way that can be sent, from the outermost
    part to the innermost."""
    path = (*before, spec)
    for part in subcommands(spec):
        yield from innermost(part, path)
    if not subcommands(spec):
        yield path


# What is filled in


class Filling:
    """Makes one interaction's data of what a person means, with the objects behind the ids in it.

    People and channels are named by themselves or their ids, files by name and bytes. All methods
    raise `CannotDoError`.
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
        """A command, or for autocompletion what has been typed of it so far, last in `focused`."""
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
        return self._with_resolved({**data, "options": options})

    def _option(self, spec: Json, value: object, focused: str | None) -> object:
        try:
            return self._value(spec, value)
        except CannotDoError:
            # While another option is being typed into, any text is accepted.
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
                found = str(getattr(value, "id", value))
                key, world = int(found) if found.isdigit() else 0, self._world
                if kind is OptionKind.USER and key in world.users:
                    return self._user(world.users[key])
                if kind is OptionKind.CHANNEL and key in world.channels:
                    return self._channel(world.channels[key])
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
        written = {**self._wire.channel(channel), "permissions": str(granted)}
        self._resolved.setdefault("channels", {})[str(channel.id)] = written
        return str(channel.id)

    def _file(self, filename: str, data: bytes) -> str:
        file_id = self._world.snowflakes.next()
        self._world.files[file_id] = data
        attachment = describe_file((filename, data), file_id, None)
        written = self._wire.attachment(attachment, 0, is_ephemeral=True)
        self._resolved.setdefault("attachments", {})[str(file_id)] = written
        return str(file_id)

    def _with_resolved(self, data: Json) -> Json:
        return {**data, "resolved": self._resolved} if self._resolved else data

    def select(self, select: Json, chosen: Sequence[object]) -> list[str]:
        """The values of a select; options are named by value or label."""
        least, most = select.get("min_values", 1), select.get("max_values", 1)
        if not least <= len(chosen) <= most:
            raise CannotDoError(f"between {least} and {most} are to be chosen, not {len(chosen)}")
        options = select.get("options") or []
        values = {each["label"]: each["value"] for each in options}
        values |= {each["value"]: each["value"] for each in options}
        for wanted in chosen:
            if wanted not in values:
                there = [option["label"] for option in options]
                raise CannotDoError(f"there is no {wanted!r} to choose, only {there}")
        return [str(values[wanted]) for wanted in chosen]

    def modal(self, modal: Json, values: Mapping[str, object]) -> Json:
        """A form, filled in by the custom ids of its fields."""
        left, components = dict(values), list[Json]()
        for part in modal["components"]:
            if part["type"] == ComponentKind.LABEL:
                value = left.pop(part["component"]["custom_id"], None)
                filled = self._field(part["component"], part["label"], value)
                components.append({"type": ComponentKind.LABEL, "component": filled})
            else:
                components.append({"type": part["type"], "id": part.get("id", 0)})
        if left:
            raise CannotDoError(f"the form has no field {sorted(left)}")
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


def _checked(text: str, spec: Json, name: str, longest: int) -> str:
    least, most = spec.get("min_length") or 0, spec.get("max_length") or longest
    if not least <= len(text) <= most:
        raise CannotDoError(
            "{name} must have {least} to {most} characters",
            name=repr(name),
            least=least,
            most=most,
        )
    return text


def _number(spec: Json, text: str) -> int:
    name, least, most = repr(spec["name"]), spec.get("min_value"), spec.get("max_value")
    if not text.removeprefix("-").isdecimal():
        raise CannotDoError("{name} needs a number, not {value}", name=name, value=repr(text))
    number = int(text)
    if (least is not None and number < least) or (most is not None and number > most):
        span = f"{'' if least is None else least}..{'' if most is None else most}"
        raise CannotDoError(
            "{name} must be in the range {span}, not {value}", name=name, span=span, value=number
        )
    return number
