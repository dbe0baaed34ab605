"""Commands, buttons, selects and forms, as the real discord.py answers them."""

from __future__ import annotations

import asyncio

import discord
import pytest

from bot.local import (
    CannotDoError,
    Channel,
    InteractionKind,
    NoAnswerError,
    Person,
    Replied,
    Standin,
    Thinking,
    interactions,
)
from tests.local.bots import SampleBot

pytestmark = pytest.mark.usefixtures("bot")


async def test_a_command_takes_choices_numbers_people_and_truth(
    anna: Person, bert: Person, harbour: Channel
) -> None:
    answer = await anna.slash(
        harbour, "game new", game="kogge", seats=3, friend=bert, open_money=True
    )
    assert answer.text == "kogge for 3 with Bert, open True"
    assert [m.text for m in bert.sees(harbour)] == [answer.text]


async def test_autocomplete_sends_what_is_typed_and_gets_choices(
    anna: Person, harbour: Channel
) -> None:
    choices = await anna.autocomplete(harbour, "paint", focused="colour", colour="re")
    assert [(c["name"], c["value"]) for c in choices] == [("Red", "red"), ("Green", "green")]


async def test_a_private_answer_is_seen_by_one_person_only(
    anna: Person, bert: Person, harbour: Channel
) -> None:
    answer = await anna.slash(harbour, "paint", colour="red")
    assert answer.is_private
    assert [m.content for m in anna.sees(harbour)] == ["painted red"]
    assert bert.sees(harbour) == []


async def test_a_dismissed_answer_is_gone_for_its_reader(anna: Person, harbour: Channel) -> None:
    answer = await anna.slash(harbour, "paint", colour="red")
    assert answer.message is not None
    anna.dismiss(answer.message)
    assert anna.sees(harbour) == []


async def test_the_first_follow_up_fills_the_deferred_answer(
    anna: Person, harbour: Channel
) -> None:
    answer = await anna.slash(harbour, "think")
    assert isinstance(answer.outcome, Thinking)
    seen = await anna.wait_for(lambda: [m.content for m in anna.sees(harbour)][1:])
    assert seen == ["second"]
    assert answer.text == "first"
    assert answer.is_private


async def test_a_dynamic_button_works_again_and_again(anna: Person, harbour: Channel) -> None:
    answer = await anna.slash(harbour, "count")
    assert answer.message is not None
    await anna.press(answer.message, label="Count 1")
    again = await anna.press(answer.message, custom_id="count:2")
    assert again.text == "counted"
    assert answer.message.components[0]["components"][0]["custom_id"] == "count:3"
    assert answer.message.edited_at is not None


async def test_a_button_deferred_silently_changes_its_message(
    anna: Person, harbour: Channel
) -> None:
    panel = (await anna.slash(harbour, "game new", game="kogge")).message
    assert panel is not None
    await anna.press(panel, label="Later")
    await anna.wait_for(lambda: panel.content == "changed later")


async def test_a_select_sends_its_values(anna: Person, harbour: Channel) -> None:
    panel = (await anna.slash(harbour, "game new", game="kogge")).message
    assert panel is not None
    assert (await anna.select(panel, "goods", ["Ore", "Cloth"])).text == "loaded Ore and Cloth"
    with pytest.raises(CannotDoError, match="between 1 and 2"):
        await anna.select(panel, "goods", ["Ore", "Fish", "Cloth"])
    with pytest.raises(CannotDoError, match="no 'Salt'"):
        await anna.select(panel, "goods", ["Salt"])


async def test_a_select_of_users_resolves_them(
    anna: Person, bert: Person, harbour: Channel
) -> None:
    panel = (await anna.slash(harbour, "game new", game="kogge")).message
    assert panel is not None
    assert (await anna.select(panel, "whom", [bert])).text == "chose Bert"


async def test_a_form_opens_and_is_sent(bot: SampleBot, anna: Person, harbour: Channel) -> None:
    panel = (await anna.slash(harbour, "game new", game="kogge")).message
    assert panel is not None
    form = await anna.press(panel, label="Letter")
    assert form.modal["title"] == "A letter"
    await bot.answers("letter")
    answer = await anna.submit(form, to="Clara", words="Ahoy")
    assert answer.text == "to Clara: Ahoy"
    with pytest.raises(CannotDoError, match="0 to 20"):
        await anna.submit(form, to="Clara", words="x" * 21)


async def test_a_file_can_be_given_to_a_command(anna: Person, harbour: Channel) -> None:
    answer = await anna.slash(harbour, "import", file=("save.json", b"{}"))
    assert answer.text == "save.json: {}"


