"""The words of The Castles of Burgundy: questions, buttons and choices.

The rules compute costs and points on the state as the observer knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import sub
from typing import ClassVar

from bot.game.burgundy.data import (
    BOARDS,
    COLOUR_KEYS,
    CONTENT,
    DEPOT_OF_WORD,
    DEPOT_WORDS,
    GOODS_LETTERS,
    NEIGHBOURS,
    SPACE_NAMES,
    SPACE_OF_NAME,
    SPACES,
    TILE_KEYS,
    TILE_OF_KEY,
    goods_word,
)
from bot.game.burgundy.dice import DIE_OF_WORD, dice, gain, purchases, ways_to_take
from bot.game.burgundy.game import GAME
from bot.game.burgundy.goods import GOOD_OF_WORD, loads, room, sale, track_space, ways_to_sell
from bot.game.burgundy.placing import (
    completed,
    region_points,
    scores,
    total,
    ways_to_place,
)
from bot.game.burgundy.rounds import castle_chosen
from bot.game.burgundy.state import (
    NONE,
    BurgundyPlayer,
    BurgundyState,
    Load,
    on_turn,
    phase_letter,
    phase_of,
    round_of_phase,
    turn_of,
)
from bot.game.choices import Bundle
from bot.game.contract import END, Action, Decision, Seat
from bot.game.hidden import View
from bot.text.burgundy.table import (
    BLACK,
    FACES,
    NAMES,
    BurgundyTable,
    points_to_come,
)
from bot.text.contract import LONGEST_LABEL, Label, Style, Unreadable
from bot.text.game_words import Change
from bot.text.markup import capital, keycap
from bot.text.matching import fold, misread, tokens
from bot.text.words import all_words, msg

NOTHING, ALL = msg("nothing"), msg("all")
MAX_TYPED = 100
END_WIDTH = 16
"""Characters that the end of the turn takes up."""
CHOSEN = {"take": 1, "place": 2, "sell": 1}
"""By kind of action, the number of words after the die that decide the workers needed."""


class BurgundyWords(BurgundyTable, game=GAME, things=NAMES):
    """The words of The Castles of Burgundy for one observer."""

    public_hand = True
    notation: ClassVar[Mapping[str, Iterable[str]]] = {
        "tile": TILE_KEYS,
        "discard": TILE_KEYS,
        "depot": DEPOT_WORDS,
        "good": GOODS_LETTERS,
        "die": GOODS_LETTERS,
        "space": SPACE_NAMES,
        "board": [*map(str, BOARDS)],
    }

    @property
    def _seat(self) -> Seat:
        """The active seat; the observer outside turns."""
        seat = on_turn(self.known)
        return max(self.observer, 0) if seat is None else seat

    @property
    def _player(self) -> BurgundyPlayer:
        return self.known.players[self._seat]

    def _dice_for(self, kind: str) -> Sequence[int]:
        known = self.known
        return dice(known) if kind in GAME.answers[GAME.question(known)] else ()

    def _ways(self, kind: str, die: str) -> Mapping[tuple[str, ...], int]:
        """Return the workers needed for each action with a die, by the words after the die."""
        known, player, number = self.known, self._player, DIE_OF_WORD.get(die, NONE)
        if number not in self._dice_for(kind):
            return {}
        if kind == "take":
            return {
                (DEPOT_WORDS[depot], TILE_KEYS[tile]): spent
                for depot, tile, spent in ways_to_take(known, player, number)
            }
        if kind == "place":
            return {
                (TILE_KEYS[tile], SPACE_NAMES[space]): spent
                for tile, space, spent in ways_to_place(player, number)
            }
        return {(GOODS_LETTERS[good],): spent for good, spent in ways_to_sell(player, number)}

    def _spent(self, action: Action) -> int:
        """Return the workers that an action needs; 0 while that is not decided."""
        kind, die, given = action[0], "".join(action[1:2]), action[2 : 2 + CHOSEN.get(action[0], 0)]
        if not given or len(given) < CHOSEN[kind]:
            return 0
        ways = self._ways(kind, die).items()
        return next((spent for words, spent in ways if words[: len(given)] == given), 0)

    def _cost(self, *action: str) -> list[str]:
        """Return the cost in workers as a part of a label; no part if the action is free."""
        spent = self._spent(action)
        cost = self.words("costs {workers}", workers=self.counted("spent", spent))
        return [cost] if spent else []

    # Questions

    def chosen(self) -> Mapping[str, str]:
        space = castle_chosen(self.known, self.observer)
        return {} if space == NONE else {"space": self.space(SPACE_NAMES[space])}

    def question_facts(self, decision: Decision) -> Mapping[str, object]:
        """Return the building, for its effect, and the seat's board."""
        return {
            "tile": self.tile(decision.kind) if decision.kind in TILE_OF_KEY else "",
            "board": self.known.players[decision.seat].board,
        }

    def ask_turn(self, decision: Decision) -> str:
        """Return the dice left and the means to pay with; the menu lists the actions."""
        words, known, turn = self.words, self.known, turn_of(self.known)
        facts = {"phase": phase_letter(known), "round": round_of_phase(known)}
        to_do = words("You've used both dice. End your turn or undo something.")
        if turn is not None and turn.left:
            left = self.dice(turn.left)
            to_do = words.plural("Your die: {dice}", "Your dice: {dice}", len(turn.left), dice=left)
        elif purchases(known):
            to_do = words("You've used both dice. Buy a tile or end your turn.")
        things = words.listing(self.means(known.players[decision.seat]))
        means = words("You have {things}.", things=things)
        return " ".join([words("Round {phase}{round}.", **facts), f"{to_do}\n{means}"])

    def ask_load(self, decision: Decision) -> str:
        """Return the question of a ship's load, with the goods and the room of its owner."""
        words, player = self.words, self.known.players[decision.seat]
        question = words("Choose the depot your ship loads from.")
        if (first := self._first_load()) is not None:
            question = words(
                "Your ship can also load from a depot next to {depot}. You can decline.",
                depot=self.depot(first),
            )
        goods, left = self.goods(goods_word(player.goods)), room(player)
        status = words("You have {goods} and no room for another type.", goods=goods)
        if not any(player.goods):
            status = words.plural(
                "You have no goods and room for {count} type.",
                "You have no goods and room for {count} types.",
                left,
            )
        elif left:
            status = words.plural(
                "You have {goods} and room for {count} more type.",
                "You have {goods} and room for {count} more types.",
                left,
                goods=goods,
            )
        return f"{question}\n{status}"

    def _first_load(self) -> str | None:
        """Return the depot of the first load, during a ship's second one."""
        frame = self.known.frames[-1]
        return DEPOT_WORDS[frame.first] if isinstance(frame, Load) and frame.first >= 0 else None

    # Boards and castles

    def label_board(self, prefix: Action, board: str) -> Label:
        """Label a board with its number and the sizes of its regions."""
        rows = {
            key: "+".join(
                sorted(
                    (str(len(r.spaces)) for r in BOARDS[int(board)].regions if r.colour == colour),
                    reverse=True,
                )
            )
            for colour, key in enumerate(COLOUR_KEYS)
        }
        text = self.words(
            "Board {number}: cities {cities}, pastures {pastures}",
            number=board,
            cities=rows.pop("building"),
            pastures=rows.pop("animal"),
        )
        others = [f"{self.colour(key)} {sizes}" for key, sizes in rows.items()]
        return Label(text, "🗺️", ", ".join(others))

    def label_castle_space(self, prefix: Action, space: str) -> Label:
        """Label a space for the first castle with its neighbours."""
        colours = self._neighbours(space)
        return Label(self.words("{space} · next to {colours}", space=space, colours=colours), "🏰")

    def _neighbours(self, space: str) -> str:
        """Count the neighbours of a space by colour."""
        region_of = BOARDS[self._player.board].region_of
        around = [region_of[other].colour for other in NEIGHBOURS[SPACE_OF_NAME[space]]]
        return ", ".join(
            f"{self.colour(COLOUR_KEYS[colour])} ×{around.count(colour)}"
            for colour in sorted(set(around))
        )

    # Dice

    def label_die(self, prefix: Action, die: str) -> Label:
        """Label a die with its uses for the move; for workers, with the uses it would lose."""
        words, kind, turn = self.words, prefix[0], turn_of(self.known)
        if die == "any":
            return Label(words("Any die"), "🎲")
        text = words("Die {die}", die=die)
        if turn is not None and turn.left.count(int(die)) > 1:
            text = words("{die} (two of them)", die=text)
        reach = {"workers": msg("{die}: could reach {ways}"), "sell": msg("{die}: {ways}")}.get(
            kind, msg("{die}: reaches {ways}")
        )
        ways = self._reach(die, *(CHOSEN if kind == "workers" else [kind]))
        return Label(words(reach, die=text, ways=ways), self.die_sign(die))

    def _reach(self, die: str, *kinds: str) -> str:
        """Count the uses of a die without workers, and the additional ones with workers."""
        free, paid = dict[str, int](), dict[str, int]()
        for kind in kinds:
            # A space counts once, even if several tiles can cover it.
            ways = {
                words[-1:] if kind == "place" else words: spent
                for words, spent in self._ways(kind, die).items()
            }
            free[kind] = sum(not spent for spent in ways.values())
            paid[kind] = len(ways) - free[kind]
        unpaid, more = (
            self.words.listing([self.counted(kind, count) for kind, count in each.items() if count])
            for each in (free, paid)
        )
        if not more or (unpaid and len(kinds) > 1):
            return unpaid or self.words("nothing")
        if not unpaid:
            return self.words("{ways} if you spend workers", ways=more)
        # There is one kind, and `unpaid` names it.
        more = str(sum(paid.values()))
        return self.words("{ways}, {more} more if you spend workers", ways=unpaid, more=more)

    def button_workers(self, button: Label) -> Label:
        """Put the gains in the text of the button."""
        return button._replace(text=self._gains(), description=self.words("Any die will do"))

    def _gains(self) -> str:
        workers, silverlings = gain(self._player)
        text = msg("Take {workers} and {silverlings}") if silverlings else msg("Take {workers}")
        return self.phrase(text, {"workers": workers, "silverlings": silverlings})

    # Taking and buying tiles

    def label_depot(self, prefix: Action, depot: str) -> Label:
        """Label a depot with the tiles that can be taken or bought there."""
        ways = self._ways(*prefix) if prefix[0] == "take" else ()
        keys = [tile for place, tile in ways if place == depot]
        keys = keys or [TILE_KEYS[tile] for tile in self.known.depots[DEPOT_OF_WORD[depot]]]
        parts = " · ".join([capital(self.depot(depot)), *self._cost(*prefix, depot)])
        return Label(
            self.words("{depot}: {things}", depot=parts, things=self.tiles(keys)),
            self.depot_sign(depot),
        )

    def label_tile(self, prefix: Action, tile: str) -> Label:
        note = self.words("From {depot}", depot=self.depot(prefix[-1]))
        return Label(self.described(tile), self.tile_sign(tile), note)

    def label_discard(self, prefix: Action, tile: str) -> Label:
        if not tile:
            return Label(self.words("Discard nothing"))
        return Label(
            self.words("Discard {tile}", tile=self.described(tile)),
            self.tile_sign(tile),
            self.words("It leaves the game"),
            Style.DANGER,
            called=self.tile_name(tile),
        )

    def button_buy(self, button: Label) -> Label:
        """Put the price in the text of the button."""
        return button._replace(
            text=self.phrase(msg("Buy a tile for {price}"), {"price": CONTENT.price}),
            description=self.phrase(
                msg("Once per turn; you have {silverlings}"),
                {"silverlings": self._player.silverlings},
            ),
        )

    def wording_tile(self, prefix: Action, tile: str) -> str:
        return self.with_article(tile) if tile else ""

    wording_discard = wording_tile

    # Placing tiles

    def label_place_tile(self, prefix: Action, tile: str) -> Label:
        """Label a stored tile with its effect and its legal spaces."""
        spots = [
            self.words("{space} ({workers})", space=space, workers=self.counted("workers", spent))
            if spent
            else space
            for (each, space), spent in self._ways(*prefix).items()
            if each == tile
        ]
        note = self.words("On {spaces}", spaces=", ".join(spots)) if spots else None
        return Label(self.described(tile), self.tile_sign(tile), note)

    def label_space(self, prefix: Action, space: str) -> Label:
        """Label a space with the workers needed and the points for placing the tile there."""
        number = SPACES[SPACE_OF_NAME[space]].number
        name = self.words("{space} · die {number}", space=space, number=number)
        result, parts = self._placing_result(prefix[2], space)
        return Label(
            " · ".join([name, *self._cost(*prefix, space), result]),
            "📍",
            parts or None,
            Style.SUCCESS if parts else Style.NORMAL,
        )

    def _placing_result(self, tile: str, space: str) -> tuple[str, str]:
        """Return the points of a tile on a space and what it completes, and if it completes a
        region, the parts of these points."""
        words, known, seat = self.words, self.known, self._seat
        number, target = TILE_OF_KEY[tile], SPACE_OF_NAME[space]
        region = BOARDS[known.players[seat].board].region_of[target]
        name = words(NAMES.regions[COLOUR_KEYS[region.colour]])
        completing = total(completed(known, seat, target))
        rest = total(scores(known, seat, number, target)) - completing
        if not completing:
            empty = (region.mask & ~known.players[seat].covered).bit_count() - 1
            left = words("{count} left in the {region}", region=name, count=empty)
            points = self.counted("points", rest)
            return words("{points}, {region}", points=points, region=left) if rest else left, ""
        size, phase = region_points(phase_of(known), region)
        parts = {
            msg("size: {points}"): size,
            msg("phase: {points}"): phase,
            msg("whole colour: {points}"): completing - size - phase,
            msg("{tile}: {points}"): rest,
        }
        notes = [words(text, points=n, tile=self.tile(tile)) for text, n in parts.items() if n]
        points = " + ".join(str(count) for count in parts.values() if count)
        return (
            words("{points} points, completes the {region}", region=name, points=points),
            words("Points: {parts}", parts=", ".join(notes)),
        )

    def button_decline(self, button: Label) -> Label:
        """Use another text for a ship's second load."""
        if self._first_load() is None:
            return button
        return button._replace(text=self.words("Stop loading"), description=None)

    # Goods

    def label_good(self, prefix: Action, good: str) -> Label:
        """Label goods to sell with their points and silverlings."""
        text = self.phrase(
            msg("Sell {count}× {good}: {points}, {silverlings}"), {"good": good, **self._sale(good)}
        )
        text = " · ".join([text, *self._cost(*prefix, good)])
        return Label(text, self.good_sign(good, keycap(good)), called=self.good(good))

    def _sale(self, good: str) -> dict[str, int]:
        """Return the count of the player's goods of a type, and the points and silverlings for
        selling them."""
        player, number = self._player, GOOD_OF_WORD[good]
        points, silverlings, _ = sale(self.known, player, number)
        return {"count": player.goods[number], "points": points, "silverlings": silverlings}

    def label_load_depot(self, prefix: Action, depot: str) -> Label:
        """Label a depot with its goods, and say if they don't all fit."""
        counts, owned = self.known.goods[DEPOT_OF_WORD[depot]], self._player.goods
        name, goods = capital(self.depot(depot)), self.short_goods(goods_word(counts))
        parts = [self.words("{depot}: {things}", depot=name, things=goods)]
        new = sum(bool(n and not own) for n, own in zip(counts, owned, strict=True))
        left = room(self._player)
        if new > left:
            some = left or any(n and own for n, own in zip(counts, owned, strict=True))
            parts.append(self.words("they don't all fit") if some else self.words("none fit"))
        return Label(" · ".join(parts), self.depot_sign(depot))

    def label_goods(self, prefix: Action, kinds: str) -> Label:
        """Label new types to load; the types that the player already has are always loaded."""
        loaded, left = self._divided(prefix[1], kinds)
        note = self.words("Leaves behind {goods}", goods=self.goods(left)) if left else None
        return Label(self.words("Load {goods}", goods=self.short_goods(loaded)), "📦", note)

    def _divided(self, depot: str, kinds: str) -> tuple[str, str]:
        """Return the goods loaded from a depot with these new types, and those left there."""
        place = DEPOT_OF_WORD[depot]
        loaded = loads(self.known, self._player, place, kinds)
        return goods_word(loaded), goods_word(map(sub, self.known.goods[place], loaded))

    def wording_goods(self, prefix: Action, kinds: str) -> str:
        return self.types(kinds)

    # Whole actions and their results

    def action(self, action: Action) -> str:
        """Return an action in words, with the workers it needs now."""
        while len(action) > 1 and not action[-1]:
            # Leave out an empty last word: no tile to discard, no new type of goods to load.
            action = action[:-1]
        text, spent = super().action(action), self._spent(action)
        cost = self.counted("spent", spent)
        return self.words("{action} ({cost})", action=text, cost=cost) if spent else text

    def action_labels(
        self, action: Action, views: Sequence[View[BurgundyState]]
    ) -> Sequence[Label]:
        """Label a whole action, with the end of the turn if that follows."""
        (first, _), *rest = self.steps(action, views)
        if [each for each, _ in rest] not in ([], [(END,)]):
            return super().action_labels(action, views)
        label = self._full_label(first)
        if not rest:
            return [label]
        texts = (msg("{action}, then end turn"), msg("{action} 🏁"))
        return [label._replace(text=self.words(text, action=label.text)) for text in texts]

    def _full_label(self, action: Action) -> Label:
        words = self.words
        match action:
            case ("board", board):
                return self.label_board((), board)
            case ("castle", space):
                return Label(
                    words("Castle on {space}", space=space),
                    "🏰",
                    self._neighbours(space),
                    called=space,
                )
            case ("place", _, tile, space):
                return self._place(action, tile, space)
            case ("take" | "buy", *_, depot, tile, discard):
                return self._tile_label(action, depot, tile, discard)
            case ("sell", _, good):
                sold, called = self._sale(good), self.good(good)
                text = words("Sell {count}× {good}", count=sold["count"], good=called)
                text = self._with_cost(action, text, sold["points"])
                note = self.counted("silverlings", sold["silverlings"])
                return Label(text, self.good_sign(good, keycap(good)), note, called=called)
            case ("workers", _):
                text = self._with_cost(action, self._gains())
                return Label(text, words.sign("burgundy_worker", "👷"), called=text)
            case ("load", depot, kinds):
                loaded, _ = self._divided(depot, kinds)
                if not loaded:
                    return Label(words("Load nothing"), self.depot_sign(depot))
                goods, name = self.short_goods(loaded), self.depot(depot)
                text = words("Load {goods} from {depot}", goods=goods, depot=name)
                return Label(text, self.depot_sign(depot), called=name)
        return self.button(action[0])

    def _place(self, action: Action, tile: str, space: str) -> Label:
        words, number, target = self.words, TILE_OF_KEY[tile], SPACE_OF_NAME[space]
        text = words("Place {tile} on {space}", tile=self.with_article(tile), space=space)
        points = total(scores(self.known, self._seat, number, target))
        result, parts = self._placing_result(tile, space)
        return Label(
            self._with_cost(action, text, points),
            self.tile_sign(tile),
            " · ".join(filter(None, (result, self.effect(tile)))),
            Style.SUCCESS if parts else Style.NORMAL,
            called=space,
        )

    def _tile_label(self, action: Action, depot: str, tile: str, discard: str) -> Label:
        """Label taking a tile with a die, or buying it."""
        price, called = self.counted("price", CONTENT.price), self.tile_name(tile)
        template = {
            "take": msg("Take {tile} from {depot}"),
            "buy": msg("Buy {tile} from {depot} for {price}"),
        }[action[0]]
        if depot == BLACK:
            template = msg("Buy {tile} for {price}")
        text = self.words(
            template, tile=self.with_article(tile), depot=self.depot(depot), price=price
        )
        if discard:
            text = self.words(
                "{action}, discard {discard}", action=text, discard=self.tile(discard)
            )
        if action[0] == "take":
            text = self._with_cost(action, text)
        return Label(text, self.tile_sign(tile), self.effect(tile) or None, called=called)

    def _with_cost(self, action: Action, text: str, points: int = 0) -> str:
        """Add the points, the workers and the die to the text of an action.

        The die is named only if the player has a different one too.
        """
        words, die, spent, turn = self.words, action[1], self._spent(action), turn_of(self.known)
        if points:
            text = words("{action}, +{points}", action=text, points=points)
        has_another = turn is not None and len(set(turn.left)) > 1 and die != "any"
        costs = {words("die {die}", die=die): FACES[int(die) - 1]} if has_another else {}
        if spent:
            costs[self.counted("spent", spent)] = f"−{spent} 👷"
        if not costs:
            return text
        full, short = (
            words("{action} ({cost})", action=text, cost=", ".join(each))
            for each in (costs, costs.values())
        )
        # After the last die the label also has the end of the turn.
        room_left = LONGEST_LABEL - (0 if has_another else END_WIDTH)
        return full if len(full) <= room_left else short

    def changes(self, before: BurgundyWords) -> Iterator[Change]:
        """Yield the changes to the observer's points, workers, silverlings, regions and goods.

        Completed regions are left out, as their events are shown.
        """
        words, seat = self.words, self.observer
        states = before.known, self.known
        was, now = (state.players[seat] for state in states)
        old_end, new_end = (points_to_come(state, seat) for state in states)
        old_space, new_space = (track_space(state, seat) + 1 for state in states)
        yield from self.counts(
            (words("Points"), sum(was.points), sum(now.points)),
            (words("Points still to come at the end"), old_end, new_end),
            (words("Workers"), was.workers, now.workers),
            (words("Silverlings"), was.silverlings, now.silverlings),
            (words("Space on the turn track"), old_space, new_space),
        )
        for region in BOARDS[was.board].regions if was.board else ():
            old, new = ((region.mask & player.covered).bit_count() for player in (was, now))
            size, key = len(region.spaces), COLOUR_KEYS[region.colour]
            if old != new < size:
                name = capital(words(NAMES.regions[key]))
                line = words(
                    "{size}-space {region}: {old}/{size} → {new}/{size}, +{points} when complete",
                    region=f"{self.colour_sign(key)} {name}",
                    size=size,
                    old=old,
                    new=new,
                    points=sum(region_points(phase_of(self.known), region)),
                )
                yield Change(line, 1)
        if was.goods != now.goods:
            old_goods, new_goods = (self.goods(goods_word(each.goods)) for each in (was, now))
            line = words("{what}: {old} → {new}", what=words("Goods"), old=old_goods, new=new_goods)
            yield Change(line, sum(now.goods) - sum(was.goods))

    # Options and typed words

    def option_value(self, name: str, value: str) -> str:
        if name == "boards" and value.isdecimal():
            return self.words("board {board} for everyone, castles placed in secret", board=value)
        return super().option_value(name, value)

    def pieces(self, word: str) -> str:
        """Return types of goods in words; plain."""
        return self.plain.types(word)

    def example(self, param: str, word: str) -> str:
        """Return a word of the notation as a user would type it; plain."""
        if param in ("die", "goods", "board"):
            return " ".join(word) if param == "goods" else word
        return self.plain.fact(param, word) if word else "-"

    def clean(self, typed: str) -> str:
        """Replace dice faces by numbers, unless the number is typed too."""
        for number, face in enumerate(FACES, 1):
            has_number = str(number) in typed
            typed = typed.replace(face, " " if has_number else f" {number} ")
        return typed

    def read_bundle(self, choices: Bundle, typed: str, topic: str) -> str:
        """Read types of goods by their numbers; other words are ignored."""
        text = fold(typed[:MAX_TYPED]).strip()
        if text in {"", "-", *(fold(words(NOTHING)) for words in all_words())}:
            return ""
        if text in {fold(words(ALL)) for words in all_words()}:
            return choices.stock()
        numbers = "".join(token for token in tokens(text) if token.isdecimal())
        if not numbers or any(each not in choices.alphabet for each in numbers):
            raise Unreadable(misread("unreadable", topic, choices.param, typed, (choices.stock(),)))
        return choices.sort(numbers)
