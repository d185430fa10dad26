"""Text and files of game records: no rules."""
