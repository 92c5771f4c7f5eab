"""Printed labels of the groceries, drawn in code.

Every function returns an RGB image, shape (height, width, 3), uint8. The drawings use only the
font that comes with Pillow, so that a table looks the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

Image8 = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

_WHITE: Colour = (246, 246, 242)
_INK: Colour = (38, 38, 44)


def text(
    draw: ImageDraw.ImageDraw,
    centre: tuple[float, float],
    words: str,
    size: float,
    fill: Colour,
    *,
    weight: int = 0,
    outline: Colour | None = None,
) -> None:
    """Words about `centre` [px]; `weight` thickens the strokes, in the outline's colour if any."""
    draw.text(
        centre,
        words,
        fill=fill,
        font=ImageFont.load_default(size=size),
        anchor="mm",
        stroke_width=weight,
        stroke_fill=outline or fill,
    )


def printed(image: Image.Image, seed: int) -> Image8:
    """The drawing as a print: with paper grain and a slow unevenness of the ink."""
    rng = np.random.default_rng(seed)
    pixels = np.asarray(image.convert("RGB"), dtype=np.float64)
    height, width = pixels.shape[:2]
    grain = rng.normal(0.0, 2.5, (height, width, 1))
    coarse = Image.fromarray(rng.integers(96, 160, (6, 6), dtype=np.uint8))
    uneven = np.asarray(coarse.resize((width, height), Image.Resampling.BICUBIC), np.float64)
    uneven = (uneven[..., None] - 128.0) * 0.12
    return _pixels(pixels + grain + uneven)


def milk_front(width: int, height: int) -> Image8:
    """Blue hills under a white sky, a black-and-white patch, MILK in blue."""
    image = Image.new("RGB", (width, height), _WHITE)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width, height * 0.12), fill=(28, 86, 178))
    text(draw, (width / 2, height * 0.06), "FARM FRESH", height * 0.055, _WHITE, weight=1)
    text(draw, (width / 2, height * 0.26), "MILK", width * 0.36, (20, 66, 156), weight=5)
    text(draw, (width / 2, height * 0.40), "3.5 % fat", width * 0.11, _INK, weight=1)
    for x, y, r in ((0.30, 0.56, 0.10), (0.44, 0.53, 0.07), (0.68, 0.57, 0.12), (0.55, 0.62, 0.06)):
        box = (width * (x - r), height * (y - r * 0.42), width * (x + r), height * (y + r * 0.42))
        draw.ellipse(box, fill=_INK)
    for level, colour in ((0.70, (96, 168, 226)), (0.78, (44, 116, 202)), (0.87, (18, 62, 150))):
        hill = [
            (x, height * (level + 0.035 * math.sin(2.0 * math.pi * (x / width + level * 3.0))))
            for x in range(0, width + 4, 4)
        ]
        draw.polygon([(0, height), *hill, (width, height)], fill=colour)
    text(draw, (width / 2, height * 0.94), "1 litre", width * 0.12, _WHITE, weight=1)
    return printed(image, 11)


def milk_side(width: int, height: int) -> Image8:
    """The facts of the carton on white, with the same blue foot."""
    image = Image.new("RGB", (width, height), _WHITE)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width, height * 0.12), fill=(28, 86, 178))
    draw.rectangle((0, height * 0.80, width, height), fill=(18, 62, 150))
    draw.ellipse((width * 0.2, height * 0.84, width * 0.8, height * 0.97), fill=(96, 168, 226))
    _facts(draw, (width * 0.1, height * 0.18, width * 0.9, height * 0.74), (20, 66, 156))
    return printed(image, 12)


