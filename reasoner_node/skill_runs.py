"""A task's skill runs: watch the reward, end them, judge the task, climb the ladder."""

from __future__ import annotations

from openral.names import OutcomeName
from reasoner_node.attempt import Attempt, AttemptPhase
from reasoner_node.effects import AskImage, ReportFailure
from reasoner_node.ending import cancel_attempt, end_mission
from reasoner_node.events import (
    FAIL,
    CriticScore,
    ImageAnswered,
    SkillAccepted,
    SkillEnded,
)
from reasoner_node.mission import MissionPhase
from reasoner_node.state import Ended, Question, ReasonerState
from reasoner_node.task_queue import abandon_task, task_ended
from reasoner_node.verdict import VerdictTier, evaluate_task_verdict

NO_MOTION: frozenset[OutcomeName] = frozenset({"refused", "not_found", "unreachable"})
"""Outcomes after which no score can say anything: the skill never touched the object."""


def handle_accepted(state: ReasonerState, event: SkillAccepted, now: float) -> None:
    """The skill runner took the goal."""
    attempt = _attempt(state, event.trace_id)
    if attempt is not None and attempt.phase is AttemptPhase.STARTING:
        attempt.phase = AttemptPhase.RUNNING


def handle_score(state: ReasonerState, event: CriticScore, now: float) -> None:
    """Takes a score of the running attempt; others are of no concern."""
    attempt = _attempt(state, event.trace_id)
    if attempt is None or attempt.orphan or state.active_mission is None:
        return
    if not attempt.watch.note(
        now, event.critic_id, event.progress, event.success, event.stage, event.stamp_s
    ):
        kept = state.settings.max_critics
        state.log.add(now, f"a score was refused: more than {kept} critics", informs_only=True)
        return
    attempt.stage = event.stage
    state.mission = state.active_mission.note_progress(event.progress)
    state.publish(now)
    if attempt.phase is AttemptPhase.VERIFYING:
        _judge_a_pass(state, attempt, now)


def handle_ended(state: ReasonerState, event: SkillEnded, now: float) -> None:
    """The skill runner says that the goal ended."""
    attempt = _attempt(state, event.trace_id)
    if attempt is None or not attempt.holds_runner:
        return
    reason = f", {event.reason}" if event.reason else ""
    cancelled = f" (cancelled: {attempt.cancel_reason})" if attempt.cancel_reason else ""
    state.execution.append(
        f"{attempt.trace_id} {attempt.rskill_id}: {event.outcome}{reason}{cancelled}"
    )
    if attempt.orphan or state.active_mission is None:
        state.attempt = None
        if state.active_mission is not None:
            state.gate.request()
        return
    state.ended[attempt.task_id] = Ended(event.outcome, event.reason, now)
    state.palette.note_outcome(attempt.rskill_id, event.outcome)
    attempt.outcome, attempt.outcome_reason = event.outcome, event.reason
    attempt.ended_at = event.stamp_s
    if event.outcome == "safety_stop":
        words = (
            f"Stopped by the safety kernel: {event.reason or 'safety stop'}. Nothing moves until a "
            "new goal."
        )
        state.attempt = None
        end_mission(state, MissionPhase.STOPPED, "handoff", words, now)
        return
    state.mission = state.active_mission.begin_verifying()
    attempt.phase = AttemptPhase.VERIFYING
    attempt.due_at = now + state.settings.verdict_wait_s
    state.publish(now)
    if event.outcome in NO_MOTION:
        _ladder(state, attempt, "", now)
    else:
        # The last score may have been heard before the end was.
        _judge_a_pass(state, attempt, now)


def attempt_due(state: ReasonerState, now: float) -> None:
    """Does what the attempt's time asks for; called when `Attempt.next_due` is reached."""
    attempt = state.attempt
    if attempt is None:
        return
    if attempt.phase is AttemptPhase.RUNNING:
        _watch(state, attempt, now)
    elif now < attempt.due_at:
        return
    elif attempt.phase is AttemptPhase.STARTING:
        _runner_silent(state, "it neither took nor refused the goal", now)
    elif attempt.phase is AttemptPhase.CANCELLING:
        _runner_silent(state, "it did not end the cancelled goal", now)
    elif attempt.phase is AttemptPhase.VERIFYING:
        _judge(state, attempt, now)


def watch_reward(state: ReasonerState, now: float) -> None:
    """Ends the running attempt the instant that its reward says success, plateau or patience."""
    attempt = state.attempt
    if attempt is not None and attempt.phase is AttemptPhase.RUNNING and not attempt.orphan:
        _watch(state, attempt, now)


def handle_image_answer(state: ReasonerState, event: ImageAnswered, now: float) -> None:
    """The image question's answer; everything but a plain `done` goes to the ladder."""
    attempt = state.attempt
    mission = state.active_mission
    if attempt is None or mission is None or attempt.phase is not AttemptPhase.ADJUDICATING:
        return
    if event.answer == "done":
        state.attempt = None
        state.mission = mission.complete_active("vlm_pass", "the image shows it done", now)
        task_ended(state, now)
    else:
        said = f": {event.message}" if event.message else ""
        _ladder(state, attempt, f"the image question was answered {event.answer}{said}", now)


