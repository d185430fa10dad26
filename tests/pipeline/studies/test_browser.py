"""The page in a browser: every position as the kernel has it, by keys, mouse, wheel, touch, and with axe-core."""

import os
from itertools import pairwise
from pathlib import Path

import pytest
from studies_made import chance_game, commented, study

from adjudicator import Ruleset
from browsing import serious_faults
from conftest import shared
from notation.record import GameRecord
from pipeline.studies import Wishes, html
from pipeline.studies import study as study_files

REPOSITORY = Path(__file__).resolve().parents[3]

# The men on the page's board and in its reserves, read from the drawing.
READ = """() => {
  const men = {}, hands = {};
  for (const man of document.querySelectorAll('#board [data-piece]')) men[man.dataset.point] = man.dataset.piece;
  for (const held of document.querySelectorAll('[data-hand]')) hands[held.dataset.hand] = Number(held.dataset.count);
  return [men, hands];
}"""
# The same after every step with the arrow key.
WALK = f"""(plies) => {{
  const read = {READ}, found = [read()];
  for (let ply = 0; ply < plies; ply++) {{
    document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: 'ArrowRight', bubbles: true}}));
    found.push(read());
  }}
  return found;
}}"""


def at(page, end):
    """Waits until the page's address ends so, and fails when it never does; Playwright's own copy of it lags."""
    page.wait_for_function("end => location.hash.endsWith(end)", arg=end)


def meant(fen: str, rules: Ruleset) -> list:
    """What `READ` should give for a FEN of the kernel."""
    placement, _, hand = fen.split()[0].rstrip("]").partition("[")
    men = {}
    for row, text in enumerate(placement.split("/")):
        file, digits = 0, ""
        for sign in text + ".":
            if sign.isdecimal():
                digits += sign
                continue
            file, digits = file + int(digits or 0), ""
            if sign != ".":
                men[rules.point_name((rules.ranks - 1 - row) * rules.files + file)] = sign
                file += 1
    return [men, {letter: hand.count(letter) for letter in hand}]


@pytest.mark.parametrize("rules", Ruleset.ids())
def test_every_ply_stands_as_the_kernel_says(show, rules):
    made = study([chance_game(rules)], rules)
    game, ruleset = made["games"][0], Ruleset.load(rules)
    page = show(html(made))
    plies = game["lines"][0]["plies"]
    seen = page.evaluate(WALK, len(plies))
    assert seen[0] == meant(game["start"], ruleset)
    for ply, found in zip(plies, seen[1:], strict=True):
        assert found == meant(ply["fen"], ruleset), ply["label"]
    page.keyboard.press("f")
    assert page.evaluate(READ) == seen[-1]


# After every step with the arrow key what of ``seen`` is not whole in the window, and where the page stands.
STEPS = """([plies, seen]) => {
  const hidden = [], tops = new Set();
  for (let ply = 1; ply <= plies; ply++) {
    document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
    tops.add(scrollY);
    for (const one of seen) {
      const {top, bottom} = document.querySelector(one).getBoundingClientRect();
      if (top < -1 || bottom > innerHeight + 1) hidden.push([one, ply, top, bottom]);
    }
  }
  return [hidden, tops.size];
}"""


@pytest.mark.parametrize("width, height", [(1280, 720), (1366, 768), (390, 844)])
@pytest.mark.parametrize("rules", ["xiangqi", "six-fortresses"])
def test_board_and_current_move_stay_in_sight(show, rules, width, height):
    """From the top of the page and from its end; on a telephone the board alone from the end."""
    made = study([chance_game(rules)], rules)
    page = show(html(made), "#g1/0", width, height, color_scheme="light")
    wide = width > 390
    for start, seen in (
        (0, ["#board", '#moves [aria-current="true"]' if wide else "#said .what"]),
        (100_000, ["#board", '#moves [aria-current="true"]'][: 1 + wide]),
    ):
        page.evaluate("top => scrollTo(0, top)", start)
        page.keyboard.press("Home")
        found = page.evaluate(STEPS, [len(made["games"][0]["lines"][0]["plies"]), seen])
        assert found == [[], 1]


