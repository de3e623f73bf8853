"""Numbers that a block sends to another block of its cluster, 32 bits by 32 bits."""

from __future__ import annotations

import types
from typing import Any

from .. import arch as _arch
from .._values.numeric import (
    BFloat16, Boolean, Float16, Float32, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32,
)
from .._values.struct import _annotations, struct
from .._values.tensor import make_tensor

# The words of 32 bits that a type takes.
_WORDS = {Boolean: 1, Int8: 1, Int16: 1, Int32: 1, Int64: 2, Float16: 1, BFloat16: 1, Float32: 1}


class B32PayloadCodec:
    """Puts named numbers into words of 32 bits: one for each, two for an Int64, the low one first.

    :param fields: pairs of a name and a type, one of Boolean, Int8 to Int64, Float16, BFloat16
        and Float32
    :raises TypeError: for another type; ValueError for a name that comes twice, or no field

    >>> from cute.experimental import B32PayloadCodec
    >>> codec = B32PayloadCodec([("row", Int32), ("bytes", cute.Int64), ("scale", Float16)])
    >>> codec.field_names, codec.storage_words, codec.chunks_for_alignment(8)
    (['row', 'bytes', 'scale'], 4, [(2, [0, 1]), (2, [2, 3])])
    """

    def __init__(self, fields: list[tuple[str, Any]], name: str | None = None):
        self.fields, self.name = list(fields), name
        for field, kind in self.fields:
            if kind not in _WORDS:
                raise TypeError(f"{field} is of one of {', '.join(t.__name__ for t in _WORDS)}, "
                                f"not of {kind!r}")
        names = [field for field, _ in self.fields]
        if not names or len(set(names)) != len(names):
            raise ValueError(f"a payload has fields with different names, not {names}")
        self.storage_words = sum(_WORDS[kind] for _, kind in self.fields)

    @classmethod
    def from_struct(cls, struct_cls: Any) -> B32PayloadCodec:
        """Returns the codec of a class with annotations, perhaps under ``cute.struct``."""
        if isinstance(struct_cls, struct):
            members = struct_cls._members.items()
            return cls([(name, member.type) for name, member in members], struct_cls._name)
        return cls(list(_annotations(struct_cls).items()), struct_cls.__name__)

    @property
    def field_names(self) -> list[str]:
        """The names, in order."""
        return [field for field, _ in self.fields]

    def chunks_for_alignment(self, base_align: int) -> list[tuple[int, list[int]]]:
        """Returns the stores for words that begin at a multiple of ``base_align`` bytes: 4, 2 or 1
        words, and which."""
        found, at = [], 0
        while at < self.storage_words:
            width = next(n for n in (4, 2, 1) if at % n == 0 and base_align >= 4 * n
                         and at + n <= self.storage_words or n == 1)
            found.append((width, list(range(at, at + width))))
            at += width
        return found

    def encode_fields(self, fields: dict[str, Any]) -> list[Any]:
        """Returns the words of all fields, as Int32.

        :raises TypeError: for a field that is missing, or that the payload does not have
        """
        if set(fields) != set(self.field_names):
            raise TypeError(f"the fields are {', '.join(self.field_names)}, not "
                            f"{', '.join(fields) or 'none'}")
        return [word for name, kind in self.fields for word in _words_of(kind, kind(fields[name]))]

    def decode_from_b32_ptr(self, ptr: Any) -> types.SimpleNamespace:
        """Returns the fields whose words lie at a pointer to Int32."""
        words, found, at = make_tensor(ptr, self.storage_words), types.SimpleNamespace(), 0
        for name, kind in self.fields:
            setattr(found, name, _number_of(kind, [words[at + i] for i in range(_WORDS[kind])]))
            at += _WORDS[kind]
        return found


def _words_of(kind: Any, value: Any) -> list[Any]:
    if kind is Int64:
        return [Int32(value), Int32(value >> 32)]
    if kind is Float32:
        return [value.bitcast(Int32)]
    if kind in (Float16, BFloat16):
        return [Int32(Uint32(value.bitcast(Uint16)))]
    if kind in (Int8, Int16):
        return [Int32(Uint32((Uint8 if kind is Int8 else Uint16)(value)))]
    return [Int32(value)]


def _number_of(kind: Any, words: list[Any]) -> Any:
    if kind is Int64:
        return (Int64(words[1]) << 32) | Int64(Uint32(words[0]))
    if kind is Float32:
        return words[0].bitcast(Float32)
    if kind in (Float16, BFloat16):
        return Uint16(words[0]).bitcast(kind)
    return words[0] != 0 if kind is Boolean else kind(words[0])


def b32_payload(cls: Any) -> B32PayloadCodec:
    """Makes a ``B32PayloadCodec`` of a class with annotations.

    >>> from cute.experimental import b32_payload
    >>> @b32_payload
    ... class Tile:
    ...     row: Int32
    ...     is_last: cute.Boolean
    >>> Tile.storage_words
    2
    """
    return B32PayloadCodec.from_struct(cls)


class ClusterMailbox:
    """Room in shared memory for one payload, which another block of the cluster sends.

    :param storage: ``cute.struct.MemRange[Int32, n]`` in a struct, with ``n`` the payload's
        ``storage_words``, or a pointer to as many Int32

    The producer of a pipeline with the locale ``CTA_PAIR_PEER_LOCALE`` sends; the other block
    waits for the stage::

        token, _ = pipe.producer_acquire_and_get_stage()
        mailbox.send_to_pipeline_stage(token, peer, row=row)
        pipe.producer_commit_and_advance()
    """

    def __init__(self, payload: B32PayloadCodec, storage: Any):
        self.payload = payload
        self._pointer = storage.data_ptr() if hasattr(storage, "data_ptr") else storage
        size = getattr(storage, "size", None) if hasattr(storage, "data_ptr") else None
        if isinstance(size, int) and size != payload.storage_words:
            raise ValueError(f"the payload has {payload.storage_words} words, the storage {size}")

    def send_to_pipeline_stage(self, stage_token: Any, peer_rank: Any, **fields: Any) -> None:
        """Starts to store the fields in another block, whose barrier counts the bytes: one thread.

        :param stage_token: of the producer's stage
        :param peer_rank: the block's number in the cluster
        """
        words = self.payload.encode_fields(fields)
        _arch.mbarrier_expect_tx(stage_token, 4 * len(words), peer_rank)
        for width, which in self.payload.chunks_for_alignment(self._pointer.alignment):
            value = tuple(words[i] for i in which)
            _arch.store_async_dsmem(self._pointer + which[0], value if width > 1 else value[0],
                                    stage_token, peer_rank)

    def recv(self) -> types.SimpleNamespace:
        """Returns the fields that came, after the consumer has waited for the stage."""
        return self.payload.decode_from_b32_ptr(self._pointer)
