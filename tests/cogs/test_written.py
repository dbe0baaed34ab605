"""Text written by people is quoted literally and never used as a template."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import discord
import pytest
from discord import AppCommandOptionType
from discord.app_commands import Command, Parameter

from bot.store import Store, WriteBatch
from bot.tables import Status
from bot.text.errors import ERRORS
from bot.titles import TITLES
from tests.cogs.conftest import EXAMPLE, Club, fill_in, id_with, ids, wording
from tests.cogs.test_deals import accept, by_command, start_moored
from tests.cogs.test_export import import_file
from tests.effects import as_seen

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""NUL, which PostgreSQL can't store, and surrogates, which no database can."""
BROKEN = "a\0b\ufffd"
"""Text whose last character the bot receives as a lone surrogate."""
TEMPLATES = ("{a} %s {0.__class__} {typed!r:>1000000}", f"{BROKEN}{{")
"""A format string that would expand to a megabyte, and text that can't be stored."""


def texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        yield from texts([*data, *data.values()])
    elif isinstance(data, Sequence) and not isinstance(data, bytes):
        for each in data:
            yield from texts(each)


@pytest.fixture(autouse=True)
def any_database(monkeypatch: pytest.MonkeyPatch) -> None:
    commit = Store.commit

    async def checked(store: Store, batch: WriteBatch) -> None:
        for text in texts([values for _, values in batch.steps]):
            assert not UNSTORABLE.search(text), ascii(text)
        await commit(store, batch)

    monkeypatch.setattr(Store, "commit", checked)


