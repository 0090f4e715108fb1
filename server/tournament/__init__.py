"""Tournaments: seating, rounds, standings, a director's decisions. Pure."""
