"""The golden matches: one of each named rule set, deal by deal, with what was said and played in it.

Hands are set, so that each kind of game and each peculiarity of a rule set comes up; time and random
bytes are fixed. What a script leaves open is played in the quietest way.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

Openings = Mapping[int, tuple[bytes, int]]


@dataclass(frozen=True)
class GoldenDeal:
    """A deal: who deals, the hands, what was said and played, who commits to which bytes and cut, who opens them."""

    title: str
    dealer: int
    hands: str
    script: str
    commits: Openings = field(default_factory=dict)
    opens: tuple[int, ...] = ()
    annulled: bool = False


def _part(seat: int, cut: int = 0) -> dict[int, tuple[bytes, int]]:
    return {seat: (bytes([0xA0 + seat]) * 32, cut)}


KLASSISCH = (
    GoldenDeal(
        "An ordinary game, with kontra and re; it ends 52:52.",
        3,
        "TS JD AD QC / QD QH TH AS / AH AC TC TD / JS JC JH QS",
        "0 ask, 1 go on, 2 double 1, 0 double 2, 0 ask, 1 go on, 3 go on, 2 go on, 0 play AD, 1 play QD, 2 play AH, "
        "3 play JS, 2 play TD, 3 play JH, 0 play QC, 1 play TH, 1 play AS, 2 play TC, 3 play JC, 0 play TS",
    ),
    GoldenDeal(
        "A wesele; the partner holds the jack of spades and learns it when the caller plays that of clubs.",
        0,
        "JS AH TC AD / TH QH AS TD / QC QS JC AC / QD JH JD TS",
        "1 ask, 2 wesele, 3 double 1, 2 double 2, 1 ask, 0 go on, 2 go on, 3 go on, 1 play TD, 2 play JC, 3 play QD, "
        "0 play AH",
    ),
    GoldenDeal(
        "A zolo, called over a kontra; the answer time runs out.",
        1,
        "AH TH QC AC / TC QD JC TD / TS AS QH JH / QS JS JD AD",
        "2 ask, 3 double 1, 0 zolo, 1 double 1, 3 double 2, 0 double 3, 2 ask, 1 go on, - time over, 2 play AS",
    ),
    GoldenDeal(
        "A cicha, that nobody sees until the second black queen falls.",
        2,
        "TH JC TC AD / QC QS AH JD / QH JS AS TD / QD JH AC TS",
        "3 ask, 0 double 1, 1 double 2, 3 ask, 0 go on, 1 go on, 2 go on, 3 play AC, 0 play TC, 1 play QC, 2 play TD",
    ),
)

PAGAT = (
    GoldenDeal(
        "An ordinary game, with kontra and re in turn; three passes close the calls. It ends 52:52.",
        3,
        "TS JD AD QC / QD QH TH AS / AH AC TC TD / JS JC JH QS",
        "0 ask, 1 pass, 2 double 1, 3 pass, 0 double 2, 1 pass, 2 pass, 3 pass, 0 play AD, 1 play QD, 2 play AH, "
        "3 play JS, 2 play TD, 3 play JH, 0 play QC, 1 play TH, 1 play AS, 2 play TC, 3 play JC, 0 play TS",
    ),
    GoldenDeal(
        "A wesele with kontra and re. Who cannot follow plays a trump.",
        0,
        "JS AH TC AD / TH QH AS TD / QC QS JC AC / QD JH JD TS",
        "1 ask, 2 wesele, 3 double 1, 0 pass, 1 pass, 2 double 2, 3 pass, 0 pass, 1 pass, 1 play AS",
    ),
    GoldenDeal(
        "A zolo whose opponent has left: annulled by the owner.",
        1,
        "TH JC TC AD / QC QS AH JD / QH JS AS TD / QD JH AC TS",
        "2 ask, 3 zolo, 0 pass",
        annulled=True,
    ),
    GoldenDeal(
        "The same dealer again: a zolo over a kontra, with four doublings of which three count.",
        1,
        "AH TH QC AC / TC QD JC TD / TS AS QH JH / QS JS JD AD",
        "2 ask, 3 double 1, 0 zolo, 1 double 1, 2 pass, 3 double 2, 0 double 3, 1 double 4, 2 pass, 3 pass, 0 pass",
    ),
    GoldenDeal(
        "Two seats commit, one with the cut, and open; a cicha that answers its kontra.",
        2,
        "TH JC TC AD / QC QS AH JD / QH JS AS TD / QD JH AC TS",
        "3 ask, 0 double 1, 1 double 2, 2 pass, 3 pass, 0 pass, 3 play AC",
        commits=_part(0) | _part(1, cut=5),
        opens=(1, 0),
    ),
)

WOLSZTYN = (
    GoldenDeal(
        "All commit, one does not open in time. A late kontra: the card goes back, re, another card is led.",
        3,
        "QC JD AD AC / QD QH TH AS / AH TC JC TD / JS JH TS QS",
        "0 ask, 1 pass, 2 pass, 3 pass, 0 play AD, 1 go on, 2 double 1, 3 pass, 0 double 2, 1 pass, 2 pass, 3 pass, "
        "0 pass, 0 play JD, 1 go on, 3 go on, 2 go on",
        commits=_part(0) | _part(1) | _part(2, cut=11) | _part(3),
        opens=(2, 0, 1),
    ),
    GoldenDeal(
        "A zolo with three doublings, of which the cap lets two count; the pause after the lead runs out.",
        0,
        "JS AH TC AD / TH QH AS TD / QC QS JC AC / QD JH JD TS",
        "1 ask, 2 zolo, 3 double 1, 0 pass, 1 pass, 2 double 2, 3 double 3, 0 pass, 1 pass, 2 pass, 3 pass, "
        "1 play TD, - time over",
    ),
    GoldenDeal(
        "Annulled in the pause after the lead.",
        1,
        "TH JC TC AD / QC QS AH JD / QH JS AS TD / QD JH AC TS",
        "2 ask, 3 pass, 0 pass, 1 pass, 2 play AS, 0 go on",
        annulled=True,
    ),
    GoldenDeal(
        "A cicha with the two highest trumps is worth a zolo, and has its cap.",
        1,
        "TS JC TH AD / QH JS AS TD / QD JH AC JD / QC QS AH TC",
        "2 ask, 3 pass, 0 double 1, 1 pass, 2 pass, 3 double 2, 0 double 3, 1 pass, 2 pass, 3 pass, 0 pass",
    ),
    GoldenDeal(
        "A strong cicha of the dealer: the doublings do not count.",
        2,
        "TC JC TH AD / QH JS AS TD / QC QS AH TS / QD JH AC JD",
        "3 ask, 0 double 1, 1 pass, 2 double 2, 3 pass, 0 pass, 1 pass, 2 pass",
    ),
)

KOSCIAN = (
    GoldenDeal(
        "All five doublings: kontra, rej, bok, skok, zub. Nothing can follow, so the lead waits for nobody.",
        3,
        "QC JD AD AC / QD QH TH AS / AH TC JC TD / JS JH TS QS",
        "0 double 1, 1 double 2, 2 pass, 3 double 3, 0 pass, 1 double 4, 2 pass, 3 double 5, 0 pass, 1 pass, 2 pass, "
        "3 pass, 0 play AD",
    ),
    GoldenDeal(
        "A zolo du over a wesele; four doublings, of which the cap lets three count.",
        0,
        "JS AH TC AD / TH QH AS TD / QC QS JC AC / QD JH JD TS",
        "1 ask, 2 wesele, 3 pass, 0 zolo du, 1 double 1, 2 pass, 3 pass, 0 double 2, 1 double 3, 2 pass, 3 pass, "
        "0 double 4, 1 pass, 2 pass, 3 pass, 0 pass, 1 play TD, - time over",
    ),
    GoldenDeal(
        "Annulled while all call.",
        1,
        "TH JC TC AD / QC QS AH JD / QH JS AS TD / QD JH AC TS",
        "2 ask, 3 pass",
        annulled=True,
    ),
    GoldenDeal(
        "A strong cicha of the dealer is worth a zolo, with a cap of three.",
        1,
        "TC JC TH AD / QC QS AH TS / QH JS AS TD / QD JH AC JD",
        "2 ask, 3 double 1, 0 pass, 1 double 2, 2 pass, 3 double 3, 0 pass, 1 double 4, 2 pass, 3 pass, 0 pass, 1 pass",
    ),
    GoldenDeal(
        "A wesele in the first utterance; a late kontra, and the same card is led again. One seat commits and opens.",
        2,
        "TC JC TH AD / QC QS AH TS / QH JS AS TD / QD JH AC JD",
        "3 ask, 0 pass, 1 wesele, 2 pass, 3 pass, 0 pass, 1 pass, 3 play AC, 2 double 1, 3 pass, 0 pass, 1 pass, "
        "2 pass, 3 play AC, - time over",
        commits=_part(3),
        opens=(3,),
    ),
)

MATCHES = {"klassisch": KLASSISCH, "pagat": PAGAT, "wolsztyn": WOLSZTYN, "koscian": KOSCIAN}