def milk_top(width: int, height: int) -> Image8:
    """White gable with two blue stripes and a blue screw cap."""
    image = Image.new("RGB", (width, height), _WHITE)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width, height * 0.16), fill=(28, 86, 178))
    draw.rectangle((0, height * 0.84, width, height), fill=(28, 86, 178))
    draw.line((0, height / 2, width, height / 2), fill=(188, 192, 198), width=3)
    for r, colour in ((0.25, (14, 50, 128)), (0.21, (44, 116, 202)), (0.12, (96, 168, 226))):
        box = (width * (0.5 - r), height * (0.5 - r), width * (0.5 + r), height * (0.5 + r))
        draw.ellipse(box, fill=colour)
    return printed(image, 13)


def cereal_front(width: int, height: int) -> Image8:
    """Sun rays on orange, a bowl of coloured rings, CRUNCHY in white on red."""
    image = Image.new("RGB", (width, height), (240, 130, 24))
    draw = ImageDraw.Draw(image)
    centre = (width * 0.5, height * 0.64)
    for ray in range(16):
        a, b = (2.0 * math.pi * (ray + d) / 16 for d in (0.0, 0.5))
        reach = 1.5 * height
        ends = [(centre[0] + reach * math.cos(t), centre[1] + reach * math.sin(t)) for t in (a, b)]
        draw.polygon([centre, *ends], fill=(250, 170, 48))
    draw.polygon(
        [(0, height * 0.06), (width, 0), (width, height * 0.27), (0, height * 0.34)],
        fill=(190, 24, 34),
    )
    text(draw, (width / 2, height * 0.165), "CRUNCHY", width * 0.175, _WHITE, weight=3)
    text(
        draw,
        (width / 2, height * 0.37),
        "CEREAL",
        width * 0.16,
        (120, 20, 20),
        weight=4,
        outline=(255, 240, 190),
    )
    bowl = (width * 0.14, height * 0.52, width * 0.86, height * 0.92)
    draw.pieslice(bowl, 0, 180, fill=(60, 140, 190))
    draw.ellipse((width * 0.14, height * 0.64, width * 0.86, height * 0.80), fill=(250, 250, 246))
    rng = np.random.default_rng(5)
    for colour in ((220, 60, 60), (236, 190, 40), (120, 80, 160), (90, 170, 80)) * 5:
        x = width * rng.uniform(0.24, 0.76)
        y = height * rng.uniform(0.60, 0.76)
        r = width * 0.042
        draw.ellipse((x - r, y - r, x + r, y + r), outline=colour, width=max(4, int(r * 0.7)))
    at = (width / 2, height * 0.96)
    text(draw, at, "whole grain  375 g", width * 0.07, (90, 20, 10), weight=1)
    return printed(image, 21)


def cereal_side(width: int, height: int) -> Image8:
    """A narrow red panel with facts."""
    image = Image.new("RGB", (width, height), (190, 24, 34))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, height * 0.90, width, height), fill=(240, 130, 24))
    text(draw, (width / 2, height * 0.08), "CEREAL", width * 0.22, (255, 226, 120), weight=1)
    panel = (width * 0.1, height * 0.16, width * 0.9, height * 0.62)
    draw.rectangle(panel, fill=(250, 244, 226))
    _facts(draw, panel, (120, 20, 20))
    for i in range(3):
        r, y = width * 0.16, height * (0.68 + 0.08 * i)
        x = width * (0.35 + 0.15 * i)
        draw.ellipse((x - r, y - r, x + r, y + r), outline=(236, 190, 40), width=7)
    return printed(image, 22)


def cereal_top(width: int, height: int) -> Image8:
    """Red flap with the name in yellow between two orange ends."""
    image = Image.new("RGB", (width, height), (190, 24, 34))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width * 0.12, height), fill=(240, 130, 24))
    draw.rectangle((width * 0.88, 0, width, height), fill=(240, 130, 24))
    draw.line((0, height * 0.5, width, height * 0.5), fill=(130, 12, 20), width=3)
    text(draw, (width / 2, height * 0.5), "CEREAL", height * 0.52, (255, 226, 120), weight=2)
    return printed(image, 23)


