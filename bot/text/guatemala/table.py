"""The things of Guatemala Café in words, and the table as text: boards, plantations, hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import ClassVar

from bot.game.contract import Fact, Seat
from bot.game.guatemala.buying import STEPS
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOUR_OF_KEY,
    CONTENT,
    EMPTY,
    FACED,
    HUT,
    KINDS,
    POSITION_NAMES,
    POSITIONS,
    ROAD,
    SACK,
    SHIP,
    SIZE,
    SPACE_NAMES,
    WORKER,
    colour_of,
    kind_of,
    piece,
    piece_key,
)
from bot.game.guatemala.plantation import PlantationBoard, board_for, nearest_ports
from bot.game.guatemala.sacks import ANSWERS, NO, YES, crops, lowest_sack
from bot.game.guatemala.state import (
    ALLOWS,
    BLOCKS,
    NONE,
    Blocking,
    GuatemalaOver,
    GuatemalaPlayer,
    GuatemalaState,
    board_of,
)
from bot.text.game_data import GameNames, names
from bot.text.game_words import GameWords, PartText, sentence
from bot.text.markup import bold, clip
from bot.text.words import Forms, Message, msg

KIND_EMOJI = ("👷", "🛖", "🚢", "💰", "🛤️")
COLOUR_EMOJI = {"black": "⚫", "brown": "🟤", "red": "🔴", "beige": "🟡", "white": "⚪"}
NAME_ON_A_BUTTON = 12
"""Characters of a player's name in a label."""

PRODUCTION = "production"
"""The production board, as a part of the table. The others are those of the plantation board, and
all of that."""
PLANTATIONS = "plantations"
HALVES = {"left": msg("Left half"), "right": msg("Right half")}

PORTS = tuple(board_for(4).port_of_name)
PLACES = dict.fromkeys(
    name for players in (2, 4) for places in board_for(players).places for name in places
)
"""Every cell, port and road of both boards."""


class GuatemalaNames(GameNames, frozen=True, forbid_unknown_fields=True):
    """What data/guatemala/names.toml says."""

    colours: dict[str, Message]
    pieces: dict[str, Message]
    """By colour and kind, ``red_worker``; a road has no colour, and an empty space no piece."""
    plantations: dict[str, Message]
    workers: dict[str, Forms]
    kinds: dict[str, Forms]
    zones: dict[str, Message]
    positions: dict[str, Message]
    sides: dict[str, Message]
    edges: dict[str, Message]
    answers: dict[str, Message]


NAMES = names("guatemala", GuatemalaNames)


