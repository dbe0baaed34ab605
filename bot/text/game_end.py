"""The button and the warning for an action that ends the game."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import Outcome, Seat
from bot.game.game_end import GameEnd
from bot.text import general
from bot.text.contract import LONGEST_LABEL, Label
from bot.text.markup import bold, clip
from bot.text.user_text import Name
from bot.text.words import Message, Words, msg


def confirm(end: GameEnd | None) -> Message:
    """Return the text of the button that confirms an action."""
    return msg("End the game") if end is not None and end.is_certain else general.CONFIRM


def marked(words: Words, label: Label, end: GameEnd) -> Label:
    """Return the label with a note that it ends the game; pictures show its name without it."""
    note = " " + words(msg("(ends the game)") if end.is_certain else msg("(may end the game)"))
    text = clip(label.text, LONGEST_LABEL - len(note)) + note
    return label._replace(text=text, called=label.name)


def warning(words: Words, end: GameEnd, seat: Seat, names: Sequence[Name]) -> str:
    """Return the warning before the seat ends the game, in markdown."""
    warned = words(
        msg("🏁 This ends the game.") if end.is_certain else msg("🏁 This may end the game.")
    )
    return warned if end.outcome is None else f"{warned} {_result(words, end.outcome, seat, names)}"


def _result(words: Words, outcome: Outcome, seat: Seat, names: Sequence[Name]) -> str:
    scores = "–".join(map(str, sorted(outcome.scores, reverse=True)))
    others = [bold(names[winner]) for winner in outcome.winners if winner != seat]
    if not others:
        return words("You would win {scores}.", scores=scores)
    if len(outcome.winners) == 1:
        return words("{name} would win {scores}.", name=others[0], scores=scores)
    listed = words.listing(others)
    if seat in outcome.winners:
        return words("You would share the win with {names}, {scores}.", names=listed, scores=scores)
    return words("{names} would share the win, {scores}.", names=listed, scores=scores)
