"""The rule books against lines with known verdicts. ``python -m tests.law`` prints the tables per book."""
