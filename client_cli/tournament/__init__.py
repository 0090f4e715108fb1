"""Tournaments in the line client: what is typed, what is asked of the server, and how it is told and drawn."""
