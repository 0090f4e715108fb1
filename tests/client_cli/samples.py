"""Views of one table as a server sends them, for tests: build one with `view`, change parts by keyword."""

from typing import Any

from client_cli.view import View

NAMES = ("Ola", "Jan", "Ewa", "Max")
OPTIONS: dict[str, Any] = {"rules": "klassisch", "deals": 16, "answer_seconds": 15, "calling": "open"}
WOLSZTYN: dict[str, Any] = {
    "rules": "wolsztyn", "deals": 16, "answer_seconds": None, "stake": "0.10", "currency": "zł",
    "trumps": "as_trzy_dychy", "calling": "in_turn", "passes_to_close": 4, "doubling_names": "kontra,rej,bok,słup",
    "void_duty": "trump", "wesele_self_kontra": True, "cicha_first_kontra": False, "wesele_when": "any",
    "wesele_named_jack": False, "asked_bars_zolo": True, "late_calls": True, "cap_zolo": 2, "cap_zolo_du": None,
    "cap_cicha": 3, "cicha_top_cards": "as_zolo", "cicha_dealer": "no_doubling", "gathered": "last",
}  # fmt: skip
"""Of a table that differs from the named set in one field: `cap_zolo_du`."""
COMMITMENT = "5f78c33274e43fa9de5659265c1d917e25c03722dcb0b8d27db8d5feaa813953"  # of 32 bytes 0xDE 0xAD …


def sitters(names: tuple[str | None, ...] = NAMES, **bots: str) -> list[dict[str, Any] | None]:
    """Who sits there; `bots` has the strength of those that are bots, by name."""
    return [
        None if name is None else {"player": f"p{seat}", "name": name, "bot": bots.get(name)}
        for seat, name in enumerate(names)
    ]


def play(**changes: Any) -> dict[str, Any]:
    """`public.play` at the beginning of the calls of deal 3, dealer Ola, leader Jan."""
    plain: dict[str, Any] = {
        "phase": "calls",
        "deal": 3,
        "scored": 2,
        "deals": 16,
        "dealer": 0,
        "commitment": COMMITMENT,
        "rules": "klassisch",
        "house_rules": False,
        "trumps": "as_dycha",
        "calling": "open",
        "doubling_names": ["kontra", "re", "bok", "słup"],
        "stake": "0.10 zł",
        "opening": None,
        "said": [],
        "game": None,
        "caller": None,
        "jack": None,
        "question": False,
        "waved": [],
        "deadline": None,
        "turn": 1,
        "shown": [],
        "trick": [],
        "tricks": [],
        "taken": [0, 0, 0, 0],
        "eyes": [0, 0, 0, 0],
        "cards": [4, 4, 4, 4],
        "sides": [None, None, None, None],
        "doubling": {"factor": 1, "exact": True},
        "ledger": {"points": [2, 1, 0, 1], "money": ["0.10", "0.00", "-0.10", "0.00"]},
        "last": None,
    }
    return plain | changes


def own(seat: int = 0, **changes: Any) -> dict[str, Any]:
    """`own` of a seat with the hand A♥ Q♣ J♦ 10♠; `hand`, `sides`, `doubling` go into its `play`."""
    inner = {"hand": ["AH", "QC", "JD", "TS"], "sides": [None] * 4, "doubling": {"factor": 1, "exact": True}}
    inner |= {key: changes.pop(key) for key in tuple(changes) if key in inner}
    plain: dict[str, Any] = {"seat": seat, "code": "ABCDEFGHJKMN", "prompt": "q1", "actions": [], "play": inner}
    return plain | changes


def message(**changes: Any) -> dict[str, Any]:
    """A `table` message; `play`, `own`, `happened`, `version` … replace the defaults."""
    public: dict[str, Any] = {
        "game": "kop",
        "private": True,
        "stage": "deal",
        "match": 1,
        "owner": "p0",
        "tournament": None,
        "seats": sitters(),
        "ready": [False] * 4,
        "talk": "free",
        "on_absence": "vote",
        "absences": [],
        "pause": None,
        "clock": None,
        "play": play(),
    }
    public |= {key: changes.pop(key) for key in tuple(changes) if key in public}
    plain: dict[str, Any] = {
        "type": "table",
        "table": "t1",
        "from": 7,
        "version": 8,
        "resync": False,
        "happened": [],
        "here": [True] * 4,
        "watchers": 0,
        "public": public,
        "own": own(),
    }
    return plain | changes


def view(**changes: Any) -> View:
    """The same as a `View`."""
    return View(message(**changes))


def waiting() -> dict[str, Any]:
    """Before the first match: two seats free."""
    return message(
        stage="seating", match=0, play=None, seats=sitters(("Ola", "Jan", None, None)), here=[True, True, False, False],
        own=own(play=None),
    )  # fmt: skip


