"""The wire contract: messages, codec, error codes. Imports nothing else of this project."""
