"""Colour codes, the background of an image, and descriptors."""

from __future__ import annotations

import numpy as np
import painted_table as paint
import pytest

from perception_node.detectors import colour


def test_a_code_holds_five_bits_of_each_channel() -> None:
    # 8 >> 3 = 1, 16 >> 3 = 2, 24 >> 3 = 3: 1·1024 + 2·32 + 3.
    assert colour.codes_of(np.array([[[8, 16, 24]]], np.uint8)).tolist() == [[1024 + 64 + 3]]
    assert colour.codes_of(np.array([[[255, 255, 255]]], np.uint8)).tolist() == [[32767]]


def test_the_background_is_what_lies_everywhere() -> None:
    picture = paint.table()
    paint.flag(picture, 100, 80)
    log_density = colour.background(colour.codes_of(picture), widespread=0.25)
    wood = colour.codes_of(np.array([[paint.WOOD]], np.uint8))[0, 0]
    red = colour.codes_of(np.array([[paint.RED]], np.uint8))[0, 0]
    assert log_density[wood] > colour.UNIFORM
    assert log_density[red] < colour.UNIFORM
    assert np.exp(log_density.astype(np.float64)).sum() == pytest.approx(1.0, abs=1e-3)


def test_a_descriptor_is_a_unit_vector_near_that_of_a_similar_colour() -> None:
    def of(rgb):
        return colour.descriptor(colour.histogram(colour.codes_of(np.full((9, 3), rgb, np.uint8))))

    red, other_red, green = of(paint.RED), of((190, 38, 36)), of(paint.GREEN)
    assert float(red @ red) == pytest.approx(1.0, abs=1e-5)
    assert float(red @ other_red) > float(red @ green) + 0.3


def test_histograms_add_up() -> None:
    codes = colour.codes_of(paint.table())
    first, second = codes[:100].ravel(), codes[100:].ravel()
    together = colour.histogram(first) + colour.histogram(second)
    assert np.allclose(together, colour.histogram(codes.ravel()), rtol=1e-3, atol=0.5)
