"""Work and people: commands, shards, tables, reports."""

__version__ = "0.1.0"
