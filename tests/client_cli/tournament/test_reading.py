"""What typed lines about tournaments mean, and what orders they become."""

import pytest
from pydantic import TypeAdapter

from client_cli.catalogue import load
from client_cli.meanings import Confused
from client_cli.options import BadOption
from client_cli.tournament.creation import changed_terms, options_of
from client_cli.tournament.meanings import (
    Claim,
    Create,
    Enter,
    Follow,
    Listing,
    Look,
    Meaning,
    Order,
    Seat,
    Tell,
    Unfollow,
    Withdraw,
)
from client_cli.tournament.orders import Sight, order_of
from client_cli.tournament.people import people_of
from client_cli.tournament.points import big_points, parse_big, parse_small, small_points
from client_cli.tournament.reader import Reader, Words, tournament_id
from protocol.tournament_client import Order as WireOrder
from server.tournament.terms import terms
from tests.client_cli.fake import TOURNAMENT
from tests.client_cli.tournament import samples

LINES: list[tuple[str, str, Meaning | None]] = [
    ("en", "tournaments", Listing()),
    ("de", "Turniere", Listing()),
    ("pl", "turnieje", Listing()),
    ("en", "tournament", Tell("status")),
    ("en", "tour help", Tell("help")),
    ("de", "turnier hilfe", Tell("help")),
    ("pl", "turniej pomoc", Tell("help")),
    ("en", "tournament 2", Follow("2")),
    ("en", f"tournament {TOURNAMENT}", Follow(TOURNAMENT)),
    ("en", f"tournament http://kop.example/#{TOURNAMENT}", Follow(f"http://kop.example/#{TOURNAMENT}")),
    ("en", 'tournament "Autumn cup"', Follow('"Autumn cup"')),
    ("de", "turnier folgen 3", Follow("3")),
    ("pl", "turniej nie śledź", Unfollow()),
    ("en", "tournament enter", Enter()),
    ("en", "tournament enter 2 team Warta Poznań code abcd-efgh-jkmn", Enter("2", "Warta Poznań", "ABCDEFGHJKMN")),
    ("de", "turnier anmelden code ABCD-EFGH-JKMN", Enter("", "", "ABCDEFGHJKMN")),
    ("pl", "turniej zapisz 1 drużyna Lech", Enter("1", "Lech")),
    ("en", "tournament enter team", Confused("tournament.enter_how")),
    ("en", "tournament withdraw", Withdraw()),
    ("de", "tu abmelden", Withdraw()),
    ("pl", "turniej wypisz", Withdraw()),
    ("en", "tournament claim 0123-4567-89ab", Claim("", "0123456789AB")),
    ("de", "turnier übernehmen 2 0123-4567-89AB", Claim("2", "0123456789AB")),
    ("pl", "turniej przejmij", Confused("tournament.claim_how")),
    ("en", "seat", Seat()),
    ("de", "Platz", Seat()),
    ("pl", "do stołu", Seat()),
    ("en", "standings", Look("standings")),
    ("de", "wertung", Look("standings")),
    ("pl", "klasyfikacja", Look("standings")),
    ("en", "tournament round", Look("round")),
    ("de", "turnier runde 2", Look("round", 2)),
    ("pl", "turniej porównanie r3", Look("comparison", 3)),
    ("en", "tournament round two", Confused("tournament.which_round")),
    ("en", "tournament cross", Look("cross")),
    ("de", "turnier kreuztabelle", Look("cross")),
    ("pl", "turniej tabela", Look("cross")),
    ("en", "desk", Look("desk")),
    ("pl", "sędzia", Look("desk")),
    ("en", 'tournament create "Autumn cup" wolsztyn rounds=5 seating=balanced',
     Create("Autumn cup", ("preset=wolsztyn", "rounds=5", "seating=balanced"))),
    ("de", "turnier eröffnen „Herbst schnell“ schnell", Create("Herbst schnell", ("preset=quick",))),
    ("pl", "turniej nowy Jesień szybki rounds=3", Create("Jesień", ("preset=quick", "rounds=3"))),
    ("en", "tournament create", Confused("tournament.create_how")),
    ("en", "tournament open round", Order("open_round")),
    ("de", "turnier runde eröffnen", Order("open_round")),
    ("pl", "turniej otwórz rundę", Order("open_round")),
    ("en", "tournament penalty Jan K. -1/2 late", Order("penalty", "Jan K. -1/2 late")),
    ("en", "tournament dance", Follow("dance")),
    ("en", "tournament withdraw now", Confused("tournament.nothing_behind", (("typed", "now"),))),
    ("en", "open round", None),
    ("en", "bot", None),
    ("en", "", None),
]  # fmt: skip


@pytest.mark.parametrize(("language", "typed", "meaning"), LINES)
def test_lines_mean(language: str, typed: str, meaning: Meaning | None) -> None:
    """In the player's language; English works everywhere."""
    assert Reader(load(language)).read(typed, bare=False) == meaning
    if language == "en":
        assert Reader(load("pl")).read(typed, bare=False) == meaning


