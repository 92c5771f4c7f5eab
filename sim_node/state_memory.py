"""The newest configuration of the scene, in memory that two processes share.

Two slots are written in turn, so that one is whole while the other is written. A checksum tells
the reader which are: it holds in whatever order one processor shows another its writes.

Usage::

    writer = StateWriter(State(qpos, stamp))
    reader = StateReader(writer.fileno(), qpos.size)  # in the process that inherited the descriptor
    writer.write(State(qpos, stamp))
    reader.read()                                     # the newest; neither waits for the other
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from dataclasses import dataclass

import numpy as np

from openral.errors import InputError
from sim_node.servo import Vector

_CHECKSUM = struct.Struct("=Q")
_BEFORE_QPOS = struct.Struct("=Qq")  # sequence, from 1 on; stamp
_QPOS = np.dtype(np.float64)
_SLOTS = 2


@dataclass(frozen=True, eq=False)
class State:
    """A configuration of the scene, shape (nq,), and the ROS time [ns] at which it held."""

    qpos: Vector
    stamp: int


def _slot_size(nq: int) -> int:
    return _CHECKSUM.size + _BEFORE_QPOS.size + nq * _QPOS.itemsize


class StateWriter:
    """Makes the memory, which has no name and ends with the last process that holds it."""

    def __init__(self, first: State) -> None:
        self._nq = first.qpos.size
        self._sequence = 0
        self._descriptor = os.memfd_create("sim_state")
        os.ftruncate(self._descriptor, _SLOTS * _slot_size(self._nq))
        self._memory = mmap.mmap(self._descriptor, 0)
        self.write(first)

    def fileno(self) -> int:
        """The descriptor for another process to inherit."""
        return self._descriptor

    def write(self, state: State) -> None:
        """Take a newer state in place of the one before the last."""
        self._sequence += 1
        content = (
            _BEFORE_QPOS.pack(self._sequence, state.stamp) + state.qpos.astype(_QPOS).tobytes()
        )
        size = _slot_size(self._nq)
        begin = self._sequence % _SLOTS * size
        self._memory[begin : begin + size] = _CHECKSUM.pack(zlib.crc32(content)) + content

    def close(self) -> None:
        """No more states."""
        self._memory.close()
        os.close(self._descriptor)


class StateReader:
    """Reads what a `StateWriter` of the same scene writes.

    Raises:
        InputError: the memory is not that of a scene with `nq` coordinates.
    """

    def __init__(self, descriptor: int, nq: int) -> None:
        expected, got = _SLOTS * _slot_size(nq), os.fstat(descriptor).st_size
        if got != expected:
            raise InputError(
                expected=f"{expected} bytes for {nq} coordinates",
                got=f"{got} bytes",
                do="build both processes' scenes from the same parameters",
            )
        self._size = _slot_size(nq)
        self._memory = mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)
        self._newest: tuple[int, State] | None = None

    def read(self) -> State:
        """The newest state; one that is just being written does not count yet."""
        for begin in range(0, _SLOTS * self._size, self._size):
            found = _unpacked(self._memory[begin : begin + self._size])
            if found is not None and (self._newest is None or found[0] > self._newest[0]):
                self._newest = found
        if self._newest is None:
            raise InputError(
                expected="a whole state", got="none", do="write one before anybody reads"
            )
        return self._newest[1]

    def close(self) -> None:
        """Free the memory in this process."""
        self._memory.close()


def _unpacked(slot: bytes) -> tuple[int, State] | None:
    """Sequence and state of a slot; None: empty, or half written."""
    content = slot[_CHECKSUM.size :]
    if _CHECKSUM.unpack_from(slot)[0] != zlib.crc32(content):
        return None
    sequence, stamp = _BEFORE_QPOS.unpack_from(content)
    return sequence, State(np.frombuffer(content, _QPOS, offset=_BEFORE_QPOS.size), stamp)
