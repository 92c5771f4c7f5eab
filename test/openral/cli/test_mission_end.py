from made import MISSION, SAID, replace

from openral.cli.exit_code import ExitCode
from openral.cli.mission_end import (
    FINAL_WORD_GRACE_S,
    GONE,
    REASONER_GONE_S,
    RESTARTED,
    Ending,
    MissionWatch,
)
from openral.cli.observed import Observed

IDLE = replace(MISSION, mission_id="", state="IDLE")
OLD = replace(MISSION, mission_id="m0", state="DONE")
NEW = replace(MISSION, mission_id="m1", state="ACTIVE")
DONE_WORD = replace(SAID, kind="done", text="all done")


def watch(before=IDLE, deadline_s=100.0):
    return MissionWatch(10.0, 1000.0, before, deadline_s, prompt_id="prompt-mine")


def test_a_running_mission_has_not_ended():
    assert watch().end(NEW, [SAID], 12.0) is None


def test_done_needs_the_state_and_the_word():
    one = watch()
    done = replace(NEW, state="DONE")
    assert one.end(done, [], 20.0) is None
    end = one.end(done, [DONE_WORD], 20.1)
    assert (end.ending, end.words) == (Ending.DONE, "all done")


def test_the_word_alone_does_not_end_a_running_mission():
    assert watch().end(NEW, [DONE_WORD], 20.0) is None


def test_a_mission_without_a_final_word_ends_after_the_grace_and_says_so():
    one = watch()
    done = replace(NEW, state="INCOMPLETE", message="2 of 3")
    assert one.end(done, [], 20.0) is None
    end = one.end(done, [], 20.0 + FINAL_WORD_GRACE_S)
    assert (end.ending, end.words) == (Ending.INCOMPLETE, "2 of 3 (no final word)")


def test_a_refusal_without_a_mission_ends_it():
    refusal = replace(SAID, kind="refused", text="no unicorn here")
    end = watch().end(IDLE, [refusal], 12.0)
    assert (end.ending, end.words) == (Ending.REFUSED, "no unicorn here")


def test_a_mission_whose_final_word_refuses_the_goal_is_a_refusal():
    refusal = replace(SAID, kind="refused", text="what is the table to be cleared into?")
    for state in ("INCOMPLETE", "STOPPED"):
        end = watch().end(replace(NEW, state=state), [refusal], 12.0)
        assert (end.ending, end.words) == (Ending.REFUSED, refusal.text)


def test_a_mission_that_was_over_before_the_prompt_is_not_the_answer():
    assert watch(before=OLD).end(OLD, [], 12.0) is None


def test_words_from_before_the_prompt_are_history():
    early = replace(SAID, kind="refused", heard_at=9.0)
    latched = replace(SAID, kind="refused", heard_at=11.0, stamp=999.0)
    assert watch().end(IDLE, [early, latched], 12.0) is None


def test_done_is_no_answer_to_a_prompt_for_which_nothing_was_begun():
    # The word of the mission that was running when this prompt came.
    assert watch(before=OLD).end(OLD, [DONE_WORD], 12.0) is None


def test_a_stopped_mission_is_stopped():
    stopped = replace(NEW, state="STOPPED")
    end = watch().end(stopped, [replace(SAID, kind="could_not_complete")], 12.0)
    assert end.ending is Ending.STOPPED


def test_the_deadline_ends_a_hang():
    one = watch(deadline_s=30.0)
    assert one.end(NEW, [], 39.9) is None
    end = one.end(NEW, [], 40.0)
    assert end.ending is Ending.DEADLINE
    assert end.words == "no end after 30 s: mission active"


def test_the_deadline_says_that_nothing_began():
    assert watch(deadline_s=1.0).end(None, [], 11.0).words == "no end after 1 s: no mission began"


def test_the_final_word_of_another_mission_is_not_this_ones():
    one = watch()
    done = replace(NEW, state="DONE")
    assert one.end(done, [replace(DONE_WORD, trace_id="m0")], 20.0) is None
    assert one.end(done, [replace(DONE_WORD, trace_id="m1")], 20.0).ending is Ending.DONE


