"""`kop rules`: the named rule sets side by side, or one field or one set explained. Needs no server."""

from collections.abc import Callable

from client_cli.catalogue import Catalogue
from client_cli.named_sets import named_sets
from client_cli.options import BadOption, Option, find_option
from client_cli.patience.options import NAMES
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
        show(explained(texts, _field(texts, field), sets))


def _field(texts: Catalogue, typed: str) -> Option:
    """A field of Kop, else one of the patiences."""
    try:
        return find_option(texts, typed)
    except BadOption as no_such:
        try:
            return find_option(texts, typed, NAMES)
        except BadOption:
            raise no_such from None
