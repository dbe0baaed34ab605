"""One description of the legal moves: what is offered next is also what is accepted.

A `Rule` describes one kind of action: a gate that says why it cannot be taken at all, a domain for
each of its words, and what it does. `next_word` walks along a prefix and lists the next domain;
`check` walks along a whole action. Both take the same path, so they cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar, TypeVarTuple, cast

import msgspec

from bot.game.choices import Amount, Bundle, Choices, Domain, Done, OneOf
from bot.game.contract import (
    Action,
    Chance,
    Event,
    IllegalAction,
    Move,
    Refusal,
    Seat,
)

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)
Words = TypeVarTuple("Words")

DONE = Done()


class EventRecorder:
    """What an action uses while it is performed: chance, and the events it causes."""

    __slots__ = ("chance", "events", "tell")

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.events: list[Event] = []
        self.tell: Callable[[Event], None] = self.events.append
        """Notes an event, which says itself who hears it."""


Gate = Callable[[S, Seat], Refusal | None]
"""None where an action of its kind can be begun and completed, otherwise the reason."""

Explain = Callable[[S, Seat, Action, str], Refusal | None]
"""Why a word outside its domain is refused, given the kind and the words before it; None where
there is nothing more precise to say."""


class _DomainOf(Protocol[S_contra]):
    def __call__(self, state: S_contra, seat: Seat, /, *words: str) -> Domain: ...


class _Perform(Protocol[S_contra]):
    def __call__(
        self, state: S_contra, seat: Seat, recorder: EventRecorder, /, *words: str
    ) -> None: ...


class Rule(msgspec.Struct, Generic[S], frozen=True):
    """One kind of action of a game with state `S`; `rule` makes one.

    Each of `domains` is called with (state, seat, the words before), `perform` with all of the
    words, which have been checked.
    """

    move: Move
    gate: Gate[S]
    perform: _Perform[S]
    domains: tuple[_DomainOf[S], ...] = ()
    explain: Explain[S] | None = None


class RuleBuilder(Generic[S, *Words]):
    """A rule under construction; its action has the words of `Words` so far."""

    def __init__(self, move: Move, gate: Gate[S], domains: tuple[_DomainOf[S], ...] = ()) -> None:
        self._move = move
        self._gate = gate
        self._domains = domains

    def word(
        self, param: str, domain: Callable[[S, Seat, *Words], Domain]
    ) -> RuleBuilder[S, *Words, str]:
        """Add a word, from a domain that depends on the words before it."""
        move = msgspec.structs.replace(self._move, params=(*self._move.params, param))
        # The callables take all words so far, so their number need not be typed here.
        return RuleBuilder(move, self._gate, (*self._domains, cast("_DomainOf[S]", domain)))

    def amount(
        self, param: str, domain: Callable[[S, Seat, *Words], Amount], least: int, most: int
    ) -> RuleBuilder[S, *Words, str]:
        """Add a number that is never below `least` or above `most`."""
        made = self.word(param, domain)
        amounts = {**made._move.amounts, param: (least, most)}
        made._move = msgspec.structs.replace(made._move, amounts=amounts)
        return made

    def does(
        self,
        perform: Callable[[S, Seat, EventRecorder, *Words], None],
        *,
        explain: Explain[S] | None = None,
    ) -> Rule[S]:
        """Finish the rule: `perform` changes the state."""
        return Rule(self._move, self._gate, cast("_Perform[S]", perform), self._domains, explain)


def rule(
    kind: str, topic: str, gate: Gate[S], *, free: bool = False, offers: bool = False
) -> RuleBuilder[S]:
    """Start a rule; its words are added, and finally what it does."""
    return RuleBuilder(Move(kind, (), topic, free, offers), gate)


def next_word(known: Rule[S], state: S, seat: Seat, action: Action) -> Choices:
    """The domain of the word after `action`, whose kind is `known`'s; `Done` where it is whole.

    Raises IllegalAction where the action so far is not allowed.
    """
    refusal = known.gate(state, seat)
    if refusal is not None:
        raise IllegalAction(refusal, action, seat)
    words, domains = action[1:], known.domains
    if not words:
        return domains[0](state, seat) if domains else DONE
    before: Action = ()
    for domain_of, word in zip(domains, words, strict=False):
        domain = domain_of(state, seat, *before)
        if not domain.admits(word):
            refusal = _why_not(known, state, seat, action, len(before), domain)
            raise IllegalAction(refusal, action, seat, domain)
        before = (*before, word)
    if len(words) < len(domains):
        return domains[len(words)](state, seat, *words)
    if len(words) > len(domains):
        refusal = Refusal("too_many_words", known.move.topic, {"kind": known.move.kind})
        raise IllegalAction(refusal, action, seat)
    return DONE


def check(known: Rule[S], state: S, seat: Seat, action: Action) -> None:
    """Raises IllegalAction unless the action is whole and allowed."""
    missing = next_word(known, state, seat, action)
    if not isinstance(missing, Done):
        facts = {"kind": known.move.kind, "param": missing.param}
        raise IllegalAction(Refusal("incomplete", known.move.topic, facts), action, seat, missing)


def moves_of(rules: Mapping[str, Rule[Any]]) -> dict[str, Move]:
    """The moves as others may list them."""
    return {kind: known.move for kind, known in rules.items()}


def _why_not(
    known: Rule[S], state: S, seat: Seat, action: Action, place: int, domain: Domain
) -> Refusal:
    word = action[1 + place]
    topic, facts = known.move.topic, {"kind": known.move.kind, "param": domain.param, "word": word}
    # A word that is not made of pieces must not be explained as if it were.
    readable = not isinstance(domain, Bundle) or domain.spells(word)
    if readable and known.explain is not None:
        refusal = known.explain(state, seat, action[: 1 + place], word)
        if refusal is not None:
            return refusal
    if isinstance(domain, Amount):
        return Refusal("out_of_range", topic, facts | {"least": domain.least, "most": domain.most})
    if isinstance(domain, OneOf) or not readable:
        return Refusal("not_a_choice", topic, facts)
    for letter, have in zip(domain.alphabet, domain.have, strict=True):
        if word.count(letter) > have:
            return Refusal("not_in_stock", topic, facts | {"pieces": word})
    if len(word) < domain.least:
        return Refusal("too_few", topic, facts | {"count": domain.least})
    if len(word) > domain.most:
        return Refusal("too_many", topic, facts | {"count": domain.most})
    return Refusal("not_a_choice", topic, facts)
