"""`kop-server`: runs a server, alone or with a table to play at, a demonstration, or the solvers of the patiences."""

import argparse
import asyncio
import dataclasses
import os
import sys
from pathlib import Path

from server import logs, show, solving
from server.configuration import BadSetting, Configuration, from_environment, port
from server.running import serve, until_signalled
from server.solving import BadRequest
from server.store.binary import NoServerProgram
from server.store.data_directory import DataDirectoryInUse
from server.store.embedded import EmbeddedFailed
from server.supervising import supervise

MOST_PROCESSES = 64


def main(arguments: list[str] | None = None) -> int:
    """The command; its exit code is 0, 1 for what failed with a line that says so, 2 for bad usage."""
    options = _parser().parse_args(arguments)
    try:
        configuration = _configured(from_environment(os.environ), options)
        logs.set_up(configuration.log_level)
        match options.command:
            case "serve":
                several = options.processes > 1
                serving = supervise(configuration, options.processes) if several else serve(configuration)
                asyncio.run(until_signalled(serving))
                return 0
            case "play":
                return show.play(
                    configuration, lan=options.lan, name=options.name, lang=options.lang, bots=options.bots
                )
            case "solve":
                return solving.solve(
                    options.game, options.variant, options.deals, options.seconds, as_json=options.json
                )
            case "demo-tournament":
                from server.demonstrating import demo_tournament  # with the client, which a server does not need

                return demo_tournament(configuration)
            case _:
                return show.demo()
    except (BadSetting, BadRequest, NoServerProgram, DataDirectoryInUse, EmbeddedFailed, OSError) as fault:
        print(f"kop-server: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kop-server", description="The server of Kop online.")
    commands = parser.add_subparsers(dest="command", required=True)
    serving = commands.add_parser("serve", help="run a server")
    serving.add_argument("--host", help="address to listen on (127.0.0.1)")
    serving.add_argument("--processes", type=_number, default=1, help="so many processes share the port (1)")
    playing = commands.add_parser("play", help="run a server and play at a table with bots")
    playing.add_argument("--lan", action="store_true", help="let friends in the same network join")
    playing.add_argument("--name", help="your name at the table")
    playing.add_argument("--lang", choices=("de", "en", "pl"), help="your language")
    playing.add_argument("--bots", type=int, choices=range(4), default=3, help="how many bots sit down (3)")
    for one in (serving, playing):
        one.add_argument("--port", help="port to listen on (5670; 0 takes a free one)")
        one.add_argument("--data-dir", type=Path, help="folder of the embedded store")
    commands.add_parser("demo", help="four bots play a match of 16 deals over real sockets")
    commands.add_parser(
        "demo-tournament", help="22 bots play a tournament on two server processes; checked by a replay"
    )
    solver = commands.add_parser("solve", help="say of numbered deals of a patience whether they can be won")
    solver.add_argument("game", choices=solving.GAMES)
    solver.add_argument(
        "--variant", nargs="+", action="extend", default=[], metavar="NAME", help="a variant; no_NAME: without it"
    )
    solver.add_argument("--deals", required=True, metavar="A-B", help="the numbers, or one number")
    solver.add_argument("--seconds", type=float, default=1.0, help="at most about so long for each deal (1.0)")
    solver.add_argument("--json", action="store_true", help="one JSON object a line, else columns")
    return parser


def _number(text: str) -> int:
    """A number of processes, 1 to 64."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_PROCESSES:
        raise argparse.ArgumentTypeError(f"must be 1 to {MOST_PROCESSES}, not {text!r}")
    return int(text)


def _configured(configuration: Configuration, options: argparse.Namespace) -> Configuration:
    given = {name: getattr(options, name, None) for name in ("host", "port", "data_dir")}
    if given["port"] is not None:
        given["port"] = port("--port", given["port"])
    return dataclasses.replace(configuration, **{name: value for name, value in given.items() if value is not None})


if __name__ == "__main__":
    sys.exit(main())
