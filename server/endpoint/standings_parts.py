"""Pieces of the page of standings: escaped texts, headings, cells, groups of rows."""

from collections.abc import Sequence
from html import escape

Head = tuple[str, str] | tuple[str, str, str]
"""A column's heading: a class or none, a text, and what that is short for."""


def section(anchor: str, heading: str, body: str) -> str:
    """A part of the page under its heading; the body is HTML."""
    head = f'<h2 id="h-{anchor}">{escape(heading)}</h2>'
    return f'<section id="{anchor}" aria-labelledby="h-{anchor}">{head}\n{body}</section>'


def name(text: str) -> str:
    """A text of somebody's, whose direction of writing stays its own."""
    return f"<bdi>{escape(text)}</bdi>"


def headings(*heads: Head) -> str:
    """The row of column headings."""
    cells = []
    for class_, text, *long in heads:
        shown = f'<abbr title="{escape(long[0])}">{escape(text)}</abbr>' if long else escape(text)
        cells.append(f'<th scope="col"{_class(class_)}>{shown}</th>')
    return f"<thead><tr>{''.join(cells)}</tr></thead>\n"


def _class(word: str) -> str:
    return f' class="{word}"' if word else ""


def caption(text: str) -> str:
    """A caption that is read and seen."""
    return f"<caption>{escape(text)}</caption>\n"


def unseen_caption(text: str) -> str:
    """The caption of a table right under a heading of the same words: only for who hears the page."""
    return f'<caption class="v">{escape(text)}</caption>\n'


def points(place: str, small: str, big: str) -> str:
    """The last three cells of a row at a table, as HTML."""
    return f'<td class="n">{place}</td><td class="n">{small}</td><td class="n b">{big}</td>'


def group(head: str, rows: Sequence[str]) -> str:
    """Rows that belong together, under a heading at their left; both are HTML."""
    first = f'<th scope="rowgroup" class="t" rowspan="{len(rows)}">{head}</th>'
    lines = "\n".join(f"<tr>{first if at == 0 else ''}{row}</tr>" for at, row in enumerate(rows))
    return f"<tbody>{lines}</tbody>\n"


def note(text: str) -> str:
    """A sentence under a heading."""
    return f'<p class="note">{escape(text)}</p>\n'


def scrolled(kind: str, label: str, table: str) -> str:
    """A table that may be wider than the screen: the keyboard can scroll it too."""
    return f'<div class="wide {kind}" role="region" tabindex="0" aria-label="{escape(label)}">\n{table}</div>\n'
