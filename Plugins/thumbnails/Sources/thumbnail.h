/* Makes a small JPEG of a large one. */
#ifndef THUMBNAIL_H
#define THUMBNAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A JPEG in memory, to be freed. */
typedef struct {
    uint8_t *bytes;
    unsigned long length;
    int width, height;
} thumbnail;

/* Scales a JPEG or a PNG down until neither side is longer than `edge`, turned as EXIF's `orientation` (1 to 8) says. The bytes
 * are hostile: false, and nothing to free, if they cannot be decoded or would take too much. */
bool thumbnail_make(
    const uint8_t *bytes, size_t length, const char *media_type, int edge, int orientation, thumbnail *made);

#endif
