"""Solvers that see all cards: whether a deal can be won, and how."""
