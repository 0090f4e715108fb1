"""The console of a real terminal: a prompt that incoming lines do not tear, colours, completion, a status line."""

from collections.abc import AsyncIterator, Callable, Iterable
from typing import Final

from prompt_toolkit import PromptSession, print_formatted_text
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.styles import Style

from client_cli.clean import clean
from client_cli.style import Line, Look, can_show, styles, wrap

_PICTURES: Final = 79
"""Columns that pictures and tables need; a narrower terminal gets sentences, which wrap."""


class _Suggestions(Completer):
    def __init__(self, console: "TerminalConsole") -> None:
        self._console = console

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor.lstrip().casefold()
        for word in self._console.suggestions():
            if word.casefold().startswith(typed):
                yield Completion(word, start_position=-len(typed))


class TerminalConsole:
    """Prints above the prompt. Call `attach` to show what can be done now and whose turn it is."""

    def __init__(self, *, four_colour: bool, colour: bool) -> None:
        self._session: PromptSession[str] = PromptSession()
        self._depth = None if colour else ColorDepth.DEPTH_1_BIT
        self._style = Style.from_dict(
            {"bottom-toolbar": "noreverse bg:ansibrightblack fg:ansiwhite" if colour else ""}
            | {f"kop-{name}": look for name, look in styles(four_colour=four_colour).items()}
        )
        wide = self._session.output.get_size().columns >= _PICTURES
        self.look = Look(unicode=can_show(self._session.output.encoding()), rich=wide)
        self.interactive = True
        self.suggestions: Callable[[], list[str]] = list
        self.toolbar: Callable[[], str] = str

    def attach(self, suggestions: Callable[[], list[str]], toolbar: Callable[[], str]) -> None:
        """What may be typed now, for completion, and the status line."""
        self.suggestions, self.toolbar = suggestions, toolbar

    def show(self, lines: list[Line]) -> None:
        """Prints lines above the prompt."""
        columns = self._session.output.get_size().columns
        rows = [row for line in lines for row in wrap(line, columns)]
        whole = [piece for row in rows for piece in (*row, ("", "\n"))][:-1]
        if whole:
            print_formatted_text(self._formatted(whole), style=self._style, color_depth=self._depth)

    async def typed(self) -> AsyncIterator[str]:
        """The lines typed at the prompt; Ctrl-D and Ctrl-C end them."""
        with patch_stdout():
            while True:
                try:
                    yield await self._session.prompt_async(
                        "› " if self.look.unicode else "> ",
                        completer=_Suggestions(self),
                        complete_while_typing=False,
                        complete_style=CompleteStyle.READLINE_LIKE,
                        reserve_space_for_menu=0,
                        bottom_toolbar=lambda: f" {clean(self.toolbar(), 79)}",
                        refresh_interval=1.0,
                        style=self._style,
                        color_depth=self._depth,
                    )
                except (EOFError, KeyboardInterrupt):
                    return

    @staticmethod
    def _formatted(line: Line) -> FormattedText:
        return FormattedText(
            [(f"class:kop-{style}" if style else "", text if text == "\n" else clean(text)) for style, text in line]
        )
