"""The three catalogues say the same things, and the code asks for nothing that they lack."""

import re
import string
from pathlib import Path
from typing import get_args

import pytest

import client_cli
from client_cli.catalogue import LANGUAGES, choose_language, load
from client_cli.fold import fold
from client_cli.options import HOUSE_OPTIONS, OPTIONS, value_word
from client_cli.patience.options import NAMES, options_of
from client_cli.talking import PHRASES, phrase_text
from client_cli.tournament.creation import TERMS
from client_cli.tournament.meanings import OrderWord
from client_cli.tournament.reader import ALONE
from protocol.errors import ErrorCode
from protocol.patience import HintReason
from protocol.server import AbsenceVote, BotWord, TablePublic, Verdict
from protocol.tournament_client import About
from protocol.tournament_pages import DecisionKind, LineKind
from protocol.tournament_server import Admission, Ending, TournamentStage
from server.games.patience.options import COMFORT, PATIENCES, switches_of
from server.table.talk import PHRASES as SERVER_PHRASES
from server.tournament.terms import NAMES as NAMES_OF_TERMS

SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in Path(client_cli.__file__).parent.rglob("*.py"))
SECTIONS = {key.split(".")[0] for key in load("en").texts}


def placeholders(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_have_the_same_keys_and_placeholders(language: str) -> None:
    """A text that one language has, each has, with the same values in it."""
    english, other = load("en"), load(language)
    assert set(other.texts) == set(english.texts)
    assert set(other.words) == set(english.words)
    for key, text in english.texts.items():
        assert placeholders(other.texts[key]) == placeholders(text), key
        assert other.texts[key].strip(), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_code_has_a_text_and_no_text_is_left_over(language: str) -> None:
    """What the server may refuse is told in each language."""
    told = {key.removeprefix("error.") for key in load(language).texts if key.startswith("error.")}
    assert told == {code.value for code in ErrorCode}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_has_a_text_of_its_own(language: str) -> None:
    """The ready-made phrases of the server, all of them and no others."""
    told = {key.removeprefix("phrase.") for key in load(language).texts if key.startswith("phrase.")}
    assert told == set(PHRASES) == SERVER_PHRASES
    assert len({fold(phrase_text(load(language), name)) for name in PHRASES}) == len(PHRASES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_for_a_bot_a_vote_and_talk_has_a_text(language: str) -> None:
    """As they come over the wire."""
    texts = load(language)
    assert {f"strength.{word}" for word in get_args(BotWord)} <= set(texts.texts)
    votes = get_args(AbsenceVote.model_fields["choice"].annotation)
    talk = get_args(TablePublic.model_fields["talk"].annotation)
    assert {f"vote.{word}" for word in votes} | {f"help.talk_{word}" for word in talk} <= set(texts.texts)


def test_every_key_in_the_code_exists() -> None:
    """Keys that stand in the code as a whole, and the beginnings of those that are put together."""
    texts = load("en").texts
    literal = set(re.findall(rf'"((?:{"|".join(SECTIONS)})\.[a-z_]+)"', SOURCE))
    assert literal
    assert literal <= set(texts)
    started = set(re.findall(rf'f"((?:{"|".join(SECTIONS)})\.[a-z_]*)\{{', SOURCE))
    assert started
    assert all(any(key.startswith(start) for key in texts) for start in started)


def test_no_text_is_unused() -> None:
    """Each key, or its last word, stands in the code; sections whose words come over the wire aside."""
    wired = {"card", "error", "game", "game_short", "margin", "option", "option_name", "option_value", "phrase", "side"}
    wired |= {"stage", "strength", "vote", "hint", "pile", "verdict", "game_name"}
    wired |= {"admission", "compass", "decided", "entrant_status", "line_kind", "line_short", "result_kind"}
    wired |= {
        "tournament_entry",
        "tournament_help",
        "tournament_how",
        "tournament_page",
        "tournament_stage",
        "tournament_verify",
    }
    built = ["link.closed_", "options.refused_", "record.found.", "help.talk_", "help.owner_", "happened.acted_for_"]
    built += [
        "patience_record.found.",
        "happened.paused_",
        "happened.resumed_",
        "open_hands.",
        "described.",
        "picture.direction_",
    ]
    built += ["tournament.you_", "tournament_news.ended_"]
    built += [f"patience.{word}_" for word in ("help_type", "key", "move", "out", "rule", "stock", "variant", "bar")]
    for key in load("en").texts:
        section, name = key.split(".", 1)
        if section not in wired and not key.startswith(tuple(built)):
            assert f'"{key}"' in SOURCE or f'"{name.removesuffix("_you")}"' in SOURCE or name.startswith("go_on"), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_of_a_hint_and_every_option_of_a_patience_has_a_text(language: str) -> None:
    """As they come over the wire, and as they are typed."""
    texts = load(language)
    assert set(get_args(HintReason)) == {key for key in texts.texts if key.startswith("hint.")}
    assert {f"verdict.{word}" for word in get_args(Verdict.model_fields["verdict"].annotation)} <= set(texts.texts)
    assert set(texts.patience_words) == set(load("en").patience_words)
    for game in PATIENCES:
        assert f"game_name.{game}" in texts
        assert set(options_of(game)) - {one.name for one in HOUSE_OPTIONS} == {*switches_of(game), *COMFORT, "number"}
    for name in NAMES:
        assert texts(f"option_name.{name}")
        assert texts(f"option.{name}").endswith(".")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_of_the_contract_is_named_and_explained(language: str) -> None:
    """In each language, in one sentence; and every word that an option takes has a spelling of its own."""
    texts = load(language)
    for name in OPTIONS:
        assert texts(f"option_name.{name}")
        assert texts(f"option.{name}").count(". ") == 0
        assert texts(f"option.{name}").endswith(".")
    for option in OPTIONS.values():
        shown = [value_word(texts, word) for word in option.words]
        assert len({fold(word) for word in shown}) == len(shown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_means_two_things(language: str) -> None:
    """Within a language a typed word has one meaning, but `deal`, which only follows `auto go`."""
    meanings: dict[str, str] = {}
    for meaning, words in load(language).words.items():
        for word in words:
            if meaning != "deal":
                assert meanings.setdefault(fold(word), meaning) == meaning, word
    meanings.clear()
    for meaning, words in load(language).patience_words.items():
        for word in words:
            assert meanings.setdefault(fold(word), meaning) == meaning, word
    meanings.clear()
    for meaning, words in load(language).tournament_words.items():
        for word in words:
            assert meanings.setdefault(fold(word), meaning) == meaning, word


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_about_tournaments_that_stands_alone_means_nothing_at_a_table(language: str) -> None:
    """Nor at a patience; and there is a word for the same things in each language."""
    texts, english = load(language), load("en")
    assert set(texts.tournament_words) == set(english.tournament_words)
    others = {
        fold(word) for one in (texts, english) for words in one.words.values() for word in words
    } | {fold(word) for one in (texts, english) for words in one.patience_words.values() for word in words}  # fmt: skip
    alone = {fold(word) for meaning in (*ALONE, "tournament") for word in texts.tournament_words[meaning]}
    assert alone & others == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_a_tournament_on_the_wire_has_a_text(language: str) -> None:
    """Decisions, results, lines of accounts, stages; and every order is asked back for."""
    texts = load(language)
    wire = {
        "decided": DecisionKind, "line_kind": LineKind, "tournament_stage": TournamentStage,
        "tournament_entry": Admission, "tournament_page": About, "tournament_how": OrderWord,
    }  # fmt: skip
    for section, words in wire.items():
        assert {f"{section}.{word}" for word in get_args(words)} <= set(texts.texts)
    assert {f"tournament_news.ended_{word}" for word in get_args(Ending)} <= set(texts.texts)


def test_the_fields_of_a_tournament_are_those_of_the_server() -> None:
    """What can be typed for a new tournament, and what it takes."""
    assert set(TERMS) == set(NAMES_OF_TERMS)
    for one in TERMS.values():
        for language in LANGUAGES:
            assert load(language)(f"option_name.{one.name}")


@pytest.mark.parametrize(
    ("wanted", "saved", "environ", "chosen"),
    [
        ("pl", "de", {"LANG": "en_US"}, "pl"),
        (None, "de", {"LANG": "pl_PL"}, "de"),
        (None, None, {"LANG": "pl_PL.UTF-8"}, "pl"),
        (None, None, {"LC_ALL": "de_AT", "LANG": "pl_PL"}, "de"),
        (None, None, {"LANG": "fr_FR"}, "en"),
        (None, "xx", {}, "en"),
        (None, None, {"LC_ALL": "C", "LANG": "pl_PL"}, "en"),
    ],
)
def test_the_language_is_the_wanted_else_the_saved_else_the_locales(
    wanted: str | None, saved: str | None, environ: dict[str, str], chosen: str
) -> None:
    """English where nothing says otherwise."""
    assert choose_language(wanted, saved, environ) == chosen
