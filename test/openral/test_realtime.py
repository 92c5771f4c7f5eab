import os
import threading

from openral import realtime


def test_every_thread_is_scheduled_at_the_priority(monkeypatch):
    asked = {}

    def record(tid, policy, param):
        asked[tid] = (policy, param.sched_priority)

    monkeypatch.setattr(os, "sched_setscheduler", record)
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    assert realtime.schedule_realtime(20)
    done.set()
    other.join()
    assert {threading.get_native_id(), other.native_id} <= set(asked)
    assert set(asked.values()) == {(os.SCHED_RR, 20)}


def test_a_system_that_does_not_allow_it_leaves_the_process_as_it_is(monkeypatch):
    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    assert not realtime.schedule_realtime(20)
