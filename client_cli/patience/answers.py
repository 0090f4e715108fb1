"""What the server answers about a patience: hints, the solver's verdict, results, rankings."""

from client_cli.clean import clean, clean_name, pad, pad_left
from client_cli.patience.layout import GAMES, Layout
from client_cli.patience.narrate import Teller, span
from client_cli.patience.options import variant_word
from client_cli.patience.sentences import Namer
from client_cli.style import Line, Look, dress
from client_cli.view import Message, View

_NAME = 26


class Answers:
    """Puts answers into words."""

    def __init__(self, namer: Namer, teller: Teller, look: Look) -> None:
        self._namer = namer
        self._texts = namer.texts
        self._teller = teller
        self._look = look

    def hint(self, answer: Message, view: View) -> list[Line]:
        """The move, and its reason."""
        layout, reason = Layout(view), str(answer["reason"])
        if answer["move"] is None:
            return [dress(self._texts("patience.no_move"), "warn")]
        about = layout.piles.get(str(answer.get("about") or ""))
        named = self._namer.pile(layout, about.name) if about else ""
        card = self._namer.card(about.top) if about else ""
        key = reason if reason in self._texts else "hint.to_foundation"
        why = self._texts(key, about=named, card=card)
        move = self._teller.step(str(answer["move"]), layout)
        return [dress(self._texts("patience.hint", move=move, why=why), "good")]

    def progress(self, answer: Message) -> list[Line]:
        """How far the solver is."""
        shown = {"positions": answer["positions"], "time": span(answer["millis"])}
        return [dress(self._texts("patience.progress", **shown), "dim")]

    def verdict(self, answer: Message) -> list[Line]:
        """Whether the position can be won."""
        verdict = str(answer["verdict"])
        key = verdict if verdict in ("winnable", "unwinnable") else "undecided"
        style = {"winnable": "good", "unwinnable": "warn"}.get(key, "")
        shown = {"positions": answer["positions"], "time": span(answer["millis"])}
        return [dress(self._texts(f"verdict.{key}", **shown), style)]

    def results(self, answer: Message) -> list[Line]:
        """Played, won, streaks and the best time, for each game and way of playing it."""
        texts = self._texts
        lines: list[Line] = [[("title", texts("results.title"))]]
        for group in answer["groups"]:
            played, won = int(group["played"]), int(group["won"])
            best = group["best_millis"]
            shown = {
                "game": self._game(group),
                "played": played,
                "won": won,
                "percent": round(100 * won / played) if played else 0,
                "streak": group["streak"],
                "best_streak": group["best_streak"],
                "best": span(best) if best is not None else "-",
                "undos": group["undos"],
            }
            lines.append(dress(texts("results.line", **shown)))
            if group["known_played"]:
                known = texts("results.known", won=group["known_won"], played=group["known_played"])
                lines.append(dress(f"  {known}", "dim"))
        if not answer["groups"]:
            lines.append(dress(texts("results.none")))
        return [*lines, dress(texts("results.counted"), "dim")]

    def _game(self, group: Message) -> str:
        game = str(group["game"])
        name = self._texts(f"game_name.{game}") if game in GAMES else clean(game, 24)
        words = [variant_word(self._texts, str(one)) for one in group["variants"]]
        return f"{name} ({', '.join(words)})" if words else name

    def ranking(self, answer: Message) -> list[Line]:
        """The ranking of a deal of the day."""
        texts, game = self._texts, str(answer["game"])
        name = texts(f"game_name.{game}") if game in GAMES else clean(game, 24)
        lines: list[Line] = [[("title", texts("ranking.title", game=name, day=clean(answer["day"], 10)))]]
        for one in answer["lines"]:
            place = int(one["place"])
            facts = {"name": clean_name(one["name"]), "moves": one["moves"], "time": span(one["millis"])}
            if self._look.rich:
                won = texts("ranking.won" if one["won"] else "ranking.lost")
                row = f"{place:>3}  {pad(facts['name'], _NAME)}{pad(won, 12)}{pad_left(facts['time'], 9)}"
                text = row + pad_left(texts("ranking.moves", moves=one["moves"]), 16)
            else:
                text = texts("ranking.line_won" if one["won"] else "ranking.line_lost", place=place, **facts)
            lines.append([("good" if one["won"] else "", text)])
        if not answer["lines"]:
            lines.append(dress(texts("ranking.none")))
        if answer.get("number"):
            shown = {"number": clean(answer["number"], 20), "secret": clean(answer.get("secret") or "-", 80)}
            lines.append(dress(texts("ranking.opened", **shown), "dim"))
        else:
            lines.append(dress(texts("ranking.closed"), "dim"))
        return lines
