"""The wait for what becomes of a prompt."""

import pytest
from made import MISSION, SAID, replace

from openral.cli.mission_end import GONE, End, Ending, MissionWatch
from openral.cli.observed import Observed
from openral.cli.prompt import wait


class LeavingReasoner:
    """An operator who hears a reasoner say one thing again and again, and leave."""

    def __init__(self, said=SAID):
        self.observed = Observed(mission=MISSION, reasoner_present=True)
        self._said = said

    def spin(self, duration_s):
        self.observed.reasoner_present = not self.observed.says
        self.observed.says.append(self._said)


class Watch(MissionWatch):
    """One that ends once the reasoner has left."""

    def __init__(self, prompted_at=10.0, prompt_stamp=1000.0):
        super().__init__(prompted_at, prompt_stamp, None, 100.0)

    def end_by(self, heard, now):
        return None if heard.reasoner_present else End(Ending.STOPPED, GONE)


def told_in_a_wait(said):
    told = []
    ended = wait(LeavingReasoner(said), Watch(), lambda kind, text: told.append((kind, text)))
    assert ended == End(Ending.STOPPED, GONE)
    return told


def test_the_wait_tells_all_that_is_said_and_that_the_reasoner_left():
    assert told_in_a_wait(SAID) == [("info", "hello")] * 2


@pytest.mark.parametrize("field", [{"stamp": 999.9}, {"heard_at": 9.9}])
def test_what_was_said_before_the_prompt_is_not_told_again(field):
    assert told_in_a_wait(replace(SAID, **field)) == []


def test_what_is_said_at_the_moment_of_the_prompt_is_told():
    assert told_in_a_wait(replace(SAID, stamp=1000.0)) == [("info", "hello")] * 2
