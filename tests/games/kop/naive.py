"""A second, deliberately naive writing of the rules of Kop, used by tests as an oracle.

It shares nothing with the product: cards are two-letter strings, everything is re-derived from lists each time, and
clarity goes before speed. Source: docs/rules/kop.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Said = tuple[int | None, str]
"""One utterance: seat and words, ``(0, 'ask')``, ``(2, 'double 1')``, ``(1, 'wesele JH')``, ``(None, 'time over')``."""

Hands = list[list[str]]

PACK = [rank + suit for suit in "CSHD" for rank in "ATQJ"]
POINTS = {"A": 11, "T": 10, "Q": 3, "J": 2}
TRUMPS = {
    "as_dycha": ["AH", "TH", "QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD"],
    "as_trzy_dychy": ["AH", "TC", "TS", "TH", "QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD"],
}
JACKS = ["JC", "JS", "JH", "JD"]
GAMES = ["wesele", "zolo", "zolo du"]


@dataclass
class Rules:
    """The fields in which the ways of playing differ, as far as they matter here; the defaults are ``klassisch``."""

    trumps: str = "as_dycha"
    void_duty: str = "any"
    names: int = 4
    wesele_self_kontra: bool = False
    cicha_first_kontra: bool = True
    wesele_when: str = "any"
    wesele_named_jack: bool = False
    asked_bars_zolo: bool = False
    passes_to_close: int | None = None  # None: open calling
    late_calls: bool = False
    cap_zolo: int | None = None
    cap_zolo_du: int | None = None
    cap_cicha: int | None = None
    cicha_top_cards: str = "allowed"
    cicha_dealer: str = "allowed"


# --- cards and tricks -------------------------------------------------------------------------------------------------


def points(cards: list[str]) -> int:
    """The eyes of some cards."""
    return sum(POINTS[card[0]] for card in cards)


def is_trump(card: str, rules: Rules) -> bool:
    """Whether a card is a trump."""
    return card in TRUMPS[rules.trumps]


def suit(card: str, rules: Rules) -> str:
    """The suit a card belongs to in play: 'trump', 'C' or 'S'."""
    return "trump" if is_trump(card, rules) else card[1]


def beats(card: str, other: str, rules: Rules) -> bool:
    """Whether ``card``, played later, takes the trick away from ``other``."""
    if suit(card, rules) != suit(other, rules):
        return is_trump(card, rules)
    if is_trump(card, rules):
        return TRUMPS[rules.trumps].index(card) < TRUMPS[rules.trumps].index(other)
    return card[0] == "A"


def trick_winner(trick: list[str], rules: Rules) -> int:
    """The place in the trick (0 is the lead) of the card that wins it, or is winning it so far."""
    best = 0
    for place in range(1, len(trick)):
        if beats(trick[place], trick[best], rules):
            best = place
    return best


def legal_cards(hand: list[str], trick: list[str], rules: Rules) -> list[str]:
    """The cards of ``hand`` that may be played on ``trick``, in the order of the hand."""
    if not trick:
        return list(hand)
    best = trick[trick_winner(trick, rules)]
    followers = [card for card in hand if suit(card, rules) == suit(trick[0], rules)]
    if followers:
        return [card for card in followers if beats(card, best, rules)] or followers
    if rules.void_duty == "any":
        return list(hand)
    trumps = [card for card in hand if is_trump(card, rules)]
    return [card for card in trumps if beats(card, best, rules)] or trumps or list(hand)


def replay(leader: int, plays: list[str], rules: Rules) -> list[dict[str, Any]]:
    """The tricks of a list of cards played: leader, cards, and once four cards lie, winner (a seat) and eyes."""
    tricks: list[dict[str, Any]] = []
    for start in range(0, len(plays), 4):
        cards = plays[start : start + 4]
        tricks.append({"leader": leader, "cards": cards})
        if len(cards) == 4:
            leader = (leader + trick_winner(cards, rules)) % 4
            tricks[-1].update(winner=leader, eyes=points(cards))
    return tricks


def turns(leader: int, plays: list[str], rules: Rules) -> list[tuple[int, str, list[str]]]:
    """Each play as seat, card, and the cards that lay in the trick before it."""
    return [
        ((trick["leader"] + place) % 4, card, trick["cards"][:place])
        for trick in replay(leader, plays, rules)
        for place, card in enumerate(trick["cards"])
    ]


def plays_are_legal(hands: Hands, leader: int, plays: list[str], rules: Rules) -> bool:
    """Whether each card was in the player's hand and legal there, from these hands as dealt."""
    left = [list(hand) for hand in hands]
    for seat, card, before in turns(leader, plays, rules):
        if card not in legal_cards(left[seat], before, rules):
            return False
        left[seat].remove(card)
    return True


