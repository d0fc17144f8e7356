"""The page in a real browser: no script error, no request, no serious fault for those who cannot see or point."""

from __future__ import annotations

import re
import shutil

import polars as pl
import pytest

from tests.kit.audits import CHECKS
from tests.kit.browser import Browser
from tests.kit.command_line import auditor
from tests.kit.datasets import run

pytest.importorskip("altair", reason="the extra report is not installed")
WIDTHS = [360, 1024, 1920]
FEWER = "document.querySelectorAll('article.finding').forEach((card, at) => { if (at % 30) card.remove(); })"
"""Leaves some of the findings, as axe takes long for many."""
HOSTILE = [
    "<script>window.harmed=1</script>",
    'a"onmouseover="window.harmed=1',
    "\u202eesrever\u200f",
    "\x1b[2J\x07{{ 7*7 }}",
]


@pytest.fixture(scope="module")
def browser():
    """Start the machine's browser; skip where there is none."""
    pytest.importorskip("playwright", reason="playwright is not installed")
    place = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if place is None:
        pytest.skip("there is no chromium on this machine")
    started = Browser(place)
    yield started
    started.close()


def report_of(dataset, out, *options):
    """Write the page of a dataset; give its path."""
    code, text, err = auditor("report", dataset, "--out", out, *options)
    assert (code, err) == (0, ""), err
    assert text.startswith(str(out))
    return out


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    """Give a dataset of logs that have a fault each, a finding of every check that such a log has."""
    folder = tmp_path_factory.mktemp("faults")
    run(folder / "out", *sorted(CHECKS.glob("*/fail.*")), "--select", "ALL")
    return folder / "out"


@pytest.fixture(scope="module")
def faulty_page(faults):
    """Give the page of the logs with faults; most findings are packed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("auditor.report.page.MOST_PLAIN", 40)
        return report_of(faults, faults.parent / "report.html")


@pytest.fixture(scope="module")
def clean_page(shipped_dataset, tmp_path_factory):
    """Give the page of the shipped games."""
    return report_of(shipped_dataset, tmp_path_factory.mktemp("clean") / "report.html")


@pytest.fixture
def without_statistics(monkeypatch):
    """Make pages without plots, which take most of the time."""
    monkeypatch.setattr("auditor.report.figures.groups", lambda _tables: [])


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(360, "light"), (1024, "dark"), *(pytest.param(each, "light", marks=pytest.mark.long) for each in WIDTHS[1:])],
)
def test_the_page_of_faults(browser, faults, faulty_page, width, scheme):
    """Many findings: errors, requests, overflow, and axe's serious faults; every finding is there."""
    count = pl.scan_parquet(faults / "findings" / "*.parquet").select(pl.len()).collect().item()
    assert count > 80
    with browser.opened(faulty_page, width, scheme) as page:
        assert page.locator("article.finding").count() == count
        page.evaluate(FEWER)
        browser.check(page)


@pytest.mark.parametrize("width", [WIDTHS[0], *(pytest.param(each, marks=pytest.mark.long) for each in WIDTHS[1:])])
def test_the_page_of_a_clean_night(browser, clean_page, width):
    """No findings: the page says so, and has its statistics."""
    with browser.opened(clean_page, width, "light") as page:
        browser.check(page)
        assert "No findings" in page.locator("#findings").inner_text()
        assert page.locator("figure.chart svg").count() > 8


@pytest.mark.long
def test_the_script_draws_what_the_page_has(browser, faulty_page):
    """At the finding, reached from both ends of the round, the script draws the same tiles as the page without it."""
    with browser.opened(faulty_page, 1024, "light", script=False) as plain:
        drawn = plain.evaluate(
            "[...document.querySelectorAll('article.finding[data-table] .board svg')].map("
            "(svg) => [svg.closest('article').id, "
            "[...svg.querySelectorAll('[data-p]')].map((part) => part.dataset.p + part.innerHTML)])"
        )
    assert len(drawn) > 20
    with browser.opened(faulty_page, 1024, "light") as page:
        for name, parts in drawn:
            page.evaluate(f"document.getElementById('{name}').scrollIntoView({{behavior: 'instant'}})")
            browser.until(page, f"document.getElementById('{name}').armed")
            seen = page.evaluate(
                "(name) => { const card = document.getElementById(name), svg = card.querySelector('svg.table');"
                "const at = +card.dataset.table.split(' ')[1];"
                "card.go(0); card.go(card.last); card.go(at);"
                "return [...svg.querySelectorAll('[data-p]')].map((part) => part.dataset.p + part.innerHTML) }",
                name,
            )
            assert seen == parts, name


