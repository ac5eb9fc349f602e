"""A map around the newest place: no more tiles are fetched than the view needs, and it is put together here."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out
sys.path.insert(0, __file__.rpartition("/")[0] + "/wheels")

import io
import math

from PIL import Image, ImageDraw

from escrow_plugin import Bytes, Refusal, plugin

ZOOM, TILE, WIDTH, HEIGHT = 12, 256, 512, 384


def point(latitude, longitude):
    """Where a place is on the map of the whole world, in points: Web Mercator."""
    size = TILE << ZOOM
    angle = math.radians(min(max(latitude, -85.0511), 85.0511))
    return (longitude + 180) / 360 * size, (1 - math.asinh(math.tan(angle)) / math.pi) / 2 * size


def tiles(left, top):
    """The tiles that a view has a part of."""
    return [(x, y) for x in range(left // TILE, (left + WIDTH - 1) // TILE + 1)
            for y in range(top // TILE, (top + HEIGHT - 1) // TILE + 1) if 0 <= y < 1 << ZOOM]


def compute(run):
    rows = list(run.tuples())
    if not rows:
        raise Refusal("not-enough-data", "no place is known")
    across, down = point(*rows[0])
    left, top = round(across) - WIDTH // 2, round(down) - HEIGHT // 2
    view = Image.new("RGB", (WIDTH, HEIGHT), "#dddddd")
    for x, y in tiles(left, top):
        answer = run.fetch("tile", x=x % (1 << ZOOM), file=f"{y}.png")
        if answer.status == 200:
            with Image.open(io.BytesIO(answer.body), formats=["PNG"]) as piece:
                view.paste(piece.convert("RGB"), (x * TILE - left, y * TILE - top))
    ImageDraw.Draw(view).ellipse((WIDTH / 2 - 7, HEIGHT / 2 - 7, WIDTH / 2 + 7, HEIGHT / 2 + 7), "#cc2222", "white", 2)
    output = io.BytesIO()
    view.save(output, "PNG")
    return Bytes(output.getvalue(), "image/png")


plugin(compute)
