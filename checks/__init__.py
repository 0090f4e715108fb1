"""Small scripts that `make check` runs; nothing else imports them."""