def test_a_question_is_answered_by_words_with_its_own_mark_at_once():
    answer = replace(SAID, text="I see milk.", trace_id="prompt-mine")
    warning = replace(SAID, text="Warning: I cannot see.")
    for before in (IDLE, OLD, NEW):
        end = watch(before=before).end(before, [answer, warning], 10.1)
        assert (end.ending, end.words) == (Ending.ANSWERED, "I see milk.")


def test_words_that_were_not_said_to_the_prompt_are_no_answer_to_it():
    marks = ("", "m0", "prompt-theirs")
    unrelated = [replace(SAID, text="The perception answers again.", trace_id=m) for m in marks]
    for before in (IDLE, OLD):
        assert watch(before=before).end(before, unrelated, 60.0) is None


def test_mere_words_are_no_answer_to_a_prompt_without_a_mark():
    assert MissionWatch(10.0, 1000.0, IDLE, 100.0).end(IDLE, [SAID], 60.0) is None


def test_stop_ends_the_mission_that_was_running():
    stopped = replace(NEW, state="STOPPED")
    word = replace(SAID, kind="could_not_complete", text="Stopped.", trace_id="m1")
    end = watch(before=NEW).end(stopped, [word], 12.0)
    assert (end.ending, end.words) == (Ending.STOPPED, "Stopped.")


def test_the_final_word_of_an_earlier_mission_does_not_end_the_wait_for_stop():
    early = replace(SAID, kind="could_not_complete", text="Stopped for the new goal", trace_id="m0")
    assert watch(before=NEW).end(NEW, [early], 12.0) is None


def test_a_refusal_during_a_mission_is_told_and_the_mission_goes_on():
    refusal = replace(SAID, kind="refused", text="empty", trace_id="m1")
    assert watch(before=NEW).end(NEW, [refusal], 12.0).ending is Ending.REFUSED


def test_only_done_and_answered_exit_zero():
    zero = [ending for ending in Ending if ending.exit_code is ExitCode.OK]
    assert zero == [Ending.DONE, Ending.ANSWERED]


def test_a_prompt_that_is_not_taken_is_refused_while_the_mission_before_goes_on():
    running = replace(MISSION, mission_id="m0", state="ACTIVE")
    refusal = replace(SAID, kind="not_taken", text="too long; I go on with 'tidy up'")
    end = watch(before=running).end(running, [refusal], 12.0)
    assert (end.ending, end.words) == (Ending.REFUSED, refusal.text)
    early = replace(refusal, heard_at=9.0)
    assert watch(before=running).end(running, [early], 12.0) is None


ANOTHERS = [
    replace(SAID, kind=kind, text="too long", trace_id="prompt-theirs")
    for kind in ("not_taken", "refused")
]


def test_the_refusal_of_anothers_prompt_ends_no_wait():
    running = replace(MISSION, mission_id="m0", state="ACTIVE")
    for before in (IDLE, OLD, running):
        assert watch(before=before).end(before, ANOTHERS, 60.0) is None
        assert watch(before=before).end(NEW, ANOTHERS, 12.0) is None
    done = watch().end(replace(NEW, state="DONE"), [*ANOTHERS, DONE_WORD], 20.0)
    assert done.ending is Ending.DONE


def test_the_refusal_of_this_prompt_ends_the_wait_whatever_mission_there_is():
    running = replace(MISSION, mission_id="m0", state="ACTIVE")
    for said in ANOTHERS:
        mine = replace(said, trace_id="prompt-mine", text="mine")
        for before, mission in ((IDLE, IDLE), (running, running), (running, NEW)):
            end = watch(before=before).end(mission, [*ANOTHERS, mine], 12.0)
            assert (end.ending, end.words) == (Ending.REFUSED, "mine")


def test_a_refusal_without_a_mark_is_of_no_prompt_that_became_a_mission():
    unmarked = replace(SAID, kind="not_taken", text="too long")
    assert watch().end(NEW, [unmarked], 12.0) is None