def test_explosions_show_what_is_gone_and_checks_have_arrows(show):
    match = REPOSITORY / "data" / "variants" / "atomic.pgn"
    made = study_files([match], Wishes(games=(2,)), rules="atomic")
    page = show(html(made))
    plies = made["games"][0]["lines"][0]["plies"]
    assert any(ply["explosion"] for ply in plies) and any(ply["checks"] for ply in plies)
    for ply in plies:
        page.keyboard.press("ArrowRight")
        gone = page.eval_on_selector_all(
            "#board [data-gone]", "all => all.map(e => e.dataset.gone + '=' + e.dataset.was)"
        )
        assert sorted(gone) == sorted(f"{one['point']}={one['piece']}" for one in ply["gone"] or ())
        assert page.locator("#board .star").count() == (len(gone) if ply["explosion"] else 0)
        checks = ply["checks"] or {"direct": [], "wide": []}
        assert page.locator("#board .arrow.direct").count() == len(checks["direct"])
        assert page.locator("#board .arrow.wide").count() == len(checks["wide"])


def test_a_cannons_shot_is_shown_without_an_explosion(show):
    page = show(html(study([GameRecord(tokens=["b3b10", "a10a9"])], "atomic")), "#g1/1")
    assert page.locator('#board [data-gone="b10"]').count() == 1
    assert page.locator("#board .star").count() == 0
    assert "takes horse and goes with it" in page.locator("#said").inner_text()
    assert "✺" not in page.locator("#moves").inner_text()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#print .p-game").count() == 1
    assert "✺" not in page.locator("#print").text_content()


def test_keys_alone_do_everything(show):
    page = show(html(study([commented(), chance_game("xiangqi")])), "#g1/0")
    said = page.locator("#said .what")
    press = page.keyboard.press
    press("ArrowRight")
    assert "1. Red: C2.5!" in said.inner_text()
    press("ArrowDown")  # the variation at Black's first move
    at(page, "#g1/l1/2")
    assert "1... Black: C8.5?!" in said.inner_text()
    press("Escape")
    press("End")
    at(page, "#g1/6")
    press("Home")
    press("n")
    at(page, "#g1/1")  # the first ply with a comment
    press("m")
    assert page.locator("#notation").input_value() == "algebraic" and "Che3" in said.inner_text()
    press("l")
    assert page.locator("html").get_attribute("lang") == "zh-Hans" and "红方" in said.inner_text()
    face = page.locator('#board [data-point="e1"] text')
    assert face.text_content() == "帥"
    press("c")
    assert face.text_content() == "K"
    low = page.locator('#board [data-point="e1"]').get_attribute("transform")
    press("f")
    assert page.locator('#board [data-point="e1"]').get_attribute("transform") != low
    press("]")
    at(page, "#g2/0")
    press("g")
    assert page.locator("#contents").is_visible() and page.evaluate("document.activeElement.tagName") == "A"
    press("Tab")
    press("Shift+Tab")
    press("Enter")
    assert page.locator("#game").is_visible()
    press("?")
    assert page.locator("#help").is_visible()


def test_every_control_is_reached_by_tab(show):
    page = show(html(study([commented()])))
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
    wanted = {
        "notation",
        "faces",
        "language",
        "theme",
        "first",
        "previous",
        "next",
        "last",
        "flip",
        "slider",
        "marks",
        "moves",
    }
    assert wanted <= reached


def test_mouse_wheel_buttons_and_lists(show):
    page = show(html(study([commented()])))
    page.hover("#board")
    page.mouse.wheel(0, 120)
    at(page, "#g1/1")
    page.mouse.wheel(0, -120)
    at(page, "#g1/0")
    page.click("#next")
    page.click("#branches button")
    at(page, "/l1/2")
    page.click('.move[data-line="2"][data-ply="4"]')
    at(page, "/l2/4")
    page.click("#branches button")
    page.select_option("#notation", "chinese")
    assert "炮二平五" in page.inner_text("#moves")
    page.fill("#slider", "5")
    assert page.url.endswith("#g1/5") or "/l1/" in page.url
    page.select_option("#marks", "comment")
    page.click("#first")
    page.click("#next-mark")
    at(page, "/1")


