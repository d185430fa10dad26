"""Rules, replay and rulings: no files."""