# Two clients prompt at once: A is this prompt's goal, B the other's.
A = replace(NEW, mission_id="r1.m1", goal="A")
B = replace(NEW, mission_id="r1.m2", goal="B")
B_DONE = replace(B, state="DONE")
DONE_B = replace(DONE_WORD, text="Done: B.", trace_id="r1.m2")
FOR_B = replace(
    SAID, kind="could_not_complete", text="Stopped for the new goal 'B'.", trace_id="r1.m1"
)


def watch_a(before=IDLE):
    return MissionWatch(10.0, 1000.0, before, 100.0, prompt_id="prompt-mine", goal="A")


def told(end):
    return None if end is None else (end.ending, end.words)


def test_the_end_of_a_mission_that_followed_is_not_this_ones():
    for one in (watch(), watch_a()):
        assert one.end(A, [], 12.0) is None
        # That A was stopped is overtaken by B's first state.
        assert told(one.end(B, [FOR_B], 13.0)) == (Ending.STOPPED, FOR_B.text)
    one = watch_a()
    one.end(A, [], 12.0)
    assert told(one.end(B_DONE, [FOR_B, DONE_B], 90.0)) == (Ending.STOPPED, FOR_B.text)


def test_a_mission_that_was_followed_without_a_word_is_stopped_after_the_grace():
    one = watch_a()
    one.end(A, [], 12.0)
    assert one.end(B, [], 13.0) is None
    # A word without a mark is B's, or it is not: it says nothing of A.
    end = one.end(B_DONE, [DONE_WORD, DONE_B], 13.0 + FINAL_WORD_GRACE_S)
    assert told(end) == (Ending.STOPPED, "another goal took its place: 'B' (no final word)")


def test_a_mission_that_had_ended_keeps_its_end_whatever_follows():
    one = watch_a()
    assert one.end(replace(A, state="DONE"), [], 12.0) is None
    word = replace(DONE_WORD, text="Done: A.", trace_id="r1.m1")
    assert told(one.end(B, [word], 13.0)) == (Ending.DONE, "Done: A.")


def test_a_mission_with_other_words_is_anothers_and_this_one_is_waited_for():
    one = watch_a()
    assert one.end(replace(B, mission_id="r1.m1"), [], 12.0) is None
    mine = replace(A, mission_id="r1.m2")
    for_a = replace(FOR_B, text="Stopped for the new goal 'A'.")
    assert one.end(mine, [for_a], 13.0) is None
    word = replace(DONE_WORD, text="Done: A.", trace_id="r1.m2")
    assert told(one.end(replace(mine, state="DONE"), [for_a, word], 50.0)) == (
        Ending.DONE,
        "Done: A.",
    )


def test_a_mission_that_was_replaced_before_it_was_heard_is_stopped():
    one = watch_a()
    assert one.end(B, [FOR_B], 12.0) is None
    end = one.end(B_DONE, [FOR_B, DONE_B], FOR_B.heard_at + FINAL_WORD_GRACE_S)
    assert told(end) == (Ending.STOPPED, FOR_B.text)


def test_the_end_of_anothers_mission_is_no_answer():
    one = watch_a()
    hint = replace(SAID, text="I look for B", trace_id="r1.m2")
    for mission, says in ((B, [hint]), (B_DONE, [hint, DONE_B])):
        assert one.end(mission, says, 50.0) is None
    lost = replace(DONE_B, kind="could_not_complete")
    assert one.end(replace(B, state="INCOMPLETE"), [lost], 60.0) is None
    assert one.end(B_DONE, [DONE_B], 110.0).ending is Ending.DEADLINE


def test_stop_ends_its_mission_though_another_begins_at_once():
    before = replace(NEW, mission_id="r1.m1", goal="A")
    one = MissionWatch(10.0, 1000.0, before, 100.0, prompt_id="prompt-mine", goal="stop")
    word = replace(FOR_B, text="Stopped by the operator.")
    assert one.end(B, [word], 12.0) is None  # a word of a mission in between may still come
    end = one.end(B_DONE, [word, DONE_B], word.heard_at + FINAL_WORD_GRACE_S)
    assert told(end) == (Ending.STOPPED, "Stopped by the operator.")