def doubled_calls() -> dict[str, Any]:
    """Calls: the question stands after a zolo with two doublings; the reader may go on or call."""
    said = [
        {"seat": 2, "say": "double 1"},
        {"seat": 3, "say": "zolo"},
        {"seat": 0, "say": "double 1"},
        {"seat": 3, "say": "double 2"},
        {"seat": 1, "say": "ask"},
        {"seat": 2, "say": "go on"},
    ]
    table = play(said=said, game="zolo", caller=3, question=True, waved=[2], deadline=1_000_012_000)
    table |= {"sides": ["young", "young", "young", "old"], "doubling": {"factor": 4, "exact": True}}
    sides = {"sides": table["sides"], "doubling": table["doubling"]}
    return message(play=table, own=own(actions=["go on", "zolo du", "double 3"], **sides))


def my_turn() -> dict[str, Any]:
    """Play: three cards lie, the reader must follow and beat."""
    trick = [{"seat": 1, "card": "JH"}, {"seat": 2, "card": "QD"}, {"seat": 3, "card": "AD"}]
    gathered = [
        {
            "cards": [{"seat": s, "card": c} for s, c in ((1, "AC"), (2, "TC"), (3, "JS"), (0, "JC"))],
            "winner": 0,
            "eyes": 25,
        }
    ]
    gathered[0]["winner"] = 0
    table = play(
        phase="play", turn=0, trick=trick, tricks=gathered, taken=[1, 0, 0, 0], eyes=[25, 0, 0, 0], cards=[3, 2, 2, 2],
        said=[{"seat": 1, "say": "double 1"}, {"seat": 1, "say": "ask"}], doubling={"factor": 2, "exact": False},
    )  # fmt: skip
    mine = own(
        hand=["AH", "QC", "TS"], actions=["play AH", "play QC"], sides=["old", None, None, None],
        doubling={"factor": 2, "exact": False},
    )  # fmt: skip
    return message(play=table, own=mine, here=[True, True, False, True])


def turn_play(**changes: Any) -> dict[str, Any]:
    """`public.play` at a table where all call in turn."""
    names = ["kontra", "rej", "bok", "słup"]
    return (
        play(
            rules="wolsztyn",
            house_rules=True,
            trumps="as_trzy_dychy",
            calling="in_turn",
            doubling_names=names,
            eyes=None,
        )
        | changes
    )


def first_words() -> dict[str, Any]:
    """Calls in turn: the reader leads and speaks first."""
    actions = ["ask", "zolo", "zolo du", "double 1"]
    return message(play=turn_play(dealer=3, turn=0), own=own(actions=actions))


def my_call() -> dict[str, Any]:
    """Calls in turn after a late doubling: the leader's card is back, all have seen it; the reader speaks."""
    said = [
        {"seat": 1, "say": "ask"},
        {"seat": 2, "say": "pass"},
        {"seat": 3, "say": "pass"},
        {"seat": 0, "say": "pass"},
        {"seat": 2, "say": "go on"},
        {"seat": 3, "say": "double 1"},
    ]
    table = turn_play(said=said, turn=0, shown=["TH"], doubling={"factor": 2, "exact": False})
    mine = own(actions=["pass", "double 2"], doubling={"factor": 2, "exact": False})
    return message(play=table, own=mine)


def late_calls() -> dict[str, Any]:
    """Only the opening lead lies; the reader may still double, or let it pass. A deal was annulled before."""
    said = [
        {"seat": 1, "say": "ask"},
        *({"seat": seat, "say": "pass"} for seat in (2, 3, 0)),
        {"seat": 2, "say": "go on"},
    ]
    table = turn_play(
        phase="play", deal=4, turn=2, said=said, waved=[2], deadline=1_000_001_500, trick=[{"seat": 1, "card": "TH"}],
        cards=[4, 3, 4, 4],
    )  # fmt: skip
    return message(play=table, own=own(actions=["go on", "double 1"]))


def opening() -> dict[str, Any]:
    """The seats open what they have committed to."""
    stand = {"commitments": ["ab" * 32, "", "cd" * 32, ""], "cut": 7, "opened": [0]}
    table = turn_play(phase="opening", opening=stand, turn=None, cards=[0, 0, 0, 0], deadline=1_000_003_000)
    return message(play=table, own=own(hand=[]))


def seat_empty() -> dict[str, Any]:
    """In a running deal Ewa's seat is empty; the table is the reader's."""
    return message(seats=sitters(("Ola", "Jan", None, "Max")), here=[True, True, False, True])


