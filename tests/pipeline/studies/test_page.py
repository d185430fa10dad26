"""The HTML file: whole in itself, and nothing in a record becomes markup or script."""

import json
import re

from studies_made import chance_game, commented, study

from adjudicator import Ruleset
from pipeline.studies import html
from pipeline.studies.page import embedded


def data(page: str) -> dict:
    return json.loads(re.search(r'<script type="application/json" id="study">(.*?)</script>', page, re.S)[1])


def test_nothing_of_a_record_is_markup():
    page = html(study([commented()]))
    assert "alert(1)" in page and "<script>alert" not in page and "<i>markup" not in page
    assert page.count("<script") == 2
    assert data(page)["games"][0]["red"] == "</script><script>alert(1)</script>"


def test_text_that_would_end_the_script_is_escaped():
    hostile = ["</script>", "<!--", "]]>", "\u2028", "\u2029", "\ud800", "&lt;", "'\"\\"]
    text = embedded(hostile)
    assert json.loads(text) == hostile
    assert not set("<>&\u2028\u2029\ud800") & set(text)
    text.encode()


def test_the_page_needs_nothing_else():
    page = html(study([chance_game("atomic")], "atomic"))
    outside = [
        link for link in re.findall(r"https?://[^\s\"'`)<]+", page) if "www.w3.org/2000/svg" not in link
    ]
    assert outside == []
    assert not re.search(r"<link|<img|@import|url\(|\bfetch\(|XMLHttpRequest|import\(", page)
    assert "default-src 'none'" in page


def test_a_title_is_text():
    page = html(study([chance_game("xiangqi")], title="<b>{{data}}</b>"))
    assert "<title>&lt;b&gt;{{data}}&lt;/b&gt;</title>" in page


def test_three_hundred_plies_are_small():
    record = chance_game("xiangqi-60", plies=310)
    page = html(study([record], "xiangqi-60"))
    assert len(record.tokens) >= 155
    assert len(page.encode()) < 1_500_000 * len(record.tokens) / 310


def test_every_word_is_there_in_both_languages():
    words = data(html(study([chance_game("xiangqi")])))["words"]
    assert sorted(words["en"]) == sorted(words["zh"])
    holes = re.compile(r"\{\w+\}")
    for name, text in words["en"].items():
        assert set(holes.findall(words["zh"][name])) <= set(holes.findall(text)), name


def test_every_rule_set_has_a_board():
    for rules in Ruleset.ids():
        study_ = study([chance_game(rules, plies=6)], rules)
        assert study_["rules"]["board"]["ground"].count("<") > 3
