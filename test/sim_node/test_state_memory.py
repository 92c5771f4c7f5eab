import mmap
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openral.errors import InputError
from sim_node.state_memory import State, StateReader, StateWriter

NQ = 5


def state(number: int) -> State:
    return State(np.full(NQ, float(number)), 1_000 + number)


@pytest.fixture
def shared():
    writer = StateWriter(state(1))
    reader = StateReader(writer.fileno(), NQ)
    yield writer, reader
    reader.close()
    writer.close()


def whole(found: State) -> int:
    """The state's number, if all of it belongs to that number."""
    number = found.stamp - 1_000
    assert found.qpos.tolist() == [float(number)] * NQ
    return number


def test_the_first_state_is_there_before_anybody_reads(shared):
    assert whole(shared[1].read()) == 1


def test_the_newest_state_is_read(shared):
    writer, reader = shared
    for number in range(2, 9):
        writer.write(state(number))
        assert whole(reader.read()) == number
    assert whole(reader.read()) == 8


def test_a_state_that_was_read_does_not_change_under_the_reader(shared):
    writer, reader = shared
    first = reader.read()
    for number in range(2, 6):
        writer.write(state(number))
    assert whole(first) == 1


@given(st.integers(1, 9), st.floats(0.0, 1.0, exclude_max=True))
def test_a_half_written_state_does_not_count(states, part):
    """Whatever part of the next slot is already there: the reader sees the state before."""
    writer = StateWriter(state(1))
    for number in range(2, states + 1):
        writer.write(state(number))
    size = os.fstat(writer.fileno()).st_size
    with mmap.mmap(writer.fileno(), size) as memory:
        before = memory[:]
        writer.write(state(states + 1))
        after = memory[:]
        changed = [at for at in range(size) if before[at] != after[at]]
        torn = bytearray(before)
        for at in changed[: int(part * len(changed))]:
            torn[at] = after[at]
        memory[:] = bytes(torn)
        reader = StateReader(writer.fileno(), NQ)
        assert whole(reader.read()) == states
        memory[:] = after
        assert whole(reader.read()) == states + 1
    reader.close()
    writer.close()


def test_the_memory_of_another_scene_is_refused(shared):
    with pytest.raises(InputError, match="6 coordinates"):
        StateReader(shared[0].fileno(), NQ + 1)


def test_memory_in_which_nothing_stands_is_refused():
    empty = os.memfd_create("empty")
    os.ftruncate(empty, 2 * (24 + 8 * NQ))
    reader = StateReader(empty, NQ)
    with pytest.raises(InputError, match="a whole state"):
        reader.read()
    reader.close()
    os.close(empty)
