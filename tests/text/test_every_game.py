"""The words of every game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import ANSWER, SPECTATOR, Action, Decision, Refusal, joined, parse_action
from bot.game.game import OVER
from bot.game.sides import own_looks
from bot.game.trial import views_before
from bot.tables.core.record import fold
from bot.text import general
from bot.text.errors import REFUSALS
from bot.text.game_data import explanations, rulings, topics
from bot.text.words import Forms, all_words, placeholders, words_for
from bot.titles import TITLES
from bot.titles.title import Title
from tests.recorded.results import names, read_record, read_results
from tests.text.moments import NAMES, moments_of
from tests.text.people import called

EN = words_for("en")
ROOT = Path(__file__).parents[2]
RULES = ROOT / "bot" / "game"
MAX_TOPICS = 24
"""A select has room for one more entry, the list of all topics."""

each_title = pytest.mark.parametrize(
    "title", TITLES.every, ids=lambda title: f"{title.game.name} {title.game.version}"
)


@each_title
def test_every_kind_of_event_has_words_that_use_only_its_facts(title: Title) -> None:
    templates = {kind: each.texts for kind, each in title.text.sentences.events.items()}
    derived = title.text.derived
    assert set(templates) == set(title.game.events)
    for kind, event in title.game.events.items():
        fields = set(event.__struct_fields__)
        known = fields.union(name for name, field in derived.items() if field in fields)
        for line in templates[kind]:
            for text in line if isinstance(line, Forms) else (line,):
                assert placeholders(text) <= known, (kind, text)


@each_title
def test_a_refusal_out_of_turn_says_whose_turn_it_is(title: Title) -> None:
    for kind, move in title.game.moves.items():
        refusal = Refusal("not_your_turn", move.topic, {"kind": kind, "other": 1})
        assert f"**{NAMES[1].plain}**'s turn" in title.text(EN, NAMES).refusal(refusal)


@each_title
def test_every_move_and_parameter_has_a_name(title: Title) -> None:
    moves = title.game.moves
    known = title.text.sentences.moves
    assert set(moves) <= set(TITLES.games[title.game.name].moves) == set(known)
    assert {param for move in moves.values() for param in move.params} <= set(
        title.text.things.params
    )


def texts(*nodes: ast.AST | None) -> Iterator[str]:
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    yield from (value for value in values if isinstance(value, str))


def reasons_in(function: ast.FunctionDef) -> Iterator[ast.Dict]:
    """Yield the tables that a function passes to refuse_for, directly or by a name."""
    inside = list(ast.walk(function))
    calls = [each for each in inside if isinstance(each, ast.Call)]
    given = {ast.unparse(c.args[0]) for c in calls if ast.unparse(c.func) == "refuse_for"}
    for each in inside:
        table = each.value if isinstance(each, ast.Assign) else each
        name = each.targets[0] if isinstance(each, ast.Assign) else each
        if isinstance(table, ast.Dict) and ast.unparse(name) in given:
            yield table


def codes_in(source: str) -> Iterator[str]:
    """Yield the codes of refusals that are literals in a module of the rules."""
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.FunctionDef):
            yield from texts(*(key for each in reasons_in(call) for key in each.keys))
        if not isinstance(call, ast.Call):
            continue
        named = [each.value for each in call.keywords if each.arg in ("useless", "lacking")]
        if isinstance(call.func, ast.Name) and call.func.id in ("Refusal", "refuse"):
            named.append(call.args[0])
        yield from texts(*(part for name in named for part in ast.walk(name)))


TOPIC = re.compile(r'(?:refuse\([^()]*?, |TOPIC = |rule(?:_with_die)?\(\s*"\w+",\s*)"(\w+)"')


@each_title
def test_every_code_in_the_rules_has_a_message_and_every_topic_exists(title: Title) -> None:
    own = [path.read_text("utf-8") for path in (RULES / title.game.name).rglob("*.py")]
    of_all = [path.read_text("utf-8") for path in RULES.glob("*.py")]
    codes = {code for source in (*own, *of_all) for code in codes_in(source)}
    assert len(codes) > 30
    known = title.text.sentences.refusals
    words = {*REFUSALS, *known}
    # Composed codes have a literal beginning.
    prefixes = tuple(code for code in codes if code.endswith("_"))
    assert codes - {*prefixes} <= words
    assert all(any(word.startswith(code) for word in words) for code in prefixes)
    found = {topic for source in own for topic in TOPIC.findall(source)}
    found |= {move.topic for move in title.game.moves.values()}
    assert len(found) > 5
    assert found <= {*topics(title.game.name)}


CITED_RULINGS = re.compile(r"[Rr]ulings?\s+(\d+(?:(?:,\s+|\s+(?:and|to)\s+)\d+)*)")
CITED_TOPICS = re.compile(r"\([Rr]ules:\s+([a-z_]+(?:,\s+[a-z_]+)*)\)")


@each_title
def test_every_cited_ruling_and_topic_exists(title: Title) -> None:
    name = title.game.name
    known = [each.number for each in rulings(name)]
    assert known == sorted(set(known))
    assert {each.topic for each in rulings(name)} <= {*topics(name)}
    sources = [
        path.read_text("utf-8")
        for part in ("bot", "tests")
        for package in ("game", "text", "render", "policy")
        for path in (ROOT / part / package / name).rglob("*.py")
    ]
    cited = {
        int(n)
        for each in sources
        for numbers in CITED_RULINGS.findall(each)
        for n in re.findall(r"\d+", numbers)
    }
    assert len(cited) > 5
    assert cited <= {*known}
    named = {
        topic
        for each in sources
        for names in CITED_TOPICS.findall(each)
        for topic in re.split(r",\s+", names)
    }
    assert named
    assert named <= {*topics(name)}


@each_title
def test_every_option_standing_order_and_way_to_end_has_words(title: Title) -> None:
    text = title.text(EN)
    endings = {*title.text.things.endings}
    for option in title.game.options:
        assert text.option(option.name) != option.name
        for value in option.values:
            assert text.option_value(option.name, value) != value
    assert {result.ending for result in read_results(title.game).values()} <= endings
    assert text.order("nothing", "2") is None
    for words in all_words():
        assert all(title.text(words).ending(ending).endswith(".") for ending in endings)
        for name, order in title.orders.items():
            for value in order.values:
                assert name in general.ORDERS or title.text(words).order(name, value), name


UNEXPLAINED: Mapping[str, set[str]] = {
    "kogge": {"accept", "decline", "withdraw", "pass", "stop"},
    "burgundy": {"decline", "end"},
    "guatemala": {"end"},
    "flandern": set(),
}
"""Moves without parameters, and answers to offers."""


@each_title
def test_every_decision_names_the_seat_to_act_and_has_an_explanation(title: Title) -> None:
    name, text = title.game.name, title.text(EN, called("Anna"))
    versions = [each.game for each in TITLES.every if each.game.name == name]
    asked = {kind for each in versions for kind in each.questions} - {OVER}
    known = title.text.sentences.questions
    asked |= {ANSWER} & {*known}
    for kind in asked:
        assert "**Anna**" in text.to_act(Decision("1", 0, kind))
        assert "Anna" in text.called(kind, called("Anna"))
    explained = {*explanations(name)}
    assert explained == (asked | {*title.game.moves}) - UNEXPLAINED[name]
    for kind in explained:
        hint = text.hint(kind)
        assert hint is not None
        assert hint.topic in topics(name)
        assert 50 <= len(hint.text) <= 400
    assert all(text.hint(kind) is None for kind in UNEXPLAINED[name])


@each_title
def test_chapters_fit_a_message_on_a_phone_and_their_list_fits_a_select(title: Title) -> None:
    text = title.text(EN)
    assert text.topics()[0] == "overview"
    assert len(text.topics()) <= MAX_TOPICS
    for topic in text.topics():
        assert 1 <= len(text.topic(topic)) <= 80
        rules = text.rules(topic)
        assert 100 <= len(rules) <= 1500, topic
        assert max(map(len, rules.splitlines())) <= 320, topic
        assert "{" not in rules


@each_title
def test_spectators_see_the_result_with_its_points(title: Title) -> None:
    game, seats = title.game, max(title.game.seats)
    *_, last = moments_of(game, seats, 2)
    outcome, seen = game.outcome(last.state), game.view(last.state, SPECTATOR)
    assert outcome is not None
    text = title.text(EN, NAMES, seen)
    result = text.outcome(outcome, own_looks(seats))
    assert result.startswith("🏆")
    for item, _ in outcome.lines:
        assert EN(title.text.things.score[item]) in result
    for score in outcome.scores:
        assert str(score) in result.splitlines()[-2]
    # It fits a phone.
    assert max(map(len, result.split("```")[1].splitlines())) <= 32
    # Even with very long names, the picture is described.
    assert 0 < len(text.named(called("x" * 400) * seats).alt(last.events)) <= 1000
    with pytest.raises(IndexError):
        text.hand()
    initial = game.view(game.setup(seats, {}, RandomChance(Random(2))), SPECTATOR)
    assert [*text.what_if(initial)] == []
    assert text.close_up("x") is None


@each_title
def test_joined_actions_have_texts_as_far_as_their_views_are_known(title: Title) -> None:
    game, words, checked = title.game, words_for("en"), 0
    for name in names(game)[::9]:
        before, done = b"", list[tuple[int, Action, bytes]]()
        for entry, state in fold(game, read_record(game, name)):
            if before:
                done.append((entry.seat, parse_action(entry.action), before))
            before = game.encode(state)
        for seat, row in groupby(done, lambda each: each[0]):
            (_, first, state), *more = row
            actions = [first, *(action for _, action, _ in more)]
            if len(actions) < 2 or any(game.moves[each[0]].free for each in actions):
                continue
            view = game.view(game.decode(state), seat)
            views = views_before(game, view, actions)
            whole = joined(*actions)
            text = title.text(words, NAMES, view)
            assert text.action_label(whole, views).text
            assert len(text.action_texts(whole, views)) > 1
            checked += 1
    assert checked > 5
