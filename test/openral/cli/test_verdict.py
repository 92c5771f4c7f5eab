import pytest

from openral.cli.exit_code import ExitCode
from openral.cli.mission_end import End, Ending
from openral.cli.verdict import verdict

DONE = End(Ending.DONE, "all done")
MILK, BOTH = frozenset({"milk"}), frozenset({"milk", "mustard"})


@pytest.mark.parametrize(
    ("end", "wanted", "lying", "code"),
    [
        (DONE, MILK, MILK, ExitCode.OK),
        (DONE, BOTH, MILK, ExitCode.DISAGREED),
        (DONE, MILK, BOTH, ExitCode.DISAGREED),
        (DONE, None, MILK, ExitCode.UNJUDGED),
        (DONE, MILK, None, ExitCode.UNJUDGED),
        (End(Ending.INCOMPLETE, ""), MILK, MILK, ExitCode.NOT_DONE),
        (End(Ending.STOPPED, ""), MILK, MILK, ExitCode.STOPPED),
        (End(Ending.DEADLINE, ""), MILK, MILK, ExitCode.DEADLINE),
        (End(Ending.REFUSED, ""), None, None, ExitCode.REFUSED),
        (End(Ending.ANSWERED, "I see milk."), None, frozenset(), ExitCode.NOT_DONE),
    ],
)
def test_only_a_claim_that_the_referee_shares_is_a_success(end, wanted, lying, code):
    assert verdict(end, wanted, lying)[0] is code


def test_a_disagreement_names_the_objects():
    assert verdict(DONE, BOTH, frozenset({"milk", "cereal"}))[1] == (
        "the mission says done, the referee says no: "
        "not in the basket: mustard; in the basket unasked: cereal"
    )


@pytest.mark.parametrize("ending", [one for one in Ending if one is not Ending.DONE])
def test_whatever_is_not_done_is_no_success(ending):
    assert verdict(End(ending, ""), MILK, MILK)[0] is not ExitCode.OK
