"""Positions from text, and a table of one seat that plays through the game's own contract."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from server.games.game import Game, Millis, Moment, OptionValue, Plain, RuleViolation, Seat, Stage
from server.games.patience.cards import cards
from server.games.patience.events import PatienceEvent
from server.games.patience.game import GAMES
from server.games.patience.layout import Patience, Position, move_of
from server.games.patience.match import Match

PLAYER = Seat(0)
NOW = Millis(1_700_000_000_000)


def moment(seconds: int = 0, seed: int = 0) -> Moment:
    """So many seconds after the start, with fixed bytes."""
    return Moment(Millis(NOW + 1000 * seconds), bytes([seed]) * 32)


def position(rules: Patience, /, **piles: str) -> Position:
    """A position from the cards of its piles, each as text from the bottom."""
    assert set(piles) <= set(rules.index)
    return Position(tuple(cards(piles.get(pile.name, "")) for pile in rules.piles))


def after(rules: Patience, start: Position, *actions: str) -> Position:
    """The position after moves, each of which must be allowed."""
    for action in actions:
        move = move_of(action)
        assert rules.refusal(start, move) is None, (action, rules.refusal(start, move))
        assert move in rules.moves(start)
        start = rules.play(start, move)
    return start


def refused(rules: Patience, start: Position, action: str) -> str | None:
    """Why a move is refused; it must not be among the allowed ones then."""
    move = move_of(action)
    code = rules.refusal(start, move)
    assert (move in rules.moves(start)) == (code is None)
    return code


def lies(rules: Patience, where: Position, *names: str) -> str:
    """The cards of piles as text, with commas between piles."""
    return ", ".join(" ".join(rules.cards(where, name)) for name in names)


def game_of(name: str) -> Game:
    """The game of the catalogue for a patience."""
    return next(game for game in GAMES if game.name == name)


@dataclass
class Board:
    """A patience as it is played: the match, and what everybody was told."""

    game: Game
    match: Match
    told: list[Plain] = field(default_factory=list)
    log: list[PatienceEvent] = field(default_factory=list)
    seconds: int = 0

    def take(self, events: Sequence[PatienceEvent]) -> "Board":
        """Lets events happen."""
        for event in events:
            self.match = self.game.evolve(self.match, event)
            self.told.append(self.game.happening(event))
            self.log.append(event)
        return self

    def deal(self, word: str = "", seed: int = 0) -> "Board":
        """Says *ready* with a word and takes the deal."""
        self.game.check_ready(self.match, PLAYER, word)
        return self.take(self.game.deal(self.match, [word], moment(self.seconds, seed)))

    def act(self, *actions: str) -> "Board":
        """Actions, each of which must be among the legal ones."""
        for action in actions:
            assert action in self.game.legal(self.match, PLAYER), action
            self.seconds += 1
            self.take(self.game.decide(self.match, PLAYER, action, moment(self.seconds)))
        return self

    def refusal(self, action: str) -> str | None:
        """The code with which an action is refused."""
        try:
            self.game.decide(self.match, PLAYER, action, moment(self.seconds))
        except RuleViolation as violation:
            return violation.code
        return None

    @property
    def position(self) -> Position:
        """Where the cards lie."""
        assert self.match.deal is not None
        return self.match.deal.position

    @property
    def in_play(self) -> bool:
        """Whether a deal is running."""
        return self.match.stage is Stage.DEAL


def board(name: str, options: Mapping[str, OptionValue] | None = None) -> Board:
    """A board whose first deal is on offer."""
    game = game_of(name)
    found = Board(game, game.new_match(options or {}))
    return found.take(game.begin(found.match, "table/1", moment()))


def with_position(found: Board, where: Position) -> Board:
    """The board with its cards put so; undo would lead back to the real ones."""
    assert found.match.deal is not None
    found.match = replace(found.match, deal=replace(found.match.deal, position=where))
    return found


def every_action(rules: Patience) -> Iterator[str]:
    """Every action that names piles of this game, allowed or not, and those without piles."""
    targets = (*rules.index, *sorted(set(rules.kinds.values())))
    for source, target in product(rules.index, targets):
        yield f"move {source} {target}"
        if rules.kinds[source] in ("arch", "carpet", "side"):
            yield from (f"move {source}.{place} {target}" for place in range(1, 10))
    yield from ("draw", "redeal", "undo", "redo", "auto", "give_up", "restart", "ask_solver", "move waste", "jump")
