"""The cross table."""

from server.tournament.cross_table import CrossCell, cross_table
from server.tournament.standings import LineKind
from tests.tournament.samples import account, line, played

NAMES = ("Anna", "Bogdan", "Celina", "Dawid", "Ewa", "Filip", "Gosia", "Hubert")


def test_rows_stand_in_order_with_each_round_and_all_opponents() -> None:
    """A cell has the table, what was won there, and the others from the left neighbour on."""
    accounts, placings = played(
        NAMES,
        [
            [((1, 2, 3, 4), (9, 1, 1, -11)), ((5, 6, 7, 8), (-3, -3, -3, 9))],
            [((8, 1, 2, 7), (4, 3, -3, -4)), ((3, 4, 5, 6), (0, 0, 0, 0))],
        ],
    )
    table = cross_table(accounts, placings)
    assert [row.standing.name for row in table.rows][:2] == ["Hubert", "Anna"]
    anna = table.rows[1]
    assert anna.rounds == (
        CrossCell(line(1, "4", 9, 1, table=1), 1, (2, 3, 4)),
        CrossCell(line(2, "3", 3, 2, table=1), 1, (2, 7, 8)),
    )
    order = [row.standing.entrant for row in table.rows]
    met = {(one, other): table.meetings[a][b] for a, one in enumerate(order) for b, other in enumerate(order)}
    assert met[1, 2] == met[2, 1] == 2
    assert met[1, 8] == met[3, 4] - 1 == met[1, 3] == 1
    assert met[1, 5] == met[1, 1] == 0
    assert [sum(row) for row in table.meetings] == [6] * 8


def test_byes_bots_penalties_and_a_table_in_play() -> None:
    """A house bot is no meeting; who has a bye sat nowhere; a running table has no points yet."""
    accounts = [
        account(1, line(1, "4", 7, 1, table=1), line(1, "-1", 0, kind=LineKind.PENALTY)),
        account(2, line(1, "3", 35, kind=LineKind.BYE)),
        account(3, line(1, "1", -7, 4, table=1)),
        account(4),
    ]
    table = cross_table(accounts, [[(1, None, 3, None)], [(None, 1, 2, None)]])
    cells = {row.standing.entrant: row.rounds for row in table.rows}
    assert cells[1][0] == CrossCell(line(1, "4", 7, 1, table=1), 1, (None, 3, None))
    assert cells[1][1] == CrossCell(None, 1, (2, None, None))
    assert cells[2][0] == CrossCell(line(1, "3", 35, kind=LineKind.BYE), None, ())
    assert cells[3][1] is None
    assert cells[4] == (None, None)
    assert {row.standing.entrant: len(row.penalties) for row in table.rows} == {1: 1, 2: 0, 3: 0, 4: 0}
    assert sorted(sum(row) for row in table.meetings) == [0, 1, 1, 2]
