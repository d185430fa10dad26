"""What errands need, loaded before their processes are forked, so that none of them has to: modules, and rules."""

from adjudicator import RuleBook, Ruleset
from adjudicator.compile import tables
from notation.containers import CONTAINERS, container
from pipeline import run  # noqa: F401
from pipeline.service import errands  # noqa: F401

for _name in CONTAINERS:
    container(_name)
for _name in Ruleset.ids():
    _rules = Ruleset.load(_name)
    tables(_rules)
    _rules.rulebook()
for _name in RuleBook.ids():
    RuleBook.load(_name)
