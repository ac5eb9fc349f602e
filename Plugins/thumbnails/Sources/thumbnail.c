#include "thumbnail.h"

#include <setjmp.h>
#include <stdio.h> /* jpeglib.h needs FILE */
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

enum {
    MAXIMUM_PIXELS = 100 * 1000 * 1000, /* more than any camera of today */
    MAXIMUM_PNG_PIXELS = 32 * 1000 * 1000, /* a PNG is decoded whole: 96 MB */
    MAXIMUM_SCANS = 64, /* a progressive file of a few bytes a scan can keep a decoder busy for hours */
    QUALITY = 80,
};

/* libjpeg reports a fault by a call that must not return. */
typedef struct {
    struct jpeg_error_mgr manager;
    jmp_buf escape;
} error_handler;

static void on_error(j_common_ptr info) { longjmp(((error_handler *)info->err)->escape, 1); }

/* What libjpeg would print may quote the file. */
static void on_message(j_common_ptr info) { (void)info; }

static void on_progress(j_common_ptr info) {
    if (info->is_decompressor && ((j_decompress_ptr)info)->input_scan_number > MAXIMUM_SCANS) on_error(info);
}

static struct jpeg_error_mgr *use(error_handler *handler) {
    jpeg_std_error(&handler->manager);
    handler->manager.error_exit = on_error;
    handler->manager.output_message = on_message;
    return &handler->manager;
}

/* Rows of RGB. */
typedef struct {
    uint8_t *pixels;
    int width, height;
} image;

/* Decodes at the smallest of 1/1, 1/2, 1/4 and 1/8 that is not smaller than wanted: the decoder skips the rest. */
static bool decode_jpeg(const uint8_t *jpeg, size_t length, int edge, image *decoded) {
    struct jpeg_decompress_struct info = {0};
    struct jpeg_progress_mgr progress = {0};
    error_handler handler;
    /* Changed after setjmp and read after longjmp. */
    uint8_t *volatile pixels = NULL;
    info.err = use(&handler);
    if (setjmp(handler.escape)) {
        jpeg_destroy_decompress(&info);
        free(pixels);
        return false;
    }
    jpeg_create_decompress(&info);
    progress.progress_monitor = on_progress;
    info.progress = &progress;
    jpeg_mem_src(&info, jpeg, length);
    jpeg_read_header(&info, TRUE);
    uint64_t longest = info.image_width > info.image_height ? info.image_width : info.image_height;
    if ((uint64_t)info.image_width * info.image_height > MAXIMUM_PIXELS) on_error((j_common_ptr)&info);
    info.out_color_space = JCS_RGB;
    info.scale_num = 1;
    info.scale_denom = 1;
    while (info.scale_denom < 8 && longest / (info.scale_denom * 2) >= (uint64_t)edge) info.scale_denom *= 2;
    jpeg_start_decompress(&info);
    size_t stride = (size_t)info.output_width * 3;
    pixels = malloc(stride * info.output_height);
    if (!pixels || info.output_components != 3) on_error((j_common_ptr)&info);
    while (info.output_scanline < info.output_height) {
        JSAMPROW row = pixels + stride * info.output_scanline;
        jpeg_read_scanlines(&info, &row, 1);
    }
    *decoded = (image){pixels, (int)info.output_width, (int)info.output_height};
    jpeg_destroy_decompress(&info);
    return true;
}

/* Decodes whole, what shines through over white. libpng keeps its messages to itself here. */
static bool decode_png(const uint8_t *png, size_t length, image *decoded) {
    png_image info = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&info, png, length)) return false;
    uint8_t *pixels = NULL;
    if ((uint64_t)info.width * info.height <= MAXIMUM_PNG_PIXELS) {
        info.format = PNG_FORMAT_RGB;
        pixels = malloc(PNG_IMAGE_SIZE(info));
    }
    png_color white = {255, 255, 255};
    if (!pixels || !png_image_finish_read(&info, &white, pixels, 0, NULL)) {
        png_image_free(&info);
        free(pixels);
        return false;
    }
    *decoded = (image){pixels, (int)info.width, (int)info.height};
    return true;
}

