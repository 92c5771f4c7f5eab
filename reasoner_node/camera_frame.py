"""A camera message as the JPEG file that a vision-language model takes."""

from __future__ import annotations

import io

from openral.image import ImageMessage, decode_image

MAX_EDGE_PX = 1024
"""Longest edge that is sent: providers scale larger images down and charge for them."""


def encode_jpeg(message: ImageMessage) -> bytes:
    """JPEG of a colour image.

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
    image.thumbnail((MAX_EDGE_PX, MAX_EDGE_PX))
    buffer = io.BytesIO()
    image.save(buffer, format="JPEG", quality=90)
    return buffer.getvalue()
