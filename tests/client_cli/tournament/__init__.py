"""Tests of tournaments in the line client."""
