"""Protobuf messages of the schema: descriptors that are built in memory, and values of other renderings as bytes.

The ``protobuf`` package is imported when the first record is read, not before: it costs time at the start.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from auditor.readers.json_text import shown
from auditor.readers.mahjong_soul.schema import MESSAGES, PACKAGE, SCALARS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.message import Message

    from auditor.readers.mahjong_soul.schema import Field

_MESSAGE = 11
_OPTIONAL, _REPEATED = 1, 3
_HUMP = re.compile("(?<=[a-z0-9])[A-Z]")
_DIGITS = re.compile("-?[0-9]{1,10}")
_WHOLE = {"uint32": (0, (1 << 32) - 1), "int32": (-(1 << 31), (1 << 31) - 1)}


@cache
def classes() -> dict[str, type[Message]]:
    """Return the class of each message, by name."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory  # noqa: PLC0415 - see above

    file = descriptor_pb2.FileDescriptorProto(name="mahjong_soul.proto", package=PACKAGE, syntax="proto3")
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for key, field in fields.items():
            added = message.field.add(name=key, number=field.number, label=_REPEATED if field.repeated else _OPTIONAL)
            if field.kind in SCALARS:
                added.type = SCALARS[field.kind]
            else:
                added.type, added.type_name = _MESSAGE, f".{PACKAGE}.{field.kind}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{PACKAGE}.{name}")) for name in MESSAGES}


class Faults:
    """What was found in values that does not fit the schema: unknown keys, each once, and values of other types."""

    def __init__(self) -> None:
        self.unknown: dict[str, None] = {}
        self.wrong: list[tuple[str, str]] = []


def encoded(name: str, value: Mapping[str, Any], faults: Faults) -> bytes:
    """Return an object as a message's bytes, without whatever does not fit; ``faults`` gets what is left out."""
    try:
        made: bytes = classes()[name](**value).SerializeToString()
    except (TypeError, ValueError):
        made = classes()[name](**_fitting(name, value, faults)).SerializeToString()
    return made


def snake(key: str) -> str:
    """Return a key in the schema's spelling: ``isLiqi`` as ``is_liqi``."""
    return _HUMP.sub(lambda hump: f"_{hump[0].lower()}", key)


@cache
def _named(message: str, key: str) -> str | None:
    """Return the name of a field by a key in either spelling; None if the message has none."""
    fields = MESSAGES[message]
    for name in (key, snake(key), key.replace("noting_fafu", "noting_fafu_")):
        if name in fields:
            return name
    return next((name for name in fields if name.replace("_", "").lower() == key.replace("_", "").lower()), None)


def _fitting(message: str, value: Mapping[str, Any], faults: Faults) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, each in value.items():
        name = _named(message, str(key))
        if name is None:
            if not str(key).startswith("@"):
                faults.unknown[f"{message}.{key}"] = None
            continue
        if each is None:
            continue
        field = MESSAGES[message][name]
        if field.repeated:
            if not isinstance(each, list):
                faults.wrong.append((f"{message}.{key} {shown(each)}", "a list"))
                continue
            entries = [_value(field, f"{message}.{key}", entry, faults) for entry in each]
            # An entry that is left out would move the others: the list is left out.
            if all(entry is not None for entry in entries):
                found[name] = entries
        elif (one := _value(field, f"{message}.{key}", each, faults)) is not None:
            found[name] = one
    return found


def _value(field: Field, place: str, value: Any, faults: Faults) -> Any:  # noqa: ANN401 - JSON is anything
    """Return a value of a field's type; None if it has another type."""
    if field.kind in MESSAGES and isinstance(value, dict):
        return _fitting(field.kind, value, faults)
    right = b"" if field.kind == "bytes" else _scalar(field.kind, value)  # bytes: parts that the reader does not use
    if right is None:
        faults.wrong.append((f"{place} {shown(value)}", f"a value of type {field.kind}"))
    return right


def _scalar(kind: str, value: Any) -> int | bool | str | None:  # noqa: ANN401
    """Return a number, truth value or text; None if it has another type. Some programs write numbers as texts."""
    if kind in _WHOLE:
        low, high = _WHOLE[kind]
        if type(value) is str and _DIGITS.fullmatch(value):
            value = int(value)
        return int(value) if type(value) in (int, bool) and low <= value <= high else None
    if kind == "bool":
        return bool(value) if type(value) is bool or (type(value) is int and value in (0, 1)) else None
    return value.encode("utf-8", "backslashreplace").decode() if kind == "string" and type(value) is str else None