def soup_side(width: int, height: int) -> Image8:
    """A green label with tomatoes on a cream band, twice around, between two metal rims."""
    image = Image.new("RGB", (width, height), (24, 104, 62))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, height * 0.46, width, height * 0.86), fill=(244, 232, 200))
    draw.rectangle((0, height * 0.44, width, height * 0.47), fill=(214, 170, 60))
    draw.rectangle((0, height * 0.85, width, height * 0.88), fill=(214, 170, 60))
    for turn in range(2):
        x = width * (0.5 * turn + 0.0)
        for offset in (0.0, width):
            text(draw, (x + offset, height * 0.17), "TOMATO", height * 0.17, _WHITE, weight=3)
            at = (x + offset, height * 0.34)
            text(draw, at, "SOUP", height * 0.15, (255, 220, 110), weight=3)
            for dx, y, r in ((-0.07, 0.66, 0.15), (0.075, 0.67, 0.14), (0.0, 0.72, 0.12)):
                _tomato(draw, (x + offset + width * dx, height * y), height * r)
        side = x + width * 0.25
        area = (side - width * 0.06, height * 0.10, side + width * 0.06, height * 0.42)
        _facts(draw, area, _WHITE)
        text(draw, (side, height * 0.66), "400 g", height * 0.11, (24, 104, 62), weight=2)
    for y0, y1 in ((0.0, 0.045), (0.955, 1.0)):
        for row in range(int(y0 * height), int(y1 * height)):
            shade = int(150 + 70 * math.sin(row * 0.9))
            draw.line((0, row, width, row), fill=(shade, shade, shade + 4))
    return printed(image, 31)


def soup_top(size: int) -> Image8:
    """Bright metal lid: concentric beads and a ring pull."""
    y, x = np.mgrid[0:size, 0:size].astype(np.float64)
    dx, dy = (x - size / 2) / (size / 2), (y - size / 2) / (size / 2)
    r, angle = np.hypot(dx, dy), np.arctan2(dy, dx)
    shade = 176 + 26 * np.cos(2.0 * angle) + 14 * np.sin(40.0 * r)
    shade = np.where(r > 0.93, 120, np.where((r > 0.80) & (r < 0.84), 105, shade))
    grey = np.stack([shade, shade, shade + 5], axis=-1)
    image = Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    ring = (size * 0.36, size * 0.50, size * 0.64, size * 0.86)
    draw.ellipse(ring, outline=(70, 70, 76), width=size // 22)
    draw.ellipse((size * 0.44, size * 0.42, size * 0.56, size * 0.54), fill=(60, 60, 66))
    return printed(image, 32)


def mustard_side(width: int, height: int, bands: Sequence[float]) -> Image8:
    """A yellow squeeze bottle. `bands`: label foot, label head and cap foot, 0 top to 1 bottom."""
    foot, head, cap = bands
    image = Image.new("RGB", (width, height), (238, 186, 16))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width, height * cap), fill=(196, 32, 28))
    for rib in range(0, width, 10):
        draw.line((rib, 0, rib, height * cap), fill=(150, 18, 18), width=3)
    top, bottom = height * head, height * foot
    draw.rectangle((0, top, width, bottom), fill=(252, 226, 96))
    draw.rectangle((0, top, width, top + height * 0.018), fill=(110, 62, 20))
    draw.rectangle((0, bottom - height * 0.018, width, bottom), fill=(110, 62, 20))
    middle = (top + bottom) / 2
    for turn in range(2):
        x = width * (0.25 + 0.5 * turn)
        draw.rounded_rectangle(
            (x - width * 0.22, middle - height * 0.085, x + width * 0.22, middle + height * 0.055),
            radius=20,
            fill=(110, 62, 20),
        )
        at = (x, middle - height * 0.015)
        text(draw, at, "MUSTARD", width * 0.082, (255, 232, 120), weight=2)
        text(draw, (x, middle + height * 0.10), "medium hot", width * 0.05, (110, 62, 20), weight=1)
        for i in range(7):
            seed_x = x + width * 0.03 * (i - 3)
            box = (seed_x - 5, top + height * 0.035, seed_x + 5, top + height * 0.035 + 10)
            draw.ellipse(box, fill=(150, 96, 24))
    return printed(image, 41)


