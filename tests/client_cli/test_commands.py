"""What typed lines mean."""

import pytest

from client_cli.automatic import Automatic
from client_cli.catalogue import load
from client_cli.commands import Reader
from client_cli.fold import fold
from client_cli.meanings import (
    Auto,
    Command,
    Confused,
    Do,
    Explain,
    Export,
    GoTo,
    Meaning,
    Mute,
    Quit,
    Say,
    SayPhrase,
    SeatBot,
    Settle,
    Show,
    Vote,
)
from client_cli.view import View
from tests.client_cli import samples

TURN = View(samples.my_turn())
CALLS = View(samples.doubled_calls())

TABLE: list[tuple[str, str, Meaning]] = [
    ("en", "a", Do("ask")),
    ("en", "ask", Do("ask")),
    ("en", "May I?", Do("ask")),
    ("de", "darf ich?", Do("ask")),
    ("de", "ask", Do("ask")),
    ("pl", "mogę", Do("ask")),
    ("pl", "MOGE", Do("ask")),
    ("en", "g", Do("go on")),
    ("de", "weiter", Do("go on")),
    ("pl", "dalej", Do("go on")),
    ("en", "r", Do("ready")),
    ("en", "ready 7", Do("ready 7")),
    ("de", "bereit 12", Do("ready 12")),
    ("pl", "gotowa", Do("ready")),
    ("en", "k", Do("double 1")),
    ("en", "kontra", Do("double 1")),
    ("en", "re", Do("double 2")),
    ("de", "bok", Do("double 3")),
    ("pl", "słup", Do("double 4")),
    ("en", "SLUP!", Do("double 4")),
    ("en", "double 2", Do("double 2")),
    ("en", "wesele", Do("wesele")),
    ("en", "wesele JH", Do("wesele JH")),
    ("de", "hochzeit B♥", Do("wesele JH")),
    ("en", "zolo", Do("zolo")),
    ("pl", "zolo  du", Do("zolo du")),
    ("en", "play ah", Do("play AH")),
    ("de", "spiele 10♠", Do("play TS")),
    ("pl", "gram D♣", Do("play QC")),
    ("en", "10h", Do("play TH")),
    ("en", "3", Do("play TS")),
    ("en", "?", Show("help")),
    ("de", "hilfe", Show("help")),
    ("pl", "pomoc", Show("help")),
    ("en", "t", Show("table")),
    ("de", "Tisch", Show("table")),
    ("pl", "stół", Show("table")),
    ("en", "s", Command("sheet")),
    ("de", "zettel", Command("sheet")),
    ("pl", "zapis", Command("sheet")),
    ("en", "tricks", Show("tricks")),
    ("en", "tables 2", GoTo(2)),
    ("en", "rules", Show("rules")),
    ("en", "code", Show("link")),
    ("de", "link", Show("link")),
    ("pl", "kod", Show("link")),
    ("de", "Regeln", Show("rules")),
    ("pl", "zasady", Show("rules")),
    ("en", "pass", Do("pass")),
    ("de", "passe", Do("pass")),
    ("pl", "dobrze", Do("pass")),
    ("en", "annul", Command("annul")),
    ("de", "annullieren", Command("annul")),
    ("pl", "unieważnij", Command("annul")),
    ("de", "auto passe an", Auto("go", True)),
    ("en", "start", Command("start")),
    ("en", "finish", Command("finish")),
    ("en", "remove 2", Command("remove", 1)),
    ("pl", "usuń ewa", Command("remove", 2)),
    ("en", "remove Zed", Confused("said.no_seat", (("who", "zed"), ("count", "4")))),
    ("en", "remove", Confused("said.which_seat")),
    ("en", "bot", SeatBot()),
    ("en", "bot 3", SeatBot(2)),
    ("en", "bot easy", SeatBot(None, "easy")),
    ("de", "Bot 3 schwer", SeatBot(2, "hard")),
    ("pl", "bot średni 2", SeatBot(1, "medium")),
    ("en", "bot 3 4", Confused("said.bot_wrong")),
    ("en", "bot now", Confused("said.bot_wrong")),
    ("en", "pause", Command("pause")),
    ("de", "anhalten", Command("pause")),
    ("pl", "przerwa", Command("pause")),
    ("en", "resume", Command("resume")),
    ("de", "fortsetzen", Command("resume")),
    ("pl", "wznów", Command("resume")),
    ("en", "hand jan", Confused("said.hand_alone")),
    ("en", "hand 2", Confused("said.hand_alone")),
    ("pl", "ręka 2", Confused("said.hand_alone")),
    ("en", "hand over 2", Command("hand_over", 1)),
    ("de", "übergeben Ewa", Command("hand_over", 2)),
    ("pl", "przekaż 4", Command("hand_over", 3)),
    ("en", "hand", Show("hand")),
    ("de", "karten 2", Confused("said.hand_alone")),
    ("de", "übergib 2", Command("hand_over", 1)),
    ("en", "hand over", Confused("said.hand_over_whom")),
    ("de", "übergeben", Confused("said.hand_over_whom")),
    ("en", "vote bot", Vote("bot")),
    ("en", "vote wait ewa", Vote("wait", 2)),
    ("de", "stimme abbrechen", Vote("end")),
    ("de", "stimme ende", Vote("end")),
    ("pl", "głosuję czekamy", Vote("wait")),
    ("en", "vote", Confused("said.vote_wrong")),
    ("en", "vote perhaps", Confused("said.vote_wrong")),
    ("en", "say Well, that's Kop!", Say("Well, that's Kop!")),
    ("de", "Sag  Schöne  Karten", Say("Schöne  Karten")),
    ("pl", "powiedz Cześć", Say("Cześć")),
    ("en", '"Hello there"', Say("Hello there")),
    ("en", '"ready', Say("ready")),
    ("de", "„Hallo“", Say("Hallo")),
    ("en", "'don't ask'", Say("don't ask")),
    ("en", '"', Confused("talk.what")),
    ("en", "say 3", SayPhrase(3)),
    ("en", 'say "3"', Say("3")),
    ("en", "say", Show("phrases")),
    ("de", "Sätze", Show("phrases")),
    ("pl", "zwroty", Show("phrases")),
    ("en", "talk", Command("talk")),
    ("de", "gespräch", Command("talk")),
    ("en", "mute Ewa", Mute("Ewa", True)),
    ("pl", "odcisz Ewa", Mute("Ewa", False)),
    ("en", "mute", Show("muted")),
    ("en", "set deals=8", Settle(("deals=8",))),
    ("de", "setze Spiele je Partie=8", Settle(("Spiele je Partie=8",))),
    ("en", "set deals=8 stake=0.20, talk = off", Settle(("deals=8", "stake=0.20", "talk = off"))),
    ("en", "set doubling_names=kontra, re deals=8", Settle(("doubling_names=kontra, re", "deals=8"))),
    ("en", "set", Confused("said.set_how")),
    ("en", "set deals", Confused("said.set_how")),
    ("en", "evening", Command("evening")),
    ("de", "abend", Command("evening")),
    ("pl", "wieczór", Command("evening")),
    ("en", "evening csv Our Evening.csv", Export("csv", "Our Evening.csv")),
    ("en", "evening /tmp/E.json", Export("json", "/tmp/E.json")),
    ("en", "evening out", Confused("said.evening_how")),
    ("en", "evening csv", Confused("said.evening_how")),
    ("en", "explain", Explain()),
    ("en", "explain 4", Explain(4)),
    ("de", "erkläre 4", Explain(4)),
    ("pl", "wyjaśnij", Explain()),
    ("en", "how", Show("how")),
    ("de", "anleitung", Show("how")),
    ("pl", "jak grać?", Show("how")),
    ("en", "leave", Command("leave")),
    ("en", "quit", Quit()),
    ("de", "Tschüss!", Quit()),
    ("pl", "koniec", Quit()),
    ("en", "auto ready on", Auto("ready", True)),
    ("en", "auto go off", Auto("go", False)),
    ("en", "auto go deal", Auto("go", True, deal_only=True)),
    ("de", "auto weiter dieses Spiel", Auto("go", True, deal_only=True)),
    ("de", "auto darf ich an", Auto("ask", True)),
    ("pl", "auto gotowy tak", Auto("ready", True)),
    ("en", "auto", Show("auto")),
    ("en", "auto what", Confused("said.auto_wrong")),
    ("en", "7", Confused("said.no_card_number", (("count", "3"), ("number", "7")))),
    ("en", "9h", Confused("said.wrong_card", (("typed", "9h"), ("sample", "10h")))),
    ("en", "hello there", Confused("said.wrong", (("typed", "hello there"),))),
    ("en", "ready soon", Confused("said.wrong", (("typed", "ready soon"),))),
]


