"""`kop`: the composition root of the terminal client. Exit codes: 0 done, 1 refused or failed, 2 wrong usage."""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from random import Random
from typing import Final

from client_cli.address import DEFAULT_SERVER, BadAddress, Server, Target, parse_server, parse_target
from client_cli.arguments import make_parser
from client_cli.automatic import Automatic
from client_cli.board import Board
from client_cli.bot_command import play_bots
from client_cli.catalogue import Catalogue, choose_language, load
from client_cli.clean import clean
from client_cli.connection import Connection
from client_cli.console import PlainConsole, can_draw, choose_console
from client_cli.contributor import Contributor
from client_cli.evening_errand import run_evening
from client_cli.home import BadProfile, Profile, Saved, folder
from client_cli.howto import howto
from client_cli.kept import KeptFile
from client_cli.opening import Opening, hints
from client_cli.options import HOUSE_OPTIONS, MATCH_OPTIONS, OPTIONS, BadOption, parse_setting, parse_value
from client_cli.patience.layout import GAMES
from client_cli.patience.options import options_of
from client_cli.presence import Identity
from client_cli.rules_command import tell_rules
from client_cli.running import FAILED, OK, USAGE, run
from client_cli.session import Session
from client_cli.style import Look, can_show, dress
from client_cli.visit import visit

_PAGE: Final = re.compile(r"/tournament/(?=tournament)")
"""In the address of a tournament's page: what makes it a link to the tournament."""


class Usage(Exception):
    """The command line makes no sense; the text says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `kop` and gives its exit code."""
    given = make_parser().parse_args(arguments)
    try:
        profile = Profile(folder(os.environ), given.profile)
    except BadProfile:
        texts = load(choose_language(given.lang, None, os.environ))
        return _usage(texts("start.bad_profile", text=clean(given.profile, 40)))
    saved = profile.load()
    texts = load(choose_language(given.lang, saved.language, os.environ))
    try:
        return _run(given, profile, saved, texts)
    except (Usage, BadOption) as fault:
        return _usage(str(fault))
    except KeyboardInterrupt:
        return OK
    except OSError as fault:
        print(texts("start.no_file", why=clean(fault)), file=sys.stderr)
        return FAILED


def _usage(text: str) -> int:
    print(f"kop: {text}", file=sys.stderr)
    return USAGE


def _run(given: argparse.Namespace, profile: Profile, saved: Saved, texts: Catalogue) -> int:
    _save_settings(given, profile)
    if given.command == "rules":
        tell_rules(given.field, texts, PlainConsole().show)
        return OK
    if given.command == "how":
        PlainConsole().show([dress(line) for line in howto(texts.language, given.game)])
        return OK
    target = _target(given, texts)
    server = _server(given, saved, target, texts)
    if given.command == "bot":
        return play_bots(given, server, target, {"options": _options(given, texts)}, texts)
    if given.command == "record":
        return _records(given, profile, saved, server, texts)
    if given.command == "evening":
        return run_evening(given, target, saved, server, Board(texts, PlainConsole().look))
    four_colour = saved.four_colour if given.four_colour is None else given.four_colour
    console = choose_console(forced_plain=given.plain, four_colour=four_colour, environ=os.environ)
    board = Board(texts, console.look)
    token = saved.tokens.get(server.base)
    opening = _opening(given, target, texts)
    part = Contributor(KeptFile(profile.path.parent, given.profile, server.base))
    keep = token is not None or opening.kind != "list"
    session = Session(console, board, profile, Automatic(dict(saved.auto)), part, keep=keep)
    session.until_over = given.until_over
    if opening.kind == "resume" and token is None:
        hints(session)
        return OK
    name = given.name or saved.name or ("guest" if opening.kind == "list" else _ask_name(texts, needed=token is None))
    identity = Identity(name, token, rename=given.name is not None)
    session.connection = Connection(server, identity, session, rng=Random(), patient=False)  # noqa: S311 (jitter)
    return run(visit(session, opening, console), server, board, console)


