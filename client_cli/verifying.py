"""Whether records show that nobody chose the cards, against what this client kept itself. Pure.

`verify` recomputes everything: commitments, openings, the deck, the dealer, the numbers, and the play.
Every finding, and what it proves, is explained in docs/fair-deal.md; a second verifier in another
language is written from that page.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from client_cli.evidence import DEFAULT_CUT, Evidence, Malformed, evidence, opens, sha256
from client_cli.verdict import Finding, Verdict, Word
from client_cli.witness import Kept, Key, key_of
from server.games.kop.record import BadRecord, replay

Record = Mapping[str, Any]
Deals = Mapping[Key, Kept]
Commitments = Mapping[str, set[Key]]
"""Under which deals a commitment of the server was seen."""


def verify(records: Sequence[Record], kept: Deals) -> tuple[Verdict, ...]:
    """The verdict on each record, in their order; `kept` is what this client noted, empty if nothing.

    Records of the same matches, and everything kept, are held against each other.
    """
    read: list[Evidence | None] = []
    for record in records:
        try:
            read.append(evidence(record))
        except Malformed:
            read.append(None)
    deals = [one for one in read if one is not None]
    used = _used(deals, kept)
    verdicts = []
    for record, deal in zip(records, read, strict=True):
        found = [Finding(Word.MALFORMED)] if deal is None else _about(record, deal, deals, kept, used)
        if deal is not None and any(key_of(other) == deal.key and other != record for other in records):
            found.append(Finding(Word.TWO_RECORDS))
        verdicts.append(Verdict(str(record.get("record")), tuple(sorted(set(found), key=_place))))
    return tuple(verdicts)


def _place(finding: Finding) -> tuple[int, int, int]:
    return list(Word).index(finding.word), finding.seat, finding.number


def _about(record: Record, deal: Evidence, deals: Sequence[Evidence], kept: Deals, used: Commitments) -> list[Finding]:
    found = [*_alone(deal), *_among(deal, deals, kept), *_reused(deal, used), *_burned(deal, kept)]
    try:
        replay(dict(record))
    except BadRecord:
        found.append(Finding(Word.REPLAY_WRONG))
    own = kept.get(deal.key)
    if own is None or not own.offers:
        found.append(Finding(Word.NOT_KEPT))
    else:
        found += [*_promises(deal, own), *_own_part(deal, own)]
    return found


def _alone(deal: Evidence) -> Iterator[Finding]:
    """What the record shows without anything else."""
    if sha256(deal.secret) != deal.commitment:
        yield Finding(Word.SECRET_WRONG)
    for seat, (secret, commitment) in enumerate(zip(deal.opened, deal.commitments, strict=True)):
        if secret:
            yield from _opening(deal, seat, secret, commitment)
        elif commitment:
            yield Finding(Word.UNOPENED, seat)
            if seat == deal.cutter and deal.cut != DEFAULT_CUT:
                yield Finding(Word.CUT_WRONG)
    if deal.deck != deal.expected_deck():
        yield Finding(Word.DECK_WRONG)
    if deal.round:
        yield from _same_cards(deal)
    elif not any(deal.opened):
        yield Finding(Word.NOBODY_ADDED)
    numbers = [number for number, _ in deal.burned]
    if numbers != list(range(deal.before + 1, deal.number)):
        yield Finding(Word.NUMBERS_WRONG)
    for number in numbers:
        yield Finding(Word.ANNULLED, number=number)


def _same_cards(deal: Evidence) -> Iterator[Finding]:
    """Whether a deal that all tables of a round play is dealt by its number, and without anything of the seats'."""
    yield Finding(Word.FROM_ROUND)
    if any(deal.opened) or any(deal.commitments):
        yield Finding(Word.DECK_WRONG)
    if deal.dealer != deal.number % 4:
        yield Finding(Word.DEALER_WRONG)


def _opening(deal: Evidence, seat: int, secret: str, commitment: str) -> Iterator[Finding]:
    """Whether a seat's bytes, and the cut of the one who cuts, are what it has committed to."""
    if seat != deal.cutter:
        if not opens(secret, 0, commitment):
            yield Finding(Word.OPENING_WRONG, seat)
    elif opens(secret, deal.cut, commitment) or (deal.cut == DEFAULT_CUT and opens(secret, 0, commitment)):
        return
    elif any(opens(secret, cut, commitment) for cut in range(16)):
        yield Finding(Word.CUT_WRONG)
    else:
        yield Finding(Word.OPENING_WRONG, seat)


