"""Where tables and players are kept: a port, streams on Redis or Valkey, and a double for tests."""
