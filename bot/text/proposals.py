"""Proposals at a table and the others' answers; the kinds share all but a few sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.text.markup import bold
from bot.text.user_text import Name
from bot.text.words import Message, Words, msg

AGREE = msg("Accept")
REFUSE = msg("Decline")

SUBJECT: Mapping[str, Message] = {
    "pause": msg("Vote to pause the game"),
    "resume": msg("Vote to resume the game"),
    "undo": msg("Vote to go back"),
    "abandon": msg("Vote to end the game unfinished"),
    "autopilot": msg("Vote for a computer player to play for {other}"),
    "replace": msg("Vote to free {other}'s seat"),
}
PROPOSED: Mapping[str, Message] = {
    "pause": msg("⏸️ {name} wants to pause the game."),
    "resume": msg("▶️ {name} wants to resume the game."),
    "abandon": msg("🏳️ {name} wants to end the game unfinished."),
    "autopilot": msg("🤖 {name} wants a computer player to play for {other} until they're back."),
    "replace": msg(
        "🤖 {name} wants to give {other}'s seat to a computer player. Anyone may then take it over."
    ),
}
BY_TABLE = msg("⏳ {other} is out of time. Should a computer player take over until they're back?")
"""The table itself proposes, as was agreed when it was opened."""
PASSED: Mapping[str, Message] = {
    "pause": msg("⏸️ Everyone agreed: the game is paused."),
    "resume": msg("▶️ Everyone agreed: the game continues."),
    "undo": msg("↩️ Everyone agreed: we go back."),
    "abandon": msg("🏳️ Everyone agreed: the game ends unfinished."),
    "autopilot": msg("🤖 Everyone agreed: a computer player plays for {other}."),
    "replace": msg("🤖 Everyone agreed: a computer player takes {other}'s seat for now."),
}
ENDED: Mapping[str, Message] = {
    "refused": msg("{who} declined, so nothing changes."),
    "lapsed": msg("Not everyone answered in time, so nothing changes."),
    "acted": msg("{other} is no longer keeping you waiting, so this vote is over."),
    "handed over": msg("Someone else plays that seat now, so this vote is over."),
    "left": msg("The player who started this vote has left the game, so it's over."),
    "undone": msg("The game has already gone back, so this vote is over."),
    "resting": msg("The game has stopped, so this vote is over."),
    "over": msg("The game is over, so this vote is too."),
}
"""How a vote has ended without being carried out."""
AFTERWARDS: Mapping[str, Message] = {
    "resume": msg("⏸️ The game is still paused. **Resume** asks everyone again."),
    "autopilot": msg(
        "⏳ The game is still waiting for {other}. `/seat autopilot` or `/seat replace` asks "
        "everyone again."
    ),
    "replace": msg(
        "⏳ {other} still has the seat. `/seat autopilot` or `/seat replace` asks everyone again."
    ),
}
"""What the table hears where a vote was refused, or has lapsed."""
ASKED = msg("I've asked the others.")
AGREED = msg("You agreed. The others have already been asked.")

_BEFORE = msg("Everyone must agree by {until}. One “no” ends the vote.")
_NONE_YET = msg("Still to answer: {others}.")
_AGREED = msg("Agreed: {who}. Still to answer: {others}.")
_AWAITED = msg("🗳️ A vote needs your answer: {vote}")


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
