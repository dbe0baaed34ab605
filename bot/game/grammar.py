"""One description of the legal moves: what is offered next is also what is accepted.

A `Rule` describes one kind of action: a gate that says why it cannot be taken at all, a domain for
each of its words, and what it does. `next_word` walks along a prefix and lists the next domain;
`check` walks along a whole action. Both take the same path, so they cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Generic, TypeVar, TypeVarTuple

import msgspec

from bot.game.choices import Amount, Bundle, Choices, Domain, Done, OneOf
from bot.game.contract import Action, Chance, Event, Fact, IllegalAction, Move, Refusal, Seat

S = TypeVar("S")
Words = TypeVarTuple("Words")

DONE = Done()


class EventRecorder:
    """What an action uses while it is performed: chance, and the events it causes."""

    __slots__ = ("chance", "events", "record")

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.events: list[Event] = []
        self.record: Callable[[Event], None] = self.events.append
        """Notes an event, which says itself who hears it."""


Gate = Callable[[S, Seat], Refusal | None]
"""None where an action of its kind can be begun and completed, otherwise the reason."""


def refuse(code: str, topic: str = "", /, **facts: Fact) -> Refusal:
    """Why something is not allowed; without a topic it is that of the rule which is asked."""
    return Refusal(code, topic, facts)


def refuse_for(reasons: Mapping[str, object], topic: str = "", /, **facts: Fact) -> Refusal | None:
    """Refuse for the first of these codes whose reason holds; None where none does."""
    for code, holds in reasons.items():
        if holds:
            return Refusal(code, topic, facts)
    return None


# They take all words so far, so their number is typed only where they are given.
_DomainOf = Callable[..., Domain]
_WhyNot = Callable[..., Refusal | None]


class Rule(msgspec.Struct, Generic[S], frozen=True):
    """One kind of action of a game with state `S`; `rule` makes one.

    Each of `domains` is called with (state, seat, the words before), `perform` with all of the
    words, which have been checked. `why_not` has for each word what explains one that is not in
    its domain, where something does: it is called with that word too.
    """

    move: Move
    gate: Gate[S]
    perform: Callable[..., None]
    domains: tuple[_DomainOf, ...] = ()
    why_not: tuple[_WhyNot | None, ...] = ()


class RuleBuilder(Generic[S, *Words]):
    """A rule under construction; its action has the words of `Words` so far."""

    def __init__(
        self,
        move: Move,
        gate: Gate[S],
        domains: tuple[_DomainOf, ...] = (),
        why_not: tuple[_WhyNot | None, ...] = (),
    ) -> None:
        self._move = move
        self._gate = gate
        self._domains = domains
        self._why_not = why_not

    def word(
        self,
        param: str,
        domain: Callable[[S, Seat, *Words], Domain],
        why_not: Callable[[S, Seat, *Words, str], Refusal | None] | None = None,
        among: Collection[str] | None = None,
    ) -> RuleBuilder[S, *Words, str]:
        """Add a word, from a domain that depends on the words before it.

        `why_not` explains a word that is not in it; None where there is nothing more precise to
        say than that. It is asked only for words that are `among` those of the notation, if given.
        """
        move = msgspec.structs.replace(self._move, params=(*self._move.params, param))
        explain: _WhyNot | None = why_not
        if explain is not None and among is not None:
            explain = _for_words(explain, among)
        return RuleBuilder(move, self._gate, (*self._domains, domain), (*self._why_not, explain))

    def amount(
        self, param: str, domain: Callable[[S, Seat, *Words], Amount], least: int, most: int
    ) -> RuleBuilder[S, *Words, str]:
        """Add a number that is never below `least` or above `most`."""
        made = self.word(param, domain)
        amounts = {**made._move.amounts, param: (least, most)}
        made._move = msgspec.structs.replace(made._move, amounts=amounts)
        return made

    def does(self, perform: Callable[[S, Seat, EventRecorder, *Words], None]) -> Rule[S]:
        """Finish the rule: `perform` changes the state."""
        return Rule(self._move, self._gate, perform, self._domains, self._why_not)


def rule(
    kind: str,
    topic: str,
    *gates: Gate[S],
    free: bool = False,
    offers: bool = False,
    skips: bool = False,
    idle: bool = False,
    on_opening: bool = False,
) -> RuleBuilder[S]:
    """Start a rule; its words are added, and finally what it does.

    Of several gates each is asked when those before it have nothing against the action; without
    one it can be taken whenever it is asked for.
    """
    gate = gates[0] if gates else _any_time
    for other in gates[1:]:
        gate = _both(gate, other)
    move = Move(kind, (), topic, free, offers, skips, idle=idle, on_opening=on_opening)
    return RuleBuilder(move, gate)


def _any_time(state: object, seat: Seat) -> Refusal | None:
    return None


def _both(first: Gate[S], second: Gate[S]) -> Gate[S]:
    def gate(state: S, seat: Seat) -> Refusal | None:
        refusal = first(state, seat)
        return second(state, seat) if refusal is None else refusal

    return gate


def _for_words(why_not: _WhyNot, among: Collection[str]) -> _WhyNot:
    def explain(*given: Any) -> Refusal | None:
        return why_not(*given) if given[-1] in among else None

    return explain


def next_word(rule: Rule[S], state: S, seat: Seat, action: Action) -> Choices:
    """The domain of the word after `action`, whose kind is `rule`'s; `Done` where it is whole.

    Raises IllegalAction where the action so far is not allowed.
    """
    refusal = rule.gate(state, seat)
    if refusal is not None:
        raise IllegalAction(_of(rule, refusal), action, seat)
    before: Action = ()
    for domain_of, word in zip(rule.domains, action[1:], strict=False):
        domain = domain_of(state, seat, *before)
        if not domain.admits(word):
            refusal = _why_not(rule, state, seat, before, word, domain)
            raise IllegalAction(_of(rule, refusal), action, seat, domain)
        before = (*before, word)
    return word_after(rule, state, seat, action)


def word_after(rule: Rule[S], state: S, seat: Seat, action: Action) -> Choices:
    """As `next_word`, of an action whose gate and words have been passed in this very state.

    Raises IllegalAction where there are too many words.
    """
    domains, after = rule.domains, len(action) - 1
    if after < len(domains):
        return domains[after](state, seat, *action[1:])
    if after > len(domains):
        refusal = refuse("too_many_words", kind=rule.move.kind)
        raise IllegalAction(_of(rule, refusal), action, seat)
    return DONE


def check(rule: Rule[S], state: S, seat: Seat, action: Action) -> None:
    """Raises IllegalAction unless the action is whole and allowed."""
    if _is_allowed(rule, state, seat, action[1:]):
        return
    # What is not is walked along again, for what it lacks.
    missing = next_word(rule, state, seat, action)
    assert not isinstance(missing, Done)
    refusal = refuse("incomplete", kind=rule.move.kind, param=missing.param)
    raise IllegalAction(_of(rule, refusal), action, seat, missing)


def _is_allowed(rule: Rule[S], state: S, seat: Seat, words: Action) -> bool:
    domains = rule.domains
    if len(words) != len(domains) or rule.gate(state, seat) is not None:
        return False
    for place, domain_of in enumerate(domains):
        if not domain_of(state, seat, *words[:place]).admits(words[place]):
            return False
    return True


def _of(rule: Rule[S], refusal: Refusal) -> Refusal:
    if refusal.topic:
        return refusal
    return msgspec.structs.replace(refusal, topic=rule.move.topic)


def _why_not(
    rule: Rule[S], state: S, seat: Seat, before: Action, word: str, domain: Domain
) -> Refusal:
    # A word that is not made of pieces must not be explained as if it were.
    readable = not isinstance(domain, Bundle) or domain.spells(word)
    explain = rule.why_not[len(before)]
    refusal = explain(state, seat, *before, word) if explain and readable else None
    if refusal is not None:
        return refusal
    facts: dict[str, Fact] = {"kind": rule.move.kind, "param": domain.param, "word": word}
    if isinstance(domain, Amount):
        return refuse("out_of_range", **facts, least=domain.minimum, most=domain.maximum)
    if isinstance(domain, OneOf) or not readable:
        return refuse("not_a_choice", **facts)
    for letter, have in zip(domain.alphabet, domain.have, strict=True):
        if word.count(letter) > have:
            return refuse("not_in_stock", **facts, pieces=word)
    if len(word) < domain.minimum:
        return refuse("too_few", **facts, count=domain.minimum)
    if len(word) > domain.maximum:
        return refuse("too_many", **facts, count=domain.maximum)
    return refuse("not_a_choice", **facts)
