"""Studies: annotated games that people read, in the browser, on paper and in other programs.

from pipeline.studies import Wishes, html, study
page = html(study(["games.pgn"], Wishes(games=(1, 2)), rules="atomic"))
"""

from pipeline.studies.annotated import annotated
from pipeline.studies.markdown import markdown
from pipeline.studies.match import PICKS, NothingToShow, Wishes, study
from pipeline.studies.page import html

__all__ = ["PICKS", "NothingToShow", "Wishes", "annotated", "html", "markdown", "study"]
