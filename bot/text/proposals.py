"""Proposals at a table and the others' answers; the kinds share all but one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.text.markup import bold
from bot.text.user_text import Name
from bot.text.words import Message, Words, msg

AGREE = msg("Agree")
REFUSE = msg("Refuse")

PROPOSED: Mapping[str, Message] = {
    "pause": msg("⏸️ {name} asks to pause the game."),
    "resume": msg("▶️ {name} asks to go on with the game."),
    "autopilot": msg(
        "🤖 {name} asks to let a computer player play for {other} until {other} is back."
    ),
    "replace": msg(
        "🤖 {name} asks to give the seat of {other} to a computer player; then anybody may take it "
        "over."
    ),
}
BY_TABLE = msg(
    "⏳ {other} has run out of time. Should a computer player take over until {other} is back?"
)
"""The table itself proposes, as was agreed when it was opened."""
PASSED: Mapping[str, Message] = {
    "pause": msg("⏸️ Everybody agreed: the game is paused."),
    "resume": msg("▶️ Everybody agreed: the game goes on."),
    "autopilot": msg("🤖 Everybody agreed: a computer player plays for {other}."),
    "replace": msg("🤖 Everybody agreed: a computer player has the seat of {other} for now."),
}
ASKED = msg("I have asked the others.")
REFUSED = msg("{who} refuses, so everything stays as it is.")

_BEFORE = msg("Everyone must agree by {until}; one refusal ends it.")
_NONE_YET = msg("Still to answer: {others}.")
_AGREED = msg("Agreed: {who}. Still to answer: {others}.")


def proposed(
    words: Words, what: str, until: str, agreed: Sequence[str], missing: Sequence[str]
) -> str:
    """What is proposed, until when, and who has agreed so far; names ready to be shown."""
    others = words.listing(missing)
    stand = words(_AGREED, who=words.listing(agreed), others=others) if agreed else ""
    return "\n".join(
        [f"{what} {words(_BEFORE, until=until)}", stand or words(_NONE_YET, others=others)]
    )


def of_kind(
    words: Words, messages: Mapping[str, Message], kind: str, name: Name | None, other: Name | None
) -> str:
    """The sentence for a kind; `name` proposed it, None where the table itself did."""
    message = BY_TABLE if name is None and messages is PROPOSED else messages[kind]
    return words(message, name=bold(name or ""), other=bold(other or ""))
