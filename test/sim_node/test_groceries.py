import itertools

import numpy as np
import pytest

from sim_node.groceries import GROCERIES, Atlas

ALL = {label: make() for label, make in GROCERIES.items()}


@pytest.mark.parametrize("label", ALL)
def test_what_is_seen_fills_the_bounding_box_about_the_origin(label):
    grocery = ALL[label]
    half = np.array(grocery.size) / 2
    np.testing.assert_allclose(grocery.mesh.vertices.max(axis=0), half, atol=1e-9)
    np.testing.assert_allclose(grocery.mesh.vertices.min(axis=0), -half, atol=1e-9)


@pytest.mark.parametrize("label", ALL)
def test_what_collides_stands_on_the_same_foot_and_is_no_wider(label):
    grocery = ALL[label]
    for collider in grocery.colliders:
        half_height = collider.size[-1]
        assert collider.z - half_height >= -grocery.size[2] / 2 - 1e-9
        assert collider.z + half_height <= grocery.size[2] / 2 + 1e-9
        assert collider.size[0] <= max(grocery.size[:2]) / 2 + 1e-9
    foot = min(c.z - c.size[-1] for c in grocery.colliders)
    assert foot == pytest.approx(-grocery.size[2] / 2)


@pytest.mark.parametrize("label", ALL)
def test_it_weighs_what_a_grocery_weighs_and_fits_between_the_fingers(label):
    grocery = ALL[label]
    assert 0.2 <= grocery.mass <= 0.5
    # The hand opens 8 cm.
    assert min(grocery.size[:2]) <= 0.07


@pytest.mark.parametrize("label", ALL)
def test_its_print_is_no_flat_colour(label):
    assert ALL[label].texture.std(axis=(0, 1)).min() > 15.0


@pytest.mark.parametrize(("a", "b"), list(itertools.combinations(ALL, 2)))
def test_no_two_groceries_have_the_same_colours(a, b):
    def histogram(image):
        bins = (image // 64).astype(int)
        code = bins[..., 0] * 16 + bins[..., 1] * 4 + bins[..., 2]
        return np.bincount(code.ravel(), minlength=64) / code.size

    # Intersection of colour histograms (Swain and Ballard 1991): 1 for equal ones.
    assert np.minimum(histogram(ALL[a].texture), histogram(ALL[b].texture)).sum() < 0.6


def test_a_name_is_an_identifier():
    assert ALL["soup can"].name == "soup_can"


def test_the_footprint_of_a_carton_reaches_its_corners():
    # 6 x 8 would be 5; the milk is 6 x 6 cm: 3 cm times the root of two.
    assert ALL["milk"].footprint_radius == pytest.approx(0.03 * 2**0.5)
    assert ALL["soup can"].footprint_radius == pytest.approx(0.033)


def test_pictures_of_an_atlas_do_not_touch():
    atlas = Atlas()
    red, blue = (np.full((20, 30, 3), c, np.uint8) for c in ((255, 0, 0), (0, 0, 255)))
    places = [atlas.add(red), atlas.add(blue)]
    texture, rects = atlas.build()
    height, width = texture.shape[:2]
    for place, image in zip(places, (red, blue), strict=True):
        u0, v0, u1, v1 = rects[place]
        x0, y0 = round(u0 * width), round(v0 * height)
        x1, y1 = round(u1 * width), round(v1 * height)
        assert (x1 - x0, y1 - y0) == (30, 20)
        # and some pixels beside it repeat it
        assert (texture[y0 - 3 : y1 + 3, x0 - 3 : x1 + 3] == image[0, 0]).all()
