"""The message catalogues: every text a person sees, in three languages.

A catalogue is a TOML file of nested tables; a key is the path with dots. The table `words` holds
lists: what a person may type for a command, beside the English words, which always work. What is said
at patiences only, and of tournaments, stands in files of their own.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

LANGUAGES: Final = ("en", "de", "pl")
DEFAULT: Final = "en"


class Catalogue:
    """The texts of one language; call it with a key and the values of its placeholders."""

    def __init__(
        self,
        language: str,
        texts: Mapping[str, str],
        words: Mapping[str, tuple[str, ...]],
        patience_words: Mapping[str, tuple[str, ...]],
        tournament_words: Mapping[str, tuple[str, ...]],
    ) -> None:
        self.language = language
        self._texts = texts
        self._words = words
        self.patience_words = patience_words
        self.tournament_words = tournament_words

    def __call__(self, key: str, /, **values: object) -> str:
        """The text of a key with its placeholders filled.

        Raises:
            KeyError: there is no such text; a test keeps this from happening.
        """
        return self._texts[key].format(**values)

    def __contains__(self, key: object) -> bool:
        return key in self._texts

    @property
    def texts(self) -> Mapping[str, str]:
        """Every key with its unfilled text."""
        return self._texts

    @property
    def words(self) -> Mapping[str, tuple[str, ...]]:
        """What may be typed, by meaning."""
        return self._words

    def join(self, parts: list[str]) -> str:
        """An enumeration: `Ola, Jan and Ewa`."""
        if len(parts) < 2:
            return "".join(parts)
        return self("list.and", first=", ".join(parts[:-1]), last=parts[-1])


@cache
def load(language: str) -> Catalogue:
    """The catalogue of one of `LANGUAGES`."""
    plain, words = _read(f"{language}.toml")
    patience, patience_words = _read(f"patience.{language}.toml")
    tournament, tournament_words = _read(f"tournament.{language}.toml")
    return Catalogue(language, plain | patience | tournament, words, patience_words, tournament_words)


def _read(name: str) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """The texts and the words of one file."""
    source = resources.files("client_cli").joinpath("texts", name)
    plain = tomllib.loads(source.read_text(encoding="utf-8"))
    words = {meaning: tuple(typed) for meaning, typed in plain.pop("words").items()}
    return dict(_flat(plain, "")), words


def _flat(table: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    flat: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            flat += _flat(value, f"{prefix}{key}.")
        else:
            flat.append((f"{prefix}{key}", str(value)))
    return flat


def choose_language(wanted: str | None, saved: str | None, environ: Mapping[str, str]) -> str:
    """The language from the option, else the saved one, else the locale, else English."""
    for candidate in (wanted, saved):
        if candidate in LANGUAGES:
            return str(candidate)
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if locale := environ.get(variable):
            language = locale[:2].lower()
            return language if language in LANGUAGES else DEFAULT
    return DEFAULT
