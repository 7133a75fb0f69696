"""Pictures for previews of links: peaks of small squares, and a few lines of text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from unicodedata import normalize

from PIL import Image, ImageDraw, ImageFont

from games.sharing.shades import Peak

SIZE = WIDTH, HEIGHT = 1200, 630
COLOURS = 32
MOST_KEPT = 200  # of about 10 kB each
MARGIN, TEXT_AT = 80, 680
FELT, INK, MUTED, GOLD = "#123c41", "#f2ecdd", "#c3d6d2", "#f0b93f"
TEXT_WIDTH = WIDTH - TEXT_AT - 40
DIAERESIS = "\u0308"
BACK = -1
FILLS = {BACK: "#1a3f83", 0: FELT, 1: "#fde7b0", 2: GOLD, 3: "#c98b1f", 4: "#935f16", 5: "#5a3b10"}
EDGES = {BACK: "#d9a93a", 0: "#9cc0ff"}


@dataclass(frozen=True, slots=True)
class Picture:
    """The contents of a picture, with texts in a language of the pages."""

    peaks: tuple[Peak, ...]
    title: str
    lines: tuple[str, ...]


@lru_cache(MOST_KEPT)
def png_of(picture: Picture) -> bytes:
    """Return a picture as PNG."""
    image = Image.new("RGB", SIZE, FELT)
    draw = ImageDraw.Draw(image)
    _draw_peaks(draw, picture.peaks)
    _write(draw, 150, "Pyramid", 40, MUTED)
    _write(draw, 205, picture.title, 64, INK)
    for number, line in enumerate(picture.lines):
        _write(draw, 310 + 74 * number, line, 52, GOLD)
    file = BytesIO()
    image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).save(file, "PNG", compress_level=6)
    return file.getvalue()


def _write(draw: ImageDraw.ImageDraw, top: int, text: str, most: int, colour: str) -> None:
    """Write a line as large as it fits. The font that Pillow brings lacks umlauts, so their dots are drawn."""
    letters = normalize("NFD", text.replace("\u2019", "'").replace("\u00df", "ss"))
    plain = letters.encode("ascii", "ignore").decode()
    size = next((size for size in range(most, 20, -4) if _font(size).getlength(plain) <= TEXT_WIDTH), 20)
    font = _font(size)
    draw.text((TEXT_AT, top), plain, font=font, fill=colour)
    before = ""
    for letter in letters:
        if letter == DIAERESIS:
            middle = TEXT_AT + font.getlength(before) - font.getlength(before[-1]) / 2
            for aside in (-size / 9, size / 9):
                at = (middle + aside, top + font.getbbox(before[-1])[1] - size / 9)
                draw.circle(at, size / 16, fill=colour)
        elif letter.isascii():
            before += letter


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
