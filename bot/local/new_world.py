"""Creation of a new world: servers with their channels, the bot and the people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bot.local.model import Channel, ChannelKind, Guild, Snowflakes, User
from bot.local.world import World, slug_of


@dataclass(frozen=True, slots=True)
class NewPerson:
    """A person to create. `colour` is the CSS colour of their initials on the page."""

    name: str
    colour: str
    is_spectator: bool = False
    locale: str = "en-US"


DEFAULT_PEOPLE = (
    NewPerson("Anna", "#e5a54b"),
    NewPerson("Bert", "#5aa9e6"),
    NewPerson("Clara", "#c77dba"),
    NewPerson("Dirk", "#6fbf73"),
    NewPerson("Vera", "#9aa5b1", is_spectator=True),
)
CHANNELS = (
    ("the-harbour", "Where ships are fitted out and games begin."),
    ("the-market", "Talk, tables and more games."),
)


@dataclass(frozen=True, slots=True)
class NewGuild:
    """A server to create, with the names and topics of its channels.

    `shard`, such as `(1, 4)`, gives the server an id on shard 1 of 4. `people` are the names of its
    members, `None` for all people. The first one is the owner.
    """

    name: str = "Game night"
    channels: Sequence[tuple[str, str]] = CHANNELS
    shard: tuple[int, int] | None = None
    people: Sequence[str] | None = None


def guilds_on_each(count: int) -> tuple[NewGuild, ...]:
    """Return one server for each of `count` shards: `Guild 0`, `Guild 1` and so on."""
    return tuple(NewGuild(f"Guild {index}", shard=(index, count)) for index in range(count))


def new_world(bot_name: str, people: Sequence[NewPerson], guilds: Sequence[NewGuild]) -> World:
    """Return a world without messages.

    Raises `ValueError` without people or servers, and `KeyError` for unknown members.
    """
    if not people:
        raise ValueError("at least one person is needed")
    if not guilds:
        raise ValueError("at least one server is needed")
    snowflakes = Snowflakes()
    bot = User(id=snowflakes.next(), name=bot_name, slug=slug_of(bot_name), is_bot=True)
    world = World(bot, snowflakes)
    add_people(world, people)
    add_guilds(world, guilds)
    return world


def add_people(world: World, people: Sequence[NewPerson]) -> None:
    """Add missing people; existing ones keep their ids and settings."""
    existing = {user.slug for user in world.people}
    for someone in people:
        slug = slug_of(someone.name)
        if slug not in existing:
            user = User(id=world.snowflakes.next(), slug=slug, **asdict(someone))
            world.users[user.id] = user


def add_guilds(world: World, guilds: Sequence[NewGuild]) -> None:
    """Add servers with new names; existing ones keep their ids."""
    existing, flakes = {guild.name for guild in world.guilds.values()}, world.snowflakes
    for new in guilds:
        if new.name in existing:
            continue
        people = world.people
        if new.people is not None:
            people = [world.user_named(name) for name in new.people]
        guild = Guild(
            id=flakes.next() if new.shard is None else flakes.next_on(*new.shard),
            name=new.name,
            owner_id=people[0].id,
            bot_role_id=flakes.next(),
            outsiders=[user.id for user in world.people if user not in people],
        )
        world.guilds[guild.id] = guild
        for position, (name, topic) in enumerate(new.channels):
            channel = Channel(id=flakes.next(), kind=ChannelKind.TEXT, guild_id=guild.id, name=name)
            channel.topic, channel.position = topic, position
            world.add_channel(channel)
