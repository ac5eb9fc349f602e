/* Small JPEGs of photos: one row for each photo, without a picture where the file is no JPEG or PNG or cannot be decoded. */
#include "escrow_plugin.h"
#include "thumbnail.h"

enum { MAXIMUM_BYTES = 32768 };

static void compute(escrow_run *run) {
    int asset = escrow_column(run, "asset"), orientation = escrow_column(run, "orientation");
    int64_t count = escrow_parameter_integer(run, "count"), edge = escrow_parameter_integer(run, "edge");
    escrow_begin_table(run);
    for (int64_t position = 1; escrow_next_row(run); position++) {
        const uint8_t *bytes;
        const char *media_type;
        size_t length;
        thumbnail made;
        int64_t turned = escrow_is_null(run, orientation) ? 1 : escrow_integer(run, orientation);
        if (turned < 1 || turned > 8) turned = 1;
        bool is_made = escrow_asset(run, escrow_text(run, asset, NULL), &bytes, &length, &media_type)
            && thumbnail_make(bytes, length, media_type, (int)edge, (int)turned, &made);
        escrow_begin_row(run);
        escrow_put_integer(run, NULL, position);
        if (is_made && made.length <= MAXIMUM_BYTES) {
            escrow_put_integer(run, NULL, made.width);
            escrow_put_integer(run, NULL, made.height);
            escrow_put_blob(run, NULL, made.bytes, made.length);
        } else {
            for (int i = 0; i < 3; i++) escrow_put_null(run, NULL);
        }
        if (is_made) free(made.bytes);
        escrow_progress(run, count > 0 && position <= count ? (double)position / (double)count : 1);
    }
}

ESCROW_PLUGIN(compute)