def test_at_no_table_no_word_need_stand_before_a_command() -> None:
    """But what is no word of its own there means what it means elsewhere."""
    reader = Reader(load("en"))
    assert reader.read("open round", bare=True) == Order("open_round")
    assert reader.read("call Jan", bare=True) == Order("call", "Jan")
    for other in ("quit", "tables", "bot", "by", "2", "code", ""):
        assert reader.read(other, bare=True) is None


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        (TOURNAMENT, TOURNAMENT),
        (f"https://kop.example/#{TOURNAMENT}", TOURNAMENT),
        (f"https://kop.example/tournament/{TOURNAMENT}/de", TOURNAMENT),
        ("tournament", None),
        ("2", None),
        (f"{TOURNAMENT}\x1b", None),
        ("tournament" + "a" * 40, None),
    ],
)
def test_a_tournament_is_found_in_a_link(text: str, id_: str | None) -> None:
    """The link to enter by, that of the page, or the bare id."""
    assert tournament_id(text) == id_


SIGHT = Sight(people_of(samples.entrants()), 2, Words(load("en")))
ORDERS: list[tuple[Order, object]] = [
    (Order("open_round"), {"order": "open_round"}),
    (Order("open_round", "now"), "open_round"),
    (Order("close_entry"), {"order": "entry", "open": False}),
    (Order("approve", "Max"), {"order": "approve", "entrant": 4}),
    (Order("approve", "#4"), {"order": "approve", "entrant": 4}),
    (Order("approve", "Max now"), "approve"),
    (Order("approve"), "approve"),
    (Order("turn_away", "4 no room"), {"order": "turn_away", "entrant": 4, "reason": "no room"}),
    (Order("guest", "Anna Maria team Lech"), {"order": "enter", "name": "Anna Maria", "team": "Lech"}),
    (Order("guest", "team"), {"order": "enter", "name": "team", "team": ""}),
    (Order("invite", "Ewa"), {"order": "invite", "name": "Ewa"}),
    (Order("director", "zofia"), {"order": "name_director", "player": "p5"}),
    (Order("director", "player0123456789ab"), {"order": "name_director", "player": "player0123456789ab"}),
    (Order("call", "piotr"), {"order": "call", "entrant": 8, "text": ""}),
    (Order("call", "jan k. Table 3 waits"), {"order": "call", "entrant": 6, "text": "Table 3 waits"}),
    (Order("call", "jan to the desk"), {"order": "call", "entrant": 2, "text": "to the desk"}),
    (Order("call", "ewa"), {"order": "call", "entrant": 3, "text": ""}),
    (Order("replace", "Jan by Piotr Nowak"), {"order": "replace", "entrant": 2, "by": 8}),
    (Order("replace", "2 8"), {"order": "replace", "entrant": 2, "by": 8}),
    (Order("replace", "2 by bot"), {"order": "replace", "entrant": 2, "by": None}),
    (Order("replace", "2"), "replace"),
    (Order("penalty", "Jan -1/2 late"),
     {"order": "penalise", "entrant": 2, "round": 2, "big": "-1/2", "small": 0, "reason": "late"}),
    (Order("penalty", "5 0 -20 r1 phone rang"),
     {"order": "penalise", "entrant": 5, "round": 1, "big": "0", "small": -20, "reason": "phone rang"}),
    (Order("penalty", "5 -½"), "penalty"),
    (Order("penalty", "5 late"), "penalty"),
    (Order("correct", "3 14 -2 -2 -10 misread"),
     {"order": "correct", "round": 2, "table": 3, "small": [14, -2, -2, -10], "reason": "misread"}),
    (Order("correct", "r1 3 +14 -2 -2 -10 misread"),
     {"order": "correct", "round": 1, "table": 3, "small": [14, -2, -2, -10], "reason": "misread"}),
    (Order("correct", "3 14 -2 -2 -9 misread"), "tournament.sum_not_zero"),
    (Order("correct", "3 14 -2 -2 -10"), "correct"),
    (Order("correct", "3 14 -2 misread"), "correct"),
    (Order("annul", "3 17 a card was seen"),
     {"order": "annul", "round": 2, "table": 3, "deal": 17, "reason": "a card was seen"}),
    (Order("annul", "3 seventeen"), "annul"),
    (Order("paper", "5"), {"order": "paper", "table": 5, "small": None}),
    (Order("paper", "5 14 -2 -2 -10"), {"order": "paper", "table": 5, "small": [14, -2, -2, -10]}),
    (Order("paper", "r1 5 14 -2 -2 -10"), {"order": "paper", "round": 1, "table": 5, "small": [14, -2, -2, -10]}),
    (Order("paper", "r1"), "paper"),
    (Order("paper", "5 14 -2"), "paper"),
    (Order("paper", "5 1 1 1 1"), "tournament.sum_not_zero"),
    (Order("tell", "Soup is served"), {"order": "tell", "text": "Soup is served"}),
    (Order("tell", "x" * 201), "talk.too_long"),
    (Order("move", "Jan K."), {"order": "move", "entrant": 6}),
    (Order("undo", "#7"), {"order": "undo", "decision": 7}),
    (Order("undo", "last"), "undo"),
    (Order("halt"), {"order": "halt"}),
    (Order("go_on"), {"order": "go_on"}),
    (Order("end", "the hall closes"), {"order": "end", "reason": "the hall closes"}),
    (Order("end"), "end"),
    (Order("call", "Nobody here"), "tournament.nobody"),
    (Order("call", "77"), "tournament.nobody"),
    (Order("call", "ja"), "tournament.two_of_them"),
]  # fmt: skip