/* One pixel of the small picture is the mean of the pixels that it covers, each by the share that is covered. */
static bool shrink(const image *large, int width, int height, image *small) {
    small->pixels = malloc((size_t)width * (size_t)height * 3);
    if (!small->pixels) return false;
    small->width = width;
    small->height = height;
    double across = (double)large->width / width, down = (double)large->height / height;
    for (int y = 0; y < height; y++) {
        double top = y * down, bottom = (y + 1) * down;
        for (int x = 0; x < width; x++) {
            double left = x * across, right = (x + 1) * across, sum[3] = {0}, area = 0;
            for (int v = (int)top; v < large->height && v < bottom; v++) {
                double tall = (v + 1 < bottom ? v + 1 : bottom) - (v > top ? v : top);
                for (int u = (int)left; u < large->width && u < right; u++) {
                    double share = tall * ((u + 1 < right ? u + 1 : right) - (u > left ? u : left));
                    const uint8_t *pixel = large->pixels + ((size_t)v * (size_t)large->width + (size_t)u) * 3;
                    for (int c = 0; c < 3; c++) sum[c] += share * pixel[c];
                    area += share;
                }
            }
            uint8_t *pixel = small->pixels + ((size_t)y * (size_t)width + (size_t)x) * 3;
            for (int c = 0; c < 3; c++) pixel[c] = (uint8_t)(area > 0 ? sum[c] / area + 0.5 : 0);
        }
    }
    return true;
}

/* Turns and mirrors a picture as EXIF's tag 0x0112 says: where its first row and first column are to be. */
static bool turn(const image *flat, int orientation, image *turned) {
    bool is_swapped = orientation >= 5;
    int width = is_swapped ? flat->height : flat->width, height = is_swapped ? flat->width : flat->height;
    turned->pixels = malloc((size_t)width * (size_t)height * 3);
    if (!turned->pixels) return false;
    turned->width = width;
    turned->height = height;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int u = is_swapped ? y : x, v = is_swapped ? x : y;
            if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8) u = flat->width - 1 - u;
            if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7) v = flat->height - 1 - v;
            const uint8_t *from = flat->pixels + ((size_t)v * (size_t)flat->width + (size_t)u) * 3;
            uint8_t *to = turned->pixels + ((size_t)y * (size_t)width + (size_t)x) * 3;
            for (int c = 0; c < 3; c++) to[c] = from[c];
        }
    }
    return true;
}

/* Encodes without any of the file's metadata: it may hold the place, the camera, the owner's name. */
static bool encode(const image *picture, thumbnail *made) {
    struct jpeg_compress_struct info = {0};
    error_handler handler;
    made->bytes = NULL;
    made->length = 0;
    info.err = use(&handler);
    if (setjmp(handler.escape)) {
        jpeg_destroy_compress(&info);
        free(made->bytes);
        return false;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &made->bytes, &made->length);
    info.image_width = (JDIMENSION)picture->width;
    info.image_height = (JDIMENSION)picture->height;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, QUALITY, TRUE);
    info.optimize_coding = TRUE;
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = picture->pixels + (size_t)info.next_scanline * (size_t)picture->width * 3;
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    made->width = picture->width;
    made->height = picture->height;
    return true;
}

bool thumbnail_make(
    const uint8_t *bytes, size_t length, const char *media_type, int edge, int orientation, thumbnail *made) {
    image large = {0}, small = {0}, turned = {0};
    bool is_png = !strcmp(media_type, "image/png");
    if (!is_png && strcmp(media_type, "image/jpeg")) return false;
    if (!(is_png ? decode_png(bytes, length, &large) : decode_jpeg(bytes, length, edge, &large))) return false;
    int longest = large.width > large.height ? large.width : large.height;
    int width = large.width, height = large.height;
    if (longest > edge) {
        width = (int)((int64_t)large.width * edge / longest);
        height = (int)((int64_t)large.height * edge / longest);
        if (width < 1) width = 1;
        if (height < 1) height = 1;
    }
    bool is_made = shrink(&large, width, height, &small);
    free(large.pixels);
    is_made = is_made && turn(&small, orientation, &turned);
    free(small.pixels);
    is_made = is_made && encode(&turned, made);
    free(turned.pixels);
    return is_made;
}
