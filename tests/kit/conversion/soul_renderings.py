"""Every rendering in which a Mahjong Soul record is passed on, made from its JSON without default values.

The bytes are made with the protobuf package and the field numbers of the reader's schema; the records of the platform
prove the numbers (tests/auditor/test_mahjong_soul.py).
"""

from __future__ import annotations

import base64
import gzip
import json
import re

from google.protobuf import json_format, text_format

from auditor.readers.mahjong_soul.messages import classes


def message(name, content):
    """Make a protobuf message from JSON in the schema's spelling."""
    return json_format.ParseDict(content, classes()[name]())


def records(record):
    """List the records of a game: name and content."""
    return [(each["result"]["name"], each["result"]["data"]) for each in record["data"]["data"]["actions"]
            if "result" in each]  # fmt: skip


def wrapper(name, data):
    """Make the bytes of a wrapper."""
    return classes()["Wrapper"](name=name, data=data).SerializeToString()


def websocket(data):
    """Make the bytes of a message of the game's connection: kind, number, and a wrapper whose empty name is written."""
    return b"\x03\x2a\0\n\0" + wrapper("", data)


def details(record, *, old=False):
    """Make the bytes of the wrapped list of records: as actions, or as the old list."""
    wrapped = [wrapper(name, message(name[4:], data).SerializeToString()) for name, data in records(record)]
    found = classes()["GameDetailRecords"](version=0 if old else 210715)
    if old:
        found.records.extend(wrapped)
    else:
        rest = iter(wrapped)
        for action in record["data"]["data"]["actions"]:
            content = {"passed": action["passed"], "type": action["type"]}
            found.actions.add(
                **content, **({"result": next(rest)} if "result" in action else {"user_input": b"\x08\1"})
            )
    return wrapper(".lq.GameDetailRecords", found.SerializeToString())


def answer(record, *, old=False):
    """Make the bytes of the server's answer: head and list of records."""
    head = message("RecordGame", record["head"])
    return classes()["ResGameRecord"](head=head, data=details(record, old=old)).SerializeToString()


def camel(value):
    """Write all keys in camel case."""
    if isinstance(value, dict):
        return {re.sub("_([a-z0-9])", lambda found: found[1].upper(), key): camel(each) for key, each in value.items()}
    return [camel(each) for each in value] if isinstance(value, list) else value


def with_defaults(record):
    """Write all default values."""

    def full(name, content):
        return json_format.MessageToDict(message(name, content), preserving_proto_field_name=True,
                                         always_print_fields_with_no_presence=True)  # fmt: skip

    actions = [
        each | {"result": {"name": (name := each["result"]["name"]), "data": full(name[4:], each["result"]["data"])}}
        if "result" in each
        else each
        for each in record["data"]["data"]["actions"]
    ]
    data = {"version": 210715, "records": [], "actions": actions, "bar": ""}
    return {"head": full("RecordGame", record["head"]), "data": {"name": record["data"]["name"], "data": data}}


def typed(record):
    """List the records with their names inside, in camel case."""
    return [camel(data) | {"@type": name[4:]} for name, data in records(record)]


def dump(record):
    """Write the records as a text dump."""
    texts = [
        f"('{name[4:]}', {text_format.MessageToString(message(name[4:], data), as_one_line=True)})"
        for name, data in records(record)
    ]
    return "\n".join(texts)


def rounds(record):
    """List the records by round, with short names."""
    found = []
    for name, data in records(record):
        if name.endswith("NewRound"):
            found.append([])
        found[-1].append({"name": name[10:], "data": data})
    return {"rounds": found}


WHOLE = {
    "JSON": lambda record: json.dumps(record, indent=1).encode(),
    "JSON with defaults": lambda record: json.dumps(with_defaults(record)).encode(),
    "JSON in camel case": lambda record: json.dumps(camel(record)).encode(),
    "old JSON": lambda record: json.dumps({
        "head": record["head"],
        "data": {"name": record["data"]["name"], "data": {"records": [
            {"name": name, "data": data} for name, data in records(record)
        ]}},
    }).encode(),
    "head and base64": lambda record: json.dumps(
        {"head": record["head"], "data": base64.b64encode(details(record)).decode()}
    ).encode(),
    "head and list with types": lambda record: json.dumps({"head": record["head"], "details": typed(record)}).encode(),
    "answer": answer,
    "old answer": lambda record: answer(record, old=True),
    "message": lambda record: websocket(answer(record)),
    "message in hex": lambda record: websocket(answer(record)).hex().encode() + b"\n",
    "message in base64": lambda record: base64.b64encode(websocket(answer(record))),
    "answer in base64": lambda record: base64.b64encode(answer(record)),
}  # fmt: skip
"""Renderings with the head."""

BARE = {
    "list": details,
    "old list": lambda record: details(record, old=True),
    "list in base64": lambda record: base64.b64encode(details(record)),
    "list in hex": lambda record: details(record).hex().upper().encode(),
    "text dump": lambda record: dump(record).encode(),
    "list with types": lambda record: json.dumps(typed(record)).encode(),
    "rounds": lambda record: gzip.compress(json.dumps(rounds(record)).encode(), mtime=0),
}
"""Renderings without the head."""
