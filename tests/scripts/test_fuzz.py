"""A short run of the fuzzer, and the faults that its judge must find."""

import pytest

from auditor.audit import audit_batch
from tests.kit.fuzzing import fuzzer as fuzz
from tests.kit.fuzzing import judge
from tests.kit.fuzzing.judge import Mutant, judged, loaded


@pytest.fixture(scope="module")
def ready():
    """Read the logs that mutants are made of."""
    return fuzz.Fuzz(seed=1)


@pytest.mark.parametrize(("kind", "count"), [
    ("mjlog", 200), ("sanma", 200), ("paipu", 120), ("soul", 300), ("lines", 50), ("boxes", 300), ("table", 400),
    ("file", 60),
])  # fmt: skip
def test_nothing_breaks(ready, kind, count):
    """No mutant raises, hangs or changes a neighbour."""
    done, broken = fuzz.run(ready, [kind], count, seconds=300)
    assert done == {kind: count}
    assert broken == []


@pytest.mark.long
def test_a_mutant_is_made_from_its_name_alone(ready):
    """The same seed, kind and number make the same bytes, whatever was made before."""
    for kind in fuzz.KINDS:
        again = fuzz.Fuzz(seed=1).mutant(kind, 7)
        assert ready.mutant(kind, 7) == again
        assert ready.mutant(kind, 8) != again


def test_the_judge_finds_the_one_that_raises(ready, monkeypatch):
    """If an audit of many raises, halving finds the mutant at fault."""
    mutants = [ready.mutant("mjlog", number) for number in range(8)]
    real = audit_batch.audit

    def raising(files, options):
        if any(file.name == mutants[5].name for file in files):
            raise ZeroDivisionError
        return real(files, options)

    monkeypatch.setattr(judge.audit_batch, "audit", raising)
    broken = judged([(mutant, loaded({mutant.name: mutant.data})) for mutant in mutants], ready.witness)
    assert [name for name, _ in broken] == [mutants[5].name]


def test_the_judge_finds_a_changed_neighbour(ready):
    """A file that lacks one of its games is reported."""
    whole = ready.mutant("lines", 3)
    game = ready.within[3 * fuzz.LINES].encode()
    without = Mutant("without", b"\n".join(line for line in whole.data.split(b"\n") if line != game), whole.neighbours)
    broken = judged([(without, loaded({without.name: without.data}))], ready.witness)
    assert [name for name, _ in broken] == ["without"]
    assert "changes turns of its neighbours" in broken[0].how