class GuatemalaTable(GameWords[GuatemalaState]):
    """The things and the table in words, which `GuatemalaWords` needs for all that it says."""

    # Things, by their words in the notation

    def space(self, name: str) -> str:
        """A space of the production board, a cell or a road."""
        return f"**{name}**" if self.rich else name

    def place(self, name: str) -> str:
        """A place of the plantation board; ports are numbered from the left."""
        if name in PORTS:
            return self.words("Port {number}", number=name.removeprefix("port"))
        return self.space(name) if name in PLACES else self.typed(name)

    says: ClassVar = {
        "space": space,
        "place": place,
        "port": place,
        # Where the buyer stands: ``row 5 (right)``, and in short ``right 5``.
        "position": lambda self, name: self.words(NAMES.positions[name[0]], number=name[1:]),
        "side": lambda self, name: self.words(NAMES.sides[name[0]], number=name[1:]),
        "steps": lambda self, steps: self.counted("steps", int(steps)),
        "answer": lambda self, answer: self.words(NAMES.answers[answer]),
        "colour": lambda self, colour: self.words(NAMES.colours[colour]),
        "plantation": lambda self, colour: self.words(NAMES.plantations[colour]),
        "sack": lambda self, colour: self.piece(piece(SACK, COLOUR_OF_KEY[colour])),
        "hut": lambda self, colour: self.piece(piece(HUT, COLOUR_OF_KEY[colour])),
        "ship": lambda self, colour: self.piece(piece(SHIP, COLOUR_OF_KEY[colour])),
        "spaces": lambda self, spaces: self.counted("roads", len(spaces)),
        "cost": lambda self, price: str(price),
    }
    derived: ClassVar[Mapping[str, str]] = {
        "plantation": "colour",
        "sack": "colour",
        "hut": "colour",
        "ship": "colour",
        "side": "position",
        "cost": "price",
        "item": "piece",
    }
    notation: ClassVar = {
        "position": POSITION_NAMES,
        "steps": STEPS,
        "piece": SPACE_NAMES,
        "place": PLACES,
        "answer": tuple(ANSWERS),
        "colour": COLOUR_KEYS,
    }

    def facts(self, facts: Mapping[str, Fact]) -> dict[str, str]:
        """As for every game; a colour belongs to the piece or the workers that are named with it.
        A road has none."""
        said = super().facts(
            {name: facts[name] for name in facts if (name, facts[name]) != ("colour", "")}
        )
        match facts:
            case {"piece": str(kind), "colour": str(colour)}:
                number = piece(KINDS.index(kind), COLOUR_OF_KEY[colour]) if colour else ROAD
                said |= {"piece": self.piece(number), "item": self.signed(number)}
            case {"workers": int(count), "colour": str(colour)}:
                said["workers"] = self.workers(COLOUR_OF_KEY[colour], count)
        return said

    # Things, by their numbers in the state

    def piece(self, number: int) -> str:
        """A piece: ``red worker``, ``road``."""
        return self.words(NAMES.pieces[piece_key(number)])

    def sign(self, number: int) -> str:
        """The sign of a piece."""
        key = "_".join(reversed(piece_key(number).split("_")))
        return self.words.sign(f"guatemala_{key}", KIND_EMOJI[kind_of(number)])

    def signed(self, number: int) -> str:
        """A piece; with its sign as markdown."""
        return f"{self.sign(number)} {self.piece(number)}" if self.rich else self.piece(number)

    def colour(self, number: int) -> str:
        """The colour of a piece by itself; with the piece's sign as markdown."""
        key = COLOUR_KEYS[colour_of(number)]
        if not self.rich:
            return self.fact("colour", key)
        sign = self.words.sign(f"guatemala_{KINDS[kind_of(number)]}_{key}", COLOUR_EMOJI[key])
        return f"{sign} {self.fact('colour', key)}"

    def kind(self, kind: str, count: int) -> str:
        """Pieces of a kind: ``4 workers``."""
        return self.words.phrase(NAMES.kinds[kind], count, count=count)

    def workers(self, colour: int, count: int) -> str:
        """Workers of a colour: ``4 red workers``."""
        return self.words.phrase(NAMES.workers[COLOUR_KEYS[colour]], count, count=count)

    def strip(self, strip: int) -> str:
        """A strip of the plantation board, from 1: ``Path 2``; without paths its columns."""
        board = board_of(self.known)
        if board.has_paths:
            return self.words("Path {number}", number=strip)
        return self.words("Columns {columns}", columns=columns(board, strip))

    def region(self, region: str) -> str:
        """A part of the plantation board: ``Path 2, middle``."""
        zone = self.words(NAMES.zones[region[1:]])
        return self.words("{strip}, {zone}", strip=self.strip(int(region[0])), zone=zone)

    def short_of(self, count: int, port: int) -> str:
        """How many roads are missing to a port."""
        name = self.place(board_of(self.known).ports[port].name)
        return self.words.plural(
            "{count} road to {port}", "{count} roads to {port}", count, port=name
        )

    def sacks(self, hand: Iterable[int]) -> str:
        """Counts of sacks as their colours: ``red ×2, white``; ``none left`` without any."""
        names = [(self.colour(piece(SACK, colour)), count) for colour, count in enumerate(hand)]
        shown = [f"{name} ×{n}" if n > 1 else name for name, n in names if n]
        return ", ".join(shown) or self.words("none left")

    def who(self, seat: Seat) -> str:
        """A player, shortened where it is for a button; ``you`` for the reader."""
        if seat == self.observer:
            return self.words("you")
        return self.seat(seat) if self.rich else clip(self.seat(seat), NAME_ON_A_BUTTON)

    def harvests(self, colour: int) -> list[tuple[Seat, int]]:
        """Who would score for a sack of a colour: the observer first, then by turn."""
        known, seats = self.known, len(self.known.players)
        found = [(seat, each.points) for seat, each in enumerate(crops(known, colour))]
        found.sort(key=lambda each: (each[0] != self.observer, (each[0] - known.turn) % seats))
        return [(seat, points) for seat, points in found if points]

    def harvest(self, colour: int) -> str:
        """What everyone would score for a sack of a colour now: ``you +6, Easy 1 +4``."""
        match self.harvests(colour):
            case []:
                return self.words("no one scores")
            case [(seat, points)] if seat == self.observer:
                return self.words.plural("you score {count}", "you score {count}", points)
            case [(seat, points)]:
                return self.words.plural(
                    "{seat} scores {count}", "{seat} scores {count}", points, seat=self.who(seat)
                )
            case several:
                return ", ".join(f"{self.who(seat)} +{points}" for seat, points in several)

    # Lines of the production board, and plantations

    def reached(self, steps: int) -> int:
        """The position to which so many steps bring the buyer."""
        return (self.known.buyer + steps) % POSITIONS

    def line(self, position: int) -> list[int]:
        """The pieces that are faced from a position."""
        pieces = [self.known.production[space] for space in FACED[position]]
        return [piece for piece in pieces if piece != EMPTY]

    def sack_in(self, position: int) -> int | None:
        """The sack that is faced from a position, of which there is one at the most."""
        return next((each for each in self.line(position) if kind_of(each) == SACK), None)

    def offers(self, position: int) -> str:
        """What a line offers: ``black sack, 4 workers, 1 hut``."""
        counts = Counter(KINDS[kind_of(each)] for each in self.line(position))
        sack = self.sack_in(position)
        pieces = [self.kind(kind, counts[kind]) for kind in NAMES.kinds if counts[kind]]
        named = [] if sack is None else [self.piece(sack)]
        return ", ".join([*named, *pieces]) or self.words("empty line")

    def owned(self, seat: Seat) -> list[int]:
        """The colours of which a player has a plantation."""
        player = self.known.players[seat]
        return [colour for colour in range(len(COLOUR_KEYS)) if player.cells(colour)]

    def plantations(self, seat: Seat) -> list[str]:
        """All plantations of a player in short."""
        return [self.in_short(seat, colour) for colour in self.owned(seat)]

    def in_short(self, seat: Seat, colour: int) -> str:
        """A plantation in short: ``4 red workers, hut b2, Port 1: scores 8 points``."""
        words, board, player = self.words, board_of(self.known), self.known.players[seat]
        count, hut = len(player.workers[colour]), player.huts[colour]
        workers = self.workers(colour, count)
        if hut == NONE:
            return words("{workers}, no hut", workers=workers)
        cell = board.names[hut]
        if not count:
            return words("{hut} {cell}, no workers", hut=self.piece(piece(HUT, colour)), cell=cell)
        ports, _, points = crops(self.known, colour)[seat]
        joined = [self.place(board.ports[port].name) for port in ports]
        pieces = ", ".join([workers, words("hut {cell}", cell=cell), *joined])
        return words(
            "{pieces}: scores {points}", pieces=pieces, points=self.counted("points", points)
        )

    def to_port(self, hut: int) -> str:
        """How many roads a hut lacks to its nearest port."""
        nearest = nearest_ports(len(self.known.players), tuple(self.known.roads))
        port, missing = nearest[hut]
        return self.short_of(len(missing), port)

    # The table

    def variants(self) -> str:
        """How a table departs from the default rules, '' where it does not.

        The set-up is left out: it can be seen.
        """
        track = self.known.rules.track
        return "" if track == CONTENT.tracks[0] else self.option_values({"track": str(track)})

    def board_lines(self) -> Iterator[str]:
        """The players, the lines that the buyer can reach, sacks, ports and roads.

        What lies where on the boards is said of their parts.
        """
        words, known = self.words, self.known
        if not known.round:
            yield words("Set-up")
        elif isinstance(known.frames[-1], GuatemalaOver):
            yield words("The game ended in round {round}", round=known.round)
        else:
            facts = {"round": known.round, "seat": self.seat(known.turn)}
            yield words("Round {round} · {seat}'s turn", **facts)
        for seat, player in enumerate(known.players):
            means = self._means(player).values()
            yield f"**{self.seat(seat)}**: {sentence([*means, *self.plantations(seat)])}"
        if known.buyer != NONE:
            yield words("**Buyer** at {where}: {offers}", **self._facing(0))
            for steps in map(int, STEPS):
                said = self.counted("steps", steps)
                yield words("- {steps}, {where}: {offers}", steps=said, **self._facing(steps))
        there = [
            words("{colour} (row {row})", colour=self.colour(each), row=space[0])
            for space, each in zip(SPACE_NAMES, known.production, strict=True)
            if each != EMPTY and kind_of(each) == SACK
        ]
        yield words("**Sacks**: {sacks}", sacks=", ".join(there) or words("none left"))
        if known.track:
            yield words.plural(
                "{count} sack on the score track, on space {space}: {colours}",
                "{count} sacks on the score track, down to space {space}: {colours}",
                len(known.track),
                space=lowest_sack(known),
                colours=self.sacks(map(known.track.count, range(len(COLOUR_KEYS)))),
            )
        yield from self._port_lines(bold)
        roads = self.counted("roads", len(known.roads))
        yield words("{roads} on the board, {stock} in the supply", roads=roads, stock=known.stock)
        yield self.variants()

    def _facing(self, steps: int) -> dict[str, str]:
        """Where the buyer would stand after some steps, and what that line offers."""
        position = self.reached(steps)
        where = self.fact("position", POSITION_NAMES[position])
        return {"where": where, "offers": self.offers(position)}

    def _means(self, player: GuatemalaPlayer) -> dict[str, str]:
        """What a player has, in numbers that everybody knows."""
        return {
            "points": self.counted("points", sum(player.points)),
            "money": self.counted("money", player.money),
            "sacks": self.counted("sacks", sum(player.hand)),
        }

    def _port_lines(self, shown: Callable[[str], str]) -> Iterator[str]:
        """Ports, named as they are `shown`, with their ships, and what the next one costs."""
        words, board = self.words, board_of(self.known)
        for port in board.open_ports:
            about, docked = board.ports[port], self.known.ports[port]
            ships = ", ".join(self.colour(piece(SHIP, colour)) for colour in docked)
            facts = {"port": shown(self.place(about.name)), "ships": ships or words("no ships")}
            if len(docked) < len(about.prices):
                price = self.counted("price", about.prices[len(docked)])
                yield words("{port}: {ships}; the next one costs {price}", price=price, **facts)
            else:
                yield words("{port}: {ships}; full", **facts)

    def hand_lines(self) -> Iterator[str]:
        """All that is the observer's own."""
        words, board, seat = self.words, board_of(self.known), self.observer
        player = self.known.players[seat]
        for answer in self.chosen().values():
            yield words("**Your secret answer:** {answer}", answer=answer)
        yield from self.titled(
            [
                (words("Money"), self.counted("money", player.money)),
                (words("Points"), str(sum(player.points))),
                (words("Sacks"), self.sacks(player.hand)),
            ]
        )
        for colour in self.owned(seat):
            cells, hut = player.workers[colour], player.huts[colour]
            names = " ".join(board.names[cell] for cell in cells)
            is_apart = hut != NONE and not crops(self.known, colour)[seat].ports
            parts = [
                self.in_short(seat, colour),
                words("workers on {cells}", cells=names) if cells else "",
                self.to_port(hut) if is_apart else "",
            ]
            yield f"- {sentence(parts)}"
        left = [colour for colour in range(len(COLOUR_KEYS)) if not player.cells(colour)]
        if left:
            colours = ", ".join(self.colour(piece(HUT, colour)) for colour in left)
            yield words("Not planted yet: {colours}", colours=colours)

    def chosen(self) -> Mapping[str, str]:
        """The observer's answer about a block, while others still answer."""
        frame = self.known.frames[-1]
        if not isinstance(frame, Blocking) or self.observer < 0:
            return {}
        given = {ALLOWS: NO, BLOCKS: YES}.get(frame.answers[self.observer])
        return {"answer": self.fact("answer", given)} if given else {}

    def alt_lines(self) -> Iterator[str]:
        """What the picture shows."""
        words, known = self.words, self.known
        yield words("Round {round}.", round=known.round) if known.round else words("Set-up.")
        for seat, player in enumerate(known.players):
            harvest = ", ".join(
                f"{self.colour(piece(HUT, colour))} {crops(known, colour)[seat].points}"
                for colour in self.owned(seat)
            )
            facts = {"seat": self.seat(seat), **self._means(player)}
            if harvest:
                yield words(
                    "{seat}: {points}, {money}, {sacks}; harvests now: {harvest}.",
                    harvest=harvest,
                    **facts,
                )
            else:
                yield words("{seat}: {points}, {money}, {sacks}, no plantations.", **facts)
        if known.buyer != NONE:
            yield words("Buyer at {where}: {offers}.", **self._facing(0))
        yield words("{sacks} on the score track.", sacks=self.counted("sacks", len(known.track)))
        if differs := self.variants():
            yield f"{differs}."

    # Its parts

    def part(self, part: str) -> PartText | None:
        """The production board row by row, the plantations of each player, or a part of the
        plantation board zone by zone."""
        words, parts = self.words, board_of(self.known).parts
        if part == PRODUCTION:
            rows = [self.plain._production_row(row) for row in range(SIZE)]
            lines = [words("A colour by itself is a worker."), *rows]
            return PartText(words("Production board"), lines)
        if part == PLANTATIONS:
            none = words("no plantations")
            owned = [
                f"{self.seat(seat)}: {sentence(self.plantations(seat)) or none}"
                for seat in range(len(self.known.players))
            ]
            ports = self._port_lines(bold if self.rich else str)
            return PartText(words("Plantations"), [*owned, *ports])
        if part not in parts:
            return None
        title = words(HALVES[part]) if part in HALVES else self.strip(parts[part][0])
        regions = [f"{strip}{zone.key}" for strip in parts[part] for zone in CONTENT.zones]
        return PartText(title, map(self._region_line, regions))

    def _production_row(self, row: int) -> str:
        pieces = ", ".join(
            self.colour(each) if kind_of(each) == WORKER else self.piece(each)
            for each in self.known.production[SIZE * row : SIZE * (row + 1)]
        )
        return self.words("Row {number}: {pieces}", number=row + 1, pieces=pieces)

    def _region_line(self, region: str) -> str:
        """What stands in a zone of a strip: huts and workers by owner, and roads."""
        words, board, parts = self.words, board_of(self.known), list[str]()

        def here(places: Iterable[str]) -> str:
            return " ".join(place for place in places if board.region_of(place) == region)

        for seat, player in enumerate(self.known.players):
            for colour in self.owned(seat):
                hut, cells = player.huts[colour], [board.names[n] for n in player.workers[colour]]
                huts, workers = here(board.names[hut : hut + 1]), here(cells)
                pieces = {
                    self.piece(piece(HUT, colour)): huts,
                    self.workers(colour, len(workers.split())): workers,
                }
                parts += [
                    words("{seat} {piece} {cells}", seat=self.seat(seat), piece=name, cells=there)
                    for name, there in pieces.items()
                    if there
                ]
        if roads := here(board.roads[road].name for road in self.known.roads):
            parts.append(words("roads {cells}", cells=roads))
        name = self.region(region)
        return words("{part}: {pieces}", part=name, pieces=sentence(parts) or words("empty"))


def columns(board: PlantationBoard, strip: int) -> str:
    """The columns of a strip, from 1: ``a-c``."""
    width = board.columns // board.strips
    return f"{board.names[width * (strip - 1)][0]}-{board.names[width * strip - 1][0]}"