@pytest.mark.parametrize(("language", "typed", "meaning"), TABLE)
def test_a_line_means(language: str, typed: str, meaning: Meaning) -> None:
    """English words always work, those of the language too; capitals and accents do not matter."""
    assert Reader(load(language), "10h").read(typed, TURN) == meaning


@pytest.mark.parametrize(
    ("message", "meaning"),
    [
        (samples.doubled_calls(), Do("go on")),
        (samples.waiting(), Confused("said.nothing")),
        (samples.paused(), Confused("said.nothing")),
        (samples.message(own=samples.own(actions=["ready", "ready 1"])), Do("ready")),
        (samples.message(own=samples.own(actions=["rematch"])), Do("rematch")),
        (samples.message(own=samples.own(actions=["play AH"])), Do("play AH")),
        (samples.message(own=samples.own(actions=["play AH", "zolo"])), Do("play AH")),
        (samples.my_turn(), Confused("said.choose_card")),
        (samples.message(own=samples.own(actions=["ask", "zolo"])), Confused("need.ask")),
        (samples.message(own=samples.own(actions=["zolo"])), Confused("said.nothing")),
        (samples.message(own=None), Confused("said.nothing")),
    ],
)
def test_an_empty_line_does_the_obvious_harmless_thing(message: dict[str, object], meaning: Meaning) -> None:
    """Ready, go on, the only card; never a call, never the question, never a choice among cards."""
    assert Reader(load("en")).read("  ", View(message)) == meaning


