"""The terminal client `kop`: plays and watches tables in lines of text, and plays as a bot. Holds no rules."""
