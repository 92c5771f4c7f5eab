"""Keeps what a run shows: what was said, line by line, and annotated frames."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from openral.bringup.run_folder import RunFolder
from openral.cli.observed import Observed

FRAME_PERIOD_S = {"front": 0.5, "top": 5.0}
"""Shortest time between kept frames of a camera [s]: the front one becomes the clip."""


class Recorder:
    """Writes into a run folder while the run goes on; what cannot be written costs no mission.

    Args:
        folder: Where to write.

    Attributes:
        frames: Kept images of each camera, oldest first.
    """

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._said = 0
        self._newest: dict[str, float] = {}
        self._unwritten: dict[str, str] = {}
        self.frames: dict[str, list[Path]] = {}

    @property
    def lost(self) -> tuple[str, ...]:
        """One line for each kind of file that could not be written, with the first reason."""
        return tuple(f"{name}: {why}" for name, why in self._unwritten.items())

    def update(self, observed: Observed) -> None:
        """Writes what was said since the last call."""
        new = observed.says[self._said :]
        if not new:
            return
        lines = "".join(json.dumps(asdict(said), ensure_ascii=False) + "\n" for said in new)
        self._said = len(observed.says)
        try:
            with self._folder.say.open("a", encoding="utf-8") as file:
                file.write(lines)
        except OSError as error:
            self._unwritten.setdefault(self._folder.say.name, str(error.strerror))

    def on_frame(self, camera: str, stamp: float, jpeg: bytes) -> None:
        """Keeps an annotated image, if its camera is kept and the last one is old enough."""
        period = FRAME_PERIOD_S.get(camera)
        if period is None or stamp - self._newest.get(camera, float("-inf")) < period:
            return
        self._newest[camera] = stamp
        kept = self.frames.setdefault(camera, [])
        path = self._folder.frames / f"{camera}_{len(kept):05d}.jpg"
        try:
            path.write_bytes(jpeg)
        except OSError as error:
            self._unwritten.setdefault(f"{self._folder.frames.name}/", str(error.strerror))
            return
        kept.append(path)
