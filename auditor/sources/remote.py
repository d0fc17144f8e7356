"""Files behind URIs (s3://, gs://, hdfs://), read through Arrow's file systems.

A URI may hold a key and its secret. They stay in :attr:`Remote.store`, which only Arrow gets. Names and messages show
URIs without them.
"""

from __future__ import annotations

import errno
import io
import re
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeVar, cast
from urllib.parse import unquote

from auditor.sources.places import Stamp, settled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

AT_ONCE = 1 << 20
"""Bytes of one request. Archives are read a little at a time, and each request costs a round trip."""
ABREAST = 16
"""How many small files are requested at the same time."""
BUCKETS = ("s3", "gs")
RETRIED = 30
"""Seconds after which Google's client gives up, unless the URI states them. Its own default is 15 minutes."""


class SourceError(Exception):
    """A source that is named does not exist, cannot be listed, or is on a server that cannot be reached."""


class UnreachableError(SourceError):
    """The server cannot be reached. The run ends, since every other source on the server would fail too."""


@dataclass(frozen=True, order=True)
class Remote:
    """A file of a remote file system.

    Attributes
    ----------
    store
        URI of the file system, secrets included: never shown
    path
        path in that file system
    name
        URI of the file without secrets
    size
        bytes
    modified
        time of the last change in ns of the Unix epoch
    data
        the content, if it has been read already
    named, fault, ignored
        as in :class:`auditor.sources.places.Local`

    """

    store: str = field(repr=False)
    path: str
    name: str
    size: int = 0
    modified: int | None = None
    data: bytes | None = field(default=None, repr=False, compare=False)
    named: bool = field(default=False, compare=False)
    fault: str | None = field(default=None, compare=False)
    ignored: bool = field(default=False, compare=False)

    @property
    def file(self) -> str:
        """The identity of the file, the same for all its URIs: it leaves out options that do not identify the file."""
        path, mark, query = self.name.partition("?")
        options = [option for option in query.split("&") if option.partition("=")[0] in _IDENTIFYING]
        return f"{path}{mark if options else ''}{'&'.join(sorted(options))}"

    @property
    def stamp(self) -> Stamp:
        """Size and modification time."""
        return settled(self.size, self.modified)

    def look(self) -> tuple[Stamp, str | None]:
        """Return the stamp and the fault."""
        return self.stamp, self.fault

    def open(self) -> BinaryIO:
        """Open it for reading; the result can seek.

        Raises
        ------
        SourceError
            here and while it is read, when the server cannot be reached
        OSError
            when the server refuses this file

        """
        if self.data is not None:
            return io.BytesIO(self.data)
        raw = _Raw(self)
        if self.size <= AT_ONCE:
            with raw:
                return io.BytesIO(raw.readall())
        return cast("BinaryIO", io.BufferedReader(raw, AT_ONCE))

    def read(self) -> Remote:
        """Return this file with its content, if it is small and can be read."""
        if self.size > AT_ONCE or self.fault:
            return self
        try:
            with self.open() as file:
                return replace(self, data=file.read())
        except OSError:
            return self  # the error is reported when the file itself is opened

    @property
    def unread(self) -> Remote:
        """The file without its content."""
        return replace(self, data=None)


P = TypeVar("P")


def read_ahead(places: Iterable[P]) -> Iterator[P | Remote]:
    """Yield places in their order, small remote files with their content; the next files are requested in advance.

    Raises
    ------
    UnreachableError
        when a server cannot be reached

    """
    waiting: deque[P | Future[Remote]] = deque()
    with ThreadPoolExecutor(ABREAST) as pool:
        try:
            for place in places:
                waiting.append(pool.submit(place.read) if isinstance(place, Remote) else place)
                if len(waiting) > ABREAST:
                    yield _come(waiting.popleft())
            while waiting:
                yield _come(waiting.popleft())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _come(place: P | Future[Remote]) -> P | Remote:
    return place.result() if isinstance(place, Future) else place


