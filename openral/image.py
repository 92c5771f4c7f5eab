"""Between the content of a `sensor_msgs/Image` and arrays, with every refusal typed.

Usage::

    rgb = decode_image(msg.encoding, msg.width, msg.height, msg.step, msg.data, msg.is_bigendian)
    depth = depth_in_metres(decode(depth_msg))
    fields = encode_image(rgb, "rgb8")  # fields.step, fields.data, ... into a message
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from openral.errors import InputError

LARGEST_SIDE = 4096
"""[px] of an image that anything here takes: a larger one may be more than the memory holds."""

Array = npt.NDArray[Any]
RgbImage = npt.NDArray[np.uint8]


class ImageError(InputError):
    """An image's fields contradict each other, or its encoding is not known."""


@dataclass(frozen=True)
class _Layout:
    """How one pixel lies in memory; `order` picks red, green, blue (or the one channel) from it."""

    dtype: str
    channels: int
    order: tuple[int, ...]


# Names and layouts: sensor_msgs/image_encodings.hpp.
_LAYOUTS: dict[str, _Layout] = {
    "rgb8": _Layout("u1", 3, (0, 1, 2)),
    "bgr8": _Layout("u1", 3, (2, 1, 0)),
    "rgba8": _Layout("u1", 4, (0, 1, 2)),
    "bgra8": _Layout("u1", 4, (2, 1, 0)),
    "mono8": _Layout("u1", 1, (0,)),
    "16UC1": _Layout("u2", 1, (0,)),
    "32FC1": _Layout("f4", 1, (0,)),
}

KNOWN_ENCODINGS: tuple[str, ...] = tuple(_LAYOUTS)
"""Encodings that `decode_image` and `encode_image` take."""


class ImageMessage(Protocol):
    """The fields of `sensor_msgs/Image` that hold its content."""

    encoding: str
    width: int
    height: int
    step: int
    data: Any
    is_bigendian: int


@dataclass(frozen=True)
class ImageFields:
    """Content of a `sensor_msgs/Image`, ready to be copied field by field into a message."""

    encoding: str
    width: int
    height: int
    step: int
    data: bytes
    is_bigendian: int = 0


def _layout(encoding: str) -> _Layout:
    layout = _LAYOUTS.get(encoding)
    if layout is None:
        raise ImageError(
            f"an image encoding of {', '.join(KNOWN_ENCODINGS)}",
            repr(encoding),
            "set the camera driver's encoding to one of them",
        )
    return layout


def _flat_bytes(data: bytes | bytearray | memoryview | Sequence[int] | Array) -> RgbImage:
    try:
        return np.frombuffer(data, dtype=np.uint8)  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError):
        pass
    try:
        values = np.asarray(data, dtype=np.int64).reshape(-1)
    except (TypeError, ValueError, OverflowError):
        raise ImageError("image data of bytes", f"a {type(data).__name__}") from None
    if values.size and (values.min() < 0 or values.max() > 255):
        raise ImageError("image data of bytes 0..255", f"values {values.min()}..{values.max()}")
    return values.astype(np.uint8)


def decode_image(
    encoding: str,
    width: int,
    height: int,
    step: int,
    data: bytes | bytearray | memoryview | Sequence[int] | Array,
    is_bigendian: int | bool = 0,
) -> Array:
    """The pixels of an image message, without row padding, in this machine's byte order.

    Args:
        encoding: One of `KNOWN_ENCODINGS`.
        width: [px], at least 1.
        height: [px], at least 1.
        step: Bytes from one row's start to the next one's, padding included.
        data: `height * step` bytes.
        is_bigendian: Byte order of 16UC1 and 32FC1; without meaning for 8-bit encodings.

    Returns:
        A writable copy. Colour encodings: (height, width, 3) uint8 in the order red, green, blue,
        alpha dropped. mono8: (height, width) uint8. 16UC1: (height, width) uint16 [mm].
        32FC1: (height, width) float32 [m].

    Raises:
        ImageError: The encoding is unknown, the size is empty, a row is longer than `step`, or
            `data` has another length than `height * step`.
    """
    layout = _layout(encoding)
    if width < 1 or height < 1:
        raise ImageError("an image of at least 1x1 px", f"{width}x{height}")
    item_bytes = np.dtype(layout.dtype).itemsize
    row_bytes = width * layout.channels * item_bytes
    if step < row_bytes:
        raise ImageError(
            f"a step of at least {row_bytes} bytes for {width} px of {encoding}", f"{step}"
        )
    flat = _flat_bytes(data)
    if flat.size != height * step:
        raise ImageError(
            f"{height * step} bytes of data ({height} rows of step {step})", f"{flat.size}"
        )
    rows = flat.reshape(height, step)[:, :row_bytes]
    if item_bytes > 1:
        stored = np.dtype(layout.dtype).newbyteorder(">" if is_bigendian else "<")
        typed = np.ascontiguousarray(rows).view(stored)
        return np.asarray(typed.astype(layout.dtype))
    if layout.channels == 1:
        return np.array(rows)
    pixels = rows.reshape(height, width, layout.channels)
    return np.ascontiguousarray(pixels[:, :, list(layout.order)])


