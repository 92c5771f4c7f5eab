"""Makes a short film of still images."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from openral.errors import InputError

FRAMES_PER_SECOND = 12
"""Of the film; frames are kept at 2 Hz, so it shows six times the real speed."""


def write_clip(frames: Sequence[Path], out: Path, fps: int = FRAMES_PER_SECOND) -> None:
    """Writes `frames` as H.264 in MP4, at the size of the first.

    Raises:
        InputError: If there is no frame, or one is no image.
    """
    import av
    from PIL import Image, UnidentifiedImageError

    if not frames:
        raise InputError("at least one frame", "none")
    with av.open(str(out), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(fps))
        stream.pix_fmt = "yuv420p"
        stream.options = {"crf": "26", "preset": "veryfast"}
        size: tuple[int, int] | None = None
        for path in frames:
            try:
                image = Image.open(path).convert("RGB")
            except (OSError, UnidentifiedImageError) as error:
                raise InputError("an image", f"{path}: {error}") from None
            if size is None:
                # yuv420p halves the colour planes, so both sides have to be even.
                size = (image.width // 2 * 2, image.height // 2 * 2)
                stream.width, stream.height = size
            frame = av.VideoFrame.from_image(image.resize(size) if image.size != size else image)
            for packet in stream.encode(frame):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
