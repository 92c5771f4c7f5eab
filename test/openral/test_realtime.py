import os
import subprocess
import sys
import threading

from openral import realtime


def test_every_thread_is_scheduled_at_the_priority(monkeypatch):
    asked = {}

    def record(tid, policy, param):
        asked[tid] = (policy, param.sched_priority)

    monkeypatch.setattr(os, "sched_setscheduler", record)
    done = threading.Event()
    other = threading.Thread(target=done.wait, daemon=True)
    other.start()
    assert realtime.schedule_realtime(20)
    done.set()
    other.join()
    assert {threading.get_native_id(), other.native_id} <= set(asked)
    assert set(asked.values()) == {(os.SCHED_RR, 20)}


def test_a_thread_that_ends_while_the_others_are_scheduled_is_left_out(monkeypatch):
    asked = []

    def first_has_ended(tid, policy, param):
        asked.append(tid)
        if len(asked) == 1:
            raise ProcessLookupError

    monkeypatch.setattr(os, "sched_setscheduler", first_has_ended)
    done = threading.Event()
    other = threading.Thread(target=done.wait, daemon=True)
    other.start()
    assert realtime.schedule_realtime(20)
    done.set()
    other.join()
    assert {threading.get_native_id(), other.native_id} <= set(asked)


def test_a_system_that_does_not_allow_it_leaves_the_process_as_it_is(monkeypatch):
    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    assert not realtime.schedule_realtime(20)


def test_huge_pages_are_refused_for_the_process_and_for_what_it_starts():
    code = (
        "import subprocess; from openral.realtime import refuse_huge_pages;"
        " assert refuse_huge_pages();"
        " print(open('/proc/self/status').read());"
        " print(subprocess.check_output(['cat', '/proc/self/status'], text=True))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60.0
    ).stdout
    # 1 where nobody has asked: proc(5), THP_enabled.
    assert [line.split() for line in said.splitlines() if line.startswith("THP_enabled")] == [
        ["THP_enabled:", "0"],
        ["THP_enabled:", "0"],
    ]
