"""Fact memory for AI coding assistants, and the reference implementation of its specification."""

__version__ = "0.1.0"
