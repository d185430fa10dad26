"""A study as PGN, Markdown and JSON."""

import io
import json
import re
from xml.etree import ElementTree

import pytest
from studies_made import chance_game, commented, study

from adjudicator import Ruleset, adjudicate
from adjudicator.drawing import burst, size
from notation.record import GameRecord, Variation
from pipeline.studies import annotated, html, markdown
from pipeline.studies.annotated import record_of
from pipeline.studies.film import CAPTION, gif
from pipeline.studies.write import study as write


@pytest.mark.parametrize("rules", Ruleset.ids())
@pytest.mark.parametrize("language", ["en", "zh"])
def test_annotated_pgn_reads_back_to_the_same_annotations(rules, language):
    made = study([chance_game(rules), chance_game(rules, seed=2)], rules, language=language)
    again = list(adjudicate(annotated(made), rules))
    for game, ruled in zip(made["games"], again, strict=True):
        meant = record_of(game, made["notation"], language)
        assert [ply.move for ply in ruled.moves] == [ply["move"] for ply in game["lines"][0]["plies"]]
        assert ruled.record.comments == meant.comments
        assert ruled.record.nags == meant.nags
        assert (ruled.result, ruled.reason, ruled.ply) == (game["result"], game["reason"], game["end"])


def test_variations_comments_and_nags_survive_in_annotated_pgn():
    made = study([commented()])
    (ruled,) = adjudicate(annotated(made))
    meant = record_of(made["games"][0], made["notation"], "en")
    assert ruled.record.variations == meant.variations
    assert ruled.record.comments == meant.comments
    assert ruled.record.nags == meant.nags
    second = study([ruled.record])
    mine = [[ply["move"] for ply in line["plies"]] for line in made["games"][0]["lines"]]
    assert [[ply["move"] for ply in line["plies"]] for line in second["games"][0]["lines"]] == mine


@pytest.mark.parametrize(
    "words",
    [
        None,
        "[%eval 0.35,9] [%emt 0:01:02.5]",
        "[%eval #-3]",
        "[%eval",
        "+M3/20 1.5s",
        "-M4/9",
        "+M4/9",
        "-0.10/8",
    ],
)
def test_evaluations_survive_in_annotated_pgn(words):
    record = chance_game("xiangqi")
    if words:
        record.comments = {ply: [words] for ply in (3, 4)}
    made = study([record])
    (ruled,) = adjudicate(annotated(made))
    again = study([ruled.record])
    for first, second in zip(*(s["games"][0]["lines"][0]["plies"] for s in (made, again)), strict=True):
        for figure in ("evaluation", "mate_in", "depth", "seconds", "after"):
            assert first[figure] == second[figure]


@pytest.mark.parametrize("rules", Ruleset.ids())
def test_another_program_reads_tags_comments_and_nags(rules):
    """python-chess plays no xiangqi, so the moves are passed over; all the rest reaches it without an error."""
    pgn = pytest.importorskip("chess.pgn")
    chess = pytest.importorskip("chess")

    class Remarks(pgn.BaseVisitor):
        def begin_game(self):
            self.tags, self.said = {}, []

        def visit_header(self, name, value):
            self.tags[name] = value

        def visit_comment(self, comment):
            self.said.append(" ".join(comment.split()))

        def visit_nag(self, nag):
            self.said.append(nag)

        def parse_san(self, board, san):
            return chess.Move.null()

        def handle_error(self, error):
            raise error

        def result(self):
            return self.tags, self.said

    records = [chance_game(rules), *([commented()] if rules == "xiangqi" else [])]
    for record in records:
        record.tags.pop("Variant", None)  # which names a kind of chess there
    made = study(records, rules)
    text = io.StringIO(annotated(made))
    for game in made["games"]:
        meant = record_of(game, made["notation"], "en")
        tags, said = pgn.read_game(text, Visitor=Remarks)
        assert {name: value.replace("\\", "") for name, value in tags.items()} == meant.tags
        assert tags["White"] == meant.tags["Red"]
        for line in (meant, *meant.variations):
            assert {nag for nags in line.nags.values() for nag in nags} <= set(said)
            comments = [" ".join(text.split()) for texts in line.comments.values() for text in texts]
            assert set(comments) <= set(said)
    assert pgn.read_game(text) is None


@pytest.mark.parametrize("rules", ["xiangqi", "atomic", "jump-cannon"])
def test_another_program_finds_no_fault_where_it_knows_no_better(rules):
    pgn = pytest.importorskip("chess.pgn")
    record = chance_game(rules)
    del record.tags["Variant"]
    assert pgn.read_game(io.StringIO(annotated(study([record], rules)))).errors == []


def test_a_lone_surrogate_costs_no_record():
    made = study([GameRecord(tags={"Event": "\ud800"}, tokens=["h3e3"], comments={1: ["\udfff"]})])
    (ruled,) = adjudicate(annotated(made))
    assert [ply.move for ply in ruled.moves] == ["h3e3"]


