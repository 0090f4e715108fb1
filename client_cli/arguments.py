"""The command line of `kop`."""

import argparse
import re
from collections.abc import Callable
from typing import Final

from client_cli.catalogue import LANGUAGES
from client_cli.patience.layout import GAMES

_STAKE: Final = re.compile(r"[0-9]{1,6}([.,][0-9]{1,4})?")
_CLOCK: Final = re.compile(r"([0-9]{1,3})(?:\+([0-9]{1,4}))?")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,19}", re.ASCII)
_COMMANDS: Final = {
    "create": "open a table",
    "join": "sit down at a table",
    "watch": "watch a table",
    "list": "show the public tables",
    "bot": "let simple bots play",
    "rules": "show the named rule sets, or explain a field of them",
    "how": "how Kop, or a patience, is played, on a page",
    "carpet": "play Carpet, a quick patience with one pack",
    "zopf": "play Zopf (Braid), a patience with two packs",
    "burgvoegtin": "play Burgvögtin (La Châtelaine), a patience with two packs",
    "archway": "play Archway, the modern descendant of Burgvögtin",
    "tournament": "tournaments of the server: take part, watch, direct; `kop tournament help` shows how",
    "evening": "print or export the sheet of all matches of your table",
    "record": "look at finished deals, and check that nobody chose their cards",
}
_RECORD: Final = {
    "list": "your newest records",
    "show": "hands, calls, tricks, result",
    "replay": "act by act through the rules; fails if the result differs",
    "export": "write the record to a new file",
    "share": "make a code under which anybody may read the record",
    "explain": "what each card was worth, all hands open; asks a server",
    "verify": "whether nobody chose the cards; 1 if something is not in order",
}
_TARGET: Final = ("what a friend sent you, or a table's id", "a table's code, link or id; new: the bots open one")


class _Range:
    """A number between bounds, or one word that stands for none."""

    def __init__(self, least: int, most: int, none: str = "") -> None:
        self._least, self._most, self._none = least, most, none

    def __call__(self, text: str) -> int | None:
        if self._none and text == self._none:
            return None
        if not text.isdecimal() or len(text) > 9 or not self._least <= int(text) <= self._most:
            also = f" or {self._none}" if self._none else ""
            raise argparse.ArgumentTypeError(f"must be {self._least} to {self._most}{also}")
        return int(text)


def _stake(text: str) -> str:
    if not _STAKE.fullmatch(text):
        raise argparse.ArgumentTypeError("must be an amount like 0.10")
    return text.replace(",", ".")


def _clock(text: str) -> dict[str, int | None]:
    """Seconds for each decision, and behind a plus sign those of the bank; `none` for no clock."""
    found = _CLOCK.fullmatch(text)
    if text == "none":
        return {"clock_seconds": None, "clock_bank": 0}
    if found is None or not 3 <= int(found[1]) <= 600 or not 0 <= int(found[2] or 0) <= 3600:
        raise argparse.ArgumentTypeError("must be 3 to 600 seconds, +0 to +3600 for a bank, or none")
    return {"clock_seconds": int(found[1]), "clock_bank": int(found[2] or 0)}


def _deal_number(text: str) -> str:
    if not _NUMBER.fullmatch(text):
        raise argparse.ArgumentTypeError("must be a number of 1 to 20 digits")
    return text


