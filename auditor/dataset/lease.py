"""The lease of a dataset on an object store: one run writes there at a time.

The object ``.lock`` names the run that writes. The run writes it again every few seconds, each time only if it is
still its own. A run that finds it waits: if it changes, another run is alive; if it stays the same for ``SILENT``
seconds, its run was killed, and the lease is taken over. No clocks of two machines are compared.

A run that was taken over, since it slept or had no network, notices before its next commit. Even if it did not, its
commit would fail: the commit's number is taken (commits.py).
"""

from __future__ import annotations

import json
import os
import platform
import secrets
import time
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

from auditor.dataset.objects import GoneError, TakenError
from auditor.dataset.writing import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from auditor.dataset.objects import Bucket

LOCK = ".lock"
RENEWED = 5.0
"""Seconds between two writes of the lease."""
SILENT = 20.0
"""Seconds after which a lease that nobody writes any more may be taken over."""
TICK = 1.0
WITHOUT = (
    "this store has no conditional writes: nothing keeps two runs that begin at the same moment apart, "
    "so start one at a time"
)


class Lease:
    """A lease that is held. ``messages`` has lines for the user."""

    def __init__(self, bucket: Bucket) -> None:
        self.bucket, self.by = bucket, secrets.token_hex(8)
        self.messages: list[str] = []
        self.conditional = True
        self._tag, self._count = "", 0
        self._lost: str | None = None
        self._renewed = time.time()
        self._over = Event()

    def _text(self) -> bytes:
        self._count += 1
        holder = f"process {os.getpid()} on {platform.node()}"
        return json.dumps({"by": self.by, "holder": holder, "count": self._count}).encode()

    def take(self, *, wait: bool) -> None:
        """Take the lease; raises OutputError if another run has it and is not waited for."""
        seen, since = "", time.monotonic()
        while True:
            try:
                self._begin(self.bucket.create(LOCK, self._text()))
            except TakenError:
                pass
            except NotImplementedError:
                self.conditional = False
            else:
                return
            try:
                data, tag = self.bucket.tagged(LOCK)
            except GoneError:
                if not self.conditional:
                    self._begin(self.bucket.put(LOCK, self._text()))
                    return
                continue
            if tag != seen:
                if seen and not wait:
                    raise OutputError(
                        f"{self.bucket}: another run writes there ({_holder(data)}); "
                        "wait for it with --wait, or give another folder with --out"
                    )
                seen, since = tag, time.monotonic()
            elif time.monotonic() - since > SILENT:
                with suppress(TakenError):
                    self._begin(self._write(tag))
                    return
            time.sleep(TICK)

    def _begin(self, tag: str) -> None:
        self._tag, self._renewed = tag, time.time()
        if self.conditional:
            with suppress(TakenError):  # some servers ignore the condition: then they have none
                self._tag, self.conditional = self.bucket.create(LOCK, self._text()), False
        if not self.conditional:
            self.messages.append(f"{self.bucket}: {WITHOUT}")
        self._thread = Thread(target=self._renew, daemon=True)
        self._thread.start()

    def _write(self, tag: str) -> str:
        """Write the lease if it still has a tag; raises TakenError."""
        if self.conditional:
            try:
                return self.bucket.swap(LOCK, self._text(), tag)
            except NotImplementedError:
                pass
        try:
            if self.bucket.tagged(LOCK)[1] != tag:
                raise TakenError(LOCK)
        except GoneError:
            raise TakenError(LOCK) from None
        return self.bucket.put(LOCK, self._text())

    def _renew(self) -> None:
        """Write the lease again and again, until it is given back or lost. Runs in a thread of its own."""
        while not self._over.wait(RENEWED):
            with suppress(OutputError):  # the network may come back
                try:
                    self._tag = self._write(self._tag)
                except (TakenError, GoneError):
                    if not self._mine():
                        return
                self._renewed = time.time()

    def _mine(self) -> bool:
        """Say whether the lease is this run's; it may be, since an answer can be lost after a write."""
        try:
            data, tag = self.bucket.tagged(LOCK)
        except GoneError:
            data, tag = b"", ""
        if _by(data) == self.by:
            self._tag = tag
            return True
        self._lost = _holder(data)
        return False

    def still(self) -> None:
        """Raise OutputError if the lease is lost."""
        if self._lost is None and time.time() - self._renewed > SILENT * 0.75 and self._mine():
            self._renewed = time.time()
        if self._lost is not None:
            raise OutputError(
                f"{self.bucket}: another run has taken over ({self._lost}), since this one was silent; nothing more is "
                "written: run the same command again"
            )

    def end(self) -> None:
        """Give the lease back."""
        self._over.set()
        self._thread.join()
        with suppress(OutputError, GoneError):
            if self._lost is None and self._mine():
                self.bucket.delete([LOCK])


@contextmanager
def taken(bucket: Bucket, *, wait: bool) -> Iterator[Lease]:
    """Hold the lease while the context lasts."""
    lease = Lease(bucket)
    lease.take(wait=wait)
    try:
        yield lease
    finally:
        lease.end()


def _values(data: bytes) -> dict[str, object]:
    with suppress(ValueError):
        found = json.loads(data)
        if isinstance(found, dict):
            return found
    return {}


def _by(data: bytes) -> object:
    return _values(data).get("by")


def _holder(data: bytes) -> str:
    return str(_values(data).get("holder", "not yet named"))
