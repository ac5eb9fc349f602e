#include "picture.h"

#include <setjmp.h>
#include <stdio.h> /* jpeglib.h needs FILE */
#include <stdlib.h>

#include <jpeglib.h>

enum { MAXIMUM_PIXELS = 100 * 1000 * 1000, MAXIMUM_SCANS = 64 };

/* libjpeg reports a fault by a call that must not return. */
typedef struct {
    struct jpeg_error_mgr manager;
    jmp_buf escape;
} error_handler;

static void on_error(j_common_ptr info) { longjmp(((error_handler *)info->err)->escape, 1); }
static void on_message(j_common_ptr info) { (void)info; }
static void on_progress(j_common_ptr info) {
    if (((j_decompress_ptr)info)->input_scan_number > MAXIMUM_SCANS) on_error(info);
}

/* The mean over the pixels that a pixel of the square stands for; where there are fewer, the value between the nearest. */
static void resize(const uint8_t *from, int width, int height, int edge, float *to) {
    for (int y = 0; y < edge; y++) {
        for (int x = 0; x < edge; x++) {
            int top = (int)((int64_t)y * height / edge), bottom = (int)((int64_t)(y + 1) * height / edge);
            int left = (int)((int64_t)x * width / edge), right = (int)((int64_t)(x + 1) * width / edge);
            if (bottom <= top) bottom = top + 1;
            if (right <= left) right = left + 1;
            for (int c = 0; c < 3; c++) {
                uint64_t sum = 0;
                for (int row = top; row < bottom; row++)
                    for (int column = left; column < right; column++)
                        sum += from[((size_t)row * width + column) * 3 + c];
                float mean = (float)sum / (float)((uint64_t)(bottom - top) * (right - left));
                to[((size_t)y * edge + x) * 3 + c] = mean / 127.5f - 1;
            }
        }
    }
}

bool picture_read(const uint8_t *jpeg, size_t length, int edge, float *pixels) {
    struct jpeg_decompress_struct info = {0};
    struct jpeg_progress_mgr progress = {.progress_monitor = on_progress};
    error_handler handler;
    /* Changed after setjmp and read after longjmp. */
    uint8_t *volatile decoded = NULL;
    info.err = jpeg_std_error(&handler.manager);
    handler.manager.error_exit = on_error;
    handler.manager.output_message = on_message;
    if (setjmp(handler.escape)) {
        jpeg_destroy_decompress(&info);
        free(decoded);
        return false;
    }
    jpeg_create_decompress(&info);
    info.progress = &progress;
    jpeg_mem_src(&info, jpeg, length);
    jpeg_read_header(&info, TRUE);
    if ((uint64_t)info.image_width * info.image_height > MAXIMUM_PIXELS) on_error((j_common_ptr)&info);
    info.out_color_space = JCS_RGB;
    jpeg_start_decompress(&info);
    size_t stride = (size_t)info.output_width * 3;
    decoded = malloc(stride * info.output_height);
    if (!decoded || info.output_components != 3) on_error((j_common_ptr)&info);
    while (info.output_scanline < info.output_height) {
        JSAMPROW row = decoded + stride * info.output_scanline;
        jpeg_read_scanlines(&info, &row, 1);
    }
    resize(decoded, (int)info.output_width, (int)info.output_height, edge, pixels);
    jpeg_destroy_decompress(&info);
    free(decoded);
    return true;
}
