"""Proposals at a table and the others' answers; the kinds share all but a few sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.text.markup import bold
from bot.text.user_text import Name
from bot.text.words import Message, Words, msg

AGREE = msg("Agree")
REFUSE = msg("Refuse")

SUBJECT: Mapping[str, Message] = {
    "pause": msg("Vote to pause the game"),
    "resume": msg("Vote to go on with the game"),
    "undo": msg("Vote to go back"),
    "abandon": msg("Vote to end the game unfinished"),
    "autopilot": msg("Vote on a computer player for {other}"),
    "replace": msg("Vote to free the seat of {other}"),
}
PROPOSED: Mapping[str, Message] = {
    "pause": msg("⏸️ {name} asks to pause the game."),
    "resume": msg("▶️ {name} asks to go on with the game."),
    "abandon": msg("🏳️ {name} asks to end the game unfinished."),
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
    "undo": msg("↩️ Everybody agreed: we go back."),
    "abandon": msg("🏳️ Everybody agreed: the game ends unfinished."),
    "autopilot": msg("🤖 Everybody agreed: a computer player plays for {other}."),
    "replace": msg("🤖 Everybody agreed: a computer player has the seat of {other} for now."),
}
ENDED: Mapping[str, Message] = {
    "refused": msg("{who} refuses, so everything stays as it is."),
    "lapsed": msg("Not everyone answered in time, so everything stays as it is."),
    "acted": msg("{other} no longer keeps you waiting, so this vote is over."),
    "handed over": msg("Somebody else plays that seat now, so this vote is over."),
    "left": msg("The player who asked has left the game, so this vote is over."),
    "undone": msg("The game has already gone back, so this vote is over."),
    "resting": msg("The game is resting, so this vote is over."),
    "over": msg("The game is over, and so is this vote."),
}
"""How a vote has ended without being carried out."""
AFTERWARDS: Mapping[str, Message] = {
    "resume": msg("⏸️ The game is still paused. **Go on** asks everybody again."),
    "autopilot": msg(
        "⏳ The game still waits for {other}. `/seat autopilot` or `/seat replace` asks everybody "
        "again."
    ),
    "replace": msg(
        "⏳ The seat still belongs to {other}. `/seat autopilot` or `/seat replace` asks everybody "
        "again."
    ),
}
"""What the table hears where a vote was refused, or has lapsed."""
ASKED = msg("I have asked the others.")
AGREED = msg("You agree. The others have been asked already.")

_BEFORE = msg("Everyone must agree by {until}; one refusal ends it.")
_NONE_YET = msg("Still to answer: {others}.")
_AGREED = msg("Agreed: {who}. Still to answer: {others}.")
_AWAITED = msg("🗳️ A vote awaits your answer: {vote}")


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


def ended(
    words: Words, kind: str, verdict: str, other: Name | None, refused_by: Name | None
) -> str:
    """What was voted on, and how that has ended."""
    subject = words(SUBJECT[kind], other=bold(other or ""))
    how = words(ENDED[verdict], who=bold(refused_by or ""), other=bold(other or ""))
    return f"🗳️ {subject}. {how}"


def awaited(words: Words, kind: str, other: Name | None, url: str | None) -> str:
    """That somebody's vote is wanted, with the way to the post that asks."""
    subject = words(SUBJECT[kind], other="" if other is None else other.plain)
    return words(_AWAITED, vote=subject if url is None else f"[{subject}]({url})")
