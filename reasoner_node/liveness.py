"""Tells which nodes fell silent, from when each was last heard. Time is handed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from reasoner_node.events import NodeName, NodePresence


@dataclass
class Liveness:
    """One watchdog for all nodes.

    Attributes:
        timeouts_s: [s] of silence after which a node counts as lost.
        startup_grace_s: [s] after the start in which a node that never spoke is not lost yet.
        started_at: [s].
        own_stall_s: [s] between two checks from which on it was this process that did not run.
    """

    timeouts_s: Mapping[NodeName, float]
    startup_grace_s: float
    started_at: float
    own_stall_s: float
    _heard: dict[NodeName, float] = field(default_factory=dict)
    _lost: set[NodeName] = field(default_factory=set)
    _checked_at: float | None = None

    def heard(self, node: NodeName, now: float) -> NodePresence | None:
        """A sign of life; tells where the node was lost before."""
        self._heard[node] = now
        if node in self._lost:
            self._lost.discard(node)
            return NodePresence(node=node, alive=True)
        return None

    def declare_lost(self, node: NodeName, detail: str) -> NodePresence | None:
        """Another source is sure that the node is gone; None = that was known."""
        if node in self._lost:
            return None
        self._lost.add(node)
        return NodePresence(node=node, alive=False, detail=detail)

    def check(self, now: float) -> list[NodePresence]:
        """The nodes that fell silent since the last check.

        A check that comes late itself judges nobody: what was said meanwhile still waits unread.
        """
        checked_at, self._checked_at = self._checked_at, now
        if checked_at is not None and now - checked_at > self.own_stall_s:
            return []
        fallen = []
        for node, timeout in self.timeouts_s.items():
            last = self._heard.get(node)
            if last is None:
                silent = now - self.started_at > self.startup_grace_s
                detail = "never heard"
            else:
                silent = now - last > timeout
                detail = f"silent for {now - last:.1f} s"
            if silent and node not in self._lost:
                self._lost.add(node)
                fallen.append(NodePresence(node=node, alive=False, detail=detail))
        return fallen


class RunnerPresence(Enum):
    """What to believe of the skill runner."""

    NOT_SEEN = "not seen"
    """Its server has not been in the graph since the goal began. Discovery may merely not be done
    yet: right after a start the runner is as new to this node as the goal is."""
    ANSWERING = "answering"
    SILENT = "silent"
    """It was there, and now its server is gone, it says nothing of its goal, or it is another one
    that knows no goal."""


@dataclass
class RunnerWatch:
    """Tells whether the skill runner lives, from its action server and its state during a goal.

    A killed process stays in the graph for many seconds, so during a goal its silence decides.

    Attributes:
        state_timeout_s: [s] without a skill state during a goal.
    """

    state_timeout_s: float
    _goal_since: float | None = None
    _goal_heard: bool = False
    _spoke_at: float | None = None
    _silent: bool = False
    _restarted: bool = False
    _seen: bool = False

    def goal_taken(self, now: float) -> None:
        """A goal runs from now on."""
        self._goal_since = now
        self._goal_heard = False
        self._seen = False

    def goal_over(self) -> None:
        """No goal runs."""
        self._goal_since = None
        self._restarted = False

    def spoke(self, now: float, *, idle: bool = False) -> None:
        """A skill state came; `idle` is said once, at a runner's start."""
        self._spoke_at = now
        self._silent = False
        if not idle:
            self._goal_heard = True
        elif self._goal_since is not None and self._goal_heard:
            # It is another one: nobody is left who knows the goal.
            self._restarted = True

    def presence(self, now: float, *, server_ready: bool) -> RunnerPresence:
        """What to believe now; `server_ready` tells whether its server is in the graph."""
        if not server_ready:
            self._silent = False
            return RunnerPresence.SILENT if self._seen else RunnerPresence.NOT_SEEN
        self._seen = True
        if self._goal_since is not None:
            last = max(self._goal_since, self._spoke_at or self._goal_since)
            self._silent = self._silent or now - last > self.state_timeout_s
        if self._silent or self._restarted:
            return RunnerPresence.SILENT
        return RunnerPresence.ANSWERING
