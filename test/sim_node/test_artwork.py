import numpy as np
import pytest

from sim_node import artwork

PRINTS = {
    "milk_front": lambda: artwork.milk_front(180, 390),
    "milk_side": lambda: artwork.milk_side(180, 390),
    "milk_top": lambda: artwork.milk_top(180, 180),
    "cereal_front": lambda: artwork.cereal_front(360, 510),
    "cereal_side": lambda: artwork.cereal_side(135, 510),
    "cereal_top": lambda: artwork.cereal_top(360, 135),
    "soup_side": lambda: artwork.soup_side(622, 300),
    "soup_top": lambda: artwork.soup_top(198),
    "mustard_side": lambda: artwork.mustard_side(518, 560, (0.85, 0.45, 0.2)),
    "wicker": lambda: artwork.wicker(128, 128),
    "wood": lambda: artwork.wood(128, 128),
}


@pytest.mark.parametrize("name", PRINTS)
def test_a_print_is_an_rgb_picture_and_the_same_every_time(name):
    first, again = PRINTS[name](), PRINTS[name]()
    assert first.dtype == np.uint8
    assert first.ndim == 3
    assert first.shape[2] == 3
    np.testing.assert_array_equal(first, again)


def test_the_soup_label_meets_itself_behind():
    label = artwork.soup_side(622, 300).astype(int)
    # The first and last column are neighbours on the can: no seam but the print's grain.
    assert np.abs(label[:, 0] - label[:, -1]).mean() < 12.0


def test_wicker_repeats_without_a_seam():
    weave = artwork.wicker(128, 128).astype(float).mean(axis=2)
    inside = np.abs(np.diff(weave, axis=1)).mean()
    assert np.abs(weave[:, 0] - weave[:, -1]).mean() < 3.0 * inside


def test_a_mustard_bottle_has_a_red_cap_over_a_yellow_body():
    label = artwork.mustard_side(518, 560, (0.85, 0.45, 0.2)).astype(int)
    cap, body = label[20].mean(axis=0), label[int(0.3 * 560)].mean(axis=0)
    assert cap[0] > 3 * cap[1]
    assert body[1] > 150 > body[2]
