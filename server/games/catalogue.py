"""The games that a table can be opened for. A new game is one line here."""

from typing import Final

from server.games.game import Game
from server.games.kop.game import Kop

CATALOGUE: Final[dict[str, Game]] = {game.name: game for game in (Kop(),)}
