"""What a host may set for a table of Kop: the `options` of `create`, as they stand in records too."""

from typing import Annotated, Literal

from pydantic import Field

from protocol.kop import Part

Cap = Annotated[int, Field(ge=0, le=12)]
Guard = Literal["allowed", "as_zolo", "no_doubling"]


class KopOptions(Part):
    """`options` of a `create` for the game `kop`: a named rule set, single fields of it, and the match.

    A field that is absent is that of the rule set; null is a value only where it says so. Combinations
    that cannot be played are refused as `options_clash`; the `detail` names both options. Where only
    `calling` is changed, `passes_to_close` and `late_calls` follow.
    """

    rules: Literal["klassisch", "pagat", "wolsztyn", "koscian"] = "klassisch"
    deals: Annotated[int, Field(ge=4, le=400, multiple_of=4)] | None = Field(
        default=16, description="Deals of a match, a multiple of four; null: open-ended."
    )
    answer_seconds: Annotated[int, Field(ge=1, le=600)] | None = Field(
        default=15, description="Open calling: answer time after the leader's question; null: none."
    )
    stake: Annotated[str, Field(pattern=r"^[0-9]{1,6}(\.[0-9]{1,4})?$")] = Field(
        default="1", description="What a value of 1 is worth."
    )
    currency: Annotated[str, Field(min_length=1, max_length=12)] = Field(
        default="pts", description="The word behind amounts; play money by default."
    )
    trumps: Literal["as_dycha", "as_trzy_dychy"] | None = Field(
        default=None,
        description="Which cards are trumps: all queens and jacks with AH TH AD TD, or the black tens too.",
    )
    calling: Literal["open", "in_turn"] | None = Field(
        default=None, description="Anybody may call until the lead, or each in turn."
    )
    passes_to_close: Literal[3, 4] | None = Field(
        default=None,
        description="In turn: how many passes in a row end the calls after a call; null when calls are open.",
    )
    doubling_names: Annotated[str, Field(max_length=200)] | None = Field(
        default=None, description="What the doublings are called, in order, with commas: there are as many as names."
    )
    void_duty: Literal["any", "trump"] | None = Field(
        default=None, description="Void in the suit led: any card, or a trump that beats if you can."
    )
    wesele_self_kontra: bool | None = Field(
        default=None, description="Whether the caller of a wesele may give its first doubling."
    )
    cicha_first_kontra: bool | None = Field(
        default=None, description="Whether who silently holds both black queens may give the first doubling."
    )
    wesele_when: Literal["any", "first_call"] | None = Field(
        default=None, description="Wesele at any time, or only in a seat's first utterance."
    )
    wesele_named_jack: bool | None = Field(
        default=None, description="Whether the caller of a wesele names the jack of his partner."
    )
    asked_bars_zolo: bool | None = Field(
        default=None, description="Whether a leader who asked first may no longer call zolo or zolo du."
    )
    late_calls: bool | None = Field(
        default=None, description="In turn: whether the others may double while only the opening lead lies."
    )
    cap_zolo: Cap | None = Field(default=None, description="The most doublings that count in a zolo; null: all.")
    cap_zolo_du: Cap | None = Field(default=None, description="The most doublings that count in a zolo du; null: all.")
    cap_cicha: Cap | None = Field(default=None, description="The most doublings that count in a cicha; null: all.")
    cicha_top_cards: Guard | None = Field(
        default=None, description="How a cicha with both black queens and the two highest trumps is scored."
    )
    cicha_dealer: Guard | None = Field(
        default=None,
        description="How a cicha of the dealer with QC QS AH and one of TC TS TH (in as_dycha: TH) is scored.",
    )
    gathered: Literal["all", "last", "none"] | None = Field(
        default=None, description="Which gathered tricks stay in sight."
    )