def _delay(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 60:
        raise argparse.ArgumentTypeError("must be 0 to 60 seconds")
    return seconds


def make_parser() -> argparse.ArgumentParser:
    """The parser; every subcommand also takes the options about the server and the player."""
    parser = argparse.ArgumentParser(
        prog="kop", description="Kop at an online table. Without a command it takes you back to your tables."
    )
    _common(parser, top=True)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    parsers = {name: commands.add_parser(name, help=text, description=text) for name, text in _COMMANDS.items()}
    for name, subparser in parsers.items():
        _common(subparser, top=False)
        if name in ("join", "watch", "bot"):
            number = "?" if name == "bot" else None
            subparser.add_argument("target", nargs=number, metavar="CODE|LINK|TABLE", help=_TARGET[name == "bot"])
    parsers["join"].add_argument("--seat", type=_Range(1, 16), metavar="N", help="the seat you want, from 1")
    parsers["create"].add_argument("--public", action="store_true", help="anybody may join and watch")
    parsers["create"].add_argument(
        "--bots", type=_Range(0, 3), default=0, metavar="N", help="let bots of the server take seats"
    )
    parsers["create"].add_argument(
        "--strength", choices=("easy", "medium", "hard"), default="hard", help="how well these bots play (hard)"
    )
    parsers["create"].add_argument(
        "--reachable-as", action="append", default=[], metavar="URL", help="the server's address in links for others"
    )
    parsers["create"].add_argument("--own-server", action="store_true", help=argparse.SUPPRESS)  # of kop-server play
    parsers["create"].add_argument("--game", choices=("kop", *GAMES), default="kop", help="what is played (kop)")
    _table_options(parsers["create"])
    for game in GAMES:
        parsers[game].add_argument("--public", action="store_true", help="anybody may watch")
        _settings(parsers[game])
    for name in ("create", *GAMES):
        parsers[name].add_argument("--number", type=_deal_number, metavar="N", help="patience: deal this number first")
    parsers["how"].add_argument("game", nargs="?", choices=("kop", *GAMES), default="kop", help="the game (kop)")
    _table_options(parsers["bot"])
    _bot(parsers["bot"])
    parsers["rules"].add_argument("field", nargs="?", metavar="FIELD|SET", help="a field, or a named set")
    _evening(parsers["evening"])
    _records(parsers["record"])
    _tournament(parsers["tournament"])
    return parser


def _common(parser: argparse.ArgumentParser, *, top: bool) -> None:
    """Options that may stand before or after the subcommand; the latter leave the former alone when absent."""

    def default(value: object) -> object:
        return value if top else argparse.SUPPRESS

    parser.add_argument(
        "--server", metavar="URL", default=default(None), help="host:port or http(s)://host:port; saved"
    )
    parser.add_argument("--name", default=default(None), help="your name at the table; saved")
    parser.add_argument("--profile", metavar="NAME", default=default("default"), help="another player on this machine")
    parser.add_argument("--lang", choices=LANGUAGES, default=default(None), help="language; saved")
    parser.add_argument("--plain", action="store_true", default=default(False), help="lines of text only")
    parser.add_argument(
        "--four-colour", action=argparse.BooleanOptionalAction, default=default(None), help="a colour per suit; saved"
    )
    parser.add_argument(
        "--until-over",
        action="store_true",
        default=default(False),
        help="stay until the match is over, also without input",
    )


def _table_options(parser: argparse.ArgumentParser) -> None:
    """The options of a table that is opened; what is not given is left to the rule set, and to the server."""

    def option(name: str, metavar: str, text: str, kind: Callable[[str], object] = str) -> None:
        parser.add_argument(name, type=kind, default=argparse.SUPPRESS, metavar=metavar, help=text)

    option("--rules", "NAME", "the rule set to start from (klassisch); `kop rules` shows them")
    option("--deals", "N|open", "a multiple of four (16), or no fixed number", _Range(4, 400, "open"))
    option("--answer-seconds", "N|none", "open calls: time to answer the question (15)", _Range(1, 600, "none"))
    option("--stake", "AMOUNT", "what a value of 1 is worth (1)", _stake)
    option("--currency", "WORD", "the word behind amounts (pts)")
    option("--on-absence", "RULE", "who is away: wait, bot, vote (usual) or clock")
    option("--clock", "SECONDS[+BANK]", "time for each decision, and a bank for the match (none)", _clock)
    option("--talk", "RULE", "what may be said: free (usual), phrases or off")
    _settings(parser)


def _settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change a field; `kop rules FIELD` explains it",
    )


def _tournament(parser: argparse.ArgumentParser) -> None:
    words = "list (without words), watch N|LINK, enter N|LINK, create NAME PRESET …, help"
    parser.add_argument("line", nargs="*", metavar="WORDS", help=words)


def _evening(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", nargs="?", metavar="TABLE", help="its id, code or link; else where you sit")
    parser.add_argument("--format", choices=("text", "csv", "json"), default="text", help="what is printed (text)")


def _records(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="what", metavar="ACTION", required=True)
    for name, text in _RECORD.items():
        action = actions.add_parser(name, help=text, description=text)
        _common(action, top=False)
        action.set_defaults(records=[])
        if name == "verify":
            action.add_argument("records", nargs="+", metavar="ID|CODE|FILE", help="one record or several")
        elif name != "list":
            metavar = "ID" if name == "share" else "ID|CODE|FILE"
            action.add_argument("records", nargs=1, metavar=metavar, help="a record's name, a code, or a file")
        if name == "export":
            action.add_argument("file", nargs="?", metavar="FILE", help="the new file (ID.json)")


def _bot(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tournament", metavar="ID|LINK", help="enter this tournament, instead of a table")
    parser.add_argument("--count", type=_Range(1, 2000), default=1, metavar="N", help="how many bots")
    parser.add_argument("--delay", type=_delay, default=0.7, metavar="SECONDS", help="thinking time (0.7)")
    parser.add_argument("--seed", type=int, help="with the same seed the bots decide the same way")
    parser.add_argument("--sheet", action="store_true", help="show each deal and, with --until-over, the score sheet")
