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
BY_ITSELF = msg("Play by itself: off")
NOT_BY_ITSELF = msg("Play by itself: on")

# The panel of a plan
TITLE = msg("### 🧭 Your plan")
PRIVATE = msg("-# Only you can see it. None of it has been played.")
ALT = msg("A plan, not played:")
EARLIER = forms("-# {count} action before", "-# {count} actions before")
LATER = forms("-# {count} action after this", "-# {count} actions after this")
_ASSUMED = msg("-# As if {names} did nothing more before your turn.")
CHANGED = msg("⚠️ The table has changed: the rest of this plan is no longer possible.")
OTHERWISE = msg("⚠️ The table has changed: this plan would now turn out differently.")

HORIZONS = {
    "draw": msg("From here on it depends on a draw."),
    "seen": msg("From here on it depends on something hidden."),
    "sealed": msg("From here on it depends on what the others choose in secret."),
    "over": msg("With that the game ends."),
    "full": msg("A plan cannot have more actions."),
}
NOT_YET = {
    "draw": msg("You cannot plan yet: before your turn something is drawn."),
    "seen": msg("You cannot plan yet: before your turn something hidden comes out."),
    "sealed": msg("You cannot plan yet: before your turn the others choose in secret."),
    "over": msg("There is nothing to plan: the game ends before your next turn."),
}
_OTHER = msg("From here on it depends on {names}.")
_NOT_YET_OTHER = msg("You cannot plan yet: what you can do depends on {names}.")

# Kept plans
NAME_TITLE = msg("Save this plan")
NAME_LABEL = msg("Its name")
NAME_HINT = msg("For instance: Ships first")
KEPT = msg("Saved as {name}.")
NONE_KEPT = msg("You have no saved plans at this table.")
ARMED = msg("It plays itself when your turn comes, if nothing that it rests on has changed.")
ASK_NAME = msg("The form came too late. Press **Save…** again.")
_ACTIONS = forms("{count} action", "{count} actions")
_HOLDS = msg("Your plan {name} still holds.")
_HOLDS_PARTLY = forms(
    "Only the first action of your plan {name} still holds.",
    "Only the first {count} actions of your plan {name} still hold.",
)
_FAILS = msg("Your plan {name} no longer holds.")

# After playing one
_PLAYED_ITSELF = msg("🧭 Your plan {name} played itself:")
_ONE_PLAYED_ITSELF = msg("🧭 Your plan played itself:")
_PLAYED = forms(
    "✅ {count} action of your plan has been played.",
    "✅ {count} actions of your plan have been played.",
)
NOT_PLAYED = msg("None of your plan has been played.")
STOPPED = {
    "not_asked": msg("It is not your turn. The plan waits for it."),
    "changed": msg("It stopped there: the table is no longer as you planned."),
    "unplanned": msg("It stopped there: that led to something you had not planned."),
    "ends": msg("The next action ends the game, so it waits for you."),
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
