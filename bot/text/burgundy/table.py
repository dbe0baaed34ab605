"""The things of Burgundy in words, and the table as text: players, estates, depots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import starmap
from typing import ClassVar

from bot.game.bits import members
from bot.game.burgundy.data import (
    BOARDS,
    COLOUR_KEYS,
    CONTENT,
    DEPOT_WORDS,
    GOODS_LETTERS,
    KINDS,
    SIDES,
    SPACE_NAMES,
    SPACES,
    TILE_KEYS,
    TILES,
    goods_word,
)
from bot.game.burgundy.placing import bonuses_left, region_points
from bot.game.burgundy.rounds import last_points
from bot.game.burgundy.state import (
    NONE,
    BurgundyOver,
    BurgundyPlayer,
    BurgundyState,
    knows_sold,
    phase_letter,
    phase_of,
    round_of_phase,
)
from bot.game.contract import Seat
from bot.game.game import active_variants
from bot.text.game_data import GameNames, names
from bot.text.game_words import GameWords, PartText, sentence
from bot.text.markup import capital, keycap
from bot.text.words import Forms, Message

COLOUR_EMOJI = {
    "building": "🏠",
    "animal": "🐾",
    "ship": "⛵",
    "knowledge": "📜",
    "mine": "⛏️",
    "castle": "🏰",
}
ANIMAL_EMOJI = {"cow": "🐄", "pig": "🐖", "sheep": "🐑", "chicken": "🐓"}
FACES = "⚀⚁⚂⚃⚄⚅"
BLACK = DEPOT_WORDS[-1]
DEPOTS, TURN = "depots", "turn"
"""The parts of the table that are no estate: the depots, and these with one's own."""
BUILDINGS = tuple(kind.key for kind in TILES if kind.colour == "building")
KNOWLEDGE = tuple(kind.key for kind in TILES if kind.colour == "knowledge")
VARIANTS = {"emptiest": ("ties", "emptiest"), "hidden": ("sold_goods", "hidden")}
"""The option and value that each departure from the default rules comes from."""


class BurgundyNames(GameNames, frozen=True, forbid_unknown_fields=True):
    """What data/burgundy/names.toml says."""

    colours: dict[str, Message]
    """What the spaces of each colour are for."""
    regions: dict[str, Message]
    """What connected spaces of a colour are called."""
    tiles: dict[str, Message]
    """Those that are neither animals nor knowledge."""
    with_article: dict[str, Message]
    """The same in a sentence."""
    animals: dict[str, Forms]
    effects: dict[str, Message | Forms]


NAMES = names("burgundy", BurgundyNames)