def _watch(state: ReasonerState, attempt: Attempt, now: float) -> None:
    signal = attempt.watch.signal(now, attempt.grace_s)
    if signal is not None:
        name, critic = signal
        reason = {
            "success": f"reward success ({critic})",
            "plateau": f"plateau: no progress for {attempt.limits.stall_window_s:g} s ({critic})",
            "patience": f"patience: no better score for {attempt.limits.patience_s:g} s ({critic})",
        }[name]
        if name == "plateau":
            state.effects.append(
                ReportFailure(
                    severity=FAIL, failure="stall", skill_id=attempt.rskill_id,
                    trace_id=attempt.trace_id, message=reason,
                )
            )  # fmt: skip
        state.log.add(now, f"{attempt.trace_id}: {reason}")
        cancel_attempt(state, reason, now)
    elif now >= attempt.hard_end_at:
        cancel_attempt(state, "past its deadline", now)


def _judge_a_pass(state: ReasonerState, attempt: Attempt, now: float) -> None:
    """A better score may still come, so only a pass ends the wait early."""
    progress = attempt.watch.progress_after(attempt.ended_at)
    if progress is not None and progress >= attempt.limits.success_threshold:
        _judge(state, attempt, now)


def _judge(state: ReasonerState, attempt: Attempt, now: float) -> None:
    mission = state.active_mission
    assert mission is not None
    verdict = evaluate_task_verdict(attempt.watch.progress_after(attempt.ended_at), attempt.limits)
    if verdict.tier is VerdictTier.PASS:
        state.attempt = None
        state.mission = mission.complete_active("pass", verdict.reason, now)
        task_ended(state, now)
    elif verdict.tier is VerdictTier.VLM_CHECK and state.can_ask_image:
        task = mission.current_task
        assert task is not None
        attempt.phase = AttemptPhase.ADJUDICATING
        attempt.due_at = now + state.settings.image_question_timeout_s
        call_id = state.next_call_id()
        state.questions[call_id] = Question(call_id, "image", "adjudicate", attempt.due_at)
        # A picture from before the run ended shows another world.
        since_run = now - state.ended[attempt.task_id].at
        state.effects.append(
            AskImage(
                call_id=call_id, camera=state.settings.verify_camera,
                question=f"Is this task done: {task.text}?",
                max_age_s=min(state.settings.image_max_age_s, since_run),
            )
        )  # fmt: skip
    else:
        unsure = verdict.tier is VerdictTier.VLM_CHECK
        no_model = ", and no model is there to ask about the image" if unsure else ""
        _ladder(state, attempt, verdict.reason + no_model, now)


def _ladder(state: ReasonerState, attempt: Attempt, judged: str, now: float) -> None:
    """First rungs: try again while caps allow it, then give the task up, then hand over."""
    mission = state.active_mission
    assert mission is not None
    state.attempt = None
    task = mission.current_task
    assert task is not None
    parts = [p for p in (_why_it_ended(attempt), judged) if p]
    reason = "; ".join(parts)
    state.log.add(now, f"{attempt.trace_id} not done: {reason}")
    if not state.palette.skills:
        state.mission = mission.abandon_active(reason, now)
        words = (
            f"I hand over: no skill is left, {', '.join(state.palette.broken)} failed "
            f"{state.settings.skill_failure_cap} times in a row."
        )
        end_mission(state, MissionPhase.INCOMPLETE, "handoff", words, now)
    elif attempt.outcome == "unreachable":
        # Nothing that another try could change: the same object at the same place.
        state.mission = mission.resume_active(reason)
        abandon_task(state, reason, now)
    elif task.attempts >= state.settings.max_task_attempts:
        state.mission = mission.resume_active(reason)
        abandon_task(state, f"{reason}, {task.attempts} tries", now)
    else:
        state.mission = mission.resume_active(reason)
        state.publish(now)
        state.gate.request()


def _why_it_ended(attempt: Attempt) -> str:
    if attempt.cancel_reason and not attempt.cancel_reason.startswith("reward success"):
        return attempt.cancel_reason
    if attempt.outcome in (None, "completed", "canceled"):
        return ""
    outcome = str(attempt.outcome).replace("_", " ")
    return f"{outcome}: {attempt.outcome_reason}" if attempt.outcome_reason else outcome


def _runner_silent(state: ReasonerState, what: str, now: float) -> None:
    attempt = state.attempt
    assert attempt is not None
    orphan = attempt.orphan
    cancel_attempt(state, what, now)
    state.attempt = None
    state.execution.append(f"{attempt.trace_id} {attempt.rskill_id}: no answer, {what}")
    if state.active_mission is not None:
        words = f"Stopped: the skill runner does not answer, {what}."
        end_mission(state, MissionPhase.STOPPED, "handoff", words, now)
    elif orphan:
        state.say(f"Warning: the skill runner does not answer, {what}.")


def _attempt(state: ReasonerState, trace_id: str) -> Attempt | None:
    attempt = state.attempt
    return attempt if attempt is not None and attempt.trace_id == trace_id else None
