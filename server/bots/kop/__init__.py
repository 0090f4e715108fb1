"""The bots of Kop. Importing this package compiles what they need: seconds at first, later the kept code is read."""

from server.bots.kop.player import choose, warm

__all__ = ["choose"]

warm()
