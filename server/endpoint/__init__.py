"""The server's door: sockets, HTTP pages, sessions, limits, and the translation of wire and domain."""
