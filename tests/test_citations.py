"""Citations in code, presets, tests and documents resolve: the file is in the project, the section is in the file."""

from __future__ import annotations

import fnmatch
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from auditor.cli.main import app
from engine.rules.rule_sets import PARAMETERS, preset_names

ROOT = Path(__file__).resolve().parents[1]
RULES = ROOT / "engine" / "RULES.md"
CITING = sorted(
    path
    for folder in ("auditor", "engine", "tests", "scripts", "fixtures", "README.md", "pyproject.toml")
    for path in (sorted((ROOT / folder).rglob("*")) if (ROOT / folder).is_dir() else [ROOT / folder])
    if path.suffix in {".py", ".toml", ".md"} and path != Path(__file__).resolve()
)
NUMBER = r"\d{1,2}(?:\.\d{1,2})?(?![\d,]*\d)"
LISTED = rf"{NUMBER}(?:\s*\([^)]*\))?(?:(?:,|;|\s+and|\s+to|,\s+and)\s+{NUMBER}(?:\s*\([^)]*\))?)*"
CITATION = re.compile(rf"(?P<file>[\w./-]*\b[\w-]+\.md)\b`?(?:,?\s+(?:sections?\s+)?(?P<places>{LISTED}))?")
"""A file, and sections after it: ``RULES.md 1 (順位点), 2.10``, ``FORMAT.md sections 7 and 8``, ``… 2 to 8``."""


@cache
def places_of(path):
    """Give the sections of a document: its numbered headings, and numbered items as ``5.24``."""
    found, section = set(), None
    for line in path.read_text("utf-8").splitlines():
        if heading := re.match(r"#+ (\d+(?:\.\d+)?)\b", line):
            section = heading[1]
            found.add(section)
        elif (item := re.match(r"(\d+)\. ", line)) and section:
            found.add(f"{section}.{item[1]}")
    return frozenset(found)


def cited_file(text, citing):
    """Give the file of a citation; None if it does not exist. RULES.md alone is the engine's."""
    if text == "RULES.md":
        return RULES
    tried = (ROOT / text, citing.parent / text)
    return next((path.resolve() for path in tried if path.is_file() and ROOT in path.resolve().parents), None)


def bare(text):
    """Remove comment marks and line ends, so that a citation over two lines is one."""
    return re.sub(r"\n[ \t]*#?[ \t]*", " ", text)


def citations(text):
    """Yield the file and the sections of each citation."""
    for found in CITATION.finditer(bare(text)):
        outside = re.sub(r"\([^)]*\)", " ", found["places"] or "")
        yield found["file"], re.findall(NUMBER, outside)


def wrong(text, citing):
    """List the cited files and sections that do not exist."""
    faults = []
    for name, places in citations(text):
        path = cited_file(name, citing)
        if path is None:
            faults.append(f"{name}: no such file of the project")
        else:
            faults += [f"{name} {place}" for place in places if place not in places_of(path)]
    return faults


@pytest.mark.parametrize("path", CITING, ids=[str(path.relative_to(ROOT)) for path in CITING])
def test_citations_resolve(path):
    """Each cited file is in the project, and has the cited section."""
    assert wrong(path.read_text("utf-8"), path) == []


def test_the_citations_are_found():
    """Hundreds of citations in all notations are found, and missing files and sections are reported."""
    found = [place for path in CITING for _, places in citations(path.read_text("utf-8")) for place in places]
    assert len(found) > 250
    assert set(found) >= {"1.1", "2.9", "3.6", "4.6", "4.7", "5.24", "6", "13.4"}
    cited = (
        "RULES.md 1 (順位点), 2.99; auditor/readers/mjlog/FORMAT.md sections 7 and\n    88, DESIGN.md 7; RULES.md 5.35"
    )
    assert wrong(cited, ROOT / "README.md") == [
        "RULES.md 2.99",
        "auditor/readers/mjlog/FORMAT.md 88",
        "DESIGN.md: no such file of the project",
        "RULES.md 5.35",
    ]
    assert list(citations("RULES.md 2.10: 4,000 from each; RULES.md 2.8, 4,000")) == [
        ("RULES.md", ["2.10"]),
        ("RULES.md", ["2.8"]),
    ]


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_rule_is_written_down(name):
    """The source of each parameter is a section of RULES.md, and RULES.md names the parameter."""
    for place in PARAMETERS[name].source.split(", "):
        assert wrong(place, RULES) == [] if ".md" in place else place in places_of(RULES)
    assert re.search(rf"`(?:[a-z_]+` / `)?{name}`", RULES.read_text("utf-8"))


def sources():
    """Yield the comment after each value of the presets."""
    for name in preset_names():
        path = RULES.parent / "rules" / "presets" / f"{name}.toml"
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if re.match(r'["\w]', line) and "  # " in line:
                yield f"{name}:{number}", line.split("  # ", 1)[1]


def test_sources_of_presets_are_sections_and_keys():
    """Each source begins with an existing section, key or file, or with words that say why nothing is known."""
    text = RULES.read_text("utf-8")
    keys = set(re.findall(r"\b[A-Z][A-Z0-9]{0,3}\b", text.split("## 1. ")[0].split("|---|---|\n")[-1]))
    found = dict(sources())
    assert len(found) > 500
    first = re.compile(rf"(?:{NUMBER}(?:, {NUMBER})*)(?=$|[ ,;:(])")
    for at, source in found.items():
        begins = first.match(source)
        if begins:
            assert set(re.findall(NUMBER, begins[0])) <= places_of(RULES), at
            named = re.match(r"(?: [A-Z][A-Z0-9]{0,3}\b(?! of))+", source[begins.end() :])
            assert set((named[0] if named else "").split()) <= keys, at
        else:
            assert source.startswith(("auditor/readers/", "K (", "unknown", "summary of changes")), (at, source)
        bracketed = re.findall(r"(?:\(|: )(\d\.\d{1,2}|6)(?=[ ):]|$)", source)
        assert set(bracketed) <= places_of(RULES), at


def test_sections_of_a_reader_are_those_of_its_document():
    """``(section 7)`` in a reader means section 7 of the FORMAT.md beside it."""
    found = [
        (path, place)
        for path in (ROOT / "auditor" / "readers").rglob("*.py")
        for place in re.findall(r"\(section (\d+)\)", path.read_text("utf-8"))
    ]
    assert found
    assert [(path, place) for path, place in found if place not in places_of(path.parent / "FORMAT.md")] == []


def test_documents_are_packaged():
    """The documents that the packages cite are installed with them."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"]
    for package, patterns in data.items():
        folder = ROOT / package
        documents = [path.relative_to(folder).as_posix() for path in folder.rglob("*.md")]
        assert documents
        for name in documents:
            assert any(fnmatch.fnmatch(name, each) and name.count("/") == each.count("/") for each in patterns), name


def test_explain_names_the_place():
    """The explanation of a check names the section of its rule: fu in 3.1, payments in 2.11 and 3.2."""
    for code, place in (("W106", "engine/RULES.md 3.1"), ("P101", "engine/RULES.md 2.11, 3.2")):
        assert place in CliRunner().invoke(app, ["explain", code]).output
