"""Bots: choose an action from what one seat has seen, given chance as an argument. Pure.

They think in processes of their own: importing a game's bots may load the compiler of the solvers.
"""
