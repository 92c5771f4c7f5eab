"""What colour says: how likely a pixel is to belong to each thing, and a region's colours in short.

Colours are counted in a cube of 32 x 32 x 32 cells of RGB; a pixel's *code* is its cell's number.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt
from scipy.ndimage import gaussian_filter  # type: ignore[import-untyped]

from openral.image import RgbImage
from perception_node.catalogue import Crop

Codes = npt.NDArray[np.uint16]
Table = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float32]

CELLS = 32
CODES = CELLS**3
UNIFORM = float(np.log(1.0 / CODES))
"""Log density of a thing that may have any colour."""

# Crops are also learnt darker and brighter, since a lamp is seldom the same twice.
_GAINS = (1.0, 0.8, 1.2)
_GAIN_WEIGHTS = (1.0, 0.3, 0.3)
_FLOOR = 0.02  # share of a density that is spread over all colours

_L_BINS, _AB_BINS = 6, 11
DESCRIPTOR_BINS = _L_BINS * _AB_BINS * _AB_BINS


def codes_of(rgb: RgbImage) -> Codes:
    """The colour code of every pixel; same shape as the image without its last axis."""
    cells = rgb >> 3
    code: Codes = cells[..., 0].astype(np.uint16)
    code <<= 5
    code |= cells[..., 1]
    code <<= 5
    code |= cells[..., 2]
    return code


def brightened(rgb: RgbImage, gain: float) -> RgbImage:
    """The picture under a lamp of `gain` times the brightness."""
    return np.asarray(np.clip(rgb.astype(np.float32) * gain, 0.0, 255.0), np.uint8)


def density(crops: Iterable[Crop]) -> Table:
    """Log density of a thing's colours over all codes, every crop with the same weight."""
    total = np.zeros(CODES, np.float64)
    for crop in crops:
        pixels = crop.rgb[crop.mask][None]
        for gain, weight in zip(_GAINS, _GAIN_WEIGHTS, strict=True):
            codes = codes_of(brightened(pixels, gain)).ravel()
            counts = np.bincount(codes, minlength=CODES)
            total += counts * (weight / max(1, codes.size))
    return _log_density(total)


def _log_density(counts: npt.NDArray[np.float64]) -> Table:
    cube = counts.reshape(CELLS, CELLS, CELLS)
    spread = gaussian_filter(cube, 0.8, mode="nearest") + 0.15 * gaussian_filter(
        cube, 2.0, mode="nearest"
    )
    shares = spread.ravel() / max(float(spread.sum()), 1e-12)
    return np.asarray(np.log((1.0 - _FLOOR) * shares + _FLOOR / CODES), np.float32)


def background(codes: Codes, widespread: float) -> Table:
    """Log density of the colours that lie all over the image: the table's, not an object's.

    Args:
        codes: The image's codes, (height, width).
        widespread: Share of the cells of an 8 x 8 grid that a colour must occur in.
    """
    height, width = codes.shape
    rows = np.minimum(np.arange(height) * 8 // height, 7)
    columns = np.minimum(np.arange(width) * 8 // width, 7)
    cell = (rows[:, None] * 8 + columns[None, :]).astype(np.int32)
    # Four bits a channel: enough to tell the table from objects, and quick to count.
    coarse = ((codes >> 11) << 8) | (((codes >> 6) & 15) << 4) | ((codes >> 1) & 15)
    counts = np.bincount((cell * 4096 + coarse).ravel(), minlength=64 * 4096).reshape(64, 4096)
    enough = max(2.0, 0.004 * codes.size / 64)
    spread = (counts >= enough).mean(axis=0) >= widespread
    common = np.where(spread, counts.sum(axis=0), 0).astype(np.float64)
    cube = common.reshape(16, 16, 16)
    for axis in range(3):
        cube = np.repeat(cube, 2, axis=axis)
    smooth = gaussian_filter(cube, 1.0, mode="nearest", truncate=2.0).ravel()
    shares = smooth / max(float(smooth.sum()), 1e-12)
    return np.asarray(np.log((1.0 - _FLOOR) * shares + _FLOOR / CODES), np.float32)


def _descriptor_bins() -> npt.NDArray[np.int64]:
    """Descriptor bin of every code: lightness and the two colour axes of CIE L*a*b*."""
    channel = (np.arange(CELLS) * 8 + 4).astype(np.uint8)
    cube = np.stack(np.meshgrid(channel, channel, channel, indexing="ij"), axis=-1)
    lab = cv2.cvtColor(cube.reshape(1, CODES, 3), cv2.COLOR_RGB2LAB)[0].astype(np.float64)
    light = np.minimum(lab[:, 0] * _L_BINS / 256.0, _L_BINS - 1).astype(np.int64)
    # Colours of things fill a*, b* from about -60 to 60 of ±128; the outer bins take the rest.
    axes = np.clip((lab[:, 1:] - 128.0 + 66.0) / 132.0 * _AB_BINS, 0, _AB_BINS - 1).astype(np.int64)
    return np.asarray((light * _AB_BINS + axes[:, 0]) * _AB_BINS + axes[:, 1])


def _bin_shares() -> Floats:
    """Row i: what of a count in bin i goes to every bin, by a Gaussian of 0.6 bins."""
    cubes = np.eye(DESCRIPTOR_BINS, dtype=np.float32).reshape(-1, _L_BINS, _AB_BINS, _AB_BINS)
    smooth = gaussian_filter(cubes, (0.0, 0.6, 0.6, 0.6), mode="nearest", truncate=2.0)
    return np.ascontiguousarray(smooth.reshape(-1, DESCRIPTOR_BINS), np.float32)


_BIN_OF_CODE = _descriptor_bins()
_SHARES = _bin_shares()


def histogram(codes: npt.NDArray[np.uint16]) -> Floats:
    """Counts per descriptor bin, shared with neighbouring bins.

    A small change of light must not move a colour by a whole bin. The histogram of two regions
    together is the sum of theirs.
    """
    counts = np.bincount(_BIN_OF_CODE[codes], minlength=DESCRIPTOR_BINS)
    return np.asarray(counts.astype(np.float32) @ _SHARES)


def descriptor(histograms: Floats) -> Floats:
    """Histograms as unit vectors along the last axis.

    `1 - a @ b` of two of them is their squared Hellinger distance.
    """
    total = np.maximum(histograms.sum(axis=-1, keepdims=True), 1e-9)
    return np.asarray(np.sqrt(histograms / total))
