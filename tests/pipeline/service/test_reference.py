"""The reference page. ``python -m pipeline.service.reference > data/service.md`` renews it; read the diff."""

from serving import DATA, finished

PAGE = DATA / "service.md"


def test_the_page_is_what_the_addresses_say(client):
    from pipeline.service.reference import describe

    assert PAGE.read_text(encoding="utf-8") == describe()


def test_it_tells_of_all_that_answers_have(client):
    record = (DATA / "law" / "chases.pgn").read_bytes()
    said = client.post("/v1/check", content=record).json()
    run = finished(client, client.post("/v1/runs", content=record).headers["location"])
    told = PAGE.read_text(encoding="utf-8")
    for answer in (said, said["games"][0]["ruling"], run, run["summary"], run["progress"], *run["tables"]):
        assert not [key for key in answer if f"`{key}`" not in told]
