"""Runs on a Dask cluster: real processes of a scheduler and of workers on 127.0.0.1 write what one machine writes."""

from __future__ import annotations

import os
import shutil
import signal
from datetime import UTC, datetime, timedelta

import polars as pl
import pytest

from auditor.dataset.schema import PARTED
from tests.kit.audits import CHECKS, LOGS
from tests.kit.containers import zipped
from tests.kit.datasets import last_run, place, process, whole
from tests.kit.grid import Grid, kill, wait_for

FAULTY = (CHECKS / "w106_fu" / "fail.mjlog").read_bytes()


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Give a folder of games, a faulty game, a copy, an archive, and files that are no logs."""
    folder = tmp_path_factory.mktemp("cluster") / "logs"
    games = [path.read_bytes() for path in LOGS[:6]]
    for number, data in enumerate([*games, FAULTY, games[0] + b"\n", b"no log", b""]):
        place(folder / f"{number}.mjlog", data)
    place(folder / "a.zip", zipped({f"{number}.mjlog": data for number, data in enumerate(games[2:])}))
    return folder


@pytest.fixture(scope="module")
def alone(logs, tmp_path_factory):
    """Give the files that a run on one machine writes."""
    out = tmp_path_factory.mktemp("alone") / "out"
    ended(process(out, logs, "--jobs", "1"))
    return files(out)


@pytest.fixture(scope="module")
def grid(tmp_path_factory):
    """Give a cluster of two workers; one of them does not see the folder of any dataset."""
    grid = Grid(tmp_path_factory.mktemp("grid"))
    grid.worker()
    grid.worker(BLIND="1")
    yield grid
    grid.close()


@pytest.fixture
def own(tmp_path):
    """Give a scheduler without workers."""
    grid = Grid(tmp_path / "grid")
    yield grid
    grid.close()


def files(out):
    """Give the bytes of every table's files but those of the runs."""
    return {str(path.relative_to(out)): path.read_bytes() for name in PARTED for path in (out / name).glob("*.parquet")}


def ended(run, *codes):
    """Wait for a run; give what it printed on standard error."""
    _, errors = run.communicate(timeout=300)
    assert run.returncode in (codes or (0, 1)), errors
    assert "Traceback" not in errors, errors
    return errors


def parts(out):
    """Count the parts that a dataset has."""
    return len(list((out / "sources").glob("*.parquet")))


def assert_complete(out, alone):
    """Check that the dataset is that of one machine, and that nothing is left over."""
    assert files(out) == alone
    whole(out)
    assert not (out / ".staged").exists()


def test_the_same_bytes(grid, logs, alone, tmp_path):
    """A worker stages parts in the dataset's folder, another returns bytes; both give the files of one machine."""
    out = tmp_path / "out"
    errors = ended(process(out, logs, "--cluster", grid.file, "--progress", "log", "--log-json"))
    assert_complete(out, alone)
    assert '"event": "end"' in errors
    assert set(grid.listening()) == {"127.0.0.1"}
    ended(process(out, logs, "--cluster", grid.address), 0)
    assert_complete(out, alone)
    assert last_run(out)["unchanged"] == 15


@pytest.mark.long
def test_relative_names(grid, logs, alone, tmp_path):
    """Names of sources are those that were given, although workers run in other folders."""
    shutil.copytree(logs, tmp_path / "logs")
    out = tmp_path / "out"
    ended(process(out, "logs", "--cluster", grid.file, cwd=tmp_path))
    sources = pl.read_parquet(out / "sources")
    assert set(sources.filter(pl.col("member").is_null())["path"].str.head(5)) == {"logs/"}
    assert len(sources) == len(pl.read_parquet([data for name, data in alone.items() if name.startswith("sources")]))


@pytest.mark.long
def test_no_scheduler(logs, tmp_path):
    """An address where no scheduler is, or a missing scheduler file, is one line, and no dataset is begun."""
    for address in ("tcp://127.0.0.1:9", str(tmp_path / "none.json")):
        errors = ended(process(tmp_path / "out", logs, "--cluster", address, "--progress", "none"), 2)
        assert errors.count("\n") == 1
        assert address in errors
    assert not (tmp_path / "out").exists()


@pytest.mark.long
def test_other_versions(own, logs, tmp_path):
    """A worker with another Polars is refused before the run, and if it joins late."""
    first = own.worker(OTHER="1")
    wait_for(lambda: len(own.everyone()) > 2)
    out = tmp_path / "out"
    errors = ended(process(out, logs, "--cluster", own.file), 2)
    assert "Polars 0.0.1" in errors
    assert "install the same versions" in errors
    assert not out.exists()
    kill(first, again=False)
    run = process(out, logs, "--cluster", own.file)
    wait_for((out / ".staged").exists)
    own.worker(OTHER="1")
    assert "Polars 0.0.1" in ended(run, 2)


@pytest.mark.long
def test_a_worker_is_killed(own, logs, alone, tmp_path):
    """A worker killed in the middle is started again, or another does its batches; nothing is lost, nothing twice."""
    workers = [own.worker(SLOW="0.5") for _ in range(2)]
    out = tmp_path / "out"
    run = process(out, logs, "--cluster", own.file)
    wait_for(lambda: parts(out) >= 2)
    kill(workers[0], again=True)
    wait_for(lambda: parts(out) >= 4)
    kill(workers[1], again=False)
    ended(run)
    assert_complete(out, alone)


