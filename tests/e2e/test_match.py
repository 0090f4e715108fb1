"""A whole match over real sockets, on both encodings at once."""

from protocol.codec import Encoding
from tests.wire import four_at_table, step


async def test_a_match_of_four_deals_ends_with_a_sheet_whose_money_sums_to_zero(server_url: str) -> None:
    """Four players, two encodings, four deals: the sheet has four lines, and money sums to 0."""
    encodings = (Encoding.MSGPACK, Encoding.JSON)
    players, table = await four_at_table(server_url, encodings, options={"deals": 4})
    while players[0].views[table]["public"]["stage"] != "over":
        assert await step(players, table) is not None
    sheet = await players[0].ask("sheet", table=table)
    assert len(sheet["lines"]) == 4
    for line in sheet["lines"]:
        assert sum(line["line"]["money"]) == 0
        assert line["names"] == [player.name for player in players]
    assert sum(int(amount) for amount in sheet["ledger"]["money"]) == 0
    for player in players:
        await player.close()
