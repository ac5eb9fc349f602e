"""A picture made smaller, and without what it says of itself: Pillow writes the pixels alone."""

import io

from PIL import Image, ImageOps


def smaller(data, edge, most):
    """A JPEG of at most `edge` pixels a side and `most` bytes."""
    picture = ImageOps.exif_transpose(Image.open(io.BytesIO(data))).convert("RGB")
    picture.thumbnail((edge, edge))
    for quality in (85, 70, 55, 40, 25):
        output = io.BytesIO()
        picture.save(output, "JPEG", quality=quality)
        if output.tell() <= most:
            return output.getvalue()
    raise ValueError("no quality is small enough")