# A reasoner that died publishes anew that it is idle.
ANEW = replace(IDLE, heard_at=13.0)


def test_a_mission_whose_reasoner_started_anew_is_stopped():
    one = watch_a()
    one.end(A, [], 12.0)
    assert one.end(ANEW, [SAID], 13.0) is None
    end = one.end(ANEW, [SAID, replace(SAID, text="Warning")], 13.0 + FINAL_WORD_GRACE_S)
    assert told(end) == (Ending.STOPPED, RESTARTED)


def test_a_reasoner_that_died_before_it_took_the_prompt_is_no_answer():
    running = replace(MISSION, mission_id="r0.m1")
    for before in (IDLE, OLD, running):
        assert told(watch_a(before).end(ANEW, [SAID], 13.0)) == (Ending.STOPPED, RESTARTED)
    assert watch_a().end(IDLE, [], 13.0) is None  # idle as it was before the prompt


def test_a_reasoner_that_is_gone_for_good_ends_the_wait_long_before_the_deadline():
    for heard in (A, IDLE, None):
        one = watch_a()
        one.end(heard, [], 12.0)
        assert one.end(heard, [SAID], 13.0, reasoner_present=False) is None
        late = 13.0 + REASONER_GONE_S
        assert one.end(heard, [SAID], late - 0.1, reasoner_present=False) is None
        assert told(one.end(heard, [SAID], late, reasoner_present=False)) == (Ending.STOPPED, GONE)


def test_a_final_word_of_ones_own_that_was_heard_is_told_when_its_state_never_comes():
    done, stopped = (Ending.DONE, "A: all done"), (Ending.STOPPED, "A: stopped")
    for kind, end in (("done", done), ("could_not_complete", stopped)):
        word = replace(SAID, kind=kind, text=end[1], trace_id=A.mission_id)
        gone = watch_a()
        assert gone.end(A, [word], 12.0, reasoner_present=False) is None
        late = 12.0 + REASONER_GONE_S
        assert told(gone.end(A, [word], late, reasoner_present=False)) == end
        assert told(watch_a().end(A, [word], 10.0 + 100.0)) == end


def test_a_final_word_that_does_not_name_ones_own_mission_is_not_told_for_it():
    for mark in ("", "m0"):
        one = watch_a()
        word = replace(DONE_WORD, trace_id=mark)
        one.end(A, [word], 12.0, reasoner_present=False)
        late = 12.0 + REASONER_GONE_S
        assert told(one.end(A, [word], late, reasoner_present=False)) == (Ending.STOPPED, GONE)


def test_what_was_heard_tells_whether_the_reasoner_is_there():
    one = watch_a()
    gone = Observed(mission=A, reasoner_present=False)
    assert one.end_by(gone, 13.0) is None
    assert told(one.end_by(gone, 13.0 + REASONER_GONE_S)) == (Ending.STOPPED, GONE)
    assert one.end_by(Observed(mission=A, reasoner_present=True), 50.0) is None


def test_a_reasoner_that_comes_back_in_time_is_not_gone():
    one = watch_a()
    one.end(A, [], 12.0, reasoner_present=False)
    one.end(A, [], 12.0 + REASONER_GONE_S - 0.1)  # e.g. the network was away
    again = 12.0 + REASONER_GONE_S
    assert one.end(A, [], again, reasoner_present=False) is None
    assert one.end(A, [], again + REASONER_GONE_S - 0.1, reasoner_present=False) is None


def test_what_was_said_before_the_reasoner_left_is_the_end_and_not_that_it_left():
    one = watch_a()
    word = replace(DONE_WORD, trace_id="r1.m1", text="Done: A.")
    done = replace(A, state="DONE")
    end = one.end(done, [word], 20.0, reasoner_present=False)
    assert told(end) == (Ending.DONE, "Done: A.")
