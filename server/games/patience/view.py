"""What everybody may know of a match, built up and never stripped down; the player knows no more.

Cards that lie face down are counted and never named; nor is the number of a deal before its end, if the
player does not know it, since the number is the cards. That of a deal of the day is not named at all.
"""

from functools import lru_cache

from server.games.game import Plain, Stage
from server.games.patience.events import Line
from server.games.patience.layout import Patience, Position
from server.games.patience.match import Deal, Match
from server.games.patience.options import plain_options
from server.games.patience.zopf import PASSES, Zopf


def public(match: Match) -> Plain:
    """What everybody may know."""
    last = None if match.in_play is not None or not match.lines else plain_line(match.lines[-1])
    view: Plain = {
        "phase": _phase(match),
        "game": match.terms.game,
        "rules": dict(match.terms.variants),
        "no_undo": match.terms.no_undo,
        "auto_play": match.terms.auto_play,
        "number": plain_options(match.terms)["number"],
        "deal": match.offer.deal if match.offer is not None else len(match.lines),
        "finished": len(match.lines),
        "won": sum(line.won for line in match.lines),
        "last": last,
        "table": None if match.deal is None else _table(match, match.deal),
    }
    return view


def _phase(match: Match) -> str:
    match match.stage:
        case Stage.DEAL:
            return "play"
        case Stage.BETWEEN:
            return "ready"
        case Stage.OVER:
            return "over"


def _table(match: Match, deal: Deal) -> Plain:
    """The deal in play, or as it lay at its end."""
    rules, position = match.rules, deal.position
    closed = match.in_play is None
    return {
        "number": deal.origin.number if (deal.origin.known or closed) and not deal.origin.day else None,
        "known": deal.origin.known,
        "day": deal.origin.day or None,
        "helped": deal.helped,
        "piles": plain_piles(rules, position),
        "direction": direction(rules, position),
        "passes": position.passes,
        "passes_left": PASSES - position.passes if isinstance(rules, Zopf) else 0,
        "moves": deal.moves,
        "auto": deal.auto,
        "undos": deal.undos,
        "can_undo": deal.cursor if not match.terms.no_undo else 0,
        "can_redo": len(deal.steps) - deal.cursor,
        "won": rules.won(position),
        "stuck": not closed and is_stuck(rules, position),
        "started": deal.origin.at,
    }


@lru_cache(maxsize=1024)
def is_stuck(rules: Patience, position: Position) -> bool:
    """Whether the player can see that nothing leads further."""
    return rules.stuck(position)


def direction(rules: Patience, position: Position) -> str | None:
    """Where Zopf's foundations go, if it is decided."""
    if not isinstance(rules, Zopf):
        return None
    return {1: "up", -1: "down"}.get(position.direction)


def plain_piles(rules: Patience, position: Position) -> list[Plain]:
    """Every pile: its name and kind, how many cards lie face down, and the open cards above them."""
    piles: list[Plain] = []
    for pile, cards in zip(rules.piles, position.piles, strict=True):
        hidden = rules.hidden(position, pile)
        piles.append({"name": pile.name, "kind": pile.kind, "hidden": hidden, "cards": list(cards[hidden:])})
    return piles


def plain_line(line: Line) -> Plain:
    """A line of the sheet; without its number if it was a deal of the day."""
    return {
        "deal": line.deal,
        "number": None if line.day else line.number,
        "known": line.known,
        "day": line.day or None,
        "helped": line.helped,
        "counts": line.counts,
        "won": line.won,
        "out": line.out,
        "moves": line.moves,
        "auto": line.auto,
        "undos": line.undos,
        "millis": line.ended - line.started,
    }


def sheet(match: Match) -> Plain:
    """The sheet of the match: the ledger counts deals, and those that belong into statistics."""
    counted = [line for line in match.lines if line.counts]
    ledger = {
        "finished": len(match.lines),
        "won": sum(line.won for line in match.lines),
        "counted": len(counted),
        "counted_won": sum(line.won for line in counted),
    }
    return {"stake": "", "lines": [plain_line(line) for line in match.lines], "ledger": ledger}