class _Raw(io.RawIOBase):
    """Arrow's file with the interface of the standard library."""

    def __init__(self, remote: Remote) -> None:
        super().__init__()
        self._name = remote.name
        with self._reaching():
            self._file = _system(remote.store)[0].open_input_file(remote.path)

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        import pyarrow as pa  # noqa: PLC0415  (slow to import, and runs over local files do not need it)

        try:
            yield
        except (OSError, pa.ArrowException) as error:
            if re.search(_AWAY, str(error)):
                raise UnreachableError(f"{self._name}: {reason(error)}") from error
            raise OSError(getattr(error, "errno", None) or errno.EIO, reason(error)) from error

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return cast("int", self._file.seek(offset, whence))

    def tell(self) -> int:
        return cast("int", self._file.tell())

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401  (typeshed's type for it has no name at run time)
        with self._reaching():
            return cast("int", self._file.readinto(buffer))

    def readall(self) -> bytes:
        with self._reaching():
            return cast("bytes", self._file.readall())

    def close(self) -> None:
        if not self.closed and hasattr(self, "_file"):
            self._file.close()
        super().close()


class _Parts(NamedTuple):
    """A URI as it is written: ``scheme://user@host/path?query``."""

    scheme: str
    user: str
    host: str
    path: str
    query: str

    @property
    def store(self) -> str:
        """The URI of the file system alone, as Arrow takes it."""
        query = self.query
        if self.scheme == "gs" and "retry_limit_seconds=" not in query:
            query = f"{query}&retry_limit_seconds={RETRIED}".lstrip("&")
        return f"{self.scheme}://{self.user}{'@' if self.user else ''}{self.host}{'?' if query else ''}{query}"


def _parts(uri: str) -> _Parts:
    scheme, _, rest = uri.partition("://")
    rest, _, query = rest.partition("?")
    authority, _, path = rest.partition("/")
    user, _, host = authority.rpartition("@")
    return _Parts(scheme, user, host, path, query)


@lru_cache(maxsize=8)
def _system(store: str) -> tuple[Any, str]:
    from pyarrow import fs  # noqa: PLC0415  (as above)

    system, path = fs.FileSystem.from_uri(store)
    return system, path.rstrip("/")


def is_uri(text: str) -> bool:
    """Say whether a text is a URI: it begins with a scheme and ``://``."""
    scheme, mark, _ = text.partition("://")
    return bool(mark) and scheme.isalnum()


_IDENTIFYING = {"endpoint_override", "project_id"}
"""Options of a URI that decide which file it names."""
_PUBLIC = {"scheme", "region", "endpoint_override", "replication", "project_id", "retry_limit_seconds"}
"""Options of a URI that messages may show. Any other may hold a secret, and is masked."""


def _name(parts: _Parts, path: str) -> str:
    """Return the URI of a file without secrets: the user, and options that are unknown or hold an ``@``."""
    user = "" if parts.scheme == "s3" else parts.user if parts.user in ("", "anonymous") else "***"
    at = f"{parts.scheme}://{user}{'@' if user else ''}{parts.host}"
    options = [option.partition("=") for option in parts.query.split("&") if option]
    query = "&".join(
        f"{name}{mark}{value if name in _PUBLIC and not re.search('@|%40', value) else '***'}"
        for name, mark, value in options
    )
    return f"{at}{path}{'?' if query else ''}{query}"


def masked(uri: str) -> str:
    """Return a URI, or a text that may be meant as one, without possible secrets, for a message."""
    if not is_uri(uri):
        return re.sub(r"^(\w\w+:/*)[^/]*:.*@", r"\1***@", uri)
    parts = _parts(uri)
    return f"{parts.scheme}://***" if _torn(parts) else _name(parts, f"/{parts.path}" if parts.path else "")


def _torn(parts: _Parts) -> bool:
    """Say whether a secret with an unescaped / or ? may have been split, so that bucket or path hold a part of it."""
    return (parts.scheme in BUCKETS and ":" in parts.host) or (
        "@" in parts.path and bool(parts.user or ":" in parts.path.partition("@")[0])
    )


def find(uri: str, *, listed: bool = False) -> Iterator[Remote]:
    """Yield the files at and below a URI, in the order of their names.

    If the URI is from a list (``listed``) and nothing is there, the result is a file that cannot be read.

    Raises
    ------
    SourceError
        when the scheme is not known, nothing is there, or the place cannot be listed

    """
    import pyarrow as pa  # noqa: PLC0415  (as above)
    from pyarrow import fs  # noqa: PLC0415

    parts = _parts(uri)
    if parts.scheme in BUCKETS and not parts.host:
        raise SourceError(f"{masked(uri)}: names no bucket; write {parts.scheme}://BUCKET/FOLDER")
    if parts.scheme in BUCKETS and ":" in parts.host:
        raise SourceError(f"{masked(uri)}: {QUOTING}")  # otherwise a part of a secret would be sent as a bucket's name
    try:
        system, root = _system(parts.store)
        path = f"{root}/{unquote(parts.path)}".rstrip("/") or "/"
        info = system.get_file_info(path)
        if info.type == fs.FileType.NotFound and not listed:
            raise FileNotFoundError("no such file or folder")
        below = [] if info.type == fs.FileType.Directory else [info]
        if not below or (parts.scheme == "s3" and info.is_file):  # in S3 an object can be a folder too
            below += system.get_file_info(fs.FileSelector(path, allow_not_found=info.is_file, recursive=True))
    except (OSError, pa.ArrowException, ValueError) as error:
        kind = UnreachableError if re.search(_AWAY, str(error)) else SourceError
        raise kind(f"{masked(uri)}: {QUOTING if _torn(parts) else reason(error)}") from error
    for each in sorted(below, key=lambda each: each.path):
        if each.type != fs.FileType.Directory:
            rest = re.sub(r"[\0-\x1f%?]|\\(?=x[0-9a-f]{2})", lambda odd: f"%{ord(odd[0]):02X}", each.path[len(root) :])
            alone = info.is_file and each.path == info.path and not listed
            yield Remote(parts.store, each.path, _name(parts, rest), each.size or 0, each.mtime_ns, named=alone)


QUOTING = (
    "cannot be read as a URI: characters such as / + ? @ : in a key or its secret are written as %2F %2B %3F %40 %3A; "
    "or leave both to the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)"
)
_AWAY = "NETWORK_CONNECTION|Could not connect|Could not resolve|UNAVAILABLE|timed? ?out"
_REPLACED = {
    "Cannot parse URI": QUOTING,
    "Unrecognized filesystem": "a scheme that is not known here; s3, gs, hdfs and file are",
    "libjvm|libhdfs": "HDFS needs Java and Hadoop: set JAVA_HOME, HADOOP_HOME and CLASSPATH",
}
"""By pattern of Arrow's message: the message that replaces it. Arrow's own has the URI, or paths where it searched."""
_EXPLAINED = {
    "OAuth2|credential": "no access to Google: log in, or write gs://anonymous@BUCKET for what is public",
    _AWAY: "the server cannot be reached",
    "ACCESS_DENIED|INVALID_ACCESS_KEY|SIGNATURE|PERMISSION_DENIED|UNAUTHENTICATED|HTTP status 40[13]": (
        "access is denied; check key, secret and what they may list and read"
    ),
    "NO_SUCH_BUCKET|Bucket .* not found": "no such bucket",
}
"""By pattern of Arrow's message: an explanation to put before it."""
_MOST = 300


def reason(error: BaseException) -> str:
    """Return an error's message on one line, without details that only the server's owner can use."""
    text = (str(error).splitlines() or [""])[0]
    if message := next((message for pattern, message in _REPLACED.items() if re.search(pattern, text)), None):
        return message
    text = re.sub(r"\s*(error_info=|\(?,? ?Request ID|; Details: ).*", "", text)[:_MOST]  # details name the server
    about = next((message for pattern, message in _EXPLAINED.items() if re.search(pattern, text)), None)
    return f"{about} ({text})" if about else text
