"""How soon studies are made and their pages ready, and how big they are: ``python -m tests.bench.studies``.

A game of 300 plies, fifty games, a whole match, and a game of 5,000 plies. The browser is Debian's Chromium; without
it, or without Playwright, only the making is measured.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from pipeline.studies import Wishes, html, study
from tests.bench import archives
from tests.bench.clock import Time
from tests.browsing import CHROMIUM, FLAGS

CYCLE = ("h1g3", "h10g8", "g3h1", "g8h10")


def main() -> None:
    match = archives.find()["UCI"]
    with tempfile.TemporaryDirectory(prefix="caipan-bench-") as name:
        room = Path(name)
        works = (
            ("300 plies", _game(room / "300.pgn", 300), None),
            ("50 games", match, 50),
            ("all games", match, None),
            ("5,000 plies", _game(room / "5000.pgn", 5000), None),
        )
        pages = [_make(title, source, count, room / f"{title}.html") for title, source, count in works]
        _browse(pages)


def _game(path: Path, plies: int) -> Path:
    """One game of so many plies: horses going to and fro."""
    moves = " ".join(CYCLE[ply % 4] for ply in range(plies))
    path.write_text(f'[Event "{plies} plies"]\n[Red "A"]\n[Black "B"]\n\n{moves} *\n', encoding="utf-8")
    return path


def _make(title: str, source: Path, count: int | None, out: Path) -> Path:
    before = Time.now()
    made = study([source], Wishes(count=count), rules="xiangqi")
    page = html(made)
    took = Time.now() - before
    games = made["games"]
    plies = sum(len(game["lines"][0]["plies"]) for game in games)
    out.write_text(page, encoding="utf-8")
    size = len(page.encode())
    print(f"{title:12} {len(games):4} games {plies:7,} plies  made in {took.wall:.2f} s  {size:,} bytes")
    assert plies > 0 and size < 300_000 + 1_000 * plies
    return out


def _browse(pages: Iterable[Path]) -> None:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return
    if CHROMIUM is None:
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for page_file in pages:
            page = browser.new_page()
            page.goto(f"{page_file.as_uri()}#g1/1")
            ready = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
            assert page.locator("#moves .move").count() > 0
            print(f"{page_file.stem:12} ready in {ready:.0f} ms")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
