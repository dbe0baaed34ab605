"""The part of a panel in which a word is chosen, however many there are.

A few words are buttons, more are selects. A larger domain is shown group by group, as the game
divides it, and page by page where it does not; a large amount is approached in steps. Words of a
large domain can also be typed, and every group and page has a way back.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.cogs.panel.message import Panel
from bot.cogs.panel.open_moves import marked
from bot.cogs.ui import action_builder
from bot.cogs.ui.action_builder import BuilderStep
from bot.cogs.ui.browsing import (
    OPEN,
    PER_PAGE,
    WHOLE,
    Focus,
    Gone,
    Group,
    Level,
    is_large,
    level,
    written,
)
from bot.cogs.ui.custom_id import CustomId, TooLong
from bot.cogs.ui.layout import MAX_OPTIONS, button, option, rows, select
from bot.cogs.ui.snapshot import Snapshot
from bot.game.choices import Amount, Bundle, Choices, OneOf
from bot.game.contract import Seat
from bot.render.asked import AskedWords
from bot.tables import Rejected
from bot.text import general
from bot.text.contract import Label, Style
from bot.text.markup import bold, clip

MAX_KINDS = 15
"""Kinds of action, and beside them other words, that are buttons: what fits into a message."""
MAX_BUTTONS = 10
STEPS = (-5, -1, 1, 5)
"""By how much a press changes an amount."""
HALF = 35
"""Characters of the first and of the last name on a page."""


class Chooser:
    """Puts the choices of one step into a panel, below those that it has. `custom_id` carries the
    words before it."""

    def __init__(
        self,
        made: Panel,
        snapshot: Snapshot,
        seat: Seat,
        at: BuilderStep,
        custom_id: CustomId,
    ) -> None:
        self._made = made
        self._snapshot = snapshot
        self._seat = seat
        self._at = at
        self._custom_id = custom_id._replace(words=at.action)
        self._labels: dict[tuple[str, str], Label] = {}
        """By parameter and word: used for the components, their captions and the picture."""

    def put(self, focus: Focus = WHOLE) -> None:
        """Add the choices, and below them other pages and a form.

        Of a large domain only what is in `focus`. Raises Gone where that part does not exist.
        """
        choices = self._at.choices
        if isinstance(choices, OneOf) and focus.number is None:
            self._level(level(choices, focus.place), focus)
        elif isinstance(choices, Amount) and is_large(choices) and not focus.page:
            self._steppers(choices, focus.number)
        elif focus != WHOLE:
            raise Gone(focus)
        elif isinstance(choices, Bundle):
            self._bundle(choices)
        elif (words := action_builder.listed(choices, PER_PAGE)) is not None:
            self._entries(words)
        if isinstance(choices, Bundle) or is_large(choices):
            form = form_id(self._snapshot, self._seat, self._custom_id, "type", focus)
            self._made.foot.append(button(form, self._snapshot.words(general.TYPE_IT)))

    def fitting(self, verb: str, *words: str, page: int = 0) -> CustomId:
        """An id with these words after those chosen so far, packed where they are long.

        Raises Rejected where they are too long all the same.
        """
        custom_id = self._custom_id._replace(verb=verb, page=page)
        return fitting(self._snapshot, self._seat, custom_id, *words)

    def _level(self, here: Level, focus: Focus) -> None:
        entries = here.page(focus.page)
        if not entries and focus != WHOLE:
            raise Gone(focus)
        if here.within:
            names = [self._label(group).text for group in here.within]
            self._made.question.append(bold(" › ".join(names)))
        self._entries(entries)
        for page, emoji in ((focus.page - 1, "◀️"), (focus.page + 1, "▶️")):
            if page in range(here.pages):
                to = self.fitting("open", written(focus.place), page=page)
                label = Label(self._span(here.page(page)), emoji)
                self._made.foot.append(button(to, label))

    def _entries(self, entries: Sequence[Group | str]) -> None:
        """A button for each where they are few, else selects."""
        # Kinds of action are no places: what else the panel asks stays lit.
        self._made.asked = self._asked(entries) or self._made.asked
        most = MAX_BUTTONS if self._at.action else MAX_KINDS
        if len(entries) > most:
            self._selects(entries)
            return
        try:
            self._made.choices += rows(
                [button(self._leading_to(entry), self._marked(entry)) for entry in entries]
            )
        except TooLong:
            self._selects(entries)

    def _asked(self, entries: Sequence[Group | str]) -> AskedWords | None:
        """What a picture highlights: each word with its own name, words of a group with the
        group's."""
        at = self._at
        if not at.action or not isinstance(at.choices, OneOf):
            return None
        named: dict[str, str] = {}
        for entry in entries:
            if isinstance(entry, Group):
                name = self._named(entry.choices, entry.word).name
                named.update(dict.fromkeys(entry.members, name))
            else:
                named[entry] = self._named(at.choices, entry).name
        return AskedWords(at.action, at.choices.param, tuple(named), tuple(named.values()))

    def _asked_pieces(self, bundle: Bundle) -> AskedWords:
        """The same for pieces: all that some of the choices contain."""
        words, letters = self._snapshot.words, action_builder.usable_pieces(bundle)
        names = tuple(self._snapshot.text.pieces(words, letter) for letter in letters)
        return AskedWords(self._at.action, bundle.param, letters, names, tagged=False)

    def _leading_to(self, entry: Group | str) -> CustomId:
        if isinstance(entry, Group):
            return self.fitting("open", written(entry.place))
        return self._custom_id.then(entry)

    def _selects(self, entries: Sequence[Group | str]) -> None:
        large = is_large(self._at.choices)
        for page, start in enumerate(range(0, len(entries), MAX_OPTIONS)):
            part = entries[start : start + MAX_OPTIONS]
            options = [option(_value(entry), self._marked(entry)) for entry in part]
            hint = self._span(part) if large else self._snapshot.words(general.CHOOSE)
            pick = self.fitting("pick", page=page)
            self._made.choices += rows([select(pick, options, hint)])

    def _steppers(self, amount: Amount, number: int | None) -> None:
        """A number, between buttons that change it."""
        now = amount.least if number is None else number
        if not amount.admits(str(now)):
            raise Gone(now)
        items = []
        for place, step in enumerate(STEPS):
            to = min(max(now + step, amount.least), amount.most)
            # Near a bound two steps may lead to the same number: the page makes their ids differ.
            custom_id = self.fitting("amount", str(to), page=place)
            sign = "+" if step > 0 else "\N{MINUS SIGN}"
            items.append(button(custom_id, f"{sign}{abs(step)}", disabled=to == now))
        say = self.fitting("act", str(now))
        items.insert(len(STEPS) // 2, button(say, self._marked(str(now)), style=Style.SUCCESS))
        self._made.choices += rows(items)

    def _bundle(self, bundle: Bundle) -> None:
        """Every word where they are few, else those often meant, and below them a select of
        pieces."""
        words = action_builder.listed(bundle, MAX_OPTIONS)
        self._entries(action_builder.usual(bundle, MAX_OPTIONS) if words is None else words)
        if words is None:
            self._pieces(bundle)
        self._made.asked = self._asked_pieces(bundle)

    def _pieces(self, bundle: Bundle) -> None:
        values = action_builder.piece_values(bundle, MAX_OPTIONS)
        if len(values) < max(bundle.least, 1):
            return
        words, text = self._snapshot.words, self._snapshot.text
        options = []
        for value in values:
            name = text.pieces(words, value[0])
            name, number = name[:1].upper() + name[1:], int(value[1:])
            name = name if number == 1 else f"{name} ({number})"
            options.append(option(value, Label(name, self._named(bundle, value[0]).emoji)))
        pieces = select(
            self.fitting("pieces"),
            options,
            words(general.CHOOSE_PIECES),
            least=max(bundle.least, 1),
            most=min(bundle.most, len(values)),
        )
        self._made.choices += rows([pieces])

    def _marked(self, entry: Group | str) -> Label:
        """Its label, with a note where the press ends the game."""
        label = self._label(entry)
        if not isinstance(entry, str):
            return label
        return marked(self._snapshot, self._seat, (*self._at.action, entry), label)

    def _label(self, entry: Group | str) -> Label:
        """The label of a word, or of a group with the number of its words."""
        if isinstance(entry, str):
            return self._named(self._at.choices, entry)
        label = self._named(entry.choices, entry.word)
        return label._replace(text=f"{label.text} ({len(entry.members)})")

    def _named(self, choices: Choices, word: str) -> Label:
        key = getattr(choices, "param", ""), word
        if key not in self._labels:
            self._labels[key] = self._snapshot.label(self._at.action, choices, word)
        return self._labels[key]

    def _span(self, entries: Sequence[Group | str]) -> str:
        """The names of the first and the last of them."""
        first, last = (clip(self._label(each).text, HALF) for each in (entries[0], entries[-1]))
        return first if len(entries) == 1 else f"{first} – {last}"


def fitting(snapshot: Snapshot, seat: Seat, custom_id: CustomId, *words: str) -> CustomId:
    """The id with more words; all are packed where they would not fit otherwise.

    Raises Rejected where they are too long all the same.
    """
    whole = custom_id.then(*words)
    try:
        whole.encoded()
    except TooLong as error:
        try:
            short = action_builder.packed(snapshot, seat, custom_id.words)
            whole = custom_id._replace(words=(short, *words))
            whole.encoded()
        except TooLong:
            raise Rejected("too_long") from error
    return whole


def form_id(
    snapshot: Snapshot, seat: Seat, custom_id: CustomId, verb: str, focus: Focus
) -> CustomId:
    """The id of a form to type a word into, or of the button that opens it.

    Where only a part of the domain is shown the id leads back to it, by a verb of its own. Raises
    Rejected where it is too long.
    """
    if focus.place or focus.page:
        there = custom_id._replace(verb=f"{verb}at", page=focus.page)
        return fitting(snapshot, seat, there, written(focus.place))
    return fitting(snapshot, seat, custom_id._replace(verb=verb))


def _value(entry: Group | str) -> str:
    """The value of a select's option: a word, or a group by its place."""
    return entry if isinstance(entry, str) else f"{OPEN}{written(entry.place)}"
