"""*How to play Kop*: a page for somebody who knows trick games, in each language."""

from importlib import resources


def howto(language: str) -> list[str]:
    """The lines of the page in one of `catalogue.LANGUAGES`, at most 78 columns wide."""
    page = resources.files("client_cli").joinpath("texts", f"howto.{language}.txt")
    return page.read_text(encoding="utf-8").splitlines()
