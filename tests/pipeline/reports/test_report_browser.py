"""The page in a browser: nothing asked of the network, nothing of a record run, wide and narrow, light and dark."""

import pytest

pytest.importorskip("scipy", reason="reports need the extra caipan[report]")
pytest.importorskip("matplotlib", reason="reports need the extra caipan[report]")

from runs_made import SAMPLES, make_run, record, sample_run
from test_report import HOSTILE, RTL

from browsing import serious_faults
from pipeline.reports import page
from pipeline.reports.report import report

SIDEWAYS = (
    "[...document.querySelectorAll('.table')].filter(table => table.scrollWidth > table.clientWidth).length"
)
"""How many tables scroll sideways."""
OUTSIDE = """() => [...document.querySelectorAll('figure > svg')].flatMap(svg => {
    const box = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('text')].filter(text => {
        const {left, right, top, bottom} = text.getBoundingClientRect();
        return left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1;
    }).map(text => text.textContent);
})"""
"""Labels that are cut off at a chart's edge."""


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return page.html(report([sample_run(tmp_path_factory.mktemp("atomic"), "atomic")]))


def test_hostile_names_and_comments_are_inert(show, tmp_path):
    names = [HOSTILE, RTL, "x" * 10_000, "$math$ & <b>"]
    tags = {"Event": HOSTILE, "Round": HOSTILE, "Termination": HOSTILE, "RedElo": HOSTILE}
    games = "".join(record(f"h3e3 {{{HOSTILE}}} h10g8", red=name, black=HOSTILE, **tags) for name in names)
    rules = tmp_path / "rules.toml"
    rules.write_text(
        f"id = '../{HOSTILE}'\nextends = 'xiangqi'\ntitle = '{HOSTILE}'\nsource = 'made'\ndate = '2026-11-30'\n"
    )
    run = make_run(tmp_path, games, str(rules), "<img src=x onerror=alert(3)>.pgn")
    text = page.html(report([run], copies=True, title=HOSTILE))
    seen = show(text, width=390)
    assert seen.evaluate("document.querySelectorAll('script, img, b b, [onerror]').length") == 0
    assert seen.title() == HOSTILE
    games_list = seen.locator(".games-list").inner_text()
    assert HOSTILE[:30] in games_list and "<img src=x onerror=alert(3)>" in games_list
    assert not set("\u202e\u202d\u2067") & set(seen.locator("html").text_content())
    assert seen.evaluate("document.documentElement.scrollWidth") <= 390
    targets = seen.evaluate(
        "[...document.querySelectorAll('[href^=\\'#\\']')].map(link => link.hash.slice(1))"
    )
    assert targets and all(seen.evaluate("id => !!document.getElementById(id)", target) for target in targets)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_and_reads(show, text, width, scheme):
    seen = show(text, width=width, color_scheme=scheme)
    seen.evaluate("document.querySelectorAll('details').forEach(numbers => numbers.open = true)")
    assert seen.evaluate("document.documentElement.scrollWidth") <= width
    assert seen.evaluate(SIDEWAYS) == 0
    assert seen.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault(show, text, scheme, width):
    assert serious_faults(show(text, color_scheme=scheme, width=width, bypass_csp=True)) == []


def test_a_telephone_has_names_and_games_of_a_table_on_lines_of_their_own(show, text):
    """What stands beside one another on a wide screen; the figures of a row stay below the words over them."""
    tops = """() => [...document.querySelectorAll('#atomic-rules tbody tr:first-child > *')]
        .map(cell => Math.round(cell.getBoundingClientRect().top))"""
    assert len(set(show(text, width=1280).evaluate(tops))) == 1
    seen = show(text, width=390)
    name, *figures, games = seen.evaluate(tops)
    assert name < figures[0] < games and len(set(figures)) == 1
    rights = """which => [...document.querySelectorAll(which)].slice(1, -1)
        .map(cell => Math.round(cell.getBoundingClientRect().right))"""
    assert seen.evaluate(rights, "#atomic-rules thead th") == seen.evaluate(
        rights, "#atomic-rules tbody tr:first-child > *"
    )


def test_long_tables_are_folded_on_a_telephone_only(show, text):
    folded = (
        "document.querySelector('#atomic-survivors table').checkVisibility({contentVisibilityAuto: true})"
    )
    assert show(text, width=1280).evaluate(folded)
    assert not show(text, width=390).evaluate(folded)


@pytest.mark.parametrize("rules", [name for name in SAMPLES if name != "atomic"])
def test_every_rule_set_fits_a_telephone(show, rules, tmp_path):
    seen = show(page.html(report([sample_run(tmp_path, rules, 40)])), width=390)
    seen.evaluate("document.querySelectorAll('details').forEach(numbers => numbers.open = true)")
    assert seen.evaluate("document.documentElement.scrollWidth") <= 390
    assert seen.evaluate(SIDEWAYS) == 0 and seen.evaluate(OUTSIDE) == []


def test_names_of_any_language_are_drawn(show, tmp_path):
    """Both players' names stand in tables and charts, each sign as wide as a sign of its script is."""
    games = record(red="测试者甲", black="Nguyễn B") + record("b3e3 b10c8", red="Nguyễn B", black="测试者甲")
    seen = show(page.html(report([make_run(tmp_path, games)])))
    assert "测试者甲 – Nguyễn B" in seen.locator("#xiangqi-pairings table").inner_text()
    assert "测试者甲 – Nguyễn B" in seen.locator("#xiangqi-pairings svg").text_content()
    widths = seen.evaluate(
        """() => ['测', '试'].map(sign => {
            const span = document.createElement('span');
            span.textContent = sign; document.body.append(span);
            return span.getBoundingClientRect().width / 16;
        })"""
    )
    assert widths[:2] == pytest.approx([1, 1], rel=0.01)  # a full square of a font that has them


def test_links_lead_to_games(show, text):
    seen = show(text)
    link = seen.locator("#atomic-results td.games a").first
    number = link.inner_text()
    link.click()
    assert seen.locator("li:target").inner_text().startswith(f"{number}.")


def test_the_printed_page_has_every_table(show, text):
    seen = show(text)
    seen.emulate_media(media="print")
    hidden = seen.evaluate(
        "[...document.querySelectorAll('figure table')].filter(table => !table.getBoundingClientRect().height).length"
    )
    assert hidden == 0
