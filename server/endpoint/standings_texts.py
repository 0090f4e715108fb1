"""The words of the page of standings, in the three languages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from server.tournament.standings import LineKind

Language = Literal["de", "pl", "en"]


@dataclass(frozen=True, slots=True)
class Texts:
    """One language's words; `order` and `cell` are whole sentences, `met` is one too."""

    standings: str
    teams: str
    rounds: str
    round: str
    round_short: str
    apart: str
    cross: str
    meetings: str
    contents: str
    rank: str
    player: str
    team: str
    members: str
    big: str
    small: str
    won: str
    won_short: str
    seconds: str
    seconds_short: str
    table: str
    table_short: str
    place: str
    what: str
    total: str
    bot: str
    in_play: str
    incomplete: str
    nobody: str
    order: str
    cell: str
    met: str
    kinds: Mapping[LineKind, str]


TEXTS: Final[dict[Language, Texts]] = {
    "de": Texts(
        standings="Rangliste",
        teams="Mannschaften",
        rounds="Runden",
        round="Runde",
        round_short="R",
        apart="Freilose, kampflose Runden und Strafen",
        cross="Kreuztabelle",
        meetings="Begegnungen",
        contents="Inhalt",
        rank="Rang",
        player="Name",
        team="Mannschaft",
        members="Mitglieder",
        big="Große",
        small="Kleine",
        won="Gewonnene Runden",
        won_short="1.",
        seconds="Zweite Plätze",
        seconds_short="2.",
        table="Tisch",
        table_short="T",
        place="Platz",
        what="Was",
        total="Summe",
        bot="Bot",
        in_play="läuft",
        incomplete="unvollständig",
        nobody="Es hat noch niemand gespielt.",
        order=(
            "Es entscheiden große Punkte, kleine Punkte, gewonnene Runden (1.), zweite Plätze (2.). "
            "Ein geteilter erster Platz ist eine gewonnene Runde."
        ),
        cell="Je Runde: große Punkte, kleine Punkte, Tisch. Die Summen enthalten auch Strafen.",
        met="Wie oft zwei an einem Tisch saßen. Die Spalten haben die Nummern der Zeilen.",
        kinds={
            LineKind.PLAYED: "gespielt",
            LineKind.BYE: "Freilos",
            LineKind.MISSED: "fehlte",
            LineKind.FORFEIT: "Aufgabe",
            LineKind.AWARDED: "kampflos",
            LineKind.PENALTY: "Strafe",
        },
    ),
    "pl": Texts(
        standings="Klasyfikacja",
        teams="Drużyny",
        rounds="Rundy",
        round="Runda",
        round_short="R",
        apart="Pauzy, walkowery i kary",
        cross="Tabela krzyżowa",
        meetings="Spotkania",
        contents="Spis treści",
        rank="Lp.",
        player="Zawodnik",
        team="Drużyna",
        members="Skład",
        big="Duże",
        small="Małe",
        won="Wygrane rundy",
        won_short="1.",
        seconds="Drugie miejsca",
        seconds_short="2.",
        table="Stół",
        table_short="S",
        place="Miejsce",
        what="Co",
        total="Suma",
        bot="Bot",
        in_play="w grze",
        incomplete="niepełna",
        nobody="Nikt jeszcze nie grał.",
        order=(
            "Decydują duże punkty, małe punkty, wygrane rundy (1.), drugie miejsca (2.). "
            "Podzielone pierwsze miejsce to wygrana runda."
        ),
        cell="W każdej rundzie: duże punkty, małe punkty, stół. Sumy obejmują także kary.",
        met="Ile razy dwoje graczy siedziało przy jednym stole. Kolumny mają numery wierszy.",
        kinds={
            LineKind.PLAYED: "rozegrana",
            LineKind.BYE: "pauza",
            LineKind.MISSED: "absencja",
            LineKind.FORFEIT: "walkower",
            LineKind.AWARDED: "za walkower",
            LineKind.PENALTY: "kara",
        },
    ),
    "en": Texts(
        standings="Standings",
        teams="Teams",
        rounds="Rounds",
        round="Round",
        round_short="R",
        apart="Byes, forfeits and penalties",
        cross="Cross table",
        meetings="Meetings",
        contents="Contents",
        rank="Rank",
        player="Player",
        team="Team",
        members="Members",
        big="Big",
        small="Small",
        won="Rounds won",
        won_short="1st",
        seconds="Second places",
        seconds_short="2nd",
        table="Table",
        table_short="T",
        place="Place",
        what="What",
        total="Total",
        bot="Bot",
        in_play="in play",
        incomplete="incomplete",
        nobody="Nobody has played yet.",
        order=(
            "Order: big points, small points, rounds won (1st), second places (2nd). "
            "A shared first place is a round won."
        ),
        cell="In each round: big points, small points, table. The totals include penalties.",
        met="How often two have sat at one table. Columns have the numbers of the rows.",
        kinds={
            LineKind.PLAYED: "played",
            LineKind.BYE: "bye",
            LineKind.MISSED: "missed",
            LineKind.FORFEIT: "forfeit",
            LineKind.AWARDED: "awarded",
            LineKind.PENALTY: "penalty",
        },
    ),
}