NOW = 1_000_000_000
"""The server's time when these views are looked at, in ms."""


def paused(**changes: Any) -> dict[str, Any]:
    """In the calls Jan, who owned the table then, has paused it; the reader owns it now. His clock stands."""
    standing = {"seat": 1, "at": NOW - 190_000, "anyone_from": NOW - 70_000, "director": False}
    clock = {"seconds": 20, "bank": [60_000] * 4, "due": [NOW - 190_000 + 65_000, None, None, None]}
    return message(play=play(question=True), pause=standing, clock=clock, own=own(actions=[]), **changes)


def paused_lately() -> dict[str, Any]:
    """The same a moment after the pause, for one who does not own the table."""
    standing = {"seat": 0, "at": NOW - 40_000, "anyone_from": NOW + 80_000, "director": False}
    return message(pause=standing, own=own(3, actions=[]))


def away(**changes: Any) -> dict[str, Any]:
    """Ewa is away and the others vote on it; for Max, who is away too, a bot plays. Jan is a bot."""
    votes = [{"seat": 3, "choice": "wait"}]
    gone = [
        {"seat": 2, "number": 5, "stand_in": False, "votes": votes},
        {"seat": 3, "number": 4, "stand_in": True, "votes": None},
    ]
    return message(absences=gone, seats=sitters(Jan="hard"), here=[True, True, False, False]) | changes


def voted() -> dict[str, Any]:
    """Ewa is away, and the reader has voted for a bot."""
    votes = [{"seat": 0, "choice": "bot"}]
    gone = [{"seat": 2, "number": 5, "stand_in": False, "votes": votes}]
    return message(absences=gone, here=[True, True, False, True])


def clocked() -> dict[str, Any]:
    """The reader's turn, with a clock and a bank; Max is away and has the clock's rule; Jan is a program."""
    clock = {"seconds": 20, "bank": [60_000, 0, 0, 12_300], "due": [NOW + 71_000, None, None, NOW + 12_300]}
    gone = [{"seat": 3, "number": 1, "stand_in": False, "votes": None}]
    whole = my_turn()
    public = {"clock": clock, "absences": gone, "seats": sitters(Jan="program"), "owner": "p1", "talk": "phrases"}
    public["on_absence"] = "clock"
    return whole | {"public": whole["public"] | public, "here": [True, True, True, False]}


def line(deal: int = 3, **changes: Any) -> dict[str, Any]:
    """A line of the sheet: an ordinary game that the Young won with one doubling."""
    plain: dict[str, Any] = {
        "deal": deal,
        "dealer": 0,
        "game": "ordinary",
        "caller": None,
        "old": [0, 3],
        "old_eyes": 52,
        "won": "young",
        "margin": "boki",
        "doublings": [1],
        "counted": 1,
        "base": 1,
        "value": 2,
        "points": [0, 2, 2, 0],
        "money": [-2, 2, 2, -2],
    }
    return plain | changes


def alone(deal: int = 4) -> dict[str, Any]:
    """A zolo du that was lost against four doublings."""
    return line(
        deal, game="zolo_du", caller=2, old=[2], old_eyes=40, margin="exit", doublings=[0, 2, 0, 2], counted=4, base=10,
        value=160, points=[160, 160, 0, 160], money=[160, 160, -480, 160],
    )  # fmt: skip


def sheet() -> dict[str, Any]:
    """A sheet of three deals; at the first one somebody else sat at Max's place."""
    return {
        "type": "sheet",
        "id": 9,
        "table": "t1",
        "match": 1,
        "stake": "0.10 zł",
        "options": OPTIONS,
        "lines": [
            {
                "names": ["Ola", "Jan", "Ewa", "Bartłomiej"],
                "bots": [False] * 4,
                "line": line(1, game="cicha", old=[1], old_eyes=90, won="old"),
            },
            {"names": list(NAMES), "bots": [False, False, False, True], "line": line(2)},
            {"names": list(NAMES), "bots": [False, False, False, True], "line": alone(3)},
        ],
        "ledger": {"points": [160, 162, 4, 160], "money": ["15.60", "16.20", "-47.60", "15.80"]},
        "debts": [
            debt(NAMES[2], NAMES[1], "16.20"),
            debt(NAMES[2], NAMES[3], "15.80"),
            debt(NAMES[2], NAMES[0], "15.60"),
        ],
    }


def debt(debtor: str, creditor: str, amount: str, **changes: Any) -> dict[str, Any]:
    """That one owes another so much; both are persons."""
    plain = {"debtor": debtor, "creditor": creditor, "amount": amount, "debtor_bot": False, "creditor_bot": False}
    return plain | {"debtor_player": "p0", "creditor_player": "p1"} | changes
