"""What a Redis or Valkey could lose, from its configuration, in words for the operator."""

from collections.abc import Mapping, Sequence

from server.store.link import Link
from server.store.port import StoreAway

_ASKED = ("appendonly", "appendfsync", "maxmemory-policy")


async def what_could_be_lost(link: Link) -> tuple[str, ...]:
    """One sentence for each thing that the configuration of any server puts at risk; empty for none.

    Raises:
        StoreAway: the store does not answer at all.
    """
    try:
        answers = await link.ask_each("CONFIG", "GET", *_ASKED)
    except StoreAway:
        if link.away is not None:
            raise
        answers = [[]]
    warnings = [warning for answer in answers for warning in judged(_config(answer))]
    return tuple(dict.fromkeys(warnings))


def judged(config: Mapping[str, str]) -> tuple[str, ...]:
    """The same, for a configuration that has been read."""
    unknown = [name for name in _ASKED if name not in config]
    warnings = []
    if unknown:
        warnings.append(
            f"The store does not tell its {', '.join(unknown)}: whether it keeps everything could not be checked."
        )
    if config.get("appendonly", "yes") != "yes":
        warnings.append(
            "The store keeps no append-only file (appendonly no): if it stops, all play since its last dump is lost."
        )
    elif config.get("appendfsync") == "everysec":
        warnings.append("A power loss can lose the last second of play (appendfsync everysec; always loses nothing).")
    elif config.get("appendfsync") == "no":
        warnings.append("A power loss can lose the last half minute of play (appendfsync no; always loses nothing).")
    policy = config.get("maxmemory-policy", "noeviction")
    if policy != "noeviction":
        warnings.append(
            f"A store that is full throws away tables and players (maxmemory-policy {policy}; it must be noeviction)."
        )
    return tuple(warnings)


def _config(answer: Sequence[bytes]) -> dict[str, str]:
    words = [word.decode() for word in answer]
    return dict(zip(words[::2], words[1::2], strict=True))
