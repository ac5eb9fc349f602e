/* Pictures as the network takes them. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes a JPEG and makes it a square of that edge, each value from -1 to 1. False for what is none, or too large. */
bool picture_read(const uint8_t *jpeg, size_t length, int edge, float *pixels);

#endif
