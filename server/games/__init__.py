"""Rules of the games: pure values and functions, no clock, no randomness, no input or output."""
