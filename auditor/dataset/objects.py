"""A folder of an object store (s3://, gs://), in which a dataset can lie: its URI, its objects, and its errors.

The library ``obstore`` reads and writes objects; Polars scans tables with the same settings. A URI may hold a key and
its secret: they stay in :attr:`Bucket.settings`, and messages show the URI without its user and options.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote

from auditor.dataset.writing import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import polars as pl

SCHEMES = ("s3", "gs")
TRIED = {"max_retries": 5}
"""How often a request is tried again after the network or the server failed, for about two seconds."""
_INSTALL = "a dataset on an object store needs the library obstore: pip install 'riichi-log-auditor[objects]'"
_QUOTING = (
    "cannot be read as a URI: characters such as / + ? @ : in a key or its secret are written as %2F %2B %3F %40 %3A; "
    "or leave both to the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)"
)
_S3 = {"region": "aws_region", "endpoint_override": "aws_endpoint_url", "scheme": None}
"""Options of an S3 URI, as Arrow names them, with the names that obstore and Polars give them."""


class GoneError(Exception):
    """There is no such object."""


class TakenError(Exception):
    """An object is there already, or is no longer what it was."""


class Bucket:
    """A folder of an object store.

    Parameters
    ----------
    uri
        ``s3://[KEY:SECRET@]BUCKET/FOLDER[?region=…&endpoint_override=HOST:PORT&scheme=http]``, or ``gs://BUCKET/FOLDER``

    Raises
    ------
    OutputError
        when the URI names no bucket, or cannot be read

    """

    def __init__(self, uri: str) -> None:
        self.uri = uri
        scheme, _, rest = uri.partition("://")
        rest, _, query = rest.partition("?")
        authority, _, path = rest.partition("/")
        user, _, self._bucket = authority.rpartition("@")
        self._folder = unquote(path).strip("/")
        self.name = f"{scheme}://{self._bucket}/{self._folder}".rstrip("/")
        if ":" in self._bucket or "@" in path:  # a secret with an unescaped / or ? has been split
            raise OutputError(f"{scheme}://***: {_QUOTING}")
        if not self._bucket:
            raise OutputError(f"{self.name}: names no bucket; write {scheme}://BUCKET/FOLDER")
        self.scheme = scheme
        self.settings = _settings(self, user, dict(parse_qsl(query)))
        self.writer: Any = None
        """The run that writes there now (:class:`auditor.dataset.in_bucket.Writer`)."""

    def __str__(self) -> str:
        """Return the URI without secrets."""
        return self.name

    __repr__ = __str__

    def __reduce__(self) -> tuple[type[Bucket], tuple[str]]:
        """Pickle the URI alone: each process has its own connection."""
        return Bucket, (self.uri,)

    def address(self, key: str) -> str:
        """Return the URI of an object, for Polars."""
        return f"{self.name}/{key}"

    def has(self, file: str) -> bool:
        """Say whether a file, by its URI, lies in this folder."""
        return file.partition("?")[0].startswith(f"{self.name}/")

    @property
    def access(self) -> dict[str, Any]:
        """Settings for Polars' readers. Without a key in the URI, they look for one as Amazon's own tools do."""
        stated = "aws_access_key_id" in self.settings
        return {"storage_options": self.settings, "credential_provider": None if stated else "auto"}

    @cached_property
    def _obstore(self) -> Any:  # noqa: ANN401  (a library without types here)
        try:
            import obstore.exceptions  # noqa: PLC0415  (only such datasets need it)
            import obstore.store  # noqa: PLC0415
        except ImportError as error:
            raise OutputError(_INSTALL) from error
        return obstore

    @cached_property
    def _store(self) -> Any:  # noqa: ANN401  (as above)
        kind: Any = self._obstore.store.S3Store if self.scheme == "s3" else self._obstore.store.GCSStore
        with self._asking(""):
            return kind(self._bucket, prefix=self._folder or None, config=self.settings, retry_config=TRIED)

    @contextmanager
    def _asking(self, key: str) -> Iterator[None]:
        of = self._obstore.exceptions
        try:
            yield
        except FileNotFoundError as error:
            if "NoSuchBucket" in str(error):
                raise OutputError(f"{self.name}: no such bucket") from error
            raise GoneError(key) from error
        except (of.AlreadyExistsError, of.PreconditionError) as error:
            raise TakenError(key) from error
        except (of.BaseError, OSError) as error:
            raise OutputError(f"{self.address(key).rstrip('/')}: {reason(error)}") from error

    def put(self, key: str, data: bytes | memoryview) -> str:
        """Write an object, whole or not at all; return its tag."""
        with self._asking(key):
            return str(self._obstore.put(self._store, key, data)["e_tag"])

    def create(self, key: str, data: bytes) -> str:
        """Write an object that is not there; return its tag.

        Raises
        ------
        TakenError
            when it is there already
        NotImplementedError
            when the store has no conditional writes

        """
        return self._under_condition(key, data, "create")

    def swap(self, key: str, data: bytes, tag: str) -> str:
        """Write an object that still has a tag; return its new tag. Raises as :meth:`create`."""
        return self._under_condition(key, data, {"e_tag": tag})

    def _under_condition(self, key: str, data: bytes, mode: Any) -> str:  # noqa: ANN401  (obstore's modes)
        with self._asking(key):
            try:
                return str(self._obstore.put(self._store, key, data, mode=mode, use_multipart=False)["e_tag"])
            except (self._obstore.exceptions.NotSupportedError, NotImplementedError) as error:
                raise NotImplementedError(str(self)) from error

    def get(self, key: str) -> bytes:
        """Return an object's bytes; raises GoneError."""
        return self.tagged(key)[0]

    def tagged(self, key: str) -> tuple[bytes, str]:
        """Return an object's bytes and its tag; raises GoneError."""
        with self._asking(key):
            found = self._obstore.get(self._store, key)
            return bytes(found.bytes()), str(found.meta["e_tag"])

    def copy(self, key: str, other: str) -> None:
        """Copy an object within the store; raises GoneError."""
        with self._asking(key):
            self._obstore.copy(self._store, key, other)

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the objects below a folder by key, with their sizes."""
        with self._asking(folder):
            return {
                each["path"]: each["size"]
                for several in self._obstore.list(self._store, f"{folder}/")
                for each in several
            }

    def delete(self, keys: list[str]) -> None:
        """Delete objects; what is gone already is no error."""
        for key in keys:  # one by one: not every server of this kind can delete many at once
            try:
                with self._asking(key):
                    self._obstore.delete(self._store, key)
            except GoneError:
                continue


def _settings(bucket: Bucket, user: str, options: dict[str, str]) -> dict[str, str]:
    key, _, secret = user.partition(":")
    if bucket.scheme == "gs":
        if options or user not in ("", "anonymous"):
            raise OutputError(f"{bucket}: options are left to the environment (GOOGLE_APPLICATION_CREDENTIALS)")
        return {"skip_signature": "true"} if user else {}
    if unknown := sorted(set(options) - set(_S3)):
        raise OutputError(f"{bucket}: {unknown[0]} is no option here; {', '.join(_S3)} are")
    found = {_S3[name]: value for name, value in options.items()}
    settings = {name: value for name, value in found.items() if name}
    if "aws_endpoint_url" in settings:
        http = options.get("scheme", "https")
        if "://" not in settings["aws_endpoint_url"]:
            settings["aws_endpoint_url"] = f"{http}://{settings['aws_endpoint_url']}"
        settings["aws_allow_http"] = str(settings["aws_endpoint_url"].startswith("http://")).lower()
        settings.setdefault("aws_region", "us-east-1")
    if user:
        settings |= {"aws_access_key_id": unquote(key), "aws_secret_access_key": unquote(secret)}
    return settings


def located(path: Path | str) -> Path | Bucket:
    """Return what a path or URI leads to: a folder of an object store, or the path itself.

    A path made of a URI has one slash after the scheme; that is a URI too.

    Raises
    ------
    OutputError
        when a URI of a known scheme cannot be read

    """
    from pathlib import Path  # noqa: PLC0415

    found = re.match(r"(\w{2,}):/+", str(path))
    if found and found[1] in SCHEMES:
        return Bucket(f"{found[1]}://{str(path)[found.end() :]}")
    return Path(path)


def shown(path: Path) -> str:
    """Return a path, or a URI without secrets, for a message."""
    try:
        return str(located(path))
    except OutputError:
        return f"{str(path).partition(':')[0]}://***"


_WHY = {
    "ermission|403|401|nauthorized|AccessDenied|SignatureDoesNotMatch": (
        "access is denied; check key, secret and what they may list, read, write and delete"
    ),
    "NoSuchBucket": "no such bucket",
    "error sending request|dns|onnect|timed? ?out": "the server cannot be reached",
    "credential": "no key was found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
}
_MOST = 200


def reason(error: BaseException) -> str:
    """Return an error's message on one line, explained where that can be done."""
    text = str(error)
    line = " ".join(text.split("\n\n", maxsplit=1)[0].split())[:_MOST]
    return next((why for pattern, why in _WHY.items() if re.search(pattern, text)), line)


def scan(bucket: Bucket, keys: list[str], **how: Any) -> pl.LazyFrame:  # noqa: ANN401  (options of Polars)
    """Return objects as a lazy frame."""
    import polars as pl  # noqa: PLC0415

    return pl.scan_parquet([bucket.address(key) for key in keys], glob=False, **bucket.access, **how)
