"""The controls of a panel that choose the next word of an action.

A few words are buttons, more are selects. Larger domains are browsed by the game's groups, or by
pages if it has none; large amounts have buttons that add and subtract. Words of a large domain can
also be typed, and every group and page has a back button.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.cogs.panel.browsing import (
    OPEN,
    PER_PAGE,
    WHOLE,
    Focus,
    Group,
    NoSuchPart,
    PanelStep,
    format_place,
    is_large,
    level,
    listed,
    piece_values,
    usable_pieces,
    usual,
)
from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.panel.open_panels import Panel
from bot.cogs.ui import MAX_OPTIONS, CustomId, Form, Line, TooLong, button, option, rows, select
from bot.game.choices import Amount, Bundle, Choices, OneOf
from bot.render.asked import AskedWords
from bot.text import Label, Style, bold, clip

MAX_KINDS = 15
"""Kinds of action that are shown as buttons; more become selects."""
MAX_BUTTONS = 10
"""Other words that are shown as buttons; more become selects."""
STEPS = (-5, -1, 1, 5)
"""Steps of the buttons that change an amount."""
HALF = 35
"""Characters of the first and the last name in the label of a page."""


class Chooser:
    """Adds the choices for one word to a panel, below those it already has.

    `custom_id` carries the words before it. The choices are the legal next words, or `kinds`.
    """

    def __init__(
        self,
        panel: Panel,
        moves: OpenMoves,
        custom_id: CustomId,
        focus: Focus = WHOLE,
        kinds: tuple[str, ...] | None = None,
    ) -> None:
        self._panel = panel
        self._moves = moves
        self._table_view = moves.table_view
        self._custom_id = custom_id
        self._focus = focus
        self._before = custom_id.words
        self._choices: Choices = (
            moves.choices(self._before) if kinds is None else OneOf("kind", kinds)
        )
        self._labels: dict[tuple[str, str], Label] = {}
        """By parameter and word."""

    def add_choices(self) -> None:
        """Add the choices in focus, then buttons for other pages and for typing a word.

        Raise NoSuchPart.
        """
        choices, focus = self._choices, self._focus
        if isinstance(choices, OneOf) and focus.number is None:
            self._level(choices)
        elif isinstance(choices, Amount) and is_large(choices) and not focus.page:
            self._steppers(choices)
        elif focus != WHOLE:
            raise NoSuchPart(focus)
        elif isinstance(choices, Bundle):
            self._bundle(choices)
        else:
            self._entries(listed(choices, PER_PAGE) or [])
        if isinstance(choices, Bundle) or is_large(choices):
            form = form_id(self._moves, self._custom_id, "type", focus)
            self._panel.foot.append(button(form, self._table_view.words("Type it")))

    def _id(self, verb: str, *words: str, page: int = 0) -> CustomId:
        return self._moves.fitting(self._custom_id._replace(verb=verb, page=page), *words)

    def _level(self, choices: OneOf) -> None:
        place, number = self._focus.place, self._focus.page
        current = level(choices, place)
        entries = current.page(number)
        if not entries and self._focus != WHOLE:
            raise NoSuchPart(self._focus)
        if current.within:
            names = [self._label(group).text for group in current.within]
            self._panel.question.append(bold(" › ".join(names)))
        self._entries(entries)
        for page, emoji in ((number - 1, "◀️"), (number + 1, "▶️")):
            if page in range(current.pages):
                to = self._id("open", format_place(place), page=page)
                self._panel.foot.append(button(to, Label(self._span(current.page(page)), emoji)))

    def _entries(self, entries: Sequence[Group | str]) -> None:
        """Add a button for each of a few entries, else selects."""
        # Kinds of action are not on the board: keep the other highlights of the panel.
        if self._before and isinstance(self._choices, OneOf):
            self._panel.asked = self._highlights(entries, self._choices)
        if len(entries) <= (MAX_BUTTONS if self._before else MAX_KINDS):
            try:
                buttons = [
                    button(self._custom_id.then(each), self._marked(each))
                    if isinstance(each, str)
                    else button(self._id("open", format_place(each.place)), self._marked(each))
                    for each in entries
                ]
            except TooLong:
                pass
            else:
                self._panel.choices += rows(buttons)
                return
        large = is_large(self._choices)
        for page, start in enumerate(range(0, len(entries), MAX_OPTIONS)):
            part = entries[start : start + MAX_OPTIONS]
            options = [
                option(
                    each if isinstance(each, str) else f"{OPEN}{format_place(each.place)}",
                    self._marked(each),
                )
                for each in part
            ]
            hint = self._span(part) if large else self._table_view.words("Choose…")
            self._panel.choices += rows([select(self._id("pick", page=page), options, hint)])

    def _highlights(self, entries: Sequence[Group | str], choices: OneOf) -> AskedWords:
        """Return the highlights for a picture. Words of a group get the group's name."""
        names: dict[str, str] = {}
        for entry in entries:
            if isinstance(entry, Group):
                name = self._named(entry.choices, entry.word).name
                names.update(dict.fromkeys(entry.members, name))
            else:
                names[entry] = self._named(choices, entry).name
        return AskedWords(self._before, choices.param, tuple(names), tuple(names.values()))

    def _steppers(self, amount: Amount) -> None:
        """Add a button that confirms the number, between buttons that change it."""
        now = amount.minimum if self._focus.number is None else self._focus.number
        if not amount.admits(str(now)):
            raise NoSuchPart(now)
        items = []
        for place, step in enumerate(STEPS):
            to = min(max(now + step, amount.minimum), amount.maximum)
            # Near a bound, two steps may lead to the same number: the page keeps their ids unique.
            custom_id = self._id("amount", str(to), page=place)
            sign = "+" if step > 0 else "\N{MINUS SIGN}"
            items.append(button(custom_id, f"{sign}{abs(step)}", disabled=to == now))
        confirm = self._id("act", str(now))
        items.insert(len(STEPS) // 2, button(confirm, self._marked(str(now)), style=Style.SUCCESS))
        self._panel.choices += rows(items)

    def _bundle(self, bundle: Bundle) -> None:
        """Add all words if they are few, else the usual ones and a select of single pieces."""
        words = listed(bundle, MAX_OPTIONS)
        self._entries(usual(bundle, MAX_OPTIONS) if words is None else words)
        values = [] if words is not None else piece_values(bundle, MAX_OPTIONS)
        text = self._table_view.text
        if len(values) >= max(bundle.minimum, 1):
            options = []
            for value in values:
                name, number = text.pieces(value[0]), int(value[1:])
                name = name[:1].upper() + name[1:] + (f" ({number})" if number > 1 else "")
                options.append(option(value, Label(name, self._named(bundle, value[0]).emoji)))
            pieces = select(
                self._id("pieces"),
                options,
                self._table_view.words("Choose one by one…"),
                min_values=max(bundle.minimum, 1),
                max_values=min(bundle.maximum, len(values)),
            )
            self._panel.choices += rows([pieces])
        letters = usable_pieces(bundle)
        names = tuple(map(text.pieces, letters))
        self._panel.asked = AskedWords(self._before, bundle.param, letters, names, tagged=False)

    def _marked(self, entry: Group | str) -> Label:
        """Return the entry's label, with a note if the button ends the game."""
        label = self._label(entry)
        if isinstance(entry, str):
            return self._moves.marked((*self._before, entry), label)
        return label

    def _label(self, entry: Group | str) -> Label:
        """Return the label of a word, or of a group with the number of its words."""
        if isinstance(entry, str):
            return self._named(self._choices, entry)
        label = self._named(entry.choices, entry.word)
        return label._replace(text=f"{label.text} ({len(entry.members)})")

    def _named(self, choices: Choices, word: str) -> Label:
        key = getattr(choices, "param", ""), word
        if key not in self._labels:
            self._labels[key] = self._table_view.label(self._before, choices, word)
        return self._labels[key]

    def _span(self, entries: Sequence[Group | str]) -> str:
        """Return the names of the first and the last entry."""
        first, last = (clip(self._label(each).text, HALF) for each in (entries[0], entries[-1]))
        return first if len(entries) == 1 else f"{first} – {last}"


def form_id(moves: OpenMoves, custom_id: CustomId, verb: str, focus: Focus) -> CustomId:
    """Return the id of the form for typing a word, or of the button that opens it.

    If a part of the domain is in focus, the verb ends in "at" and the id leads back to that part.
    Raise Rejected if the id is too long.
    """
    if focus.place or focus.page:
        at_part = custom_id._replace(verb=f"{verb}at", page=focus.page)
        return moves.fitting(at_part, format_place(focus.place))
    return moves.fitting(custom_id._replace(verb=verb))


def word_form(moves: OpenMoves, step: PanelStep) -> Form:
    """Return a form for typing the next word. Raise Rejected if its id is too long."""
    table_view, action = moves.table_view, step.action
    words, choices = table_view.words, moves.choices(action)
    example = None
    if isinstance(choices, Bundle):
        example = table_view.text.pieces(choices.stock()[: max(choices.minimum, 2)])
    elif isinstance(choices, OneOf) and choices.values:
        example = table_view.label(action, choices, choices.values[0]).text
    elif isinstance(choices, Amount):
        example = f"{choices.minimum} – {choices.maximum}"
    hint = "" if example is None else words("e.g. {example}", example=example)
    custom_id = CustomId("typed", table_view.table.id, step.decision, action)
    sent = form_id(moves, custom_id, "typed", step.focus)
    return Form(sent, words("Type your choice"), Line(table_view.prompt(action, choices), hint))


def promise_form(moves: OpenMoves, step: PanelStep) -> Form:
    """Return a form for promises that go with an offer. Raise Rejected if its id is too long."""
    words, own = moves.table_view.words, moves.table_view.names[moves.seat].plain
    hint = words(
        "Use names, not “I” or “you”. For example: no raid in Riga until the next round ends"
    )
    own_promise = Line(words("{seat} promises", seat=own), hint)
    hint = words("Use names, not “I” or “you”. For example: Riga is left to {seat}", seat=own)
    other_promise = Line(words("The other player promises"), hint)
    sent = CustomId("promised", moves.table_view.table.id, step.decision, step.action)
    return Form(moves.fitting(sent), words("A promise with the offer"), own_promise, other_promise)
