"""Images keep their pixels through every encoding, padding and byte order, or are refused."""

from __future__ import annotations

from array import array

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openral.image import (
    KNOWN_ENCODINGS,
    ImageError,
    ImageFields,
    decode,
    decode_image,
    decode_rgb,
    depth_in_metres,
    encode_image,
)

PADDED = [1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0]


@pytest.mark.parametrize("kind", [bytes, bytearray, list, lambda d: array("B", d)])
def test_row_padding_is_not_pixels(kind) -> None:
    pixels = decode_image("rgb8", 2, 2, 8, kind(PADDED), 0)
    assert pixels.shape == (2, 2, 3)
    assert pixels[1, 0].tolist() == [7, 8, 9]
    assert pixels[0, 1].tolist() == [4, 5, 6]


def test_short_data_says_expected_and_got() -> None:
    with pytest.raises(ImageError, match=r"expected 16 bytes .*got 15"):
        decode_image("rgb8", 2, 2, 8, bytes(PADDED[:15]), 0)


def test_long_data_is_refused_too() -> None:
    with pytest.raises(ImageError, match=r"expected 16 bytes .*got 17"):
        decode_image("rgb8", 2, 2, 8, bytes([*PADDED, 0]), 0)


def test_unknown_encoding_lists_the_known_ones() -> None:
    with pytest.raises(ImageError) as refusal:
        decode_image("yuv422", 2, 2, 4, bytes(8), 0)
    for encoding in ("rgb8", "bgr8", "rgba8", "bgra8", "mono8", "16UC1", "32FC1"):
        assert encoding in str(refusal.value)
    assert "yuv422" in str(refusal.value)


def test_bgr_is_turned_into_rgb() -> None:
    assert decode_image("bgr8", 1, 1, 3, bytes([10, 20, 30]), 0).tolist() == [[[30, 20, 10]]]


@pytest.mark.parametrize(
    ("encoding", "expected"), [("rgba8", [10, 20, 30]), ("bgra8", [30, 20, 10])]
)
def test_alpha_is_dropped(encoding: str, expected: list[int]) -> None:
    assert decode_image(encoding, 1, 1, 4, bytes([10, 20, 30, 99]), 0).tolist() == [[expected]]


def test_mono_has_two_axes_and_becomes_grey_as_a_picture() -> None:
    fields = ImageFields("mono8", 2, 1, 2, bytes([7, 200]))
    assert decode(fields).tolist() == [[7, 200]]
    assert decode_rgb(fields).tolist() == [[[7, 7, 7], [200, 200, 200]]]


@pytest.mark.parametrize(("is_bigendian", "expected"), [(0, 0x0201), (1, 0x0102)])
def test_depth_in_either_byte_order(is_bigendian: int, expected: int) -> None:
    pixels = decode_image("16UC1", 1, 1, 2, bytes([1, 2]), is_bigendian)
    assert pixels.dtype == np.uint16
    assert pixels.tolist() == [[expected]]


def test_big_endian_float_depth() -> None:
    # IEEE 754: 1.5 = 0x3FC00000.
    pixels = decode_image("32FC1", 1, 1, 4, bytes([0x3F, 0xC0, 0, 0]), 1)
    assert pixels.dtype == np.float32
    assert pixels.tolist() == [[1.5]]


def test_padded_depth_rows_may_end_off_the_item_size() -> None:
    pixels = decode_image("16UC1", 1, 2, 3, bytes([1, 0, 99, 2, 0, 99]), 0)
    assert pixels.tolist() == [[1], [2]]


@pytest.mark.parametrize(
    ("width", "height", "step"), [(0, 2, 8), (2, 0, 8), (-1, 2, 8), (2, 2, 5), (2**31, 2, 8)]
)
def test_impossible_geometry_is_refused(width: int, height: int, step: int) -> None:
    with pytest.raises(ImageError):
        decode_image("rgb8", width, height, step, bytes(PADDED), 0)


@pytest.mark.parametrize("data", [None, "pixels", [300] * 16, [-1] * 16, [[1], [2, 3]]])
def test_data_that_is_no_bytes_is_refused(data) -> None:
    with pytest.raises(ImageError):
        decode_image("rgb8", 2, 2, 8, data, 0)


