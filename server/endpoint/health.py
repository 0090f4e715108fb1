"""What a load balancer asks: does this process work, and would it serve a new player well?"""

from collections.abc import Sequence

from server.endpoint.http import Page, text_page


def health_page(*, store_away: bool) -> Page:
    """`/healthz`: 200 while the event loop answers. Who restarts the process would not bring the store back."""
    return text_page(200, "ok, but the store is away" if store_away else "ok")


def readiness_page(*, store_away: bool, draining: bool, full: bool, warnings: Sequence[str]) -> Page:
    """`/readyz`: 200, and what could be lost; 503 and every reason why no new player should be sent here."""
    reasons = [
        text
        for holds, text in (
            (draining, "the server is about to stop"),
            (store_away, "the store is away"),
            (full, "there are as many connections as are allowed"),
        )
        if holds
    ]
    if reasons:
        return text_page(503, f"not ready: {', '.join(reasons)}", ("Retry-After", "5"))
    return text_page(200, "\n".join(["ready", *(f"warning: {text}" for text in warnings)]))
