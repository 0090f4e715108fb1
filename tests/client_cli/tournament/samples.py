"""A tournament as a server sends it, for tests: build messages with `message`, change parts by keyword."""

from typing import Any

from tests.client_cli.fake import TOURNAMENT
from tests.client_cli.samples import NOW

Message = dict[str, Any]
NAMES = ("Ola", "Jan", "Ewa", "Max", "Zofia", "Jan K.", "Bot Bolek", "Piotr Nowak", "Jadwiga")
AT = 1_700_000_000_000
"""When things were decided: at 22:13 UTC."""


def public(**changes: Any) -> Message:
    """How it stands: in the second of five rounds, one of two tables has finished."""
    return {
        "name": "Autumn cup",
        "preset": "wolsztyn",
        "stage": "round",
        "round": 2,
        "rounds": 5,
        "deals": 32,
        "admission": "open",
        "team_size": 1,
        "duplicate": False,
        "open": True,
        "halted": None,
        "ending": None,
        "due": None,
        "deadline": NOW + 3_300_000,
        "entrants": 9,
        "waiting": 0,
        "tables": 2,
        "finished": 1,
        "directors": [{"player": "p0", "name": "Ola"}],
        "decisions": 3,
    } | changes


def own(**changes: Any) -> Message:
    """Of number 5, who sits in the east of table 1."""
    plain: Message = {"directs": False, "entrant": 5, "status": "in", "team": "", "from_round": 1}
    plain |= {"table": "t1", "number": 1, "seat": 1, "bye": False, "finished": False}
    return plain | changes


IDLE: Message = {"table": None, "number": None, "seat": None}
"""For `own`: without a table."""
DIRECTOR = own(directs=True, entrant=None, status=None, from_round=None, **IDLE)


def message(version: int = 7, *, from_: int | None = None, **changes: Any) -> Message:
    """A `tournament` message; without `from_` a complete one. `own`, `happened` and parts of `public` by keyword."""
    about = changes.pop("own", None)
    happened = changes.pop("happened", [])
    return {
        "type": "tournament",
        "tournament": TOURNAMENT,
        "from": version if from_ is None else from_,
        "version": version,
        "resync": from_ is None,
        "happened": happened,
        "public": public(**changes),
        "own": about,
    }


def page(about: str, content: Message) -> Message:
    """The answer to a question for a page."""
    return {
        "type": "tournament_page", "id": 1, "tournament": TOURNAMENT, "version": 7, "about": about, "page": content
    }  # fmt: skip


def line(round_: int, kind: str = "played", big: str = "4", small: int = 14, **at: Any) -> Message:
    """A line of an account."""
    return {"round": round_, "kind": kind, "big": big, "small": small, "place": None, "table": None} | at


def row(rank: int, entrant: int, big: str, small: int, *lines: Message, team: str = "") -> Message:
    """A row of the standings."""
    name = NAMES[entrant - 1]
    return {
        "rank": rank, "entrant": entrant, "name": name, "team": team, "big": big, "small": small, "won": 1,
        "seconds": 0, "lines": list(lines),
    }  # fmt: skip


def standings(**changes: Any) -> Message:
    """After two rounds, with a bye, a penalty, a forfeit, and fractions."""
    rows = [
        row(1, 1, "8", 91, line(1, table=1, place=1), line(2, table=1, place=1, small=77)),
        row(2, 5, "13/2", 23, line(1, table=1, place=2, big="5/2", small=-2), line(2, table=2, place=1, small=25)),
        row(3, 9, "11/3", 30, line(1, "bye", "3", 35), line(2, "penalty", "2/3", -5)),
        row(4, 2, "-1/2", 0, line(1, "missed", "0", 0), line(2, "forfeit", "0", 0), line(0, "penalty", "-1/2", 0)),
    ]
    return {"rows": rows, "teams": []} | changes


def team_standings() -> Message:
    """Pairs, one of them not complete."""
    rows = [row(1, 1, "8", 91, team="Lech"), row(2, 5, "5/2", -2, team="Warta Poznań")]
    both = {"big": "21/2", "small": 89, "won": 2, "seconds": 1}
    teams = [{"rank": 1, "team": "Lech", "complete": True, "members": [1, 2]} | both]
    return {"rows": rows, "teams": [*teams, {"rank": None, "team": "Warta", "complete": False, "members": [5]} | both]}


def seat(entrant: int | None) -> Message | None:
    """Somebody at a table."""
    return None if entrant is None else {"entrant": entrant, "name": NAMES[entrant - 1]}


def table(number: int, *entrants: int | None, **changes: Any) -> Message:
    """A table of a round."""
    return {
        "number": number, "table": f"t{number}", "paper": False, "seats": [seat(one) for one in entrants],
        "annulled": [], "result": None,
    } | changes  # fmt: skip