def test_a_finger_turns_the_pages(show):
    page = show(html(study([commented()])), width=390, height=844, has_touch=True, is_mobile=True)
    box = page.locator("#board").bounding_box()
    y = box["y"] + box["height"] / 2
    page.touchscreen.tap(box["x"] + box["width"] * 0.8, y)
    at(page, "#g1/1")
    page.touchscreen.tap(box["x"] + box["width"] * 0.2, y)
    at(page, "#g1/0")
    swipe = """([id, from, to]) => {
      const board = document.getElementById(id);
      const touch = (x) => new Touch({identifier: 1, target: board, clientX: x, clientY: 300});
      board.dispatchEvent(new TouchEvent('touchstart', {touches: [touch(from)], changedTouches: [touch(from)]}));
      board.dispatchEvent(new TouchEvent('touchend', {touches: [], changedTouches: [touch(to)]}));
    }"""
    page.evaluate(swipe, ["board", 300, 120])
    at(page, "#g1/1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_records_cannot_run_anything(show):
    page = show(html(study([commented()])))
    assert "alert(1)" in page.inner_text("#players")
    assert page.locator("#moves i").count() == 0
    page.keyboard.press("ArrowRight")
    assert "<i>markup</i>" in page.inner_text("#said")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["contents", "game"])
def test_axe_finds_no_serious_fault(show, width, scheme, view):
    made = study([chance_game("atomic", seed=4), chance_game("atomic")], "atomic")
    page = show(
        html(made), "" if view == "contents" else "#g1/20", width, 900, color_scheme=scheme, bypass_csp=True
    )
    assert serious_faults(page) == []


@pytest.mark.parametrize("width, scheme", [(390, "dark"), (390, "light"), (1280, "light")])
@pytest.mark.parametrize("language, mate", [("en", "mate"), ("zh", "杀")])
def test_the_curve_of_evaluations_has_a_scale(show, width, scheme, language, mate):
    values = {1: (3.0, None), 2: (-3.0, None), 3: (0.0, None), 4: (None, 5), 5: (None, -5)}
    made = study([commented()])
    game = made["games"][0]
    for ply in game["lines"][0]["plies"]:
        ply["evaluation"], ply["mate_in"] = values.get(ply["ply"], (0.5, None))
    made["language"] = language
    page = show(html(made), "#g1/0", width, 844, color_scheme=scheme, bypass_csp=True)
    assert (
        page.locator("#graph-box h3").text_content()
        == {
            "en": "Evaluation, in pawns for Red",
            "zh": "局势（以兵计，正数红优）",
        }[language]
    )
    labels = page.eval_on_selector_all(
        "#scale span",
        "all => all.map(x => [x.textContent, x.getBoundingClientRect().toJSON(), getComputedStyle(x).fontSize])",
    )
    assert [text for text, *_ in labels] == [mate, "+3", "0", "−3", mate]
    for (_, upper, _), (_, lower, _) in pairwise(labels):
        assert upper["bottom"] <= lower["top"]
    assert all(place["left"] >= 0 and place["right"] <= width for _, place, _ in labels)
    assert all(float(size.removesuffix("px")) >= 12 for *_, size in labels)
    box = page.locator("#graph").bounding_box()
    middles = [(place["top"] + place["bottom"]) / 2 for _, place, _ in labels]
    up, down = (page.locator(f"#graph .{name}").get_attribute("d") for name in ("up", "down"))
    heights = [
        [float(point.split()[1].rstrip("Z")) for point in way.split("L")[1:]][: len(values)]
        for way in (up, down)
    ]
    at = {n: box["y"] + box["height"] * (heights[n in (2, 5)][n - 1]) / 100 for n in values}
    for ply, label in ((1, 1), (2, 3), (3, 2), (4, 0), (5, 4)):
        assert at[ply] == pytest.approx(middles[label], abs=2), ply
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert serious_faults(page) == []


