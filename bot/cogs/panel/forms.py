"""The forms that a panel opens: for a word of an action, and for promises with an offer."""

from __future__ import annotations

from bot.cogs.panel.choosing import fitting, form_id
from bot.cogs.ui.browsing import Focus
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Form, Line
from bot.cogs.ui.snapshot import Snapshot
from bot.game.choices import Amount, Bundle, Choices, OneOf
from bot.game.contract import Action, Seat
from bot.text import general
from bot.text import promises as promise_text


def word_form(snapshot: Snapshot, seat: Seat, custom_id: CustomId, focus: Focus) -> Form:
    """A form to type the next word into; `focus` is the part of its domain they see.

    Raises Rejected where its id is too long, as `promise_form` does.
    """
    choices = snapshot.legal(seat, custom_id.words)
    hint = _hint(snapshot, custom_id.words, choices)
    title = snapshot.words(general.TYPE_TITLE)
    label = snapshot.prompt(custom_id.words, choices)
    sent = form_id(snapshot, seat, custom_id, "typed", focus)
    return Form(sent, title, Line(label, hint))


def promise_form(snapshot: Snapshot, seat: Seat, custom_id: CustomId) -> Form:
    """A form for the promises that go with a whole offer."""
    words, own = snapshot.words, snapshot.names[seat].plain
    mine = Line(words(promise_text.MINE, seat=own), words(promise_text.MINE_HINT))
    yours = Line(words(promise_text.YOURS), words(promise_text.YOURS_HINT, seat=own))
    title = words(promise_text.FORM)
    sent = fitting(snapshot, seat, custom_id._replace(verb="promised"))
    return Form(sent, title, mine, yours)


def _hint(snapshot: Snapshot, before: Action, choices: Choices) -> str:
    """What could be typed into a form for the word after those."""
    match choices:
        case Bundle():
            stock = choices.stock()[: max(choices.least, 2)]
            example = snapshot.text.pieces(snapshot.words, stock)
        case OneOf() if choices.values:
            example = snapshot.label(before, choices, choices.values[0]).text
        case Amount():
            example = f"{choices.least} – {choices.most}"
        case _:
            return ""
    return snapshot.words(general.TYPE_HINT, example=example)