@pytest.mark.parametrize(("order", "made"), ORDERS)
def test_orders_go_over_the_wire_or_are_asked_back(order: Order, made: object) -> None:
    """People by number or name, tables by number; a slip is told before the server is asked."""
    found = order_of(order, SIGHT)
    if isinstance(made, str):
        assert isinstance(found, Confused)
        assert found.key == (made if "." in made else f"tournament_how.{made}")
    else:
        assert found == made
        TypeAdapter(WireOrder).validate_python(found)


def test_who_cannot_be_told_apart_is_asked_for_by_number() -> None:
    """With the numbers to choose from."""
    found = order_of(Order("call", "ja"), SIGHT)
    assert isinstance(found, Confused)
    assert dict(found.values) == {"who": "ja", "people": "2 Jan, 6 Jan K., 9 Jadwiga"}


@pytest.mark.parametrize(
    ("typed", "wire", "shown", "ascii_"),
    [
        ("4", "4", "4", "4"),
        ("-1/2", "-1/2", "-½", "-1/2"),
        ("-½", "-1/2", "-½", "-1/2"),
        ("−0,5", "-1/2", "-½", "-1/2"),
        ("1½", "3/2", "1½", "1 1/2"),
        ("11 1/2", "23/2", "11½", "11 1/2"),
        ("11/3", "11/3", "3⅔", "3 2/3"),
        ("-1.25", "-5/4", "-1¼", "-1 1/4"),
        ("5/12", "5/12", "5/12", "5/12"),
        ("0", "0", "0", "0"),
    ],
)
def test_big_points_are_exact(typed: str, wire: str, shown: str, ascii_: str) -> None:
    """As typed, as sent, as shown."""
    assert parse_big(typed) == wire
    assert big_points(wire) == shown
    assert big_points(wire, unicode=False) == ascii_


@pytest.mark.parametrize("typed", ["", "late", "1/0", "1/", "--1", "0.333", "123456", "1e3", "½½"])
def test_what_are_no_points_is_none(typed: str) -> None:
    """And a wrong text of a server does no harm."""
    assert parse_big(typed) is None
    assert "\x1b" not in big_points(f"\x1b{typed}")


def test_small_points_have_a_sign() -> None:
    """But nothing."""
    assert [small_points(number) for number in (91, -4, 0)] == ["+91", "-4", "0"]
    assert [parse_small(text) for text in ("+91", "−4", "0", "x", "1.5")] == [91, -4, 0, None, None]


def test_options_are_such_as_the_server_takes() -> None:
    """Of the tournament and of its tables, in three languages."""
    english = options_of(
        load("en"), ["preset=koscian", "rounds=5", "scale=5-3-1-0", "seating=balanced", "bye_small=-35", "team_size=2",
                     "duplicate=yes", "break_seconds=none", "admission=approval", "clock_seconds=45", "listed=off"],
    )  # fmt: skip
    german = options_of(
        load("de"), ["preset=koscian", "runden=5", "scale=5,3,1,0", "sitzordnung=ausgewogen", "bye_small=-35",
                     "team_size=2", "duplicate=ja", "break_seconds=keine", "admission=Zulassung", "clock_seconds=45",
                     "listed=nein"],
    )  # fmt: skip
    polish = options_of(
        load("pl"), ["preset=koscian", "rundy=5", "scale=5,3,1,0", "rozsadzenie=wyrównane", "bye_small=-35",
                     "team_size=2", "duplicate=tak", "break_seconds=brak", "admission=zgoda", "clock_seconds=45",
                     "listed=nie"],
    )  # fmt: skip
    assert english == german == polish
    agreed = terms(english)
    assert (agreed.rounds, agreed.scale, agreed.bye_small, agreed.team_size) == (5, (5, 3, 1, 0), -35, 2)


@pytest.mark.parametrize("setting", ["rounds=0", "rounds", "rounds=-1", "colour=red", "scale=4-3-2", "deals=6"])
def test_a_wrong_option_is_told_at_once(setting: str) -> None:
    """With what is possible."""
    with pytest.raises(BadOption):
        options_of(load("en"), [setting])


def test_changed_terms_keep_the_rest() -> None:
    """Another preset brings all of its own."""
    options = samples.terms()["options"]
    changed = changed_terms(options, {"rounds": 4})
    assert changed["rounds"] == 4
    assert changed["deals"] == 32
    assert "on_absence" not in changed
    assert changed_terms(options, {"preset": "quick"}) == {"preset": "quick"}
