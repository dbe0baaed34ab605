"""Plans: what is tried before it is played, kept, loaded, and played by one press."""

from __future__ import annotations

from collections.abc import Sequence

from bot.text.contract import Label
from bot.text.markup import bold
from bot.text.user_text import Name
from bot.text.words import Forms, Message, Words, forms, msg

# Buttons
PLAN = msg("Plan")
STEP_BACK = msg("Step back")
STEP_ON = msg("Step forward")
PLAY_IT = msg("Play it")
_PLAY_NAMED = msg("Play “{name}”")
KEEP = msg("Save…")
MY_PLANS = msg("My plans")
LEAVE = msg("Back to the table")
OPEN = msg("Open")
DELETE = msg("Delete")
BY_ITSELF = msg("Play automatically: off")
NOT_BY_ITSELF = msg("Play automatically: on")

# The panel of a plan
TITLE = msg("### 🧭 Your plan")
PRIVATE = msg("-# Nothing has been played yet.")
ALT = msg("A plan, not played yet:")
EARLIER = forms("-# {count} action before", "-# {count} actions before")
LATER = forms("-# {count} action after this", "-# {count} actions after this")
_ASSUMED = msg("-# Assumes no other moves by {names} before your turn.")
CHANGED = msg("⚠️ The game has moved on: the rest of this plan is no longer possible.")
OTHERWISE = msg("⚠️ The game has moved on: this plan would now turn out differently.")

HORIZONS = {
    "draw": msg("The rest depends on a draw."),
    "seen": msg("The rest depends on something hidden."),
    "sealed": msg("The rest depends on the others' secret choices."),
    "over": msg("This ends the game."),
    "full": msg("A plan can't have any more actions."),
}
NOT_YET = {
    "draw": msg("You can't plan yet: something will be drawn before your turn."),
    "seen": msg("You can't plan yet: something hidden will be revealed before your turn."),
    "sealed": msg("You can't plan yet: the others choose in secret before your turn."),
    "over": msg("There's nothing to plan: the game ends before your next turn."),
}
_OTHER = msg("The rest depends on {names}.")
_NOT_YET_OTHER = msg("You can't plan yet: your options depend on {names}.")

# Kept plans
NAME_TITLE = msg("Save this plan")
NAME_LABEL = msg("Name")
NAME_HINT = msg("e.g. Ships first")
KEPT = msg("Saved as {name}.")
NONE_KEPT = msg("You have no saved plans at this table.")
ARMED = msg("It plays automatically on your turn, as long as nothing it depends on has changed.")
ASK_NAME = msg("The form came too late. Press **Save…** again.")
_ACTIONS = forms("{count} action", "{count} actions")
_HOLDS = msg("Your plan {name} still works.")
_HOLDS_PARTLY = forms(
    "Only the first action of your plan {name} still works.",
    "Only the first {count} actions of your plan {name} still work.",
)
_FAILS = msg("Your plan {name} no longer works.")

# After playing one
_PLAYED_ITSELF = msg("🧭 Your plan {name} was played automatically:")
_ONE_PLAYED_ITSELF = msg("🧭 Your plan was played automatically:")
_PLAYED = forms(
    "✅ {count} action of your plan was played.",
    "✅ {count} actions of your plan were played.",
)
NOT_PLAYED = msg("None of your plan was played.")
STOPPED = {
    "not_asked": msg("It's not your turn. The plan will wait."),
    "changed": msg("It stopped there: the game is no longer as you planned."),
    "unplanned": msg("It stopped there: something happened that you hadn't planned."),
    "ends": msg("The next action ends the game, so you have to play it yourself."),
}


def assumed(words: Words, names: Sequence[Name]) -> str:
    """Whose turns are taken to end as they stand."""
    return words(_ASSUMED, names=words.listing([bold(name) for name in names]))


def depends_on(words: Words, names: Sequence[Name], *, at_start: bool) -> str:
    """Whose decision a plan cannot see beyond."""
    message = _NOT_YET_OTHER if at_start else _OTHER
    return words(message, names=words.listing([bold(name) for name in names]))


def counted(words: Words, message: Forms, count: int) -> str:
    """A message with a number."""
    return words.phrase(message, count)


def actions(words: Words, count: int) -> str:
    """How long a plan is."""
    return words.phrase(_ACTIONS, count)


def standing(words: Words, name: Name, count: int, of: int) -> str:
    """Whether a plan of `of` actions still holds; `count` of them do."""
    if count == of:
        return words(_HOLDS, name=bold(name))
    if not count:
        return words(_FAILS, name=bold(name))
    return words.phrase(_HOLDS_PARTLY, count, name=bold(name))


def play_named(words: Words, name: Name) -> Label:
    """The press that plays a kept plan; plain."""
    return Label(words(_PLAY_NAMED, name=name.plain))


def played(words: Words, count: int, stopped: Message | None) -> list[str]:
    """How far a plan was played, and why no further."""
    done = words.phrase(_PLAYED, count) if count else words(NOT_PLAYED)
    return [done] if stopped is None else [done, words(stopped)]


def played_itself(words: Words, name: Name | None) -> str:
    """What stands above what a plan did by itself; without a name where that is not known."""
    if name is None:
        return words(_ONE_PLAYED_ITSELF)
    return words(_PLAYED_ITSELF, name=bold(name))
