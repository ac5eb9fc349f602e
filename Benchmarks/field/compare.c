// The sums of Shamir's scheme beside libgfshare's, in one run: processor time for each byte and share to split, for each byte to
// combine. `scripts/bench field` builds and runs it.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "CGaloisField.h"

typedef struct gfshare_ctx gfshare_ctx;

enum { size = 256 * 1024, most = 10, rounds = 31 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static double median(double *values) {
    qsort(values, rounds, sizeof *values, ascending);
    return values[rounds / 2];
}

static uint8_t product(uint8_t left, uint8_t right) {
    uint8_t result = 0;
    for (int bit = 7; bit >= 0; bit--) {
        result = (uint8_t)(result << 1) ^ (result & 0x80 ? 0x1d : 0);
        if (right >> bit & 1) result ^= left;
    }
    return result;
}

static uint8_t inverse(uint8_t value) {
    uint8_t result = 1;
    for (int i = 0; i < 254; i++) result = product(result, value);
    return result;
}

// As Field.sum does: blocks that stay in the nearest cache, row after row.
static void sum(uint8_t *result, uint8_t *const *rows, const uint8_t *weights, int count, int level) {
    galois_weight made[most];
    for (int row = 0; row < count; row++) made[row] = galois_make_weight(weights[row], 0x1d);
    memset(result, 0, size);
    for (size_t at = 0; at < size; at += 8192)
        for (int row = 0; row < count; row++) galois_add(result + at, rows[row] + at, 8192, &made[row], level);
}

int main(void) {
    void *library = dlopen("libgfshare.so.2", RTLD_NOW);
    if (!library) return puts("SKIP libgfshare is not here: apt-get install libgfshare-bin"), 0;
    gfshare_ctx *(*begin_split)(const unsigned char *, unsigned, unsigned char, unsigned) = dlsym(library, "gfshare_ctx_init_enc");
    void (*set_secret)(gfshare_ctx *, const unsigned char *) = dlsym(library, "gfshare_ctx_enc_setsecret");
    void (*get_share)(const gfshare_ctx *, unsigned char, unsigned char *) = dlsym(library, "gfshare_ctx_enc_getshare");
    gfshare_ctx *(*begin_combine)(const unsigned char *, unsigned, unsigned) = dlsym(library, "gfshare_ctx_init_dec");
    void (*give_share)(gfshare_ctx *, unsigned char, const unsigned char *) = dlsym(library, "gfshare_ctx_dec_giveshare");
    void (*extract)(const gfshare_ctx *, unsigned char *) = dlsym(library, "gfshare_ctx_dec_extract");
    void (**random)(unsigned char *, unsigned) = dlsym(library, "gfshare_fill_rand");
    void (*source)(unsigned char *, unsigned) = *(void (**)(unsigned char *, unsigned))dlsym(library, "gfshare_bad_idea_but_fill_rand_using_random");
    *random = source;
    uint8_t *secret = malloc(size), *result = malloc(size), *rows[most], *shares[most];
    for (size_t i = 0; i < size; i++) secret[i] = (uint8_t)(i * 31);
    for (int i = 0; i < most; i++) {
        rows[i] = malloc(size);
        shares[i] = malloc(size);
        for (size_t at = 0; at < size; at++) rows[i][at] = (uint8_t)(at * 7 + i);
    }
    printf("widest here: level %d (2 GFNI, 1 AVX2, 0 words); ns a byte: libgfshare, then each level, and how many times as fast\n", galois_level());
    static const int thresholds[] = {2, 3, 5, 10};
    for (int t = 0; t < 4; t++) {
        int k = thresholds[t];
        unsigned char numbers[most];
        for (int i = 0; i < k; i++) numbers[i] = (unsigned char)(i + 1);
        gfshare_ctx *splitter = begin_split(numbers, k, k, size), *combiner = begin_combine(numbers, k, size);
        double theirs[2][rounds], ours[3][2][rounds];
        set_secret(splitter, secret);
        for (int round = 0; round < rounds; round++) {
            double start = now();
            for (int i = 0; i < k; i++) get_share(splitter, (unsigned char)i, shares[i]);
            theirs[0][round] = (now() - start) / size / k;
            for (int i = 0; i < k; i++) give_share(combiner, (unsigned char)i, shares[i]);
            start = now();
            extract(combiner, result);
            theirs[1][round] = (now() - start) / size;
            if (memcmp(result, secret, size)) return puts("libgfshare does not give the secret back"), 1;
            for (int level = 0; level <= galois_level(); level++) {
                uint8_t weights[most];
                start = now();
                for (int i = 0; i < k; i++) {
                    for (int row = 0, power = 1; row < k; row++, power = product((uint8_t)power, numbers[i])) weights[row] = (uint8_t)power;
                    sum(result, rows, weights, k, level);
                }
                ours[level][0][round] = (now() - start) / size / k;
                for (int i = 0; i < k; i++) {
                    weights[i] = 1;
                    for (int other = 0; other < k; other++)
                        if (other != i) weights[i] = product(weights[i], product(numbers[other], inverse(numbers[other] ^ numbers[i])));
                }
                start = now();
                sum(result, shares, weights, k, level);
                ours[level][1][round] = (now() - start) / size;
                if (memcmp(result, secret, size)) return puts("ours does not give the secret back"), 1;
            }
        }
        for (int what = 0; what < 2; what++) {
            double base = median(theirs[what]);
            printf("k %2d %s %6.3f ", k, what ? "combine        " : "split, a share ", base);
            for (int level = 0; level <= galois_level(); level++) {
                double own = median(ours[level][what]);
                printf("   level %d: %6.3f, %5.1f times", level, own, base / own);
            }
            puts("");
        }
    }
    return 0;
}
