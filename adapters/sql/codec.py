"""Frozen values to JSON and back, by their type hints. Knows no table and no value in particular.

Rows outlive versions: a field that is no longer known is dropped, one that was not yet known gets its
default (or an empty value of its type), and a detail that JSON can't hold is written as text.
"""

from __future__ import annotations

import json
import math
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date, datetime
from functools import cache
from typing import Any, Literal, Union

Reader = Callable[[Any], Any]

_SCALARS: dict[Any, Reader] = {
    datetime: datetime.fromisoformat,
    date: date.fromisoformat,
    float: float,
    bytes: bytes.fromhex,
}


def dumps(value: object) -> str:
    """The value as JSON text; Hangul stays readable."""
    return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def loads(kind: Any, text: str) -> Any:
    """The value of type `kind` that `dumps` wrote, perhaps in another version."""
    return reader(kind)(json.loads(text))


def _plain(value: object) -> Any:
    if value is None or isinstance(value, str | bool | int):
        return value
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = [_plain(item) for item in value]
        return items if isinstance(value, list | tuple) else sorted(items, key=str)
    return _plain_scalar(value)


def _plain_scalar(value: object) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None  # NaN and infinities are no JSON
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    number = getattr(value, "item", None)  # NumPy's, in a trace
    return _plain(number()) if callable(number) and getattr(value, "ndim", 1) == 0 else str(value)


@cache
def reader(kind: Any) -> Reader:
    """How JSON becomes `kind`; made once for each type."""
    if is_dataclass(kind):
        return _dataclass_reader(typing.cast(type[Any], kind))
    if kind in _SCALARS:
        return _SCALARS[kind]
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, types.UnionType):
        return _optional_reader(arguments)
    if origin in (tuple, frozenset):
        return _many_reader(origin, arguments[0])
    return _mapping_reader(arguments[1]) if _is_mapping(origin) else _same


def _dataclass_reader(kind: type[Any]) -> Reader:
    hints = typing.get_type_hints(kind)
    readers = {f.name: reader(hints[f.name]) for f in fields(kind)}
    needed = {f.name: _blank(hints[f.name]) for f in fields(kind) if _required(f)}

    def read(raw: Any) -> Any:
        known = {name: readers[name](item) for name, item in raw.items() if name in readers}
        return kind(**{**needed, **known})

    return read


def _optional_reader(arguments: tuple[Any, ...]) -> Reader:
    inner = reader(next(a for a in arguments if a is not type(None)))
    return lambda raw: None if raw is None else inner(raw)


def _many_reader(container: Callable[[Any], Any], item: Any) -> Reader:
    inner = reader(item)
    return container if inner is _same else lambda raw: container(map(inner, raw))


def _mapping_reader(item: Any) -> Reader:
    inner = reader(item)
    return dict if inner is _same else lambda raw: {key: inner(value) for key, value in raw.items()}


def _same(raw: Any) -> Any:
    return raw


def _required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _blank(kind: Any) -> Any:
    """What stands for a needed field that an older row does not have."""
    if kind in (str, int, float, bool, bytes):
        return kind()
    origin = typing.get_origin(kind)
    if origin in (tuple, frozenset):
        return origin()
    if origin is Literal:
        return typing.get_args(kind)[0]
    return {} if _is_mapping(origin) else None


def _is_mapping(origin: Any) -> bool:
    return isinstance(origin, type) and issubclass(origin, Mapping)
