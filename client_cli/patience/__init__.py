"""The patiences in the terminal: how they are drawn, read and told."""
