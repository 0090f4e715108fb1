"""Tables at work: actors over the store's port, their registry, players, the lobby, deadlines."""
