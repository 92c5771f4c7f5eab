"""How the simulator says that it is well."""

from __future__ import annotations

from collections.abc import Mapping

from diagnostic_msgs.msg import DiagnosticStatus, KeyValue


def status(name: str, problem: str, values: Mapping[str, str]) -> DiagnosticStatus:
    """One status of `diagnostics`; an empty `problem` stands for none."""
    return DiagnosticStatus(
        level=DiagnosticStatus.WARN if problem else DiagnosticStatus.OK,
        name=name,
        message=problem or "ok",
        hardware_id="sim",
        values=[KeyValue(key=key, value=value) for key, value in values.items()],
    )
