"""A study as PGN, Markdown and JSON."""

import io
import json
import re
from xml.etree import ElementTree

import pytest
from studies_made import chance_game, commented, study

from adjudicator import Ruleset, adjudicate
from adjudicator.drawing import size
from pipeline.studies import annotated, markdown
from pipeline.studies.annotated import record_of
from pipeline.studies.film import gif
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


def test_evaluations_survive_in_annotated_pgn():
    made = study([chance_game("xiangqi")])
    (ruled,) = adjudicate(annotated(made))
    again = study([ruled.record])
    for first, second in zip(*(s["games"][0]["lines"][0]["plies"] for s in (made, again)), strict=True):
        assert (first["evaluation"], first["depth"]) == (second["evaluation"], second["depth"])


def test_other_programs_read_the_annotated_pgn():
    chess_pgn = pytest.importorskip("chess.pgn")
    text = io.StringIO(annotated(study([commented(), chance_game("xiangqi")])))
    headers = [chess_pgn.read_headers(text), chess_pgn.read_headers(text)]
    assert [h["Annotator"] for h in headers] == ["caipan", "caipan"]


def test_markdown_shows_its_pictures_and_no_markup_of_records(tmp_path):
    made = study([commented(), chance_game("atomic")][:1])
    text, pictures = markdown(made, Ruleset.load("xiangqi"), "d")
    assert "<script>" not in text.replace("\\<", "") and "\\<i\\>markup" in text
    shown = re.findall(r"\]\(d/([^)]+)\)", text)
    assert sorted(shown) == sorted(pictures)
    for picture in pictures.values():
        ElementTree.fromstring(picture)


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
        assert picture.count('class="gone"') == len(ply["explosion"] or ())


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
        assert film.n_frames == 5 and film.size == size(Ruleset.load(rules))