def _save_settings(given: argparse.Namespace, profile: Profile) -> None:
    settings = {"language": given.lang, "four_colour": given.four_colour}
    changed = {key: value for key, value in settings.items() if value is not None}
    if changed:
        profile.change(**changed)


def _target(given: argparse.Namespace, texts: Catalogue) -> Target | None:
    text = getattr(given, "target", None)
    if given.command == "tournament":
        text = next((_PAGE.sub("/#", word) for word in given.line if "://" in word), None)
    if given.command == "bot":
        if (text is None) == (given.tournament is None):
            raise Usage(texts("start.bot_where"))
        if text == "new":
            return None
        text = text or _PAGE.sub("/#", given.tournament)
    try:
        return None if text is None else parse_target(text)
    except BadAddress:
        raise Usage(texts("start.bad_target", text=clean(text, 60))) from None


def _server(given: argparse.Namespace, saved: Saved, target: Target | None, texts: Catalogue) -> Server:
    """The server of the link, else the one given, else that of the environment, else the saved one."""
    if target is not None and target.server is not None:
        return target.server
    return _parse_server(given.server or os.environ.get("KOP_SERVER") or saved.server or DEFAULT_SERVER, texts)


def _parse_server(text: str, texts: Catalogue) -> Server:
    try:
        return parse_server(text)
    except BadAddress:
        raise Usage(texts("start.bad_server", text=clean(text, 60))) from None


def _records(given: argparse.Namespace, profile: Profile, saved: Saved, server: Server, texts: Catalogue) -> int:
    from client_cli.record_errand import run_records  # with the rules, which nobody needs who plays online

    look = PlainConsole().look
    if can_draw(forced_plain=given.plain, environ=os.environ):
        look = Look(unicode=can_show(sys.stdout.encoding), rich=True)
    return run_records(given, profile, saved, server, Board(texts, look))


def _options(given: argparse.Namespace, texts: Catalogue) -> dict[str, object]:
    """What was given for a new table; a setting that comes later counts."""
    options: dict[str, object] = {
        option.name: getattr(given, option.name) for option in MATCH_OPTIONS if option.name in given
    }
    options |= getattr(given, "clock", {})
    options |= {
        option.name: parse_value(texts, option, getattr(given, option.name))
        for option in HOUSE_OPTIONS
        if option.name in given
    }
    game = given.command if given.command in GAMES else getattr(given, "game", "kop")
    known = options_of(game) if game in GAMES else OPTIONS
    options |= dict(parse_setting(texts, setting, known) for setting in given.set)
    return options | ({"number": given.number} if getattr(given, "number", None) else {})


def _opening(given: argparse.Namespace, target: Target | None, texts: Catalogue) -> Opening:
    readings = target.readings if target else ()
    game = given.command if given.command in GAMES else getattr(given, "game", "kop")
    if game in GAMES and given.command in (game, "create"):
        return Opening("patience", game=game, public=given.public, options=_options(given, texts))
    match given.command:
        case "create":
            reachable_as = tuple(_parse_server(text, texts) for text in given.reachable_as)
            return Opening(
                "create",
                public=given.public,
                options=_options(given, texts),
                bots=given.bots,
                strength=given.strength,
                reachable_as=reachable_as,
                own_server=given.own_server,
            )
        case "join":
            return Opening("join", readings, seat=None if given.seat is None else given.seat - 1)
        case "watch":
            return Opening("watch", readings)
        case "list":
            return Opening("list")
        case "tournament":
            return Opening("tournament", line=_line(given.line))
    return Opening("resume")


def _line(words: Sequence[str]) -> str:
    """What was given for tournaments, as one would type it: a word with blanks in it in quotes."""
    said = " ".join(f'"{word}"' if " " in word else word for word in words)
    return f"tournament {said or 'list'}"


def _ask_name(texts: Catalogue, *, needed: bool) -> str | None:
    if not needed:
        return None
    if sys.stdin.isatty():
        try:
            if name := input(texts("start.name")).strip():
                return name
        except EOFError:
            pass
    raise Usage(texts("start.no_name"))


if __name__ == "__main__":
    sys.exit(main())
