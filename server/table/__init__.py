"""A table around a game: seats, readiness, the owner, command memory. Pure, like the rules."""
