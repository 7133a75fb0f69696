"""Pictures for previews of links: peaks of small squares, and a few lines of text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from games.sharing.shades import Peak

SIZE = WIDTH, HEIGHT = 1200, 630
COLOURS = 32
MOST_KEPT = 200  # of about 10 kB each
MARGIN, TEXT_AT = 80, 680
FELT, INK, MUTED, GOLD = "#123c41", "#f2ecdd", "#c3d6d2", "#f0b93f"
TAGLINE = "One deal for all"
BACK = -1
FILLS = {BACK: "#1a3f83", 0: FELT, 1: "#fde7b0", 2: GOLD, 3: "#c98b1f", 4: "#935f16", 5: "#5a3b10"}
EDGES = {BACK: "#d9a93a", 0: "#9cc0ff"}


@dataclass(frozen=True, slots=True)
class Picture:
    """The contents of a picture. Texts are ASCII, which is all that the font has for certain."""

    peaks: tuple[Peak, ...]
    title: str
    lines: tuple[str, ...]


@lru_cache(MOST_KEPT)
def png_of(picture: Picture) -> bytes:
    """Return a picture as PNG."""
    image = Image.new("RGB", SIZE, FELT)
    draw = ImageDraw.Draw(image)
    _draw_peaks(draw, picture.peaks)
    draw.text((TEXT_AT, 150), "Pyramid", font=_font(40), fill=MUTED)
    draw.text((TEXT_AT, 205), picture.title, font=_font(64), fill=INK)
    for number, line in enumerate(picture.lines):
        draw.text((TEXT_AT, 310 + 74 * number), line, font=_font(52), fill=GOLD)
    file = BytesIO()
    image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).save(file, "PNG", compress_level=6)
    return file.getvalue()


@lru_cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _draw_peaks(draw: ImageDraw.ImageDraw, peaks: tuple[Peak, ...]) -> None:
    """Draw the peaks side by side in the left half, as large as they fit."""
    columns = sum(max(map(len, peak)) for peak in peaks) + len(peaks) - 1
    rows = max(map(len, peaks))
    step = min((TEXT_AT - MARGIN - 60) // columns, (HEIGHT - 2 * MARGIN) // rows)
    left, top = MARGIN, (HEIGHT - step * rows) // 2
    for peak in peaks:
        width = max(map(len, peak))
        for level, row in enumerate(peak):
            for index, shade in enumerate(row):
                x, y = left + step * index + step * (width - len(row)) // 2, top + step * level
                box = (x, y, x + step - step // 10, y + step - step // 10)
                edge = EDGES.get(shade, "#0a2226")
                draw.rounded_rectangle(box, radius=step // 7, fill=FILLS[shade], outline=edge, width=max(1, step // 24))
        left += step * (width + 1)