def test_steps_and_filters(browser, faulty_page):
    """Buttons, keys and filters do what they say."""
    with browser.opened(faulty_page, 1024, "light") as page:
        card = page.locator("article.finding[data-table]").first
        card.scroll_into_view_if_needed()
        slider = card.locator("input[type=range]")
        card.get_by_role("button", name="To the deal").click()
        assert slider.input_value() == "0"
        assert "the round is dealt" in card.locator(".say").inner_text()
        slider.focus()
        page.keyboard.press("ArrowRight")
        assert slider.input_value() == "1"
        card.get_by_role("button", name="To the end of the round").click()
        assert slider.input_value() == slider.get_attribute("max")
        card.get_by_role("button", name="Back to the event of the finding").click()
        assert slider.input_value() == card.get_attribute("data-table").split()[1]
        total = page.locator("article.finding").count()
        page.locator("a[data-pick=W106]").click()
        browser.until(page, "document.querySelectorAll('article.finding:not([hidden])').length < 5")
        codes = page.locator("article.finding:not([hidden]) .code").all_inner_texts()
        assert set(codes) == {"W106"}
        page.get_by_role("button", name="Show all").click()
        browser.until(page, f"document.querySelectorAll('article.finding:not([hidden])').length == {total}")
        page.locator("input[name=source]").fill("K103_")
        browser.until(page, f"document.querySelectorAll('article.finding:not([hidden])').length < {total}")
        shown = page.locator("article.finding:not([hidden])")
        assert all("k103_" in shown.nth(at).get_attribute("data-source") for at in range(shown.count()))
        page.locator("input[name=source]").fill("no such source")
        assert page.locator("#none").is_visible()


def test_hostile_names(browser, tmp_path):
    """Names with markup, quotes, control characters and marks of direction are text on the page, and nothing more."""
    from urllib.parse import quote

    text = (CHECKS / "w106_fu" / "fail.mjlog").read_text("utf-8")
    names = "".join(f' n{seat}="{quote(name)}"' for seat, name in enumerate(HOSTILE))
    named = re.sub(
        r"<UN [^>]*>", f'<UN{names} dan="1,1,1,1" rate="1500.00,1500.00,1500.00,1500.00" sx="M,M,M,M"/>', text
    )
    assert named != text
    log = tmp_path / "<img src=x onerror=window.harmed=1>.mjlog"
    log.write_text(named, "utf-8")
    run(tmp_path / "out", log)
    page_of = report_of(tmp_path / "out", tmp_path / "report.html")
    raw = page_of.read_text("utf-8")
    assert not set(re.findall("[\x00-\x09\x0b-\x1f\x7f\u200e\u200f\u202a-\u202e]", raw)) - {"\t"}
    with browser.opened(page_of, 1024, "light") as page:
        browser.check(page)
        assert page.evaluate("window.harmed") is None
        assert page.locator("article.finding script, article.finding img, figure.chart script").count() == 0
        said = page.locator("article.finding .who").first.inner_text()
        assert HOSTILE[0] in said
        assert HOSTILE[1] in said
        assert "\\u202eesrever\\u200f" in said
        assert "\\u001b[2J\\u0007{{ 7*7 }}" in said
    for form in ("svg", "html"):
        plot = tmp_path / f"plot.{form}"
        code, *_ = auditor("stats", tmp_path / "out", "rates", "--by", "player", "--plot", plot)
        assert code == 0
        assert "<script" not in plot.read_text("utf-8")
        with browser.opened(plot, 1024, "light") as page:
            assert page.evaluate("window.harmed") is None


@pytest.mark.usefixtures("without_statistics")
def test_the_page_of_no_games(tmp_path):
    """A folder without logs, or with none that can be read: the page does not say that all rounds are right."""
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "notes.txt").write_text("no log")
    run(tmp_path / "out", tmp_path / "logs")
    text = report_of(tmp_path / "out", tmp_path / "x.html").read_text("utf-8")
    assert "No findings, and no games: nothing was audited." in text
    assert "agrees with the replay" not in text


