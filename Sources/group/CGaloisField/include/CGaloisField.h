// Sums over GF(2^8) many bytes at a time, by instructions that Swift cannot name.
#ifndef ESCROW_CGALOISFIELD_H
#define ESCROW_CGALOISFIELD_H

#include <stddef.h>
#include <stdint.h>

// What this processor has: 0 is eight bytes in a word, 1 is AVX2's byte shuffles, 2 is AVX-512's GFNI.
int galois_level(void);

// What a weight does to a byte, in the forms that the levels need. The weight is public; made of it anew for each row.
typedef struct {
    uint8_t low[16];   // products of the weight with 0x00 to 0x0f
    uint8_t high[16];  // products of the weight with 0x00, 0x10 to 0xf0
    uint64_t matrix;   // the same as a matrix of bits, as gf2p8affineqb takes it
    uint8_t weight;
    uint8_t reduction;  // the field's polynomial below x^8
} galois_weight;

// Makes a weight ready for a field.
galois_weight galois_make_weight(uint8_t weight, uint8_t reduction);

// Adds `count` bytes of `source`, each times the weight, to `sum`. Time and addresses depend on no byte of `source`: it is
// neither an index into memory nor a condition. A level above galois_level() is taken for that.
void galois_add(uint8_t *sum, const uint8_t *source, size_t count, const galois_weight *weight, int level);

#endif
