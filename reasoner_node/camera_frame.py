"""A camera message as the JPEG file that a vision-language model takes."""

from __future__ import annotations

import io

from openral.image import ImageMessage, decode_image


def age_problem(stamp_s: float | None, now_s: float, max_age_s: float, max_ahead_s: float) -> str:
    """Why a frame proves nothing about now; empty = it may be asked about.

    Args:
        stamp_s: Its stamp [s]; None = there is no frame.
        now_s: The same clock now [s].
        max_age_s: Oldest frame that counts [s].
        max_ahead_s: Farthest stamp ahead of the clock [s].
    """
    if stamp_s is None:
        return "no image"
    age = now_s - stamp_s
    if age > max_age_s:
        return f"the newest image is {age:.1f} s old, expected at most {max_age_s:.1f} s"
    if age < -max_ahead_s:
        return f"the image's stamp is {-age:.2f} s ahead of this clock"
    return ""


def encode_jpeg(message: ImageMessage, max_edge_px: int) -> bytes:
    """JPEG of a colour image, at most `max_edge_px` [px] wide and high.

    Raises:
        ImageError: The message contradicts itself or its encoding is not known.
    """
    # Only deployments with a vision-language model come here.
    from PIL import Image

    pixels = decode_image(
        message.encoding,
        message.width,
        message.height,
        message.step,
        message.data,
        getattr(message, "is_bigendian", False),
    )
    image = Image.fromarray(pixels)
    image.thumbnail((max_edge_px, max_edge_px))
    buffer = io.BytesIO()
    image.save(buffer, format="JPEG", quality=90)
    return buffer.getvalue()