def test_the_copy_is_independent_of_the_message() -> None:
    data = bytearray(PADDED)
    pixels = decode_image("rgb8", 2, 2, 8, data, 0)
    data[0] = 77
    assert pixels[0, 0, 0] == 1
    pixels[0, 0, 0] = 5  # writable


def test_depth_is_no_picture() -> None:
    with pytest.raises(ImageError, match="16UC1"):
        decode_rgb(ImageFields("16UC1", 1, 1, 2, bytes(2)))


def test_depth_in_metres_marks_nothing_as_nan() -> None:
    millimetres = np.array([[0, 1500]], dtype=np.uint16)
    assert np.isnan(depth_in_metres(millimetres)[0, 0])
    assert depth_in_metres(millimetres)[0, 1] == np.float32(1.5)
    metres = np.array([[np.inf, -1.0, 0.25]], dtype=np.float32)
    assert np.isnan(depth_in_metres(metres)[0, :2]).all()
    assert depth_in_metres(metres)[0, 2] == np.float32(0.25)
    with pytest.raises(ImageError, match="uint8"):
        depth_in_metres(np.zeros((2, 2), dtype=np.uint8))


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(KNOWN_ENCODINGS),
    st.integers(1, 9),
    st.integers(1, 9),
    st.integers(0, 5),
    st.integers(0, 2**32 - 1),
)
def test_encode_then_decode_gives_the_pixels_back(
    encoding: str, width: int, height: int, padding: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    if encoding == "16UC1":
        pixels = random.integers(0, 65536, (height, width)).astype(np.uint16)
    elif encoding == "32FC1":
        pixels = random.random((height, width)).astype(np.float32)
    elif encoding == "mono8":
        pixels = random.integers(0, 256, (height, width)).astype(np.uint8)
    else:
        pixels = random.integers(0, 256, (height, width, 3)).astype(np.uint8)
    fields = encode_image(pixels, encoding)
    assert len(fields.data) == fields.step * height
    assert np.array_equal(decode(fields), pixels)

    rows = np.frombuffer(fields.data, np.uint8).reshape(height, fields.step)
    padded = np.pad(rows, ((0, 0), (0, padding)), constant_values=255)
    again = decode_image(encoding, width, height, fields.step + padding, padded.tobytes(), 0)
    assert np.array_equal(again, pixels)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([*KNOWN_ENCODINGS, "", "8UC3"]),
    st.integers(-2, 12),
    st.integers(-2, 12),
    st.integers(-2, 50),
    st.binary(max_size=200),
    st.integers(0, 255),
)
def test_any_fields_give_an_image_of_that_size_or_the_typed_error(
    encoding: str, width: int, height: int, step: int, data: bytes, is_bigendian: int
) -> None:
    try:
        pixels = decode_image(encoding, width, height, step, data, is_bigendian)
    except ImageError:
        return
    assert pixels.shape[:2] == (height, width)


@pytest.mark.parametrize(
    ("pixels", "encoding"),
    [
        (np.zeros((2, 2, 3), np.float32), "rgb8"),
        (np.zeros((2, 2), np.uint8), "rgb8"),
        (np.zeros((2, 2, 3), np.uint8), "mono8"),
        (np.zeros((2, 2), np.uint8), "16UC1"),
        (np.zeros((0, 2, 3), np.uint8), "rgb8"),
        (np.zeros((2, 2, 3), np.uint8), "jpeg"),
    ],
)
def test_pixels_that_do_not_fit_the_encoding_are_refused(pixels, encoding: str) -> None:
    with pytest.raises(ImageError):
        encode_image(pixels, encoding)


def test_alpha_is_kept_when_given() -> None:
    pixels = np.array([[[1, 2, 3, 4]]], dtype=np.uint8)
    assert encode_image(pixels, "bgra8").data == bytes([3, 2, 1, 4])
    assert encode_image(pixels[:, :, :3].copy(), "rgba8").data == bytes([1, 2, 3, 255])
