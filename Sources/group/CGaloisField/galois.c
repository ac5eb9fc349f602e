#include "CGaloisField.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static uint8_t product(uint8_t left, uint8_t right, uint8_t reduction) {
    uint8_t result = 0;
    for (int bit = 7; bit >= 0; bit--) {
        result = (uint8_t)(result << 1) ^ (result & 0x80 ? reduction : 0);
        if (right >> bit & 1) result ^= left;
    }
    return result;
}

galois_weight galois_make_weight(uint8_t weight, uint8_t reduction) {
    galois_weight made = {.weight = weight, .reduction = reduction};
    for (int nibble = 0; nibble < 16; nibble++) {
        made.low[nibble] = product(weight, (uint8_t)nibble, reduction);
        made.high[nibble] = product(weight, (uint8_t)(nibble << 4), reduction);
    }
    // Bit i of the product is the parity of the byte and row i; the instruction has row 0 in the highest byte.
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            made.matrix |= (uint64_t)(product(weight, (uint8_t)(1 << column), reduction) >> row & 1)
                           << (8 * (7 - row) + column);
    return made;
}

// Eight bytes in a word, and words in a loop that the compiler makes wide. How often it turns is by the weight, which is public.
static void add_words(uint8_t *sum, const uint8_t *source, size_t count, const galois_weight *weight) {
    const uint64_t lowest = 0x0101010101010101, reduction = weight->reduction * lowest;
    enum { words = 64 };
    for (size_t at = 0; at < count; at += 8 * words) {
        size_t part = count - at < 8 * words ? count - at : 8 * words;
        uint64_t word[words] = {0}, result[words] = {0}, before[words] = {0};
        memcpy(word, source + at, part);
        memcpy(before, sum + at, part);
        int bit = 7;
        while (bit > 0 && !(weight->weight >> bit & 1)) bit--;
        for (; bit >= 0; bit--) {
            uint64_t mask = weight->weight >> bit & 1 ? ~(uint64_t)0 : 0;
            for (int i = 0; i < words; i++) {
                uint64_t carried = (result[i] >> 7) & lowest;
                result[i] = ((result[i] & ~(lowest << 7)) << 1) ^ (((carried << 8) - carried) & reduction);
                result[i] ^= word[i] & mask;
            }
        }
        for (int i = 0; i < words; i++) before[i] ^= result[i];
        memcpy(sum + at, before, part);
    }
}

#if defined(__x86_64__)

// Products of both halves of each byte from two registers of sixteen: the shuffle looks up in a register, not in memory.
__attribute__((target("avx2"))) static size_t add_shuffles(
    uint8_t *sum, const uint8_t *source, size_t count, const galois_weight *weight) {
    const __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)weight->low));
    const __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)weight->high));
    const __m256i nibble = _mm256_set1_epi8(15);
    size_t at = 0;
    for (; at + 32 <= count; at += 32) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(source + at));
        __m256i before = _mm256_loadu_si256((const __m256i *)(sum + at));
        __m256i first = _mm256_shuffle_epi8(low, _mm256_and_si256(bytes, nibble));
        __m256i second = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
        before = _mm256_xor_si256(before, _mm256_xor_si256(first, second));
        _mm256_storeu_si256((__m256i *)(sum + at), before);
    }
    return at;
}

// One instruction multiplies 64 bytes by a matrix of bits.
__attribute__((target("avx512f,avx512bw,gfni"))) static size_t add_matrices(
    uint8_t *sum, const uint8_t *source, size_t count, const galois_weight *weight) {
    const __m512i matrix = _mm512_set1_epi64((long long)weight->matrix);
    size_t at = 0;
    for (; at + 64 <= count; at += 64) {
        __m512i bytes = _mm512_loadu_si512(source + at);
        __m512i before = _mm512_loadu_si512(sum + at);
        before = _mm512_xor_si512(before, _mm512_gf2p8affine_epi64_epi8(bytes, matrix, 0));
        _mm512_storeu_si512(sum + at, before);
    }
    return at;
}

int galois_level(void) {
    static int level = -1;
    int known = __atomic_load_n(&level, __ATOMIC_RELAXED);
    if (known >= 0) return known;
    __builtin_cpu_init();
    known = !__builtin_cpu_supports("avx2") ? 0
            : __builtin_cpu_supports("gfni") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
                ? 2
                : 1;
    __atomic_store_n(&level, known, __ATOMIC_RELAXED);
    return known;
}

#else

int galois_level(void) { return 0; }

#endif

void galois_add(uint8_t *sum, const uint8_t *source, size_t count, const galois_weight *weight, int level) {
    size_t done = 0;
#if defined(__x86_64__)
    int most = galois_level();
    if (level > most) level = most;
    if (level == 2) done = add_matrices(sum, source, count, weight);
    if (level == 1) done = add_shuffles(sum, source, count, weight);
#else
    (void)level;
#endif
    add_words(sum + done, source + done, count - done, weight);
}
