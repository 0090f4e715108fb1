"""The games that a table can be opened for. A new game is one entry here."""

from typing import Final

from server.games.game import Game
from server.games.kop.game import Kop
from server.games.patience.game import GAMES as PATIENCES

_GAMES: Final[tuple[Game, ...]] = (Kop(), *PATIENCES)
CATALOGUE: Final[dict[str, Game]] = {game.name: game for game in _GAMES}
