#include "network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* weights.bin, as model.py writes it: layer after layer, weights and then biases. */
__asm__(".section .rodata\n.balign 64\n.global network_weights\nnetwork_weights:\n.incbin \"weights.bin\"\n.previous\n");
extern const float network_weights[];

/* Values of one layer, channel by channel within each pixel. */
typedef struct {
    int edge, channels;
    float *values;
} plane;

static void finish(float *out, const float *bias, int channels, int clips) {
    for (int c = 0; c < channels; c++) {
        float value = out[c] + bias[c];
        if (clips) value = value < 0 ? 0 : value > 6 ? 6 : value;
        out[c] = value;
    }
}

/* Each pixel for itself. Four pixels at a time, so that a row of weights is read once for all of them. */
static const float *pointwise(const plane *in, plane *out, int channels, int clips, const float *weights) {
    int pixels = in->edge * in->edge, from = in->channels;
    const float *bias = weights + (size_t)from * channels;
    *out = (plane){in->edge, channels, out->values};
    memset(out->values, 0, sizeof(float) * pixels * channels);
    for (int at = 0; at < pixels; at += 4) {
        int count = pixels - at < 4 ? pixels - at : 4;
        for (int i = 0; i < from; i++) {
            const float *row = weights + (size_t)i * channels;
            for (int p = 0; p < count; p++) {
                float value = in->values[(size_t)(at + p) * from + i];
                float *to = out->values + (size_t)(at + p) * channels;
                if (value == 0) continue;
                for (int c = 0; c < channels; c++) to[c] += value * row[c];
            }
        }
        for (int p = 0; p < count; p++) finish(out->values + (size_t)(at + p) * channels, bias, channels, clips);
    }
    return bias + channels;
}

/* Three by three. A stride of two pads behind alone, a stride of one on both sides, as Keras does for even edges. */
static const float *spatial(const plane *in, plane *out, int channels, int stride, const float *weights) {
    int is_full = in->channels != channels, edge = in->edge / stride, before = stride == 2 ? 0 : 1;
    int kernel = is_full ? in->channels * channels : channels;
    const float *bias = weights + 9 * (size_t)kernel;
    *out = (plane){edge, channels, out->values};
    for (int y = 0; y < edge; y++) {
        for (int x = 0; x < edge; x++) {
            float *to = out->values + ((size_t)y * edge + x) * channels;
            memset(to, 0, sizeof(float) * channels);
            for (int k = 0; k < 9; k++) {
                int row = y * stride + k / 3 - before, column = x * stride + k % 3 - before;
                if (row < 0 || column < 0 || row >= in->edge || column >= in->edge) continue;
                const float *from = in->values + ((size_t)row * in->edge + column) * in->channels;
                const float *by = weights + (size_t)k * kernel;
                if (is_full) {
                    for (int i = 0; i < in->channels; i++)
                        for (int c = 0; c < channels; c++) to[c] += from[i] * by[i * channels + c];
                } else {
                    for (int c = 0; c < channels; c++) to[c] += from[c] * by[c];
                }
            }
            finish(to, bias, channels, 1);
        }
    }
    return bias + channels;
}

int network_classify(const float *pixels, float shares[NETWORK_CLASSES]) {
    /* The widest layer: 80 by 80 pixels of 96 channels. */
    enum { WIDEST = 80 * 80 * 96 };
    static const struct { int width, count, stride; } stages[] = {
        {24, 2, 2}, {32, 3, 2}, {64, 4, 2}, {96, 3, 1}, {160, 3, 2}, {320, 1, 1},
    };
    float *memory = malloc(sizeof(float) * WIDEST * 4);
    if (!memory) return 0;
    plane in = {NETWORK_EDGE, 3, (float *)pixels};
    plane a = {.values = memory}, b = {.values = memory + WIDEST}, c = {.values = memory + WIDEST * 2};
    plane d = {.values = memory + WIDEST * 3};
    const float *weights = spatial(&in, &a, 32, 2, network_weights);
    weights = spatial(&a, &b, 32, 1, weights);
    weights = pointwise(&b, &a, 16, 0, weights);
    plane *now = &a, *next = &d;
    for (size_t s = 0; s < sizeof stages / sizeof stages[0]; s++) {
        for (int index = 0; index < stages[s].count; index++) {
            int before = now->channels, stride = index == 0 ? stages[s].stride : 1;
            weights = pointwise(now, &b, before * 6, 1, weights);
            weights = spatial(&b, &c, before * 6, stride, weights);
            weights = pointwise(&c, next, stages[s].width, 0, weights);
            if (before == stages[s].width)
                for (int i = 0; i < next->edge * next->edge * before; i++) next->values[i] += now->values[i];
            plane *swap = now;
            now = next;
            next = swap;
        }
    }
    weights = pointwise(now, &b, 1280, 1, weights);
    float most = -INFINITY, sum = 0, mean[1280] = {0};
    for (int p = 0; p < b.edge * b.edge; p++)
        for (int i = 0; i < 1280; i++) mean[i] += b.values[p * 1280 + i];
    const float *bias = weights + 1280 * NETWORK_CLASSES;
    for (int k = 0; k < NETWORK_CLASSES; k++) {
        float value = bias[k];
        for (int i = 0; i < 1280; i++) value += mean[i] / (float)(b.edge * b.edge) * weights[i * NETWORK_CLASSES + k];
        shares[k] = value;
        if (value > most) most = value;
    }
    for (int k = 0; k < NETWORK_CLASSES; k++) sum += shares[k] = expf(shares[k] - most);
    for (int k = 0; k < NETWORK_CLASSES; k++) shares[k] /= sum;
    free(memory);
    return 1;
}