HOSTILE = {
    "line separator": "a\u2028b\u2029c\x85d",
    "vertical tab": "a\x0bb\x0cc",
    "right to left": "\u202eevil\u2066\u200f",
    "script": "</script><script>alert(1)</script><img src=x onerror=alert(1)>",
    "braces": "{brace} }close",
    "percent": "% percent\n% at start",
    "tags": '[Event "fake"]',
    "long": "x" * 10_000,
    "control": "n\x01\x1b[31m",
    "numbers": "$5 ( ) * 1-0 ; rest",
    "markdown": "- # [a](javascript:alert(1)) ![x](http://e.example/a.png) `b` <!-- -->",
    "entity": "&lt;b&gt;&#60;",
    "backslash": '\\"\\',
    "lines": "one\r\ntwo\rthree\n\n\nfour",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_odd_texts_are_kept_and_are_nothing_but_text(text):
    record = GameRecord(
        tags={"Event": text, "Red": text, "Round": text},
        tokens=["h3e3", "h10g8", "h1g3"],
        comments={0: [text], 1: [text], 2: [text, text]},
        variations=[Variation(2, ["h8e8"], {2: [text]})],
        result="*",
    )
    made = study([record])
    (ruled,) = adjudicate(annotated(made))
    meant = record_of(made["games"][0], made["notation"], "en")
    assert ruled.record.comments == meant.comments and ruled.record.variations == meant.variations
    assert [ply.move for ply in ruled.moves] == record.tokens
    written, _ = markdown(made, Ruleset.load("xiangqi"), "d")
    bare = re.sub(r"\\[!-/:-@\[-`{-~]", "", written.replace('<a id="game-1"></a>', ""))
    assert not re.search(r"[<>`\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069]|\]\((?!d/)|^[-+=]", bare, re.M)


def test_markdown_shows_its_pictures_and_no_markup_of_records(tmp_path):
    made = study([commented(), chance_game("atomic")][:1])
    text, pictures = markdown(made, Ruleset.load("xiangqi"), "d")
    assert "<script>" not in text.replace("\\<", "") and "\\<i\\>markup" in text
    shown = re.findall(r"\]\(d/([^)]+)\)", text)
    assert sorted(shown) == sorted(pictures)
    for picture in pictures.values():
        ElementTree.fromstring(picture)


def test_markdown_keeps_comments_and_variations():
    made = study([commented()])
    text = markdown(made, Ruleset.load("xiangqi"), "d")[0].replace("\\", "")
    assert "(1... C8.5 *symmetrical* 2. H2+3 (2. H8+7 H2+3))" in text
    assert "(3... C2+4 *(not replayed: z9z9)*)" in text


def test_variations_deeper_than_python_calls_are_told():
    top = line = Variation(2, ["h8e8"])
    for _ in range(1500):
        line.variations.append(Variation(2, ["b8e8"]))
        line = line.variations[0]
    made = study([GameRecord(tokens=["h3e3", "h10g8"], variations=[top])])
    assert markdown(made, Ruleset.load("xiangqi"), "d")[0].count("(1...") == 1501


@pytest.mark.parametrize("rules", Ruleset.ids())
def test_pictures_show_the_men_of_their_position(rules):
    made = study([chance_game(rules)], rules)
    _, pictures = markdown(made, Ruleset.load(rules), "d")
    plies = made["games"][0]["lines"][0]["plies"]
    assert pictures
    for name, picture in pictures.items():
        ply = plies[int(re.search(r"ply-(\d+)", name)[1]) - 1]
        placement, _, hand = ply["fen"].split()[0].partition("[")
        men = len(re.findall("[A-Za-z]", placement)) + len(set(hand.rstrip("]")))
        assert picture.count('class="piece') == men, name
        assert picture.count('class="gone"') == len(ply["gone"] or ())
        assert picture.count('class="gone"><path') == (len(ply["gone"]) if ply["explosion"] else 0)
        checks = ply["checks"] or {"direct": [], "wide": []}
        assert picture.count('class="check"') == len(checks["direct"])
        assert picture.count('class="check wide"') == len(checks["wide"])


SHOT = GameRecord(tokens=["b3b10", "a7a6", "c4c5", "a6a5", "c5c6", "i7i6", "c6c7"])
"""A cannon's shot on the first ply, a soldier's explosion on the last."""


@pytest.mark.parametrize(
    "language, shot, explosion, told",
    [
        ("en", "the shot takes b10=h and costs the capturer", "explosion clears c7=p", "shot: b10=h"),
        ("zh", "射去 b10=h，射者同归于尽", "爆炸炸去 c7=p", "射击：b10=h"),
    ],
)
def test_a_cannons_shot_is_told_apart_from_an_explosion(language, shot, explosion, told):
    made = study([SHOT], "atomic", language=language)
    record = record_of(made["games"][0], made["notation"], language)
    assert record.comments[1] == [shot] and 220 not in record.nags.get(1, [])
    assert record.comments[7][0] == explosion and 220 in record.nags[7]
    text, _ = markdown(made, Ruleset.load("atomic"), "d")
    assert told in text and text.count("b10=h") == 1


def test_only_an_explosion_bursts_in_a_film(monkeypatch):
    pytest.importorskip("PIL", reason="films need the extra caipan[film]")
    drawn = []
    monkeypatch.setattr("pipeline.studies.film.burst", lambda *at: drawn.append(at) or burst(*at))
    game, rules = study([SHOT], "atomic")["games"][0], Ruleset.load("atomic")
    gif(game, rules, 1, 6)
    assert not drawn
    gif(game, rules, 7, 7)
    assert len(drawn) == 1


def test_file_names_come_from_the_person_alone(tmp_path):
    record = chance_game("xiangqi", Event="../../x", Red="con", Black="a/b", Round="C:\\x")
    written = write(study([record]), tmp_path / "out.md", "md", rules="xiangqi")
    found = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert found == set(written)
    assert {path.parent.name for path in written[1:]} == {"out-diagrams"}


def test_json_is_the_whole_study(tmp_path):
    made = study([chance_game("fortress")], "fortress")
    (path,) = write(made, tmp_path / "s.json", "json", rules="fortress")
    assert json.loads(path.read_text()) == json.loads(json.dumps(made))


@pytest.mark.parametrize("rules", Ruleset.ids())
@pytest.mark.parametrize("letters", [False, True])
def test_a_passage_as_a_film(rules, letters):
    image = pytest.importorskip("PIL.Image")
    game = study([chance_game(rules, plies=12)], rules)["games"][0]
    with image.open(io.BytesIO(gif(game, Ruleset.load(rules), 3, 6, letters=letters))) as film:
        width, height = size(Ruleset.load(rules))
        assert film.n_frames == 5 and film.size == (width, height + CAPTION)


def test_a_film_says_the_move_and_the_players_below_the_board(monkeypatch):
    pytest.importorskip("PIL", reason="films need the extra caipan[film]")
    said = []
    monkeypatch.setattr("pipeline.studies.film._Camera._say", lambda _, pen, text: said.append(text))
    gif(
        study([commented()])["games"][0] | {"red": "A", "black": "B"},
        Ruleset.load("xiangqi"),
        1,
        2,
        notation="wxf",
    )
    assert said == ["A – B", "1. C2.5   A – B", "1... H8+7   A – B"]


def test_a_long_name_does_not_leave_the_picture():
    image = pytest.importorskip("PIL.Image")
    game = study([commented()])["games"][0] | {"red": "A" * 5000}
    with image.open(io.BytesIO(gif(game, Ruleset.load("xiangqi"), 1, 1))) as film:
        frame = film.convert("RGB")
        right = frame.crop((frame.width - 8, frame.height - CAPTION, frame.width, frame.height))
        assert all(dark > 200 for dark, _ in right.getextrema())


CREATIONS = ["h1g3", "h10g8", "g3h1", "g8h10"] * 2 + ["h1g3"]
BROKEN = [
    pytest.param(
        GameRecord(tags={"Result": "1-0"}, tokens=["h3e3", "h1g3"]),
        "xiangqi",
        "ply 2",
        "h1g3 is",
        id="the wrong side",
    ),
    pytest.param(
        GameRecord(tokens=["h3e3", "castles"]), "xiangqi", "ply 2", "castles is not a move", id="no move"
    ),
    pytest.param(
        GameRecord(tokens=[*CREATIONS, "h10g8"]),
        "jump-cannon",
        "ply 9",
        "for the third time",
        id="a creation",
    ),
    pytest.param(GameRecord(tokens=["h3e3"], fen="9/9 w"), "xiangqi", "the start", "2 ranks", id="the start"),
]


@pytest.mark.parametrize("record, rules, place, why", BROKEN)
def test_every_form_says_what_stopped_a_record(record, rules, place, why):
    made = study([record], rules)
    stopped = made["games"][0]["stopped"]["en"]
    assert stopped.startswith(f"{place} cannot be played: ") and why in stopped
    assert f"**Stopped:** {stopped}" in markdown(made, Ruleset.load(rules), "d")[0].replace("\\", "")
    assert f"Stopped: {stopped}" in " ".join(annotated(made).split())
    assert stopped in html(made) and stopped in json.dumps(made)
    if record.tags:
        assert made["games"][0]["claim_words"]["en"].endswith("; the record says: Red wins")
    assert stopped not in str(made["games"][0]["findings"])


def test_what_else_is_wrong_with_a_record_stands_in_every_form():
    made = study([GameRecord(tags={"Variant": "Atomic"}, tokens=["h3e3"])])
    told = "the record names the variant Atomic, which is another than xiangqi; perhaps: --rules atomic"
    assert told in html(made)
    assert f"Finding: {told}" in " ".join(annotated(made).split())
    assert f"- {told}" in markdown(made, Ruleset.load("xiangqi"), "d")[0].replace("\\", "")


def test_games_are_numbered_in_markdown():
    text = markdown(study([commented(), commented()]), Ruleset.load("xiangqi"), "d")[0]
    assert "\n## 1\\. " in text and "\n## 2\\. " in text
