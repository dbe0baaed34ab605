"""Commands, buttons, selects and modals, with the real discord.py."""

from __future__ import annotations

import discord
import pytest

from bot.local import (
    CannotDoError,
    Channel,
    NoAnswerError,
    Person,
    Standin,
    interactions,
)
from tests.local.bots import SampleBot, refused


async def test_a_command_takes_choices_numbers_users_booleans_and_files(
    bot: SampleBot, anna: Person, bert: Person, harbour: Channel
) -> None:
    answer = await anna.slash(
        harbour, "game new", game="kogge", seats=3, friend=bert, open_money=True
    )
    assert answer.text == "kogge for 3 with Bert, open True"
    assert [m.text for m in bert.sees(harbour)] == [answer.text]
    imported = await anna.slash(harbour, "import", file=("save.json", b"{}"))
    assert imported.text == "save.json: {}"
    choices = await anna.autocomplete(harbour, "paint", focused="colour", colour="re")
    assert [(c["name"], c["value"]) for c in choices] == [("Red", "red"), ("Green", "green")]


async def test_buttons_selects_and_modals_work(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    panel = (await anna.slash(harbour, "game new", game="kogge")).message
    assert panel is not None
    assert (await anna.select(panel, "goods", ["Ore", "Cloth"])).text == "loaded Ore and Cloth"
    form = await anna.press(panel, label="Letter")
    assert form.modal["title"] == "A letter"
    await bot.until_ready("letter")
    assert (await anna.submit(form, to="Clara", words="Ahoy")).text == "to Clara: Ahoy"
    with pytest.raises(CannotDoError, match="0 to 20"):
        await anna.submit(form, to="Clara", words="x" * 21)
    # A deferred update edits the message later.
    await anna.press(panel, label="Later")
    await anna.wait_for(lambda: panel.content == "changed later")


async def test_late_and_repeated_answers_are_refused_with_discords_codes(
    bot: SampleBot,
    anna: Person,
    harbour: Channel,
    standin: Standin,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer = await anna.slash(harbour, "paint", colour="red")
    first = bot.seen[-1]
    standin.interactions.deliver(answer.interaction)
    await bot.until(lambda: bot.seen[-1] is not first)
    twin = bot.seen[-1]
    assert twin.id == first.id
    await refused(40060, twin.response.send_message("again"))
    assert interactions.TOKEN_LIFE_S == 15 * 60
    await first.edit_original_response(content="in time")
    with monkeypatch.context() as later:
        later.setattr(interactions, "TOKEN_LIFE_S", 0.0)
        await refused(50027, first.edit_original_response(content="too late"))
    panel = (await anna.slash(harbour, "game new", game="kogge")).message
    assert panel is not None
    standin.interactions.acknowledge_s = 0.1
    with pytest.raises(NoAnswerError, match="did not respond"):
        await anna.press(panel, label="Silence")
    await bot.until(lambda: bot.seen[-1].type is discord.InteractionType.component)
    await refused(10062, bot.seen[-1].response.send_message("sorry, late"))


async def test_a_person_can_only_do_what_is_on_screen(
    bot: SampleBot, anna: Person, bert: Person, harbour: Channel
) -> None:
    panel = (await anna.slash(harbour, "game new", game="kogge")).message
    assert panel is not None
    secret = (await anna.press(panel, label="Secret")).message
    assert secret is not None
    for action, error in (
        (anna.press(panel, label="Closed"), "cannot be used now"),
        (anna.press(panel, label="Fly"), "no 'Fly' here"),
        (bert.press(secret, label="Secret"), "does not see"),
        (anna.select(panel, "goods", ["Ore", "Fish", "Cloth"]), "choose 1 to 2"),
        (anna.select(panel, "goods", ["Salt"]), "no 'Salt'"),
        (anna.slash(harbour, "game new"), "is required"),
        (anna.slash(harbour, "game new", game="chess"), "is one of: Kogge, Burgundy"),
        (anna.slash(harbour, "game new", game="kogge", seats=7), r"range 2\.\.4"),
        (anna.slash(harbour, "fly"), "no command /fly"),
    ):
        with pytest.raises(CannotDoError, match=error):
            await action


# Available commands


def register(standin: Standin, **changes: object) -> None:
    standin.model.set_commands(None, [{"name": "secret", "description": "x", **changes}])


async def test_only_allowed_commands_are_offered(
    standin: Standin, anna: Person, bert: Person, harbour: Channel
) -> None:
    offers: list[tuple[dict[str, object], bool, bool]] = [
        ({}, True, True),
        ({"dm_permission": False}, True, False),
        ({"contexts": [0]}, True, False),
        ({"contexts": [1]}, False, True),
        ({"contexts": [0, 1, 2]}, True, True),
    ]
    for changes, in_guild, in_dm in offers:
        register(standin, **changes)
        offered = (bool(anna.commands(harbour)), bool(anna.commands(anna.dm)))
        assert offered == (in_guild, in_dm), changes
    register(standin, default_member_permissions=str(1 << 5))
    assert (anna.commands(harbour), bert.commands(harbour)) == (["secret"], [])
    with pytest.raises(CannotDoError, match="not offered to Bert here"):
        await bert.slash(harbour, "secret")
