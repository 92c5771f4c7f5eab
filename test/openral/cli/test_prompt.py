"""The wait for what becomes of a prompt."""

from types import SimpleNamespace

from made import MISSION, SAID

from openral.cli.mission_end import GONE, End, Ending
from openral.cli.observed import Observed
from openral.cli.prompt import wait


class LeavingReasoner:
    """An operator who hears a reasoner say one thing and leave."""

    def __init__(self):
        self.observed = Observed(mission=MISSION, reasoner_present=True)

    def spin(self, duration_s):
        self.observed.reasoner_present = not self.observed.says
        self.observed.says.append(SAID)


def test_the_wait_tells_all_that_is_said_and_that_the_reasoner_left():
    def end_by(heard, now):
        return None if heard.reasoner_present else End(Ending.STOPPED, GONE)

    told = []
    ended = wait(
        LeavingReasoner(),
        SimpleNamespace(end_by=end_by),
        lambda kind, text: told.append((kind, text)),
    )
    assert ended == End(Ending.STOPPED, GONE)
    assert told == [("info", "hello")] * 2