def _among(deal: Evidence, deals: Sequence[Evidence], kept: Deals) -> Iterator[Finding]:
    """Whether number and dealer fit the other records of the match, and what was kept of the deal before."""
    if deal.before <= 0:
        if deal.first_dealer() not in (None, deal.dealer):
            yield Finding(Word.DEALER_WRONG)
        return
    earlier = {one.number: one for one in deals if one.match == deal.match and one.number < deal.number}
    if earlier and not deal.round:
        last = earlier[max(earlier)]
        unknown = deal.before - last.number  # deals whose records are not here; the last of them was scored
        if unknown < 0:
            yield Finding(Word.NUMBERS_WRONG)
        turns = range(2, unknown + 2) if unknown > 0 else range(1, 2)
        if (deal.dealer - last.dealer) % 4 not in {turn % 4 for turn in turns}:
            yield Finding(Word.DEALER_WRONG)
    now, then = kept.get(deal.key), kept.get((*deal.match, deal.before))
    if then is not None and then.annulled and not then.returned:
        yield Finding(Word.DEAL_HIDDEN, number=deal.before)
    elif now is not None and then is not None and now.scored is not None and then.scored is not None:
        if now.scored == then.scored and not now.returned and not then.returned:
            yield Finding(Word.DEAL_HIDDEN, number=deal.before)
    elif deal.before not in earlier:
        yield Finding(Word.BEFORE_UNKNOWN, number=deal.before)


def _used(deals: Sequence[Evidence], kept: Deals) -> Commitments:
    """Every commitment of the server in records and notes, with the deals that it was given for."""
    used: defaultdict[str, set[Key]] = defaultdict(set)
    rounds = {deal.match: deal.round for deal in deals if deal.round}

    def one_for_all(key: Key) -> Key:
        """The same key for the tables of a round that play the same cards."""
        return (rounds[key[:2]], 0, key[2]) if key[:2] in rounds else key

    for deal in deals:
        used[deal.commitment].add(one_for_all(deal.key))
        used[sha256(deal.secret)].add(one_for_all(deal.key))
        for number, secret in deal.burned:
            used[sha256(secret)].add(one_for_all((*deal.match, number)))
    for key, own in kept.items():
        for offer in own.offers:
            used[offer].add(one_for_all(key))
    return used


def _reused(deal: Evidence, used: Commitments) -> Iterator[Finding]:
    """Whether a secret of this record was used for another deal too."""
    for commitment in {deal.commitment, sha256(deal.secret), *(sha256(secret) for _, secret in deal.burned)}:
        if len(used[commitment]) > 1:
            yield Finding(Word.SECRET_REUSED)


def _burned(deal: Evidence, kept: Deals) -> Iterator[Finding]:
    """Whether the secrets of annulled deals are those that the server had committed to."""
    for number, secret in deal.burned:
        own = kept.get((*deal.match, number))
        if own is not None and own.offers and sha256(secret) not in own.offers:
            yield Finding(Word.BURNED_WRONG, number=number)


def _promises(deal: Evidence, own: Kept) -> Iterator[Finding]:
    """Whether the record is about the deal that this client saw."""
    if own.returned:
        yield Finding(Word.ROLLED_BACK)
    elif deal.commitment not in own.offers or len(own.offers) > 1:
        yield Finding(Word.ROLLED_BACK if own.rolled_back else Word.COMMITMENT_CHANGED)
    if own.annulled:
        yield Finding(Word.DEAL_HIDDEN, number=deal.number)
    if own.commitments is not None:
        yield from _changed(Word.SEAT_COMMITMENT_CHANGED, own.commitments, deal.commitments)
        if not deal.commitments[deal.cutter] and deal.cut != (own.open_cut or DEFAULT_CUT):
            yield Finding(Word.CUT_WRONG)
    elif any(deal.commitments):
        yield Finding(Word.OPENING_UNSEEN)
    if own.shown is not None:
        yield from _changed(Word.OPENED_CHANGED, own.shown, deal.opened)
        if own.cut != deal.cut:
            yield Finding(Word.CUT_WRONG)
    if own.hand and own.seat in range(4) and sorted(own.hand) != sorted(deal.hand(own.seat or 0)):
        yield Finding(Word.HAND_CHANGED)


def _changed(word: Word, kept: Sequence[str], recorded: Sequence[str]) -> Iterator[Finding]:
    for seat, (before, after) in enumerate(zip(kept, recorded, strict=True)):
        if before != after:
            yield Finding(word, seat)


def _own_part(deal: Evidence, own: Kept) -> Iterator[Finding]:
    """Whether the bytes of this client are in the deck."""
    seats = {one.seat for one in own.own}
    standing = next((one for seat in seats if (one := own.standing(deal.commitments[seat]))), None)
    if deal.round and not own.own:
        return  # no seat's bytes go in
    if standing is None:
        was_there = own.commitments is not None or bool(own.hand)
        yield Finding(Word.OWN_COMMITMENT_MISSING if own.ready and was_there else Word.OWN_NOT_IN)
    elif not deal.opened[standing.seat]:
        yield Finding(Word.OWN_BYTES_IGNORED if own.opened else Word.OWN_NOT_IN, standing.seat)
    elif deal.opened[standing.seat] != standing.secret:
        yield Finding(Word.OWN_BYTES_CHANGED, standing.seat)