def result(kind: str = "played", **changes: Any) -> Message:
    """Two second places share."""
    return {
        "kind": kind, "small": [14, -2, -2, -10], "places": [1, 2, 2, 4], "big": ["4", "5/2", "5/2", "1"],
        "forfeited": [], "deals": 32,
    } | changes  # fmt: skip


def round_() -> Message:
    """One table plays, the others have results of every kind."""
    forfeit = result("forfeit", places=[], big=[], small=[0, 0, 0, 0], forfeited=[2], deals=0)
    tables = [
        table(1, 2, 5, 3, None),
        table(2, 1, 4, 6, 7, result=result(), annulled=[3, 17]),
        table(3, 1, 4, 6, 7, result=forfeit),
        table(4, 1, 4, 6, 7, result=result("corrected")),
        table(5, 1, 4, 6, 8, table=None, paper=True),
        table(6, 1, 4, 6, 8, table=None, paper=True, result=result("paper")),
    ]
    return {"round": 2, "opened": AT, "deadline": None, "ended": None, "tables": tables, "byes": [seat(9)]}


def cell(number: int | None = 1, kind: str | None = "played", big: str = "4", small: int = 14) -> Message:
    """An entrant's round in the cross table."""
    known = kind is not None
    scored = {"place": 1 if known else None, "big": big if known else None, "small": small if known else None}
    return {"kind": kind, "table": number, "opponents": [2, None, 5]} | scored


def cross() -> Message:
    """Two rounds of three entrants."""
    rows = [
        {"rank": 1, "entrant": 1, "name": "Ola", "rounds": [cell(), cell(12, big="7/2", small=-177)]},
        {"rank": 2, "entrant": 5, "name": "Zofia", "rounds": [cell(big="5/2", small=-2), cell(3, None)]},
        {"rank": 3, "entrant": 9, "name": "Jadwiga", "rounds": [cell(None, "bye", "3", 35), None]},
    ]
    return {"rows": rows, "meetings": [[0, 2, 1], [2, 0, 0], [1, 0, 0]]}


def comparison() -> Message:
    """The east of two tables."""

    def compared(table_: int, entrant_: int | None, points: int, money: int) -> Message:
        name = None if entrant_ is None else NAMES[entrant_ - 1]
        deals = [{"deal": 1, "money": money, "points": points}]
        about = {"table": table_, "seat": 1, "entrant": entrant_, "name": name}
        return about | {"points": points, "most": 2, "deals": deals}

    return {"round": 2, "seats": [compared(1, 5, 0, -4), compared(2, None, 2, 4)]}


def entrant(number: int, **changes: Any) -> Message:
    """Who takes part."""
    return {
        "entrant": number, "player": f"p{number}", "name": NAMES[number - 1], "team": "", "status": "in",
        "from_round": 1, "guest": False, "program": False,
    } | changes  # fmt: skip


def entrants() -> Message:
    """All of them: two are called Jan, one waits, one is out."""
    special: dict[int, Message] = {
        3: {"status": "out"}, 4: {"status": "waiting", "team": "Lech"}, 7: {"program": True},
        8: {"guest": True}, 9: {"from_round": 2},
    }  # fmt: skip
    return {"entrants": [entrant(number, **special.get(number, {})) for number in range(1, 10)]}


def terms() -> Message:
    """What is agreed."""
    options = {
        "rules": "wolsztyn", "clock_seconds": 30, "clock_bank": 120, "talk": "phrases", "stake": "1",
        "on_absence": "bot", "preset": "wolsztyn", "rounds": 5, "deals": 32, "scale": "4,3,2,1", "seating": "draw",
        "fill": "bye", "dropout": "bot", "no_show_seconds": 300, "round_minutes": 60, "break_seconds": None,
        "bye_big": 3, "bye_small": 35, "missed_big": 0, "missed_small": 0, "forfeit_big": 3, "forfeit_small": 35,
        "admission": "open", "late_until": 2, "team_size": 1, "duplicate": False, "listed": True,
    }  # fmt: skip
    return {
        "options": options, "commitments": ["ab" * 32, "cd" * 32], "secrets": ["ef" * 32],
        "contributions": {"1": "12" * 32, "2": ""}, "cards": [],
    }  # fmt: skip


def decision(number: int, kind: str, **changes: Any) -> Message:
    """One decision."""
    return {
        "number": number, "at": AT, "by": "Ola", "kind": kind, "round": 2, "table": 0, "entrant": 0, "name": "",
        "text": "", "undoes": 0, "undone": False, "deal": 0, "big": "0", "small": [],
    } | changes  # fmt: skip