@pytest.mark.parametrize(
    ("message", "go", "passing", "nothing"),
    [
        (samples.first_words(), Do("ask"), Do("ask"), Do("ask")),
        (samples.my_call(), Do("pass"), Do("pass"), Do("pass")),
        (samples.late_calls(), Do("go on"), Do("go on"), Do("go on")),
        (samples.doubled_calls(), Do("go on"), Do("go on"), Do("go on")),
    ],
)
def test_no_call_from_me_is_said_in_the_words_of_the_moment(
    message: dict[str, object], go: Meaning, passing: Meaning, nothing: Meaning
) -> None:
    """Go on, pass, or an empty line: what the table offers; in turn the leader's first pass is the question."""
    reader, view = Reader(load("en")), View(message)
    assert [reader.read(typed, view) for typed in ("go", "pass", "")] == [go, passing, nothing]


def test_the_question_is_put_lightly_only_where_it_is_a_pass() -> None:
    """In open calls an empty line does not ask."""
    view = samples.view(own=samples.own(actions=["ask", "zolo", "zolo du", "double 1"]))
    assert Reader(load("en")).read("", view) == Confused("need.ask")
    assert Reader(load("en")).read("ask", view) == Do("ask")


def test_double_says_the_next_doubling() -> None:
    """Of those that are offered, else the one after those that were said."""
    reader = Reader(load("en"))
    assert reader.read("double", CALLS) == Do("double 3")
    assert reader.read("double", TURN) == Do("double 2")
    said = [{"seat": 1, "say": f"double {number}"} for number in range(1, 5)]
    assert reader.read("double", samples.view(play=samples.play(said=said))) == Confused("said.not_double")


def test_an_action_that_the_client_does_not_know_can_be_typed_as_it_is_written() -> None:
    """A newer server may offer more."""
    view = samples.view(own=samples.own(actions=["swap hands"]))
    assert Reader(load("de")).read("Swap hands", view) == Do("swap hands")


def test_ready_agrees_to_the_rematch_when_that_is_asked() -> None:
    """The same word between deals and after the match."""
    view = samples.view(own=samples.own(actions=["rematch"]))
    assert Reader(load("de")).read("bereit", view) == Do("rematch")


def test_two_of_one_name_are_told_apart_by_their_seats() -> None:
    """Nobody is removed because he has the name of another."""
    view = samples.view(seats=samples.sitters(("Ola", "Jan", "JAN", "Max")))
    several = Confused("said.two_of_them", (("who", "jan"), ("seats", "2, 3")))
    assert Reader(load("en")).read("remove Jan", view) == several


def test_nothing_breaks_without_a_table() -> None:
    """Each line of the table is also understood, or answered, when there is no view."""
    for language, typed, _ in TABLE:
        Reader(load(language)).read(typed, None)


def test_folding_makes_letters_plain() -> None:
    """Accents and capitals go, a lone question mark stays."""
    assert fold("  Mogę?! ") == "moge"
    assert fold("SŁUP") == "slup"
    assert fold("?") == "?"


def test_automatic_does_what_is_set_and_no_more() -> None:
    """Ready, the question, and go on for good or for one deal; never a rematch."""
    automatic = Automatic({"ready": True})
    ready, rematch = (samples.view(own=samples.own(actions=[action])) for action in ("ready", "rematch"))
    assert (automatic.action(ready), automatic.action(rematch), automatic.action(CALLS)) == ("ready", None, None)
    automatic.set(Auto("go", True, deal_only=True), CALLS)
    assert automatic.action(CALLS) == "go on"
    later = samples.message(play=samples.play(deal=4, question=True), own=samples.own(actions=["go on"]))
    assert automatic.action(View(later)) is None
    automatic.set(Auto("go", True), CALLS)
    assert automatic.action(View(later)) == "go on"
    assert automatic.action(View(samples.my_call())) == "pass"
    assert automatic.action(View(samples.late_calls())) == "go on"
    assert automatic.action(View(samples.first_words())) is None
    automatic.set(Auto("go", False), CALLS)
    assert automatic.action(CALLS) is None
    automatic.set(Auto("ask", True), CALLS)
    assert automatic.action(samples.view(own=samples.own(actions=["ask", "zolo"]))) == "ask"
