"""What the client does by itself when its player has set so: ready, the question, go on or pass. Pure."""

from dataclasses import dataclass, field

from client_cli.meanings import Auto
from client_cli.view import View


@dataclass(slots=True)
class Automatic:
    """The settings; `deal_only` is the number of the deal for which *go on* and *pass* are automatic."""

    on: dict[str, bool] = field(default_factory=dict)
    deal_only: int | None = None

    def set(self, setting: Auto, view: View | None) -> None:
        """Takes a setting over."""
        if setting.deal_only:
            self.deal_only = view.play["deal"] if view and view.play else None
        else:
            self.on[setting.what] = setting.on
            if setting.what == "go":
                self.deal_only = None

    def go(self, view: View | None) -> bool:
        """Whether *go on* and *pass* are automatic now."""
        this_deal = view is not None and view.play is not None and view.play["deal"] == self.deal_only
        return self.on.get("go", False) or this_deal

    def action(self, view: View) -> str | None:
        """The action to be done without asking the player; never an agreement to another match."""
        actions = view.actions
        if "ready" in actions and self.on.get("ready", False):
            return "ready"
        if "ask" in actions and self.on.get("ask", False):
            return "ask"
        silent = next((action for action in ("go on", "pass") if action in actions), None)
        return silent if self.go(view) else None
