"""Asks policies on a thread of its own: planning takes longer than a chunk's period."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from openral.realtime import schedule_as_usual
from skill_runner_node.policy import Decision, Failed, Goal, Observation, Outcome, Policy


class Thinking:
    """One question at a time, in the order of asking.

    Args:
        failed: Told of a policy that raised, on the thread.
    """

    def __init__(self, failed: Callable[[str], None]) -> None:
        self._failed = failed
        self._worker = ThreadPoolExecutor(
            1, thread_name_prefix="policy", initializer=schedule_as_usual
        )

    def begin(self, policy: Policy, goal: Goal) -> Future[None]:
        """Lets a policy begin a goal; what comes back is for `ask`."""
        return self._worker.submit(policy.reset, goal)

    def ask(
        self,
        policy: Policy,
        begun: Future[None],
        observation: Observation,
        now: float,
        decided: Callable[[Decision], None],
    ) -> None:
        """Asks for one decision; `decided` takes it on the thread, an error as `Failed`."""

        def work() -> None:
            try:
                # A policy that could not begin this goal would go on with the one before.
                begun.result()
                decision = policy.step(observation, now)
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
                self._failed(text)
                decision = Failed(Outcome.POLICY_ERROR, text)
            decided(decision)

        self._worker.submit(work)

    def close(self) -> None:
        """Ends after the question in hand."""
        self._worker.shutdown(wait=False, cancel_futures=True)