def test_what_is_new_and_gone(browser, tmp_path):
    """The second run of a dataset: new findings are marked, and those that are gone are listed with the reason."""
    logs = tmp_path / "logs"
    logs.mkdir()
    shutil.copy(CHECKS / "w106_fu" / "fail.mjlog", logs / "w106_fu.mjlog")
    run(tmp_path / "out", logs / "w106_fu.mjlog")
    first = report_of(tmp_path / "out", tmp_path / "first.html").read_text("utf-8")
    assert "only new" not in first
    shutil.copy(CHECKS / "w106_fu" / "pass.mjlog", logs / "w106_fu.mjlog")
    shutil.copy(next(CHECKS.glob("d104*/fail.*")), logs / "d104.json")
    run(tmp_path / "out", logs / "w106_fu.mjlog", logs / "d104.json")
    page_of = report_of(tmp_path / "out", tmp_path / "second.html")
    with browser.opened(page_of, 1024, "light") as page:
        browser.check(page)
        figures = page.locator(".figures").inner_text()
        assert re.search(r"1\s+new", figures)
        assert re.search(r"1\s+gone", figures)
        assert "D104" in page.locator("article.finding[data-new]").inner_text()
        page.locator("details.gone summary").click()
        assert "W106" in page.locator("details.gone").inner_text()
    alone = report_of(tmp_path / "out", tmp_path / "alone.html", "--since", "1999-01-01").read_text("utf-8")
    assert "No run began before 1999-01-01: nothing is called new." in alone
    assert "No run began" not in page_of.read_text("utf-8")
    code, _, err = auditor("report", tmp_path / "out", "--out", tmp_path / "x.html", "--since", "1999")
    assert code == 2
    assert "names no run" in err


def test_links_into_the_viewer(faults):
    """If the dataset knows where the platform replays a game, the finding has the address at its round and seat."""
    from auditor.dataset.opened import opened
    from auditor.report import page

    tables = opened(faults)
    address = "https://tenhou.net/0/?log=2009053114gm-0009-0000-3be56e1e"
    tables["games"] = tables["games"].with_columns(link=pl.lit(address + "&tw=0"))
    found = tables["findings"].filter(pl.col("code") == "W106")
    place = found.select("round", "seat").collect().row(0, named=True)
    text = page.of_findings(tables, found, 1)
    assert f'href="{address}&amp;tw={place["seat"]}&amp;ts={place["round"]}"' in text


def test_a_page_of_chosen_findings(browser, faults, tmp_path):
    """``show --html`` writes the findings that ``show`` would print, and nothing of the night."""
    code, text, err = auditor("show", faults, "--code", "W106", "--html", tmp_path / "found.html")
    assert (code, err) == (0, "")
    assert text.strip() == str(tmp_path / "found.html")
    with browser.opened(tmp_path / "found.html", 360, "dark") as page:
        browser.check(page)
        assert set(page.locator("article.finding .code").all_inner_texts()) == {"W106"}
        assert page.locator("#night, #statistics").count() == 0


@pytest.mark.long
def test_the_page_of_the_corpus(browser, shared, tmp_path):
    """The real games of the shared data, with what is wrong in them."""
    run(tmp_path / "out", shared / "corpus")
    page_of = report_of(tmp_path / "out", tmp_path / "report.html")
    for width in WIDTHS:
        with browser.opened(page_of, width, "light") as page:
            page.evaluate(FEWER)
            browser.check(page)


@pytest.mark.long
@pytest.mark.usefixtures("without_statistics")
def test_a_page_of_a_thousand_findings_is_small(tmp_path):
    """Faults planted in whole games: a thousand findings with their tables and steps take less than 3 MB."""
    from tests.kit.audits import LOGS
    from tests.kit.mutate import FAULTS, breed
    from tests.kit.mutate.clean_logs import clean_logs

    logs = clean_logs(LOGS)
    folder = tmp_path / "logs"
    folder.mkdir()
    mutants = [mutant for fault in FAULTS if fault.form == "mjlog" for mutant in breed(fault, logs, 8)]
    for number, mutant in enumerate(mutants):
        (folder / f"{number}.mjlog").write_bytes(mutant.data)
    run(tmp_path / "out", folder)
    text = report_of(tmp_path / "out", tmp_path / "report.html").read_text("utf-8")
    assert "The page shows 1,000 of" in text
    assert len(text.encode()) < 3_000_000 - 300_000  # statistics take less than that