def wicker(width: int, height: int) -> Image8:
    """Woven willow that repeats in both directions: strands over and under upright stakes."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    rows, columns = 8, 4
    row = np.floor(y / height * rows)
    across = y / height * rows - row
    phase = x / width * columns * math.pi + math.pi * (row % 2)
    # sin^2 both ways: a strand is round, and it dives under every second stake.
    light = np.sin(math.pi * across) ** 0.6 * (0.55 + 0.45 * np.cos(phase))
    rng = np.random.default_rng(51)
    strand = rng.uniform(-12, 12, rows)[row.astype(np.int64)]
    fibre = rng.normal(0.0, 5.0, (height, 1)) + rng.normal(0.0, 3.0, (height, width))
    tone = np.clip(0.30 + 0.75 * light, 0.0, 1.05)[..., None]
    colour = tone * np.array([196.0, 148.0, 92.0]) + (strand + fibre)[..., None] * 0.8
    return _pixels(colour)


def wood(width: int, height: int) -> Image8:
    """A table top of light beech boards."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    rng = np.random.default_rng(61)
    boards = 6
    board = np.floor(y / height * boards).astype(np.int64)
    phase = rng.uniform(0, 50, boards)[board]
    tone = rng.uniform(-7, 7, boards)[board]
    bend = 2.5 * np.sin(x / width * 5.0 + phase) + 1.2 * np.sin(x / width * 13.0 + 2.0 * phase)
    ring = np.sin((y / height * 90.0 + bend + phase) * 1.3)
    fine = rng.normal(0.0, 1.0, (height, width // 8)).repeat(8, axis=1)[:, :width]
    edge = (y / height * boards) % 1.0 < 0.012
    light = tone + 5.0 * ring + 2.0 * fine - 30.0 * edge
    colour = np.array([203.0, 178.0, 148.0]) + light[..., None] * np.array([1.0, 1.0, 0.95])
    return _pixels(colour)


def _pixels(colour: npt.NDArray[np.float64]) -> Image8:
    pixels: Image8 = np.clip(colour, 0, 255).astype(np.uint8)
    return pixels


def _tomato(draw: ImageDraw.ImageDraw, centre: tuple[float, float], r: float) -> None:
    x, y = centre
    draw.ellipse((x - r, y - r * 0.9, x + r, y + r * 0.9), fill=(206, 38, 28))
    draw.ellipse((x - r * 0.6, y - r * 0.6, x - r * 0.1, y - r * 0.2), fill=(238, 110, 90))
    for turn in range(5):
        a = 2.0 * math.pi * turn / 5 - 0.5 * math.pi
        tip = (x + 0.5 * r * math.cos(a), y - 0.75 * r + 0.28 * r * math.sin(a))
        draw.line((x, y - 0.75 * r, *tip), fill=(40, 120, 50), width=max(2, int(r * 0.14)))


def _facts(draw: ImageDraw.ImageDraw, area: tuple[float, float, float, float], ink: Colour) -> None:
    """A table of nutrition facts: a title, lines of differing length, a bar code."""
    x0, y0, x1, y1 = area
    width, height = x1 - x0, y1 - y0
    for i in range(8):
        y = y0 + height * (0.06 + 0.075 * i)
        end = x0 + width * (0.95 if i == 0 else 0.45 + 0.07 * ((i * 5) % 7))
        draw.line((x0 + width * 0.06, y, end, y), fill=ink, width=4 if i == 0 else 2)
    bars = np.random.default_rng(7).integers(1, 4, 18)
    left = x0 + width * 0.2
    step = width * 0.6 / float(bars.sum() * 2)
    for bar in bars:
        draw.rectangle((left, y0 + height * 0.72, left + bar * step, y1 - height * 0.04), fill=ink)
        left += 2.0 * float(bar) * step