def test_broken_records_are_shown_as_far_as_they_go(show):
    made = study_files([REPOSITORY / "data" / "faults" / "broken.pgn"], Wishes(), rules="xiangqi")
    page = show(html(made))
    for number, game in enumerate(made["games"], start=1):
        page.evaluate(f"location.hash = '#g{number}/0'")
        page.wait_for_function(f"document.getElementById('where').textContent.includes({game['event']!r})")
        assert page.evaluate(READ) == (
            meant(game["start"], Ruleset.load("xiangqi")) if game["start"] else [{}, {}]
        )
        assert page.locator("#findings li").count() == len(game["findings"])
        page.keyboard.press("End")


def test_the_page_prints_every_game(show):
    made = study([chance_game("atomic", seed=4), chance_game("atomic")], "atomic")
    page = show(html(made))
    paper = page.pdf()
    assert paper.startswith(b"%PDF") and len(paper) > 20_000
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#print .p-game").count() == 2
    assert page.locator("#print figure").count() >= 4
    assert page.locator("#print table tbody tr").count() == 2


def test_the_page_prints_comments_and_variations(show):
    page = show(html(study([commented()])))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    text = page.locator("#print .text").text_content().replace("\u00a0", " ")
    assert "before it all 1. C2.5! a comment with <i>markup</i> 1... H8+7" in text
    assert "(1... C8.5?! symmetrical 2. H2+3 (2. H8+7 H2+3 ) ) 2. H2+3" in text


def test_three_hundred_plies_are_a_small_page(show):
    record = chance_game("six-fortresses", plies=300)
    assert len(record.tokens) == 300
    text = html(study([record], "six-fortresses"))
    assert len(text.encode()) < 1_500_000
    assert show(text).locator("#moves .move").count() == 300


def test_the_twelve_games_of_the_atomic_match(show, tmp_path):
    """Every explosion marked, and a note on the move that decided each."""
    match = shared("matches/atomic.pgn")
    made = study_files([match], Wishes(pick="explosions", count=12), rules="atomic")
    page = show(html(made))
    assert page.locator("#contents-body tr").count() == 12
    links = page.eval_on_selector_all(
        "#contents-body td", "all => all.map(cell => cell.querySelector('a')?.hash)"
    )
    assert len(links) % 12 == 0 and links == sorted(links, key=lambda link: int(link[2:-2]))  # whole lines
    page.locator("#contents-body tr").nth(2).locator("td").last.click()
    page.wait_for_function("location.hash === '#g3/0'")
    assert page.locator("#game").is_visible()
    for number, game in enumerate(made["games"], start=1):
        plies = game["lines"][0]["plies"]
        page.evaluate(f"location.hash = '#g{number}/0'")
        page.wait_for_function(f"document.querySelectorAll('#moves .pair .move').length === {len(plies)}")
        marked = page.eval_on_selector_all(
            "#moves .move",
            "all => all.filter(m => m.textContent.includes('✺')).map(m => Number(m.dataset.ply))",
        )
        assert marked == [ply["ply"] for ply in plies if ply["explosion"]]
        assert game["decided"] is not None and page.locator("#decided").is_visible()


@pytest.mark.parametrize("rules", Ruleset.ids())
def test_pictures_for_a_person(show, rules):
    folder = os.environ.get("CAIPAN_SCREENSHOTS")
    if not folder:
        pytest.skip("CAIPAN_SCREENSHOTS names no folder")
    text = html(study([chance_game(rules, seed=4)], rules))
    for width, height, scheme in ((1280, 900, "light"), (390, 844, "light"), (1280, 900, "dark")):
        page = show(text, "#g1/30", width, height, color_scheme=scheme)
        page.screenshot(path=f"{folder}/{rules}-{width}-{scheme}.png")
