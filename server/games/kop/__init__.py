"""Kop: 16 cards, four tricks, secret partners. Source: the project's page of rules, docs/rules/kop.md."""
