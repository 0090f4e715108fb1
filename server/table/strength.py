"""How well a bot of the server plays."""

from enum import StrEnum


class Strength(StrEnum):
    """The strengths that a bot can be seated with, the weakest first."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