class BurgundyTable(GameWords[BurgundyState]):
    """The things and the table in words, which `BurgundyWords` needs for all that it says."""

    # Signs

    def tile_sign(self, key: str) -> str:
        """The sign of a tile; without one of its own that of its animal, or of its colour."""
        kind = KINDS[key]
        plain = ANIMAL_EMOJI.get(kind.kind) or COLOUR_EMOJI[kind.colour]
        return self.words.sign(f"burgundy_{key}", plain)

    def colour_sign(self, colour: str) -> str:
        """The sign of a colour of tiles."""
        return self.words.sign(f"burgundy_any_{colour}", COLOUR_EMOJI[colour])

    def good_sign(self, letter: str, plain: str = "") -> str:
        """The sign of a type of goods."""
        return self.words.sign(f"burgundy_good_{letter}", plain, keycap(letter))

    def die_sign(self, number: int | str, plain: str = "🎲") -> str:
        """The sign of a die; one for all where there is none of its own."""
        return self.words.sign(f"burgundy_die_{number}", plain, keycap(number))

    def depot_sign(self, depot: str) -> str:
        """The sign of a depot, that of its die; without one its number."""
        return "⬛" if depot == BLACK else self.die_sign(depot, keycap(depot))

    # Things, by their words in the notation

    def tile_name(self, key: str) -> str:
        """What a tile is called: ``Market``, ``3 cows``, ``Knowledge 12``; plain."""
        kind = KINDS[key]
        if kind.kind:
            return self.words.phrase(NAMES.animals[kind.kind], kind.amount)
        if kind.colour == "knowledge":
            return self.words("Knowledge {number}", number=key[1:])
        return self.words(NAMES.tiles[key])

    def tile(self, key: str) -> str:
        """The same, with its sign as markdown."""
        return f"{self.tile_sign(key)} {self.tile_name(key)}" if self.rich else self.tile_name(key)

    def with_article(self, key: str) -> str:
        """A tile in a sentence: ``the Bank``, ``a Mine``, ``3 cows``; plain."""
        article = NAMES.with_article.get(key)
        return self.tile_name(key) if article is None else self.words(article)

    def tiles(self, keys: Iterable[str]) -> str:
        """Several tiles, in their order; ``nothing`` for none."""
        return ", ".join(map(self.tile, keys)) or self.words("nothing")

    def effect(self, key: str) -> str:
        """What a tile does, as a short clause; '' for animals, which score by their pasture."""
        kind = KINDS[key]
        does, count = NAMES.effects.get("counts" if kind.counts else key), kind.amount
        building = self.tile_name(kind.counts) if kind.counts else ""
        facts = {"count": count, "number": count, "building": building}
        return self.words.phrase(does, count, **facts) if does else ""

    def described(self, key: str) -> str:
        """A tile's name with what it does: ``Bank: 2 silverlings``; plain."""
        called, does = self.tile_name(key), self.effect(key)
        return self.words("{tile}: {effect}", tile=called, effect=does) if does else called

    def colour(self, colour: str, called: Mapping[str, Message] = NAMES.colours) -> str:
        """What spaces of a colour are for; or what else they are `called`."""
        name = self.words(called[colour])
        return f"{self.colour_sign(colour)} {name}" if self.rich else name

    def space(self, name: str) -> str:
        """A space of an estate."""
        return f"**{name}**" if self.rich else name

    def depot(self, word: str) -> str:
        """A depot."""
        if word == BLACK:
            return self.words("the black depot")
        return self.words("depot {number}", number=word)

    def die(self, word: str) -> str:
        """A die: ``⚃ 4``; that of an effect has no number."""
        if word == "any":
            return self.words("any die")
        face = FACES[int(word) - 1]
        return f"{self.die_sign(word, face) if self.rich else face} {word}"

    def dice(self, numbers: Iterable[int]) -> str:
        """Some dice by their faces and numbers, or in markdown by their own signs."""
        thrown = [(number, f"{FACES[number - 1]}{number}") for number in numbers]
        return " ".join(self.die_sign(*each) if self.rich else each[1] for each in thrown)

    def good(self, letter: str) -> str:
        """A type of goods by its number, or in markdown by its own sign."""
        own = self.good_sign(letter) if self.rich else ""
        return own or self.words("type {number}", number=letter)

    def goods(self, word: str) -> str:
        """Goods of a word such as ``1123``; ``nothing`` for an empty one."""
        counts = {letter: word.count(letter) for letter in word}
        return ", ".join(starmap(self._goods_of, counts.items())) or self.words("nothing")

    def _goods_of(self, letter: str, count: int) -> str:
        """Goods of one type: ``2× type 4``, or in markdown its own sign with their number."""
        own = self.good_sign(letter) if self.rich else ""
        if not own:
            return self.words("{count}× {good}", count=count, good=self.good(letter))
        return f"{own}\N{NO-BREAK SPACE}×{count}" if count > 1 else own

    def goods_in_short(self, word: str) -> str:
        """The same where there is little room: more than two types share one word."""
        counts = {letter: word.count(letter) for letter in word}
        if len(counts) < 3:
            return self.goods(word)
        items = [f"{letter} (×{n})" if n > 1 else letter for letter, n in counts.items()]
        return self.words("types {types}", types=", ".join(items))

    def types(self, word: str) -> str:
        """The types of a word of goods, one letter each; ``nothing`` for an empty one."""
        return self.words.listing(list(map(self.good, word))) or self.words("nothing")

    def coming(self, goods: str | Sequence[str]) -> str:
        """Goods of a word, or types of goods that are to come."""
        if isinstance(goods, str):
            return self.goods(goods)
        return ", ".join((self.rich and self.good_sign(letter)) or letter for letter in goods)

    def phase(self, phase: str | int) -> str:
        """A phase: ``A``, also by the points for completing a region in it."""
        if isinstance(phase, str):
            return phase
        return CONTENT.phases[CONTENT.phase_points.index(phase)]

    says: ClassVar = {
        "tile": tile,
        "discard": tile,
        "tiles": tiles,
        "colour": colour,
        "region": lambda self, colour: self.colour(colour, NAMES.regions),
        "space": space,
        "depot": depot,
        "loaded": depot,
        "die": die,
        "dice": dice,
        "good": good,
        "goods": coming,
        "phase": phase,
        "item": lambda self, row: self.words(NAMES.score[row]),
    }
    derived: ClassVar[Mapping[str, str]] = {
        "region": "colour",
        "phase": "bonus",
        "goods": "pieces",
    }

    # The table

    def variants(self) -> str:
        """How a table departs from the default rules, '' where it does not.

        Boards are left out: they can be seen.
        """
        return self.option_values(
            dict(VARIANTS[name] for name in active_variants(self.known.rules))
        )

    def means(self, player: BurgundyPlayer) -> list[str]:
        """Workers and silverlings."""
        workers = self.counted("workers", player.workers)
        return [workers, self.counted("silverlings", player.silverlings)]

    def board_lines(self) -> Iterator[str]:
        """The players, then the depots. What lies where in an estate has a text of its own."""
        known, order = self.known, ", ".join(map(self.seat, self.known.order))
        facts = {"phase": phase_letter(known), "round": round_of_phase(known), "order": order}
        playing = self.words("Phase {phase}, round {round} · turn order: {order}", **facts)
        yield playing if known.round else self.words("Set-up")
        yield from map(self._seat_line, known.order)
        if known.round:
            yield from self.depot_lines(marked=True)
        yield self.variants()

    def _seat_line(self, seat: Seat) -> str:
        """What a player has, except in the estate."""
        words, player = self.words, self.known.players[seat]
        goods, sold = goods_word(player.goods), sum(player.sold)
        spaces, empty = len(SPACES), player.estate.count(NONE)
        storage = self.tiles(TILE_KEYS[tile] for tile in player.storage)
        parts = [
            self.counted("points", sum(player.points)),
            *self.means(player),
            words("dice: {dice}", dice=" ".join(map(str, player.dice))) if player.dice else "",
            words("storage: {tiles}", tiles=storage) if player.storage else "",
            words("goods: {goods}", goods=self.goods(goods)) if goods else "",
            words.plural("{count} tile sold", "{count} tiles sold", sold) if sold else "",
            words("board {number}", number=player.board) if player.board else "",
            words.plural("{count} space empty", "{count} spaces empty", empty, all=spaces),
        ]
        return f"**{self.seat(seat)}**: {sentence(parts)}"

    def depot_lines(self, marked: bool) -> Iterator[str]:
        """What lies in the depots, the goods to come and the bonus tiles left; `marked` with names
        of depots as markdown has them, otherwise plain."""
        known, plain, words = self.known, self.plain, self.words
        goods_of = [*known.goods, [0] * SIDES]
        for word, tiles, goods in zip(DEPOT_WORDS, known.depots, goods_of, strict=True):
            there, name = goods_word(goods), capital(plain.depot(word))
            things = [plain.tiles(TILE_KEYS[tile] for tile in tiles)] if tiles or not there else []
            things += [words("goods: {goods}", goods=plain.goods(there))] if there else []
            yield f"{f'**{name}**' if marked else name}: {sentence(things)}"
        if known.coming:
            yield words.plural(
                "Goods to come: type {goods}",
                "Goods to come: types {goods}",
                len(known.coming),
                goods=", ".join(GOODS_LETTERS[good] for good in known.coming),
            )
        said = [
            words("{colour} {points}", colour=plain.colour(key), points="+".join(map(str, left)))
            for colour, key in enumerate(COLOUR_KEYS)
            if (left := bonuses_left(known, colour))
        ]
        if said:
            yield words("Bonus tiles left: {bonuses}", bonuses=", ".join(said))

    def hand_lines(self) -> list[str]:
        """All that is the observer's own."""
        chosen = self.words("Your secret choice"), self.chosen().get("space", "")
        return [*self.titled([chosen]), *self.estate_lines(self.observer)]

    def estate_lines(self, seat: Seat) -> list[str]:
        """What a seat owns, as far as the observer knows it, and what its regions will bring."""
        # With the pieces' own signs it could be too long for a message.
        said = replace(self, words=self.words.signed({}))
        words, known, player = said.words, self.known, self.known.players[seat]
        sold = words.plural("{count} tile", "{count} tiles", sum(player.sold))
        if knows_sold(player):
            sold = said.goods(goods_word(player.sold))
        stored = [TILE_KEYS[tile] for tile in player.storage]
        lines = said.titled(
            [
                (words("Estate board"), str(player.board or "")),
                (words("Dice"), said.dice(player.dice) or "-"),
                (words("Supplies"), words.listing(said.means(player))),
                (words("Goods"), said.goods(goods_word(player.goods))),
                (words("Sold"), sold),
                (words("Storage"), said._described(stored) or words("nothing")),
                (
                    words("Knowledge in the estate"),
                    said._described([f"k{number}" for number in members(player.knowledge)]),
                ),
                (words("Points"), str(sum(player.points))),
            ]
        )
        if still := points_to_come(known, seat):
            points = said.counted("points", still)
            lines.append(words("+{points} if the game ended now", points=points))
        regions = BOARDS[player.board].regions if player.board else ()
        begun = [
            (region, members(region.mask & ~player.covered))
            for region in regions
            if 0 < (region.mask & ~player.covered).bit_count() < len(region.spaces)
        ]
        lines += [
            words(
                "- {region}: {spaces} empty, {points} when complete",
                region=said.colour(COLOUR_KEYS[region.colour], NAMES.regions),
                spaces=" ".join(SPACE_NAMES[space] for space in empty),
                points=said.counted("points", sum(region_points(phase_of(known), region))),
            )
            for region, empty in sorted(begun, key=lambda each: len(each[1]))
        ]
        return lines

    def _described(self, keys: Sequence[str]) -> str:
        """Tiles with what each does: in one line, or as a list in markdown."""
        if not self.rich:
            return "; ".join(map(self.described, keys))
        return "".join(f"\n- {self.tile_sign(key)} {self.described(key)}" for key in keys)

    def alt_lines(self) -> Iterator[str]:
        """What the picture shows."""
        words, known = self.words, self.known
        facts = {"phase": phase_letter(known), "round": round_of_phase(known)}
        yield words("Phase {phase}, round {round}.", **facts) if known.round else words("Set-up.")
        for seat in known.order:
            player = known.players[seat]
            workers, silverlings = self.means(player)
            yield words(
                "{seat}: {points}, {covered} of {spaces} spaces covered, {workers}, {silverlings}.",
                seat=self.seat(seat),
                points=self.counted("points", sum(player.points)),
                covered=len(SPACES) - player.estate.count(NONE),
                spaces=len(SPACES),
                workers=workers,
                silverlings=silverlings,
            )
        if differs := self.variants():
            yield f"{differs}."
        for word, tiles in zip(DEPOT_WORDS, known.depots, strict=True):
            if tiles:
                there = self.tiles(TILE_KEYS[tile] for tile in tiles)
                yield words("{depot}: {tiles}.", depot=capital(self.depot(word)), tiles=there)

    # Its parts

    def part(self, part: str) -> PartText | None:
        """An estate with all that its owner has, by the seat, or the depots; or one's own with
        them."""
        words, legend = self.words, {key: self.effect(key) for key in KNOWLEDGE}
        if self.known.round and part == DEPOTS:
            return PartText(words("Depots"), self.depot_lines(self.rich), legend)
        if self.known.round and part == TURN and self.observer >= 0:
            lines = [*self.plain.estate_lines(self.observer), *self.depot_lines(self.rich)]
            return PartText(words("Your estate and the depots"), lines, legend)
        if not part.isdecimal() or int(part) >= len(self.known.players):
            return None
        lines = [*self.estate_lines(int(part)), *(self._rows(int(part)) if self.rich else ())]
        return PartText(words("Estate of {name}", name=self.seat(int(part))), lines, legend)

    def _rows(self, seat: Seat) -> list[str]:
        """An estate space by space: what lies on it, or what it takes and by which die; nothing as
        long as its board is not chosen."""
        player, rows = self.known.players[seat], dict[str, list[str]]()
        regions = BOARDS[player.board].region_of if player.board else ()
        for space, region, tile in zip(SPACES, regions, player.estate, strict=False):
            if tile != NONE:
                said = f"{space.name} **{self.tile_name(TILE_KEYS[tile])}**"
            else:
                takes = self.words(NAMES.colours[COLOUR_KEYS[region.colour]])
                die = space.number
                said = self.words("{space} {colour} {die}", space=space.name, colour=takes, die=die)
            rows.setdefault(space.name[0], []).append(said)
        return [", ".join(row) for row in rows.values()]

    def legend(self) -> PartText:
        """The signs on the pictures, and what buildings do."""
        title, _, signs = super().legend()
        said = {**signs, **{key: self.described(key) for key in BUILDINGS}}
        return PartText(title, said.values(), said)

    def rules_facts(self) -> dict[str, str]:
        """Lists of tiles with what they do; the first knowledge tiles help during the game, the
        others score at its end."""
        kinds = {"buildings": BUILDINGS, "powers": KNOWLEDGE[:14], "counting": KNOWLEDGE[14:]}
        return {
            name: "\n".join(
                self.words(
                    "- **{tile}:** {effect}", tile=self.tile_name(key), effect=self.effect(key)
                )
                for key in keys
            )
            for name, keys in kinds.items()
        }


def points_to_come(state: BurgundyState, seat: Seat) -> int:
    """What a seat would score if the game ended now, as far as that is known."""
    over = isinstance(state.frames[-1], BurgundyOver)
    return 0 if over else sum(last_points(state, seat).values())
