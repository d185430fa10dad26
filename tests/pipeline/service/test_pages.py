"""The pages: as plain forms, in both languages, with hostile records in them, and in a browser."""

import html
import json
import re
from html.parser import HTMLParser
from importlib import resources

import pytest
from click.testing import CliRunner

from adjudicator import RuleBook
from browsing import serious_faults
from pipeline.cli import main
from serving import DATA, finished

PAGE = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
NO_FILE = {"file": ("", b"")}
BROKEN = DATA / "faults" / "broken.pgn"


class Read(HTMLParser):
    """Elements of a page with their attributes, and its text."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.mark.parametrize(
    "path, headers, language",
    [
        ("/", {}, "en"),
        ("/?lang=zh", {}, "zh-Hans"),
        ("/", {"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8"}, "zh-Hans"),
        ("/", {"Accept-Language": "de,en;q=0.8,zh;q=0.5"}, "en"),
        ("/?lang=en", {"Accept-Language": "zh"}, "en"),
        ("/v1/runs?lang=zh", {}, "zh-Hans"),
    ],
)
def test_a_page_is_in_the_language_of_its_reader(client, path, headers, language):
    answer = client.get(path, headers=PAGE | headers)
    page = Read(answer.text)
    assert page.all("html") == [{"lang": language}]
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'")
    assert not [attributes for _, attributes in page.elements if any(name[:2] == "on" for name in attributes)]
    for link in [*page.all("link"), *page.all("script"), *page.all("a")]:
        assert re.match(r"/[^/]|/$|/\?|data:,$", link.get("href") or link["src"])


def test_every_word_is_there_in_both_languages():
    words = json.loads(resources.files("pipeline.service").joinpath("words.json").read_text(encoding="utf-8"))
    assert words["en"].keys() == words["zh"].keys()
    assert words["en"]["notations"].keys() == words["zh"]["notations"].keys()
    assert sorted(words["zh"]["books"]) == RuleBook.ids()


def test_what_the_pages_need_is_served(client):
    assert client.get("/page.css").headers["content-type"].startswith("text/css")
    assert client.get("/page.js").headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_plain_form_gives_the_report_and_keeps_what_was_pasted(client, tmp_path, language):
    text = BROKEN.read_text(encoding="utf-8")
    fields = {"text": text, "rules": "xiangqi", "book": "axf", "encoding": "", "handicap": ""}
    answer = client.post(f"/v1/check?lang={language}", data=fields, files=NO_FILE, headers=PAGE)
    page = Read(answer.text)
    told = CliRunner().invoke(main, ["check", str(BROKEN), "--book", "axf", "--lang", language]).stdout
    for line in told.replace(str(BROKEN), "record").splitlines():
        assert " ".join(line.split()) in " ".join(page.text.split())
    assert html.escape(text.strip()) in answer.text
    assert {"value": "axf", "selected": None} in page.all("option")
    assert [form["action"] for form in page.all("form")] == [f"/v1/check?lang={language}"]
    buttons = [button["formaction"] for button in page.all("button") if "formaction" in button]
    assert len(buttons) == 9
    for place in buttons:  # one form for all of them
        assert client.post(place, data=fields, files=NO_FILE).status_code in (200, 202)


@pytest.mark.parametrize("language, said", [("en", "stay as written"), ("zh", "保持原样")])
def test_a_page_tells_what_is_not_rewritten_and_leads_to_the_file(client, language, said):
    place, fields = f"/v1/convert?to=wxf&lang={language}", {"text": BROKEN.read_text(encoding="utf-8")}
    answer = client.post(place, data=fields, files=NO_FILE, headers=PAGE)
    page = Read(answer.text)
    assert said in page.text
    assert html.escape(fields["text"].strip()) in answer.text
    (link,) = [link["href"] for link in page.all("a") if "download" in link]
    plain = client.post(place, data=fields, files=NO_FILE)
    for _ in range(2):
        file = client.get(link, headers=PAGE)
        assert file.content == plain.content
        assert file.headers["content-disposition"] == 'attachment; filename="record-wxf.pgn"'
    assert client.get("/v1/written/nothing").status_code == 404


def test_what_is_rewritten_whole_is_sent_at_once(client):
    answer = client.post("/v1/convert?to=wxf", data={"text": "1. h3e3 *"}, files=NO_FILE, headers=PAGE)
    assert answer.headers["content-disposition"] == 'attachment; filename="record-wxf.pgn"'
    assert "C2.5" in answer.text


def test_of_many_records_those_with_faults_come_first(client):
    sound, faulty = '[Event "S"]\n\n1. h3e3 *\n\n', '[Event "F"]\n\n1. h3h9 *\n\n'
    text = sound * 510 + faulty
    answer = client.post("/v1/check", data={"text": text}, files=NO_FILE, headers=PAGE)
    assert answer.text.count("<article>") == 500
    first, second = re.findall(r"<h3><bdi>(.*?)</bdi>", answer.text)[:2]
    assert ("game 511" in first, "game 1 " in second) == (True, True)
    assert "11 more are not shown here" in answer.text


def test_a_box_leaves_only_records_with_faults(client):
    fields = {"text": "1. h3e3 *\n\n1. h3h9 *", "quiet": "yes"}
    answer = client.post("/v1/check", data=fields, files=NO_FILE, headers=PAGE)
    assert re.findall(r"<h3><bdi>.*?game (\d+)", answer.text) == ["2"]
    (box,) = [one for one in Read(answer.text).all("input") if one["id"] == "quiet"]
    assert "checked" in box
    assert "checked" not in client.get("/", headers=PAGE).text
    assert client.post("/v1/convert?to=wxf", data=fields, files=NO_FILE).status_code == 200


def test_what_records_say_is_text(client):
    hostile = '</textarea><script>alert(1)</script>"><img src=x onerror=alert(2)>\u202e'
    text = f'[Event "{hostile}"]\n[Red "<b>"]\n\n1. <i>h3e3</i> *'
    before = Read(client.get("/", headers=PAGE).text)
    for given in (
        {"data": {"text": text}, "files": NO_FILE},
        {"files": {"file": ("<script>x.pgn", text.encode())}},
        {"data": {"text": text, "rules": "<script>"}, "files": NO_FILE},
    ):
        answer = client.post("/v1/check", headers=PAGE, **given)
        page = Read(answer.text)
        assert "\u202e" not in answer.text
        assert page.all("script") == before.all("script")
        assert not page.all("img") and not page.all("b") and not page.all("i")
        assert "<script>" in page.text
    run = client.post("/v1/runs", files={"file": ("<script>y.pgn", text.encode())}).headers["location"]
    finished(client, run)
    for path in (run, "/v1/runs"):
        page = Read(client.get(path, headers=PAGE).text)
        assert page.all("script") == before.all("script")
        assert "<script>y.pgn" in page.text


def test_what_is_asked_wrongly_is_told_on_a_page(client):
    answer = client.post("/v1/check?book=sight", data={"text": "1. h3e3 *"}, files=NO_FILE, headers=PAGE)
    assert answer.status_code == 422
    assert {"class": "card trouble", "role": "alert"} in Read(answer.text).all("p")
    assert "did you mean 'site'?" in html.unescape(answer.text)
    text = client.get("/v1/runs/x", headers=PAGE).text
    assert text.index("there is no run") < text.index("<form")


@pytest.mark.parametrize(
    "method, path, said",
    [
        ("GET", "/v1/runs/nope", "没有批量裁定 'nope'"),
        ("GET", "/nothing", "没有这个网页"),
        ("POST", "/", "这个网址不接受这种请求"),
        ("POST", "/v1/check", "没有收到棋谱"),
        ("GET", "/v1/written/x", "文件已不再保留"),
    ],
)
def test_what_the_service_says_itself_is_said_in_chinese(client, method, path, said):
    answer = client.request(method, path, params={"lang": "zh"}, headers=PAGE)
    assert f'role="alert">{said}' in html.unescape(answer.text)
    assert not re.search("[\u4e00-\u9fff]", client.request(method, path).json()["detail"])


def test_a_run_is_summed_up_in_chinese(client):
    place = client.post("/v1/runs", content=BROKEN.read_bytes()).headers["location"]
    summary = finished(client, place)["summary"]
    page = Read(client.get(f"{place}?lang=zh", headers=PAGE).text)
    for line in summary["summary_zh"]:
        assert line in page.text
    codes = "|".join(summary["findings"])
    assert not re.search(
        r"[a-z]{3}", re.sub(rf"xiangqi|site|\b(?:{codes})\b", "", "".join(summary["summary_zh"]))
    )


def test_forms_lead_from_one_page_to_the_next(client):
    record = {"file": ("one.pgn", b"1. h3e3 h10g8 *")}
    asked = {"headers": PAGE, "follow_redirects": False}
    begun = client.post("/v1/runs?lang=zh", files=record, **asked)
    assert begun.status_code == 303
    place, _, query = begun.headers["location"].partition("?")
    assert query == "lang=zh"
    finished(client, place)
    page = Read(client.get(f"{place}?lang=zh", headers=PAGE).text)
    assert f"{place}/tables.zip" in [link["href"] for link in page.all("a")]
    again = client.post(f"{place}/rule?lang=zh", data={"book": "axf"}, **asked)
    back, ruling = f"{place}?lang=zh&ruled=rulings%2Faxf.parquet", f"{place}/tables/rulings/axf.parquet"
    assert (again.status_code, again.headers["location"]) == (303, f"{back}#ruled")
    page = Read(client.get(back, headers=PAGE).text)
    assert [one["role"] for one in page.all("div") if one.get("id") == "ruled"] == ["status"]
    assert "已按规则书重新裁定：axf – 亚洲象棋联合会。" in page.text
    assert "1  未完" in page.text
    assert [link["href"] for link in page.all("a")].count(ruling) == 2
    page = Read(client.get(f"{place}?ruled=games/part-00000.parquet&ruled=x", headers=PAGE).text)
    assert [link["href"] for link in page.all("a")].count(ruling) == 1
    assert "Ruled again" not in page.text
    removed = client.post(f"{place}/remove", **asked)
    assert (removed.status_code, removed.headers["location"]) == (303, "/v1/runs?lang=en")
    assert client.get(place).status_code == 404


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("source", sorted(DATA.glob("faults/*")), ids=lambda path: path.name)
def test_the_page_of_a_run_lists_its_faults_as_a_check_does(client, source, language):
    content = source.read_bytes()
    place = client.post(f"/v1/runs?name={source.name}", content=content).headers["location"]
    counts = finished(client, place)["summary"]["findings"]
    page = Read(client.get(f"{place}?lang={language}", headers=PAGE).text)
    assert [code for code in counts if code not in page.text] == []
    found = r"<h3>.*?</h3>|<li class=.is-(?:error|warning).*?</li>"
    listed = re.findall(found, client.get(f"{place}?lang={language}", headers=PAGE).text)
    asked = f"/v1/check?name={source.name}&quiet=yes&lang={language}"
    assert listed == re.findall(found, client.post(asked, content=content, headers=PAGE).text)
    assert listed or not counts


@pytest.fixture
def visit(browser, running):
    """Open a page of the server; at the end it must not have complained, nor asked another server."""
    address = str(running.client.base_url).rstrip("/")
    troubles, contexts = [], []

    def opened(path, width=390, **options):
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: troubles.append(said.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on(
            "request", lambda asked: asked.url.startswith((address, "data:")) or troubles.append(asked.url)
        )
        page.goto(address + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []


def test_a_reader_checks_a_record_by_keys_alone(visit):
    page = visit("/?lang=zh", color_scheme="dark")
    page.focus("#text")
    page.keyboard.insert_text("1. h3e3 h10g8 2. h1g9 *")
    for _ in range(6):  # file, rules, book, more, check
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "check":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("article")
    assert "可走:h1g3, h1i3" in page.inner_text("#result")
    assert page.input_value("#text") == "1. h3e3 h10g8 2. h1g9 *"
    assert page.evaluate("document.activeElement.id") == "result"
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_reader_starts_a_run_and_sees_a_study(visit):
    page = visit("/", 1100)
    page.set_input_files("#file", DATA / "matches" / "uci.pgn")
    with page.expect_popup() as study:
        page.click("button[formaction^='/v1/study']")
    study.value.wait_for_selector("#board g", state="attached")
    page.click("button[formaction^='/v1/runs']")
    page.wait_for_selector("[data-over=yes]")
    assert "8  games" in page.inner_text("pre")


def test_a_page_without_script_does_the_same(visit):
    page = visit("/", java_script_enabled=False)
    page.fill("#text", "1. h3e3 h10g8 2. h1g9 *")
    page.click("#check")
    assert "possible: h1g3, h1i3" in page.inner_text("article")


def test_axe_finds_no_serious_fault(visit):
    page = visit("/", color_scheme="dark", bypass_csp=True)
    page.set_input_files("#file", BROKEN)
    page.click("#check")
    page.wait_for_selector("article")
    assert serious_faults(page) == []
    page.emulate_media(color_scheme="light")
    assert serious_faults(page) == []
    page.click("button[formaction^='/v1/runs']")
    page.wait_for_selector("[data-over=yes]")
    assert serious_faults(page) == []
