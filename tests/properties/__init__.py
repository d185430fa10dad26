"""Properties that hold of every rule set, and the generators they draw from."""