def positions(hands: Hands, leader: int, rules: Rules) -> list[int]:
    """How many sequences of 0, 1, … 16 legal plays there are from these hands: a list of 17 counts."""
    counts = [0] * 17

    def walk(left: Hands, seat: int, trick: list[str], ply: int) -> None:
        counts[ply] += 1
        if len(trick) == 4:
            seat, trick = (seat + trick_winner(trick, rules)) % 4, []  # seat has come round to the leader again
        for card in legal_cards(left[seat], trick, rules):
            after = [[c for c in hand if c != card] for hand in left]
            walk(after, (seat + 1) % 4, [*trick, card], ply + 1)

    walk(hands, leader, [], 0)
    return counts


# --- calling ----------------------------------------------------------------------------------------------------------


@dataclass
class State:
    """The calls of one deal: who holds what, who leads, and all that was said, in order, opening leads included."""

    hands: Hands
    leader: int
    said: list[Said] = field(default_factory=list)
    rules: Rules = field(default_factory=Rules)


def game_of(words: str) -> str | None:
    """The game that some words call, if they call one."""
    return "wesele" if words.startswith("wesele") else words if words in GAMES else None


def standing(said: list[Said]) -> dict[str, Any]:
    """The game that stands (None if none), its caller, the jack named, and the seats that doubled since, in order."""
    result: dict[str, Any] = {"game": None, "caller": None, "jack": None, "doublings": []}
    for seat, words in said:
        if game_of(words):
            jack = words.split()[1] if words.startswith("wesele ") else None
            result = {"game": game_of(words), "caller": seat, "jack": jack, "doublings": []}
        elif words.startswith("double"):
            result["doublings"].append(seat)
    return result


def since_question(said: list[Said]) -> list[Said] | None:
    """What was said since the question that stands, or None if none stands: any call withdraws it."""
    tail: list[Said] | None = None
    for seat, words in said:
        if words == "ask":
            tail = []
        elif game_of(words) or words.startswith("double"):
            tail = None
        elif tail is not None:
            tail.append((seat, words))
    return tail


def may_lead(state: State) -> bool:
    """Whether the question was answered by all three others, or its time ran out."""
    tail = since_question(state.said)
    others = {seat for seat in range(4) if seat != state.leader}
    return tail is not None and ((None, "time over") in tail or others <= {s for s, words in tail if words == "go on"})


def may_double(state: State, seat: int) -> bool:
    """Whether a seat may give the next doubling, as far as that seat may know."""
    rules, now, hand = state.rules, standing(state.said), state.hands[seat]
    if len(now["doublings"]) >= rules.names:
        return False
    if now["doublings"]:
        return True
    if now["game"] is None:
        return rules.cicha_first_kontra or not ("QC" in hand and "QS" in hand)
    return seat != now["caller"] or (now["game"] == "wesele" and rules.wesele_self_kontra)


def legal_games(state: State, seat: int) -> list[str]:
    """The games a seat may call now, as words."""
    rules, hand = state.rules, state.hands[seat]
    game = standing(state.said)["game"]
    higher = GAMES if game is None else GAMES[GAMES.index(game) + 1 :]
    own = [words for who, words in state.said if who == seat]
    words: list[str] = []
    if "wesele" in higher and "QC" in hand and "QS" in hand and not (own and rules.wesele_when == "first_call"):
        words += [f"wesele {jack}" for jack in JACKS if jack not in hand] if rules.wesele_named_jack else ["wesele"]
    if not (rules.asked_bars_zolo and own[:1] == ["ask"]):
        words += [name for name in ("zolo", "zolo du") if name in higher]
    return words


def speaker(said: list[Said], leader: int, passes_to_close: int) -> int | None:
    """In turn: who calls or passes next; None when nobody does any more."""
    turn, passes, called = leader, 0, False
    for seat, words in said:
        if words in ("pass", "ask"):
            passes += 1
        elif game_of(words) or words.startswith("double"):
            passes, called = 0, True
        else:
            continue
        assert seat is not None
        turn = (seat + 1) % 4
    return None if passes >= (passes_to_close if called else 4) else turn


def after_lead(said: list[Said]) -> list[Said] | None:
    """What was said while the opening lead lies on the table; None if it does not lie there (any more)."""
    tail: list[Said] | None = None
    for seat, words in said:
        if words.startswith("play"):
            tail = []
        elif words.startswith("double"):
            tail = None  # the card is back in hand
        elif tail is not None:
            tail.append((seat, words))
    return tail