KINDS: dict[str, Message] = {
    "approved": {"entrant": 2, "name": "Jan"},
    "turned_away": {"entrant": 2, "name": "Jan", "text": "full"},
    "entered": {"entrant": 8, "name": "Piotr Nowak"},
    "opened_round": {},
    "called": {"entrant": 2, "name": "Jan", "text": "Table 3 waits"},
    "replaced": {"table": 3, "entrant": 2, "name": "Jan"},
    "corrected": {"table": 3, "text": "misread", "small": [14, -2, -6, -6]},
    "annulled": {"table": 3, "text": "a card was seen", "undone": True, "deal": 7},
    "penalty": {"entrant": 2, "name": "Jan", "text": "late", "big": "-1/2", "small": [-5]},
    "announced": {"text": "Soup is served"},
    "paper": {"table": 3},
    "moved": {"entrant": 2, "name": "Jan"},
    "halted": {},
    "went_on": {},
    "closed": {},
    "reopened": {},
    "terms": {},
    "director": {"text": "Ewa"},
    "ended": {"text": "the hall closes"},
    "undone": {"undoes": 8},
}


def decisions() -> Message:
    """One of each kind."""
    return {"decisions": [decision(number, kind, **what) for number, (kind, what) in enumerate(KINDS.items(), 1)]}


def desk() -> Message:
    """Tables that play, wait, have lost somebody; codes."""

    def stand(number: int, **changes: Any) -> Message:
        plain = {"number": number, "table": f"t{number}", "stage": "deal", "deal": 7, "deals": 32}
        return plain | {"waiting_for": [], "absent": [], "paused": False} | changes

    waits = {"seat": 1, "name": "Jan", "since": NOW - 200_000}
    return {
        "waiting": [entrant(4, status="waiting")],
        "invitations": [
            {"number": 1, "name": "Ewa", "code": "ABCDEFGHJKMN", "entrant": None},
            {"number": 2, "name": "Max", "code": "NMKJHGFEDCBA", "entrant": 4},
        ],
        "offers": [{"entrant": 2, "code": "0123456789AB", "until": NOW + 240_000}],
        "tables": [stand(1, waiting_for=[waits]), stand(2, absent=[1, 2], paused=True), stand(3, stage="over")],
    }


def listed(**changes: Any) -> Message:
    """An entry of the list."""
    return {
        "tournament": TOURNAMENT, "name": "Autumn cup", "stage": "registration", "round": 0, "rounds": 5,
        "entrants": 9, "admission": "open", "open": True, "directors": ["Ola", "Ewa"], "own": False,
    } | changes  # fmt: skip


LIST = [
    listed(),
    listed(tournament="tournament2", name="Quick one", stage="round", round=2, rounds=3, open=False, own=True),
    listed(tournament="tournament3", name="Among us", admission="invitation", stage="break", round=1),
    listed(tournament="tournament4", name="Old one", admission="approval", stage="over", round=5, directors=["Max"]),
]
"""The answer to `tournaments`, without its frame."""


def tournaments() -> Message:
    """The list."""
    return {"type": "tournaments", "id": 1, "tournaments": LIST}


HAPPENED: list[Message] = [
    {"event": "entered", "entrant": 2, "name": "Jan", "status": "in"},
    {"event": "entered", "entrant": 4, "name": "Max", "status": "waiting"},
    {"event": "entered", "entrant": 5, "name": "Zofia", "status": "in"},
    {"event": "admitted", "entrant": 4, "name": "Max"},
    {"event": "admitted", "entrant": 5, "name": "Zofia"},
    {"event": "withdrawn", "entrant": 3, "name": "Ewa"},
    {"event": "withdrawn", "entrant": 5, "name": "Zofia"},
    {"event": "moved", "entrant": 2, "name": "Jan"},
    {"event": "moved", "entrant": 5, "name": "Zofia"},
    {"event": "round_opened", "round": 2, "tables": 2},
    {"event": "seat_given", "table": 1, "seat": 3, "name": "Ewa"},
    {"event": "seat_given", "table": 1, "seat": 3, "name": None},
    {"event": "result", "round": 2, "table": 1, "kind": "played", "small": [14, -2, -2, -10]},
    {"event": "result", "round": 2, "table": 2, "kind": "paper", "small": [14, -2, -2, -10]},
    {"event": "result", "round": 2, "table": 2, "kind": "corrected", "small": [14, -2, -2, -10]},
    {"event": "result", "round": 2, "table": 2, "kind": "forfeit", "small": [0, 0, 0, 0]},
    *({"event": "decided"} | decision(number, kind, **what) for number, (kind, what) in enumerate(KINDS.items(), 1)),
    {"event": "decided"} | decision(21, "called", entrant=5, name="Zofia", text="To the desk, please"),
    {"event": "decided"} | decision(22, "penalty", entrant=5, name="Zofia", text="late"),
    {"event": "round_ended", "round": 2},
    {"event": "ended", "ending": "played"},
    {"event": "ended", "ending": "director"},
    {"event": "ended", "ending": "nobody_left"},
]
"""Each piece of news."""