def decode(message: ImageMessage) -> Array:
    """`decode_image` for a message (or anything with its fields); same returns and errors."""
    return decode_image(
        message.encoding,
        message.width,
        message.height,
        message.step,
        message.data,
        message.is_bigendian,
    )


def decode_rgb(message: ImageMessage) -> RgbImage:
    """A message's picture as (height, width, 3) uint8 red, green, blue; mono8 becomes grey.

    Raises:
        ImageError: As `decode_image`, and for depth encodings, which are no picture.
    """
    pixels = decode(message)
    if pixels.dtype != np.uint8:
        raise ImageError(
            "a picture (rgb8, bgr8, rgba8, bgra8, mono8)",
            message.encoding,
            "subscribe to the colour topic, not the depth topic",
        )
    if pixels.ndim == 2:
        return np.repeat(pixels[:, :, None], 3, axis=2)
    return pixels


def depth_in_metres(depth: Array) -> npt.NDArray[np.float32]:
    """Depth [m] as float32, NaN where the sensor saw nothing.

    Args:
        depth: (height, width) uint16 [mm] with 0 for "nothing", or float32 [m] with NaN or
            infinities for "nothing" (REP 118).

    Raises:
        ImageError: The array is no depth image.
    """
    if depth.ndim != 2 or depth.dtype not in (np.dtype(np.uint16), np.dtype(np.float32)):
        raise ImageError(
            "a depth image of uint16 [mm] or float32 [m] with two axes",
            f"{depth.dtype} with shape {depth.shape}",
        )
    if depth.dtype == np.uint16:
        millimetres = np.where(depth == 0, np.float32(np.nan), depth.astype(np.float32))
        return np.asarray(millimetres / np.float32(1000.0), np.float32)
    metres = np.array(depth, np.float32)
    metres[~np.isfinite(metres) | (metres <= 0.0)] = np.nan
    return metres


def encode_image(pixels: Array, encoding: str) -> ImageFields:
    """The message fields of an image, little endian and without row padding.

    Args:
        pixels: As `decode_image` returns it for `encoding`; rgba8 and bgra8 also take four
            channels (red, green, blue, alpha), and are opaque where only three are given.
        encoding: One of `KNOWN_ENCODINGS`.

    Raises:
        ImageError: The encoding is unknown, or shape or type do not fit it.
    """
    layout = _layout(encoding)
    colour = layout.channels > 1
    shape_fits = (
        pixels.ndim == 3 and pixels.shape[2] in (3, layout.channels) if colour else pixels.ndim == 2
    )
    if not shape_fits or pixels.dtype != np.dtype(layout.dtype) or pixels.size == 0:
        axes = f"(height, width, {layout.channels})" if colour else "(height, width)"
        raise ImageError(
            f"{encoding} pixels of {np.dtype(layout.dtype).name} with shape {axes}",
            f"{pixels.dtype} with shape {pixels.shape}",
        )
    height, width = pixels.shape[:2]
    if encoding == "rgb8":
        stored = pixels
    elif colour:
        stored = np.full((height, width, layout.channels), 255, dtype=np.uint8)
        stored[:, :, list(layout.order)] = pixels[:, :, :3]
        if layout.channels == 4 and pixels.shape[2] == 4:
            stored[:, :, 3] = pixels[:, :, 3]
    else:
        stored = pixels.astype(np.dtype(layout.dtype).newbyteorder("<"))
    data = stored.tobytes()
    return ImageFields(encoding, width, height, len(data) // height, data)