def late_words(state: State, seat: int | None, tail: list[Said]) -> list[str]:
    """Everything a seat, or the clock, may do while the opening lead lies; it has started a pause if one can double."""
    more = state.rules.late_calls and len(standing(state.said)["doublings"]) < state.rules.names
    over = (None, "time over") in tail or {s for s, _ in tail} >= {s for s in range(4) if s != state.leader} or not more
    if seat is None:
        return [] if over else ["time over"]
    words: list[str] = []
    if seat != state.leader and more:
        if (None, "time over") not in tail and (seat, "go on") not in tail:
            words.append("go on")
        if may_double(state, seat):
            words.append(f"double {len(standing(state.said)['doublings']) + 1}")
    if over and seat == (state.leader + 1) % 4:
        lead = next(words.removeprefix("play ") for _, words in reversed(state.said) if words.startswith("play"))
        words += [f"play {card}" for card in legal_cards(state.hands[seat], [lead], state.rules)]
    return words


def words_in_turn(state: State, seat: int | None) -> list[str]:
    """The same as `legal_words`, when each calls in turn."""
    rules = state.rules
    assert rules.passes_to_close is not None
    now = speaker(state.said, state.leader, rules.passes_to_close)
    if now is None:
        return [f"play {card}" for card in state.hands[seat]] if seat == state.leader else []
    if seat != now:
        return []
    words = ["pass" if state.said else "ask", *legal_games(state, seat)]
    return [*words, f"double {len(standing(state.said)['doublings']) + 1}"] if may_double(state, seat) else words


def legal_words(state: State, seat: int | None) -> list[str]:
    """Everything a seat may say now; for the clock (seat None), whether the answer time may run out now."""
    lead = after_lead(state.said)
    if lead is not None:
        return late_words(state, seat, lead)
    if state.rules.passes_to_close is not None:
        return words_in_turn(state, seat)
    tail = since_question(state.said)
    if seat is None:
        return ["time over"] if tail is not None and not may_lead(state) else []
    words = ["ask"] if seat == state.leader and tail is None else []
    if seat != state.leader and tail is not None and (seat, "go on") not in tail:
        words.append("go on")
    words += legal_games(state, seat)
    if may_double(state, seat):
        words.append(f"double {len(standing(state.said)['doublings']) + 1}")
    if seat == state.leader and may_lead(state):
        words += [f"play {card}" for card in state.hands[seat]]
    return words


# --- sides and scoring ------------------------------------------------------------------------------------------------


def sides(hands: Hands, game: str | None, caller: int | None, jack: str | None = None) -> tuple[str, set[int]]:
    """The kind of game ('ordinary', 'cicha', 'wesele', 'zolo', 'zolo du') and the Old, from the hands as dealt."""
    holder = {card: seat for seat in range(4) for card in hands[seat]}
    if game is None:
        old = {holder["QC"], holder["QS"]}
        return ("cicha" if len(old) == 1 else "ordinary"), old
    assert caller is not None
    if game == "wesele":
        wanted = jack or next(jack for jack in JACKS if jack not in hands[caller])
        return "wesele", {caller, holder[wanted]}
    return game, {caller}


def runs(doublings: list[int], old: set[int]) -> int:
    """How many doublings count: those that answer the other side, or are the first."""
    voices = [seat in old for seat in doublings]
    return sum(1 for n, voice in enumerate(voices) if n == 0 or voice != voices[n - 1])


def cicha_guard(hand: list[str], is_dealer: bool, rules: Rules) -> str:
    """How a cicha from this hand is scored: 'allowed', 'as_zolo' or 'no_doubling'."""
    if rules.trumps == "as_dycha":
        top = dealers = "AH" in hand and "TH" in hand
    else:
        top = "AH" in hand and "TC" in hand
        dealers = "AH" in hand and any(ten in hand for ten in ("TC", "TS", "TH"))
    verdicts = [rules.cicha_top_cards] if top else []
    verdicts += [rules.cicha_dealer] if dealers and is_dealer else []
    return next((verdict for verdict in ("as_zolo", "no_doubling") if verdict in verdicts), "allowed")


