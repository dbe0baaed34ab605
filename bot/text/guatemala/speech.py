"""The things of Guatemala Café in words: pieces, places, positions, lines; plain or as markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.game.contract import Fact, Seat
from bot.game.guatemala.data import COLOUR_KEYS, POSITION_OF_NAME, SPACE_OF_NAME
from bot.game.guatemala.plantation import PlantationBoard, board_for
from bot.game.guatemala.view import GuatemalaView, PieceView
from bot.text.chapter import Chapter
from bot.text.game_data import GameNames, names
from bot.text.guatemala.figures import HUT, ROAD, SACK, SHIP, WORKER, harvests
from bot.text.labels import Asking
from bot.text.markup import clip
from bot.text.speech import NAME_WIDTH, Speech
from bot.text.words import Forms, Message

KIND_EMOJI = {WORKER: "👷", HUT: "🛖", SHIP: "🚢", SACK: "💰", ROAD: "🛤️"}
COLOUR_EMOJI = {"black": "⚫", "brown": "🟤", "red": "🔴", "beige": "🟡", "white": "⚪"}

_BOARDS = (board_for(2), board_for(4))
PORTS = tuple(board_for(4).port_of_name)
PLACES = tuple(
    dict.fromkeys(name for board in _BOARDS for places in board.places for name in places)
)
"""Every cell, port and road of both boards."""
_KNOWN = frozenset(PLACES)


class GuatemalaNames(GameNames, frozen=True, forbid_unknown_fields=True):
    """What data/guatemala/names.toml says."""

    colours: dict[str, Message]
    pieces: dict[str, Message]
    """By colour and kind, ``red_worker``; a road has no colour."""
    plantations: dict[str, Message]
    workers: dict[str, Forms]
    kinds: dict[str, Forms]
    zones: dict[str, Message]
    positions: dict[str, Message]
    sides: dict[str, Message]
    edges: dict[str, Message]
    counted: dict[str, Forms]
    answers: dict[str, Message]
    legend: dict[str, Message]


NAMES = names("guatemala", GuatemalaNames)


def columns(board: PlantationBoard, strip: int) -> str:
    """The columns of a strip, from 1: ``a-c``."""
    width = board.columns // board.strips
    return f"{board.names[width * (strip - 1)][0]}-{board.names[width * strip - 1][0]}"


@dataclass(frozen=True)
class GuatemalaSpeech(Speech):
    """How things are said to one reader; `rich` is markdown, otherwise plain text."""

    def piece(self, kind: str, colour: str) -> str:
        """A piece: ``red worker``, ``road``."""
        return self.words(NAMES.pieces[f"{colour}_{kind}" if colour else kind])

    def sign_of(self, piece: PieceView) -> str:
        """The sign of a piece."""
        key = f"{piece.kind}_{piece.colour}" if piece.colour else piece.kind
        return self.words.sign(f"guatemala_{key}", KIND_EMOJI[piece.kind])

    def signed(self, piece: PieceView) -> str:
        """A piece; with its sign as markdown."""
        return f"{self.sign_of(piece)} {self.of(piece)}" if self.rich else self.of(piece)

    def of(self, piece: PieceView) -> str:
        """A piece of the production board."""
        return self.piece(piece.kind, piece.colour)

    def colour(self, kind: str, colour: str) -> str:
        """The colour of a piece by itself; with the piece's sign as markdown."""
        name = self.words(NAMES.colours[colour])
        if not self.rich:
            return name
        return f"{self.words.sign(f'guatemala_{kind}_{colour}', COLOUR_EMOJI[colour])} {name}"

    def plantation(self, colour: str) -> str:
        """What a player has of a colour on the plantation board."""
        return self.words(NAMES.plantations[colour])

    def workers(self, colour: str, count: int) -> str:
        """Workers of a colour: ``4 red workers``."""
        return self.words.phrase(NAMES.workers[colour], count, count=count)

    def space(self, name: str) -> str:
        """A space of the production board, a cell or a road."""
        return f"**{name}**" if self.rich else name

    def place(self, name: str) -> str:
        """A place of the plantation board; ports are numbered from the left."""
        if name in PORTS:
            return self.words("Port {number}", number=name.removeprefix("port"))
        return self.space(name)

    def position(self, name: str) -> str:
        """Where the buyer stands: ``row 5 (right)``."""
        return self.words(NAMES.positions[name[0]], number=name[1:])

    def side(self, position: str) -> str:
        """The same in short: ``right 5``."""
        return self.words(NAMES.sides[position[0]], number=position[1:])

    def strip(self, board: PlantationBoard, strip: int) -> str:
        """A strip of the plantation board: ``Path 2``; without paths its columns."""
        if board.has_paths:
            return self.words("Path {number}", number=strip)
        return self.words("Columns {columns}", columns=columns(board, strip))

    def region(self, board: PlantationBoard, region: str) -> str:
        """A part of the plantation board: ``Path 2, middle``."""
        strip, zone = self.strip(board, int(region[0])), self.words(NAMES.zones[region[1:]])
        return self.words("{strip}, {zone}", strip=strip, zone=zone)

    def short_of(self, count: int, port: str) -> str:
        """How many roads are missing to a port."""
        return self.words.plural(
            "{count} road to {port}",
            "{count} roads to {port}",
            count,
            port=self.place(port),
        )

    def counted(self, what: str, count: int) -> str:
        """A number of ``points``, ``money``, ``sacks`` and the like."""
        return self.words.phrase(NAMES.counted[what], count, count=count)

    def hand(self, hand: Sequence[int]) -> str:
        """Counts of sacks as their colours: ``red ×2, white``; ``none`` without any."""
        shown = [
            f"{self.colour(SACK, key)} ×{count}" if count > 1 else self.colour(SACK, key)
            for key, count in zip(COLOUR_KEYS, hand, strict=True)
            if count
        ]
        return ", ".join(shown) or self.words("none left")

    def in_short(self, view: GuatemalaView, position: str) -> str:
        """What a line offers, for a button: ``black sack, 4 workers, 1 hut``."""
        pieces = [piece for _, piece in view.line(position)]
        counts = Counter(piece.kind for piece in pieces)
        parts = [self.of(piece) for piece in pieces if piece.kind == SACK]
        others = [
            self.words.phrase(forms, counts[kind], count=counts[kind])
            for kind, forms in NAMES.kinds.items()
            if counts[kind]
        ]
        return ", ".join([*parts, *others]) or self.words("empty line")

    def harvest(self, view: GuatemalaView, colour: str) -> str:
        """What everyone would score for a sack of a colour now: ``you +6, Easy 1 +4``."""
        match harvests(view, colour):
            case []:
                return self.words("no one scores")
            case [(seat, points)] if seat == view.observer:
                return self.words.plural("you score {count}", "you score {count}", points)
            case [(seat, points)]:
                who = self.who(view, seat)
                return self.words.plural(
                    "{seat} scores {count}", "{seat} scores {count}", points, seat=who
                )
            case several:
                said = [f"{self.who(view, seat)} +{points}" for seat, points in several]
                return ", ".join(said)

    def who(self, view: GuatemalaView, seat: Seat) -> str:
        """A player, shortened where it is for a button; ``you`` for the reader."""
        if seat == view.observer:
            return self.words("you")
        return self.seat(seat) if self.rich else clip(self.seat(seat), NAME_WIDTH)

    def facts(self, facts: Mapping[str, Fact]) -> dict[str, str]:
        """As for every game; a colour also names the sack, the hut and the plantation of it, and
        belongs to a piece or to workers that are named with it. A position has a short name too."""
        said = super().facts(facts)
        colour, kind = facts.get("colour"), facts.get("piece")
        if isinstance(colour, str) and colour in NAMES.colours:
            said |= {each: self.piece(each, colour) for each in (SACK, HUT, SHIP)}
            said["plantation"] = self.plantation(colour)
            workers = facts.get("workers")
            if isinstance(workers, int):
                said["workers"] = self.workers(colour, workers)
        if isinstance(kind, str) and kind in KIND_EMOJI:
            said["piece"] = self.piece(kind, "" if kind == ROAD else str(colour))
            said["item"] = self.signed(PieceView(kind, "" if kind == ROAD else str(colour)))
        if "price" in facts:
            said["cost"] = str(facts["price"])
        position = facts.get("position")
        if isinstance(position, str) and position in POSITION_OF_NAME:
            said["side"] = self.side(position)
        return said

    def fact(self, name: str, value: Fact) -> str:
        """One fact in words."""
        match name, value:
            case _, int() if name in NAMES.counted:
                return self.counted(name, value)
            case "position", str() if value in POSITION_OF_NAME:
                return self.position(value)
            case "space", str() if value in SPACE_OF_NAME:
                return self.space(value)
            case "place" | "port", str() if value in _KNOWN:
                return self.place(value)
            case "colour", str() if value in NAMES.colours:
                return self.words(NAMES.colours[value])
            case "spaces", tuple():
                return self.counted("roads", len(value))
            case "answer", str() if value in NAMES.answers:
                return self.words(NAMES.answers[value])
            case "ending", str() if value in NAMES.endings:
                return self.words(NAMES.endings[value])
        return super().fact(name, value)


Asked = Asking[GuatemalaSpeech, GuatemalaView]
GuatemalaChapter = Chapter[GuatemalaSpeech, GuatemalaView]
