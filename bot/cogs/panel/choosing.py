"""The part of a panel in which a word is chosen, however many there are.

A few words are buttons, more are selects. A larger domain is shown group by group, as the game
divides it, and page by page where it does not; a large amount is approached in steps. Words of a
large domain can also be typed, and every group and page has a way back.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.cogs.panel.browsing import (
    OPEN,
    PER_PAGE,
    WHOLE,
    Focus,
    Gone,
    Group,
    PanelStep,
    is_large,
    level,
    listed,
    piece_values,
    usable_pieces,
    usual,
    written,
)
from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.panel.open_panels import Panel
from bot.cogs.ui import MAX_OPTIONS, CustomId, Form, Line, TooLong, button, option, rows, select
from bot.game.choices import Amount, Bundle, Choices, OneOf
from bot.render.asked import AskedWords
from bot.text import Label, Style, bold, clip, msg

MAX_KINDS = 15
"""Kinds of action, and beside them other words, that are buttons: what fits into a message."""
MAX_BUTTONS = 10
STEPS = (-5, -1, 1, 5)
"""By how much a press changes an amount."""
HALF = 35
"""Characters of the first and of the last name on a page."""


class Chooser:
    """Puts the choices of one word into a panel, below those that it has.

    `custom_id` carries the words before it. The choices are what those leave open, or `kinds`.
    """

    def __init__(
        self,
        made: Panel,
        moves: OpenMoves,
        custom_id: CustomId,
        focus: Focus = WHOLE,
        kinds: tuple[str, ...] | None = None,
    ) -> None:
        self._made = made
        self._moves = moves
        self._table_view = moves.table_view
        self._custom_id = custom_id
        self._focus = focus
        self._before = custom_id.words
        self._choices: Choices = (
            moves.choices(self._before) if kinds is None else OneOf("kind", kinds)
        )
        self._labels: dict[tuple[str, str], Label] = {}
        """By parameter and word: used for the components, their captions and the picture."""

    def add_choices(self) -> None:
        """Add the choices, and below them other pages and a form.

        Of a large domain only what is in focus. Raises Gone where that part does not exist.
        """
        choices, focus = self._choices, self._focus
        if isinstance(choices, OneOf) and focus.number is None:
            self._level(choices)
        elif isinstance(choices, Amount) and is_large(choices) and not focus.page:
            self._steppers(choices)
        elif focus != WHOLE:
            raise Gone(focus)
        elif isinstance(choices, Bundle):
            self._bundle(choices)
        else:
            self._entries(listed(choices, PER_PAGE) or [])
        if isinstance(choices, Bundle) or is_large(choices):
            form = form_id(self._moves, self._custom_id, "type", focus)
            self._made.foot.append(button(form, self._table_view.words("Type it")))

    def _id(self, verb: str, *words: str, page: int = 0) -> CustomId:
        return self._moves.fitting(self._custom_id._replace(verb=verb, page=page), *words)

    def _level(self, choices: OneOf) -> None:
        place, number = self._focus.place, self._focus.page
        here = level(choices, place)
        entries = here.page(number)
        if not entries and self._focus != WHOLE:
            raise Gone(self._focus)
        if here.within:
            names = [self._label(group).text for group in here.within]
            self._made.question.append(bold(" › ".join(names)))
        self._entries(entries)
        for page, emoji in ((number - 1, "◀️"), (number + 1, "▶️")):
            if page in range(here.pages):
                to = self._id("open", written(place), page=page)
                self._made.foot.append(button(to, Label(self._span(here.page(page)), emoji)))

    def _entries(self, entries: Sequence[Group | str]) -> None:
        """A button for each where they are few, else selects."""
        # Kinds of action are no places: what else the panel asks stays lit.
        if self._before and isinstance(self._choices, OneOf):
            self._made.asked = self._asked(entries, self._choices)
        if len(entries) <= (MAX_BUTTONS if self._before else MAX_KINDS):
            try:
                found = [
                    button(self._custom_id.then(each), self._marked(each))
                    if isinstance(each, str)
                    else button(self._id("open", written(each.place)), self._marked(each))
                    for each in entries
                ]
            except TooLong:
                pass
            else:
                self._made.choices += rows(found)
                return
        large = is_large(self._choices)
        for page, start in enumerate(range(0, len(entries), MAX_OPTIONS)):
            part = entries[start : start + MAX_OPTIONS]
            options = [
                option(
                    each if isinstance(each, str) else f"{OPEN}{written(each.place)}",
                    self._marked(each),
                )
                for each in part
            ]
            hint = self._span(part) if large else self._table_view.words("Choose…")
            self._made.choices += rows([select(self._id("pick", page=page), options, hint)])

    def _asked(self, entries: Sequence[Group | str], choices: OneOf) -> AskedWords:
        """What a picture highlights: each word with its own name, words of a group with the
        group's."""
        named: dict[str, str] = {}
        for entry in entries:
            if isinstance(entry, Group):
                name = self._named(entry.choices, entry.word).name
                named.update(dict.fromkeys(entry.members, name))
            else:
                named[entry] = self._named(choices, entry).name
        return AskedWords(self._before, choices.param, tuple(named), tuple(named.values()))

    def _steppers(self, amount: Amount) -> None:
        """A number, between buttons that change it."""
        now = amount.minimum if self._focus.number is None else self._focus.number
        if not amount.admits(str(now)):
            raise Gone(now)
        items = []
        for place, step in enumerate(STEPS):
            to = min(max(now + step, amount.minimum), amount.maximum)
            # Near a bound two steps may lead to the same number: the page makes their ids differ.
            custom_id = self._id("amount", str(to), page=place)
            sign = "+" if step > 0 else "\N{MINUS SIGN}"
            items.append(button(custom_id, f"{sign}{abs(step)}", disabled=to == now))
        say = self._id("act", str(now))
        items.insert(len(STEPS) // 2, button(say, self._marked(str(now)), style=Style.SUCCESS))
        self._made.choices += rows(items)

    def _bundle(self, bundle: Bundle) -> None:
        """Every word where they are few, else those often meant, and below them a select of
        pieces."""
        words = listed(bundle, MAX_OPTIONS)
        self._entries(usual(bundle, MAX_OPTIONS) if words is None else words)
        values = [] if words is not None else piece_values(bundle, MAX_OPTIONS)
        text, reader = self._table_view.text, self._table_view.words
        if len(values) >= max(bundle.minimum, 1):
            options = []
            for value in values:
                name, number = text.pieces(value[0]), int(value[1:])
                name = name[:1].upper() + name[1:] + (f" ({number})" if number > 1 else "")
                options.append(option(value, Label(name, self._named(bundle, value[0]).emoji)))
            pieces = select(
                self._id("pieces"),
                options,
                reader(msg("Choose one by one…")),
                min_values=max(bundle.minimum, 1),
                max_values=min(bundle.maximum, len(values)),
            )
            self._made.choices += rows([pieces])
        letters = usable_pieces(bundle)
        names = tuple(map(text.pieces, letters))
        self._made.asked = AskedWords(self._before, bundle.param, letters, names, tagged=False)

    def _marked(self, entry: Group | str) -> Label:
        """Its label, with a note where the press ends the game."""
        label = self._label(entry)
        if isinstance(entry, str):
            return self._moves.marked((*self._before, entry), label)
        return label

    def _label(self, entry: Group | str) -> Label:
        """The label of a word, or of a group with the number of its words."""
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
        """The names of the first and the last of them."""
        first, last = (clip(self._label(each).text, HALF) for each in (entries[0], entries[-1]))
        return first if len(entries) == 1 else f"{first} – {last}"


def form_id(moves: OpenMoves, custom_id: CustomId, verb: str, focus: Focus) -> CustomId:
    """The id of a form to type a word into, or of the button that opens it.

    Where only a part of the domain is shown the id leads back to it, by a verb of its own. Raises
    Rejected where it is too long.
    """
    if focus.place or focus.page:
        there = custom_id._replace(verb=f"{verb}at", page=focus.page)
        return moves.fitting(there, written(focus.place))
    return moves.fitting(custom_id._replace(verb=verb))


def word_form(moves: OpenMoves, step: PanelStep) -> Form:
    """A form to type the next word into. Raises Rejected where its id is too long, as
    `promise_form` does."""
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
    """A form for the promises that go with a whole offer."""
    words, own = moves.table_view.words, moves.table_view.names[moves.seat].plain
    hint = words(
        "Use names, not “I” or “you”. For example: no raid in Riga until the next round ends"
    )
    mine = Line(words("{seat} promises", seat=own), hint)
    hint = words("Use names, not “I” or “you”. For example: Riga is left to {seat}", seat=own)
    yours = Line(words("The other player promises"), hint)
    sent = CustomId("promised", moves.table_view.table.id, step.decision, step.action)
    return Form(moves.fitting(sent), words("A promise with the offer"), mine, yours)