def score(
    hands: Hands,
    plays: list[str],
    doublings: list[int],
    game: str | None,
    caller: int | None,
    dealer: int,
    rules: Rules,
    jack: str | None = None,
) -> dict[str, Any]:
    """The result of a deal: ``hands`` as dealt, all 16 ``plays`` in order, the seats that doubled the standing game."""
    kind, old = sides(hands, game, caller, jack)
    tricks = replay((dealer + 1) % 4, plays, rules)
    old_eyes = sum(trick["eyes"] for trick in tricks if trick["winner"] in old)

    boki = old_eyes == 52 and kind != "zolo du"
    if kind == "zolo du":
        old_win = all(trick["winner"] in old for trick in tricks)
    elif boki:
        old_win = bool(doublings) and doublings[-1] not in old
    else:
        old_win = old_eyes >= 53
    loser_eyes = 104 - old_eyes if old_win else old_eyes
    margin = "boki" if boki else "exit" if loser_eyes >= 26 else "no_exit" if loser_eyes >= 1 else "no_trick"

    prices = {"zolo": (5, rules.cap_zolo), "zolo du": (10, rules.cap_zolo_du), "cicha": (4, rules.cap_cicha)}
    base, cap = prices.get(kind, ({"boki": 1, "exit": 1, "no_exit": 2, "no_trick": 3}[margin], None))
    if kind == "cicha":
        guard = cicha_guard(hands[min(old)], dealer in old, rules)
        if guard == "as_zolo":
            base, cap = prices["zolo"]
        if guard == "no_doubling":
            cap = 0
    counted = min(runs(doublings, old), len(doublings) if cap is None else cap)
    value = base * 2**counted

    wins = [(seat in old) == old_win for seat in range(4)]
    stakes = [3 if len(old) == 1 and seat in old else 1 for seat in range(4)]
    return {
        "kind": kind,
        "old": old,
        "old_eyes": old_eyes,
        "winner": "old" if old_win else "young",
        "margin": margin,
        "counted": counted,
        "base": base,
        "value": value,
        "points": [value if win else 0 for win in wins],
        "money": [value * stake if win else -value * stake for win, stake in zip(wins, stakes, strict=True)],
    }


# --- what a viewer may know of the sides ------------------------------------------------------------------------------


@dataclass
class History:
    """What all have seen and heard: who led first, all calls, all cards played, cards led and taken back."""

    leader: int
    said: list[Said] = field(default_factory=list)
    plays: list[str] = field(default_factory=list)
    shown: list[tuple[int, str]] = field(default_factory=list)


def history(leader: int, done: list[Said]) -> History:
    """The history of all that was said and done in a deal, in its order: a doubling behind the lead takes it back."""
    story = History(leader)
    for seat, words in done:
        if words.startswith("play "):
            story.plays.append(words.removeprefix("play "))
            continue
        if words.startswith("double") and story.plays:
            story.shown.append((leader, story.plays.pop()))
        story.said.append((seat, words))
    return story


def calls_agree(hands: Hands, said: list[Said], rules: Rules) -> bool:
    """Whether these hands allowed all that was said; only black queens and jacks matter."""
    for n, (seat, words) in enumerate(said):
        if seat is None:
            continue
        both = "QC" in hands[seat] and "QS" in hands[seat]
        named = words.removeprefix("wesele").strip()
        if words.startswith("wesele") and (not both or named in hands[seat]):
            return False
        if words == "double 1" and standing(said[:n])["game"] is None and both and not rules.cicha_first_kontra:
            return False
    return True


def possible_olds(history: History, viewer: int | None, own: list[str] | None, rules: Rules) -> set[frozenset[int]]:
    """Each set of seats that are the Old in some deal that agrees with the history and the viewer's hand as dealt."""
    plays = turns(history.leader, history.plays, rules)
    held: Hands = [[], [], [], []]
    for seat, card in [(s, c) for s, c, _ in plays] + history.shown + [(viewer, card) for card in own or []]:
        assert seat is not None
        if card not in held[seat]:
            held[seat].append(card)

    unseen = [card for card in PACK if all(card not in hand for hand in held)]
    room: dict[str, list[int]] = {}  # the seats where an unseen card may lie: there it was never the better answer
    for card in unseen:
        bad = [seat for seat, played, before in plays if played not in legal_cards([played, card], before, rules)]
        room[card] = [seat for seat in range(4) if seat not in bad]

    def fill(hands: Hands, cards: list[str]) -> Iterator[Hands]:
        """Every way to add these cards to these hands of at most four."""
        if not cards:
            yield hands
            return
        for seat in room[cards[0]]:
            if len(hands[seat]) < 4:
                yield from fill([[*h, cards[0]] if s == seat else h for s, h in enumerate(hands)], cards[1:])

    telling = [card for card in unseen if card in ("QC", "QS", *JACKS)]
    others = sorted((card for card in unseen if card not in telling), key=lambda card: len(room[card]))
    now = standing(history.said)
    found: set[frozenset[int]] = set()
    for part in fill(held, telling):  # the sides hang on the telling cards alone; for the rest one filling is enough
        if not calls_agree(part, history.said, rules):
            continue
        old = frozenset(sides(part, now["game"], now["caller"], now["jack"])[1])
        deals = fill(part, others)
        if old not in found and any(plays_are_legal(deal, history.leader, history.plays, rules) for deal in deals):
            found.add(old)
    return found


def known_sides(history: History, viewer: int | None, own_hand: list[str] | None, rules: Rules) -> list[str | None]:
    """Per seat 'old' or 'young' if it is so in every deal that agrees with what the viewer has seen, else None."""
    olds = possible_olds(history, viewer, own_hand, rules)
    assert olds, "no deal agrees with this history"
    answers = [{"old" if seat in old else "young" for old in olds} for seat in range(4)]
    return [min(answer) if len(answer) == 1 else None for answer in answers]
