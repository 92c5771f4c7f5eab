"""The demo's exit status: what the mission claims, held against what the referee saw."""

from __future__ import annotations

from openral.cli.exit_code import ExitCode
from openral.cli.mission_end import End, Ending


def verdict(
    end: End, wanted: frozenset[str] | None, lying: frozenset[str] | None
) -> tuple[ExitCode, str]:
    """Exit status and one line for a person.

    Args:
        end: How the mission ended.
        wanted: Objects that had to go into the basket; None = the referee cannot judge the goal.
        lying: Objects in the basket by the referee; None = it gave no judgement.
    """
    if end.ending is not Ending.DONE:
        # Words are a good end of a prompt, and none of a demo: it is there to be judged.
        answered = end.ending is Ending.ANSWERED
        code = ExitCode.NOT_DONE if answered else end.ending.exit_code
        return code, f"not done ({end.ending.value}): {end.words}"
    if wanted is None or lying is None:
        return ExitCode.UNJUDGED, "the mission says done; the referee could not judge it"
    if wanted == lying:
        return ExitCode.OK, "done, and the referee agrees"
    parts = []
    if wanted - lying:
        parts.append(f"not in the basket: {', '.join(sorted(wanted - lying))}")
    if lying - wanted:
        parts.append(f"in the basket unasked: {', '.join(sorted(lying - wanted))}")
    return ExitCode.DISAGREED, f"the mission says done, the referee says no: {'; '.join(parts)}"
