"""Which server of a cluster holds which slots; a single server holds all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from server.store.keys import PROBE
from server.store.port import StoreAway

SLOTS = REDIS_CLUSTER_HASH_SLOTS

Place = tuple[str, int]
"""Host and port of a server."""


@dataclass(frozen=True, slots=True)
class ClusterMap:
    """The master of each slot, and the replicas, which can be asked for the map too."""

    masters: Mapping[Place, tuple[range, ...]]
    replicas: frozenset[Place]


def slot_of(key: str) -> int:
    """The slot of a key or a sharded channel; only what is in its braces counts."""
    return key_slot(key.encode())


def read_map(answer: Sequence[Any], asked: str) -> ClusterMap:
    """The map in an answer to CLUSTER SLOTS of the server at the host `asked`.

    Raises:
        StoreAway: some slots are nobody's.
    """
    masters: dict[Place, tuple[range, ...]] = {}
    replicas: set[Place] = set()
    for first, last, master, *others in answer:
        place = _place(master, asked)
        masters[place] = (*masters.get(place, ()), range(first, last + 1))
        replicas.update(_place(other, asked) for other in others)
    held = {slot for ranges in masters.values() for slots in ranges for slot in slots}
    if held != set(range(SLOTS)):
        raise StoreAway("some slots of the cluster are held by no server")
    return ClusterMap(masters, frozenset(replicas))


def _place(server: Sequence[Any], asked: str) -> Place:
    host = (server[0] or b"").decode()
    return (asked if host in {"", "?"} else host, int(server[1]))


def probe_key(slots: Sequence[range]) -> str:
    """A key in one of these slots, to be written to see whether their server takes writes."""
    key, number = PROBE, 0
    while not any(slot_of(key) in some for some in slots):
        number += 1
        key = f"{PROBE}:{number}"
    return key
