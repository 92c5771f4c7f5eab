import numpy as np
import pytest

from openral.errors import ConfigError
from sim_node.decimate import cluster, read_obj

OBJ = """
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 1
vn 0 0 1
f 1/1/1 2/2/1 3/3/1
f 1/1/1 3/3/1 4/1/1
"""


def written(tmp_path, text):
    path = tmp_path / "mesh.obj"
    path.write_text(text)
    return path


def test_an_obj_is_read_with_its_texture_upside_up(tmp_path):
    mesh = read_obj(written(tmp_path, OBJ))
    assert mesh.vertices.shape == (4, 3)
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert mesh.face_uv.tolist() == [[0, 1, 2], [0, 2, 0]]
    # OBJ counts v from the bottom, an image from the top.
    assert mesh.uv.tolist() == [[0, 1], [1, 1], [1, 0]]


def test_details_smaller_than_a_cell_go(tmp_path):
    mesh = read_obj(written(tmp_path, OBJ))
    assert len(cluster(mesh, 0.1).faces) == 2
    assert len(cluster(mesh, 10.0).faces) == 0


def test_vertices_of_one_cell_become_their_mean(tmp_path):
    near = OBJ.replace("v 1 1 0", "v 1.02 0.08 0").replace("v 1 0 0", "v 1.04 0.04 0")
    mesh = cluster(read_obj(written(tmp_path, near)), 0.1)
    assert mesh.faces.shape == (1, 3)
    np.testing.assert_allclose(mesh.vertices[np.argmax(mesh.vertices[:, 0])], [1.03, 0.06, 0.0])


def test_a_face_keeps_the_colour_at_its_middle(tmp_path):
    mesh = cluster(read_obj(written(tmp_path, OBJ)), 0.1)
    # (0,1), (1,1), (1,0) of the first face
    np.testing.assert_allclose(mesh.uv[mesh.face_uv[0]], [[2 / 3, 2 / 3]] * 3)


@pytest.mark.parametrize(
    "text",
    ["", "v 0 0 0\n", OBJ.replace("/1/1", "").replace("/2/1", "").replace("/3/1", ""), "v a b c\n"],
)
def test_a_file_that_is_no_textured_mesh_is_refused(tmp_path, text):
    with pytest.raises(ConfigError, match=r"mesh\.obj: no triangles"):
        read_obj(written(tmp_path, text))


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="no triangles"):
        read_obj(tmp_path / "none.obj")