async def test_no_answer_within_the_time_is_told(
    anna: Person, harbour: Channel, standin: Standin
) -> None:
    panel = (await anna.slash(harbour, "game new", game="kogge")).message
    assert panel is not None
    standin.interactions.acknowledge_s = 0.1
    with pytest.raises(NoAnswerError, match="did not respond"):
        await anna.press(panel, label="Silence")


async def test_a_late_acknowledgement_is_refused(
    anna: Person, harbour: Channel, bot: SampleBot, standin: Standin
) -> None:
    panel = (await anna.slash(harbour, "game new", game="kogge")).message
    assert panel is not None
    standin.interactions.acknowledge_s = 0.1
    with pytest.raises(NoAnswerError):
        await anna.press(panel, label="Silence")
    await bot.until(lambda: bot.seen[-1].type is discord.InteractionType.component)
    with pytest.raises(discord.NotFound) as refused:
        await bot.seen[-1].response.send_message("sorry, late")
    assert refused.value.code == 10062


async def test_an_answer_can_be_changed_for_a_quarter_of_an_hour(
    anna: Person, harbour: Channel, bot: SampleBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert interactions.TOKEN_LIFE_S == 15 * 60
    await anna.slash(harbour, "paint", colour="red")
    answered = bot.seen[-1]
    await answered.edit_original_response(content="in time")
    monkeypatch.setattr(interactions, "TOKEN_LIFE_S", 0.0)
    with pytest.raises(discord.HTTPException) as refused:
        await answered.edit_original_response(content="too late")
    assert refused.value.code == 50027


async def test_a_second_acknowledgement_is_refused(
    anna: Person, harbour: Channel, bot: SampleBot
) -> None:
    answer = await anna.slash(harbour, "paint", colour="red")
    first = bot.seen[-1]
    anna.deliver_again(answer)
    await bot.until(lambda: bot.seen[-1] is not first)
    twin = bot.seen[-1]
    assert twin.id == first.id
    with pytest.raises(discord.HTTPException) as refused:
        await twin.response.send_message("again")
    assert refused.value.code == 40060


async def test_the_language_and_the_place_reach_the_bot(
    standin: Standin, anna: Person, harbour: Channel
) -> None:
    standin.model.change_user(anna.user, locale="it")
    assert (await anna.slash(harbour, "where")).text == "it in Game night"
    assert (await anna.slash(anna.dm, "where")).text == "it in direct"


async def test_buttons_in_a_direct_message_work(anna: Person) -> None:
    panel = (await anna.slash(anna.dm, "count")).message
    assert panel is not None
    assert (await anna.press(panel, label="Count 1")).text == "counted"


async def test_two_people_can_press_at_the_same_moment(
    anna: Person, bert: Person, harbour: Channel
) -> None:
    panel = (await anna.slash(harbour, "game new", game="kogge")).message
    assert panel is not None
    data = {"component_type": 2, "custom_id": "secret"}
    fired = [
        person.fire(InteractionKind.COMPONENT, harbour, data, source=panel)
        for person in (anna, bert, anna)
    ]
    outcomes = await asyncio.gather(*(interaction.outcome for interaction in fired))
    readers = [o.message.visible_to for o in outcomes if isinstance(o, Replied)]
    assert readers == [anna.id, bert.id, anna.id]


async def test_a_person_can_only_do_what_is_on_screen(
    anna: Person, bert: Person, harbour: Channel
) -> None:
    panel = (await anna.slash(harbour, "game new", game="kogge")).message
    secret = (await anna.press(panel, label="Secret")).message if panel is not None else None
    assert panel is not None
    assert secret is not None
    with pytest.raises(CannotDoError, match="cannot be used now"):
        await anna.press(panel, label="Closed")
    with pytest.raises(CannotDoError, match="no 'Fly' here"):
        await anna.press(panel, label="Fly")
    with pytest.raises(CannotDoError, match="does not see"):
        await bert.press(secret, label="Secret")
    with pytest.raises(CannotDoError, match="must be filled in"):
        await anna.slash(harbour, "game new")
    with pytest.raises(CannotDoError, match="is one of: Kogge, Burgundy"):
        await anna.slash(harbour, "game new", game="chess")
    with pytest.raises(CannotDoError, match=r"within 2\.\.4"):
        await anna.slash(harbour, "game new", game="kogge", seats=7)
    with pytest.raises(CannotDoError, match="no command /fly"):
        await anna.slash(harbour, "fly")
