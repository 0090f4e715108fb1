"""The values of the named rule sets, to be shown beside a table's; they are the rules' own.

The only module outside the record tools that reaches for the rules, and only when it is asked: a
client that is installed alone does without.
"""


def named_sets() -> dict[str, dict[str, object]]:
    """Per named set the value of each field, as it stands in `options`; empty where the rules are not installed."""
    try:
        from server.games.kop.options import RULE_FIELDS
        from server.games.kop.ruleset import RULE_SETS
    except ImportError:
        return {}
    return {name: {field: _plain(getattr(one, field)) for field in RULE_FIELDS} for name, one in RULE_SETS.items()}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return ",".join(value)
    return str(value) if isinstance(value, str) else value
