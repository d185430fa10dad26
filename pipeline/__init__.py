"""Work and people: commands, shards, tables, reports."""
