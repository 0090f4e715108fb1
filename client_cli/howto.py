"""*How to play*: a page for each game, in each language."""

from importlib import resources


def howto(language: str, game: str = "kop") -> list[str]:
    """The lines of a game's page in one of `catalogue.LANGUAGES`, at most 78 columns wide."""
    name = f"howto.{language}.txt" if game == "kop" else f"howto-{game}.{language}.txt"
    page = resources.files("client_cli").joinpath("texts", name)
    return page.read_text(encoding="utf-8").splitlines()
