"""`kop rules`: the named rule sets side by side, or one field or one set explained. Needs no server."""

from collections.abc import Callable

from client_cli.catalogue import Catalogue
from client_cli.named_sets import named_sets
from client_cli.options import find_option
from client_cli.rules_text import agreed, explained, side_by_side
from client_cli.style import Line


def tell_rules(field: str | None, texts: Catalogue, show: Callable[[list[Line]], None]) -> None:
    """Shows all named sets, or what was asked for: a field or a set.

    Raises:
        BadOption: there is no such field.
    """
    sets = named_sets()
    if field is None:
        show(side_by_side(texts, sets))
    elif field in sets:
        show(agreed(texts, {"rules": field, **sets[field]}))
    else:
        show(explained(texts, find_option(texts, field), sets))
