from made import KERNEL, SAID, SKILL, replace

from openral.cli.observed import Observed


def test_the_kernels_counter_gives_the_rate_of_its_commands():
    heard = Observed()
    heard.hear_kernel(replace(KERNEL, commands=1000), 10.0)
    heard.hear_kernel(replace(KERNEL, commands=1200), 11.0)
    assert heard.rates["motor_command"].rate(11.0) == 200.0


def test_a_kernel_that_came_back_counts_from_zero_again():
    heard = Observed()
    heard.hear_kernel(replace(KERNEL, commands=1000), 10.0)
    heard.hear_kernel(replace(KERNEL, commands=0), 11.0)
    assert heard.rates["motor_command"].rate(11.0) == 0.0


def test_the_skills_chunk_index_gives_the_rate_of_chunks():
    heard = Observed()
    heard.hear_skill(replace(SKILL, chunk_index=0), 10.0)
    heard.hear_skill(replace(SKILL, chunk_index=50), 11.0)
    heard.hear_skill(replace(SKILL, chunk_index=0), 11.5)  # a new attempt
    assert heard.rates["candidate_action"].rate(11.0) == 50.0


def test_final_kinds_are_those_that_end_a_mission():
    finals = {
        kind
        for kind in ("info", "done", "could_not_complete", "handoff", "refused")
        if replace(SAID, kind=kind).is_final
    }
    assert finals == {"done", "could_not_complete", "handoff", "refused"}