@pytest.mark.long
def test_a_late_worker(own, logs, alone, tmp_path):
    """A run waits for the first worker and says so; a worker that joins later takes part."""
    out = tmp_path / "out"
    run = process(out, logs, "--cluster", own.file)
    wait_for((out / ".staged").exists)
    own.worker(SLOW="0.5")
    wait_for(lambda: parts(out) >= 1)
    own.worker()
    assert "the run waits for one" in ended(run)
    assert_complete(out, alone)
    logged = [path.read_text() for path in own.folder.glob("worker-*.log")]
    assert all("connection to tcp" in text for text in logged)


@pytest.mark.long
def test_the_scheduler_goes_away(own, logs, alone, tmp_path):
    """The run ends with one line and keeps finished batches; with another scheduler, the same command completes it."""
    own.worker(SLOW="0.5")
    out = tmp_path / "out"
    run = process(out, logs, "--cluster", own.file, "--progress", "none")
    wait_for(lambda: parts(out) >= 2)
    own.scheduler.send_signal(signal.SIGKILL)
    errors = ended(run, 2)
    assert "the scheduler has gone" in errors
    assert errors.count("\n") == 1
    before = whole(out)["sources"]
    assert 2 <= len(before) < len([name for name in alone if name.startswith("sources")])
    other = Grid(tmp_path / "other")
    try:
        other.worker()
        ended(process(out, logs, "--cluster", other.file))
    finally:
        other.close()
    assert_complete(out, alone)


@pytest.mark.long
def test_the_driver_is_killed(own, logs, alone, tmp_path):
    """After SIGKILL of the run, also in the middle of a commit, the same command completes the dataset."""
    own.worker(SLOW="0.2")
    out = tmp_path / "out"
    for least in (1, 3):
        run = process(out, logs, "--cluster", own.file)
        wait_for(lambda least=least: parts(out) >= least)
        run.kill()
        ended(run, -signal.SIGKILL)
        whole(out)
    for at in (5, 12):
        ended(process(out, logs, "--cluster", own.file, kill_at=at), 0, 1, -signal.SIGKILL)
        whole(out)
    ended(process(out, logs, "--cluster", own.file))
    assert_complete(out, alone)


@pytest.mark.long
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal(own, logs, alone, tmp_path, name):
    """A signal ends the run in good order: what workers have begun is finished, nothing else is begun."""
    own.worker(SLOW="1")
    out = tmp_path / "out"
    run = process(out, logs, "--cluster", own.file)
    wait_for(lambda: parts(out) >= 1)
    run.send_signal(signal.Signals[name])
    errors = ended(run, 128 + signal.Signals[name])
    assert f"{name}: finishing" in errors
    assert last_run(out)["stopped"] == name
    assert 1 <= parts(out) <= 3
    ended(process(out, logs, "--cluster", own.file))
    assert_complete(out, alone)


@pytest.mark.long
def test_a_file_that_kills(own, logs, alone, tmp_path):
    """A file whose audit kills every worker becomes an unreadable source with the reason; the others are audited."""
    own.worker()
    shutil.copytree(logs, tmp_path / "logs")
    place(tmp_path / "logs" / "5.kills.mjlog", FAULTY)
    out = tmp_path / "out"
    errors = ended(process(out, tmp_path / "logs", "--cluster", own.file))
    assert "looking for the file" in errors
    sources = pl.read_parquet(out / "sources")
    killer = sources.filter(pl.col("path").str.ends_with(".kills.mjlog"))
    assert killer.select("status", "size").row(0) == ("unreadable", len(FAULTY))
    assert "SIGKILL" in killer["reason"].item()
    found = pl.read_parquet(out / "findings").filter(pl.col("source").str.ends_with(".kills.mjlog"))
    assert found["code"].to_list() == ["L001"]
    before = pl.read_parquet([data for name, data in alone.items() if name.startswith("sources")])
    columns = ["member", "sha256", "status", "reason"]
    assert (
        sources.filter(~pl.col("path").str.ends_with(".kills.mjlog"))
        .select(columns)
        .sort(columns)
        .equals(before.select(columns).sort(columns))
    )
    ended(process(out, tmp_path / "logs", "--cluster", own.file))
    assert last_run(out)["unchanged"] == 16


@pytest.mark.long
def test_tls(logs, alone, tmp_path):
    """With certificates, scheduler, workers and run speak TLS; without them, the run cannot join."""
    security = certificates(tmp_path)
    grid = Grid(tmp_path / "grid", security=security)
    try:
        grid.worker()
        assert grid.address.startswith("tls://127.0.0.1:")
        out = tmp_path / "out"
        refused = process(out, logs, "--cluster", grid.address, "--progress", "none")
        assert "tls" in ended(refused, 2)
        for name, value in security.items():
            os.environ[name] = value
        ended(process(out, logs, "--cluster", grid.address))
        assert_complete(out, alone)
        assert set(grid.listening()) == {"127.0.0.1"}
    finally:
        for name in security:
            os.environ.pop(name, None)
        grid.close()


def certificates(folder):
    """Make a certificate that signs itself, and name it in Dask's variables."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - timedelta(hours=1)).not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True).sign(key, hashes.SHA256())
    )  # fmt: skip
    certificate, secret = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    names = {"CA_FILE": certificate}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        names |= {f"{role}__CERT": certificate, f"{role}__KEY": secret}
    return {f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(path) for name, path in names.items()}
