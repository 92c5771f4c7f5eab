"""Blocking calls on their own threads, results on the executor's."""

from __future__ import annotations

import threading

from reasoner_node.workers import Mailbox, Worker


def test_jobs_run_in_order_and_deliver_only_when_the_mailbox_is_emptied():
    came = threading.Semaphore(0)
    mailbox = Mailbox(came.release)
    worker: Worker[object] = Worker("test", mailbox, lambda error: error)
    got: list[object] = []
    for number in range(3):
        worker.submit(lambda number=number: number, got.append)
    for _ in range(3):
        assert came.acquire(timeout=5.0)
    assert got == []
    mailbox.empty()
    assert got == [0, 1, 2]
    worker.stop()
    worker.join(5.0)


def test_a_failing_job_gives_its_error_and_the_next_one_runs():
    came = threading.Semaphore(0)
    mailbox = Mailbox(came.release)
    worker: Worker[str] = Worker("test", mailbox, lambda error: type(error).__name__)
    got: list[str] = []
    worker.submit(lambda: str(1 // 0), got.append)
    worker.submit(lambda: "fine", got.append)
    for _ in range(2):
        assert came.acquire(timeout=5.0)
    mailbox.empty()
    assert got == ["ZeroDivisionError", "fine"]
    worker.stop()
    worker.join(5.0)


def test_two_workers_do_not_wait_for_each_other():
    came = threading.Semaphore(0)
    mailbox = Mailbox(came.release)
    gate = threading.Event()
    slow: Worker[object] = Worker("slow", mailbox, lambda error: error)
    fast: Worker[object] = Worker("fast", mailbox, lambda error: error)
    got: list[object] = []
    slow.submit(lambda: gate.wait(10.0), got.append)
    fast.submit(lambda: "fast", got.append)
    assert came.acquire(timeout=5.0)
    mailbox.empty()
    assert got == ["fast"]
    gate.set()
    slow.stop()
    slow.join(5.0)


def test_a_worker_without_a_mailbox_works_and_keeps_no_result():
    errors: list[str] = []
    worker: Worker[None] = Worker("test", None, lambda error: errors.append(str(error)))
    done: list[int] = []
    worker.submit(lambda: done.append(1))
    worker.submit(lambda: [][0])
    worker.submit(lambda: done.append(2))
    worker.stop()
    worker.join(5.0)
    assert done == [1, 2]
    assert errors == ["list index out of range"]
