"""Text and files of game records: no rules.

>>> from notation import descriptor, parse
>>> descriptor.describe(parse("C2.5"))
'cannon on file 2, sideways to file 5'
>>> parse("炮２平５") == descriptor.relative("C", 2, descriptor.TRAVERSE, 5, words=True)
True
>>> parse("hello")
0
"""

from notation.context import Context
from notation.notations import DIALECTS, NOTATIONS, heard, parse, write

__all__ = ["DIALECTS", "NOTATIONS", "Context", "heard", "parse", "write"]
