"""The messages; the node itself runs as the simulator's process in test/sim_node/test_node.py."""

import numpy as np
import pytest
from builtin_interfaces.msg import Time

from sim_node.cameras.node import camera_info, image

STAMP = Time(sec=3, nanosec=5)


def test_a_colour_image_carries_its_rows_of_rgb():
    pixels = np.arange(2 * 4 * 3, dtype=np.uint8).reshape(2, 4, 3)
    message = image(pixels, "rgb8", "top", STAMP)
    assert (message.height, message.width, message.step) == (2, 4, 12)
    assert bytes(message.data) == pixels.tobytes()
    assert (message.header.stamp, message.header.frame_id) == (STAMP, "top_optical")


def test_depth_is_little_endian_and_says_so():
    pixels = np.array([[1, 258]], dtype=np.uint16)
    message = image(pixels, "16UC1", "top", STAMP)
    assert (message.step, message.is_bigendian) == (4, 0)
    assert bytes(message.data) == bytes([1, 0, 2, 1])  # 258 = 0x0102


def test_the_calibration_is_that_of_a_pinhole_in_the_middle(cameras):
    message = camera_info(cameras["front"], "front", STAMP)
    config = cameras["front"]
    assert (message.width, message.height) == (config.width, config.height)
    # f = h / 2 / tan(fovy / 2) in both axes, the centre between the middle pixels.
    f = config.height / 2 / np.tan(np.radians(config.fovy_deg) / 2)
    assert message.k[[0, 4]] == pytest.approx([f, f])
    assert message.k[[2, 5]] == pytest.approx([(config.width - 1) / 2, (config.height - 1) / 2])
    assert message.p.reshape(3, 4)[:, :3].ravel() == pytest.approx(message.k)
    assert message.header.frame_id == "front_optical"