@pytest.fixture(autouse=True)
def lone_surrogates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn replacement characters into lone surrogates, which the stand-in cannot send."""

    def read(text: str) -> Any:
        return json.loads(text.replace("\ufffd", "\\ud800"))

    monkeypatch.setattr(discord.utils, "_from_json", read)


def commands(club: Club) -> list[Command[Any, Any, Any]]:
    bot: Any = club.bot
    return [each for each in bot.tree.walk_commands() if isinstance(each, Command)]


def group_of(command: Command[Any, Any, Any]) -> str:
    first, space, _ = command.qualified_name.partition(" ")
    return first if space else ""


def others_of(command: Command[Any, Any, Any], typed: str, person: Any) -> dict[str, Any]:
    values = {AppCommandOptionType.string: "1", AppCommandOptionType.user: person.user}
    return {
        each.display_name: values.get(each.type, 1)
        for each in command.parameters
        if each.required and each.display_name != typed
    }


def check(result: Any, asked: str) -> None:
    answer = result.response
    assert answer is not None or result.modal, asked
    if answer is not None:
        assert wording(answer) or answer.attachments, asked
        assert ERRORS["unforeseen"] not in wording(answer), asked


async def test_every_command_option_accepts_any_text(club: Club) -> None:
    owner = club.owner()
    table = await club.game(owner, host=club.people[0])
    groups = set()
    for command in commands(club):
        for option in command.parameters:
            if await check_option(club, owner, club.place(table), command, option):
                groups.add(group_of(command))
    assert {"", "game", "me", "table", *TITLES} <= groups
    assert (await club.tables.reader.get(table.id)).status is Status.PLAYING


async def check_option(
    club: Club, person: Any, place: Any, command: Command[Any, Any, Any], option: Parameter
) -> bool:
    if option.type is not AppCommandOptionType.string or option.choices:
        return False
    name, typed_in = command.qualified_name, option.display_name
    for typed in TEMPLATES:
        filled = others_of(command, typed_in, person)
        if option.autocomplete:
            await person.suggestions(place, name, typed_in, typed, **filled)
        result = await person.slash(place, name, **{typed_in: typed, **filled})
        check(result, f"/{name} {typed_in}:{typed}")
    return True


@pytest.mark.slow
async def test_a_suggestion_is_understood_by_its_label(club: Club) -> None:
    # Discord may send the label instead of the value.
    owner, understood = club.owner(), set()
    table = await club.game(owner, host=club.people[0])
    place, edition = club.place(table), TITLES.games["kogge"].options[0]
    whole = {"game": "kogge", "option": edition.name, "value": edition.values[0]}
    offering = [
        (command.qualified_name, command, option.display_name)
        for command in commands(club)
        for option in command.parameters
        if option.autocomplete and group_of(command) not in TITLES
    ]
    for name, command, param in offering:
        filled = {**(whole if name == "server option" else others_of(command, param, owner))}
        filled.pop(param, None)
        for each in await owner.suggestions(place, name, param, "", **filled):
            if each["name"].casefold() == each["value"]:
                continue
            # A person may have only one game to watch.
            other = club.people[2] if name == "game watch" else owner
            by_value, by_name = [
                (await person.slash(place, name, **{**filled, param: typed})).response
                for person, typed in ((owner, each["value"]), (other, each["name"]))
            ]
            assert re.sub(r"\d+", "", wording(by_name)) == re.sub(r"\d+", "", wording(by_value))
            understood.add(f"{name} {param}")
            break
    assert len(understood) > 20, understood

    seat = await club.play_until(table.id, "bid")
    person, place = club.person(table, seat), club.place(table)
    bid = (await person.suggestions(place, "kogge bid", "markers", ""))[-1]
    assert bid["name"].startswith("Bid ")
    await person.slash(place, "kogge bid", markers=bid["name"])
    assert (await club.actions(table.id))[-1] == f"bid {bid['value']}"


@pytest.mark.usefixtures("word_by_word")
async def test_a_form_accepts_any_text(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")
    person = club.person(table, seat)
    for typed in TEMPLATES:
        panel = await club.open_panel(table, seat)
        kind = id_with(panel, "type:")
        form = await person.click(panel, custom_id=kind)
        refused = await fill_in(person, form, typed)
        check(refused, f"the panel: {typed}")
        # The refusal offers to type again, and links to the rule.
        assert {"rules:0:kogge:auction", kind} <= set(ids(refused.response))
        form = await person.slash(club.place(table), "table note")
        noted = await fill_in(person, form, typed)
        check(noted, f"notes: {typed}")
        assert UNSTORABLE.sub("", typed.replace("\ufffd", "")) in as_seen(wording(noted.response))


def fields(data: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if isinstance(data, str):
        return [path]
    if isinstance(data, dict):
        return [found for key, value in data.items() for found in fields(value, (*path, key))]
    if isinstance(data, list):
        return [
            found for key, value in enumerate(data[:2]) for found in fields(value, (*path, key))
        ]
    return []


async def test_an_imported_file_may_have_any_text_anywhere(club: Club) -> None:
    whole = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    for typed in TEMPLATES:
        for *above, last in fields(whole):
            changed = copy.deepcopy(whole)
            place = changed
            for key in above:
                place = place[key]
            place[last] = typed
            answer, _ = await import_file(club, club.people[0], json.dumps(changed).encode())
            assert answer is not None, (above, last)
            assert wording(answer), (above, last)
            assert ERRORS["unforeseen"] not in wording(answer), (above, last)


EVE = "<@77> *E* [E](http://evil.ex)"
MALLORY = "\u202e@everyone\n# `E` discord.gg/E"
LIVE = re.compile(
    r"<@!?77>|@everyone|@here|https?://evil|discord\.gg|^#* ?E"
    r"|(?<!\\)(?:\]\(|[*_`|~]E|<(?:/E|#77))"
    r"|[\u202a-\u202e\u2066-\u2069\u0000-\u0009]",
    re.MULTILINE,
)
"""The effects these two names would have without escaping."""


def check_harmless(messages: list[Any]) -> None:
    assert messages
    for message in messages:
        shown = [wording(message), *(each.description or "" for each in message.attachments)]
        shown += [each.filename for each in message.attachments]
        for text in shown:
            found = LIVE.search(text)
            # Descriptions are no markdown, but must not reverse or move text.
            assert found is None or (text != wording(message) and found[0].isprintable()), text
        assert not getattr(message, "mention_everyone", False)


async def test_names_and_promises_have_no_effect_on_readers(club: Club) -> None:
    for person, name in zip(club.people, (EVE, f"{MALLORY}{BROKEN}"), strict=False):
        person.user.name = name
    table = await start_moored(club)
    giver, receiver, vera = club.person(table, 0), club.person(table, 1), club.people[2]
    await vera.slash(club.channel, "me set", board="text")
    place = club.place(table)
    answers = [await by_command(club, table, promise=EVE, ask="@here ||E|| </E:77> <#77>")]
    answers.append(await receiver.slash(place, "game status"))
    await accept(club, table)
    for person in (giver, receiver, vera):
        for name in ("board", "log", "replay", "status", "promises", "turn", "undo"):
            answers.append(await person.slash(place, f"game {name}", table=table.id))
        answers.append(await person.slash(place, "game board", form="text", table=table.id))
        answers.append(await person.slash(place, "game mine"))
        answers.append(await person.slash(place, "stats", player=giver))
        answers.append(await person.slash(place, "seat claim", player="\u202e*E*", table=table.id))
    answers.append(await giver.slash(place, "rules", topic=f"{EVE} {MALLORY[:30]}"))
    answers.append(await giver.slash(place, "me away", until=EVE))
    answers.append(await giver.slash(place, "table note", text="*E* https://evil.ex\n# E"))
    answers.append(await giver.slash(place, "seat autopilot"))
    answers.append(await receiver.slash(place, "seat replace", player="0"))
    answers.append(await receiver.slash(place, "game pause"))
    answers.append(await giver.slash(place, "game resign", table=table.id))
    answers.append(await receiver.slash(place, "game abandon"))

    typed = await giver.slash(place, "me quiet", **{"from": "<@1> **{x}**", "to": "9"})
    assert "“\\<@\u200b1\\> \\*\\*{x}\\*\\*”" in wording(typed.response)
    check_harmless([each.response for each in answers if each.response is not None])
    check_harmless(club.all_messages())
    assert any("*E*" in as_seen(wording(each)) for each in club.all_messages())

    file = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    file["seats"] = [EVE, "\u3164\u200b"]
    _, imported = await import_file(club, club.people[0], json.dumps(file).encode())
    assert imported is not None
    answers = [
        (await club.people[2].slash(club.channel, f"game {name}", table=imported.id)).response
        for name in ("board", "log", "replay")
    ]
    check_harmless([*answers, *club.all_messages()])
    assert any("**Player 2**" in wording(message) for message in club.all_messages())
