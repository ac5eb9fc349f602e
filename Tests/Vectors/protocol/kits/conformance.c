/* The plugin that the transcripts test the C kit with. */
#include "escrow_plugin.h"

static void put_cell(escrow_run *run, int column, const char *type) {
    size_t length;
    if (escrow_is_null(run, column)) escrow_put_null(run, NULL);
    else if (!strcmp(type, "i")) escrow_put_integer(run, NULL, escrow_integer(run, column));
    else if (!strcmp(type, "r")) escrow_put_real(run, NULL, escrow_real(run, column));
    else if (!strcmp(type, "f")) escrow_put_boolean(run, NULL, escrow_boolean(run, column));
    else if (!strcmp(type, "b")) {
        const uint8_t *bytes = escrow_blob(run, column, &length);
        escrow_put_blob(run, NULL, bytes, length);
    } else {
        const char *text = escrow_text(run, column, &length);
        escrow_put_text(run, NULL, text, length);
    }
}

static void compute(escrow_run *run) {
    const char *what = escrow_parameter_text(run, "do");
    if (!strcmp(what, "sum")) {
        int64_t n = 0, sum = 0;
        for (; escrow_next_row(run); n++)
            if (!escrow_is_null(run, 0)) sum += escrow_integer(run, 0);
        escrow_begin_record(run);
        escrow_put_integer(run, "n", n);
        escrow_put_integer(run, "sum", sum);
    } else if (!strcmp(what, "first")) {
        escrow_begin_record(run);
        if (escrow_next_row(run)) escrow_put_integer(run, "first", escrow_integer(run, 0));
    } else if (!strcmp(what, "table")) {
        escrow_begin_table(run);
        while (escrow_next_row(run)) {
            escrow_begin_row(run);
            for (int i = 0; i < escrow_column_count(run); i++) put_cell(run, i, escrow_column_name(run, i));
        }
    } else if (!strcmp(what, "assets")) {
        const uint8_t *bytes;
        const char *type;
        size_t length;
        int64_t count = 0, missing = 0;
        while (escrow_next_row(run)) {
            if (escrow_asset(run, escrow_text(run, 0, NULL), &bytes, &length, &type)) count += (int64_t)length;
            else missing++;
        }
        escrow_begin_record(run);
        escrow_put_integer(run, "bytes", count);
        escrow_put_integer(run, "missing", missing);
    } else if (!strcmp(what, "assets-together")) {
        char *handles[ESCROW_FILES];
        escrow_file files[ESCROW_FILES];
        int64_t count = 0, missing = 0;
        size_t rows = 0;
        while (rows < ESCROW_FILES && escrow_next_row(run)) handles[rows++] = strdup(escrow_text(run, 0, NULL));
        escrow_assets(run, (const char *const *)handles, rows, files);
        for (size_t i = 0; i < rows; i++) {
            count += (int64_t)files[i].length;
            missing += !files[i].bytes;
            free(handles[i]);
        }
        escrow_begin_record(run);
        escrow_put_integer(run, "bytes", count);
        escrow_put_integer(run, "missing", missing);
    } else if (!strcmp(what, "pieces")) {
        char piece[3];
        const char *type;
        int64_t length, count = 0;
        while (escrow_next_row(run)) {
            if (!escrow_open_asset(run, escrow_text(run, 0, NULL), &length, &type)) continue;
            for (int i = 0; i < 2; i++) count += (int64_t)escrow_read_asset(run, piece, sizeof piece);
        }
        escrow_begin_record(run);
        escrow_put_integer(run, "read", count);
    } else if (!strcmp(what, "together") || !strcmp(what, "request")) {
        const char *error;
        escrow_response response;
        int64_t bytes = 0, failed = 0;
        if (!strcmp(what, "request")) {
            for (int i = 0; i < 2; i++) {
                escrow_begin_request(run, i ? "a" : "b");
                escrow_field_real(run, "x", 0.5);
                escrow_field_text(run, "t", "\"", 1);
                escrow_field_boolean(run, "f", true);
                if (!escrow_fetch(run, &error)) failed++;
                while (escrow_next_response(run, &response)) bytes += (int64_t)response.length;
            }
        } else {
            escrow_begin_request(run, "c");
            escrow_begin_request(run, "b");
            escrow_field_integer(run, "n", 1);
            escrow_begin_request(run, "a");
            escrow_field_integer(run, "n", 2);
            if (!escrow_fetch_together(run, &error)) escrow_fail(error);
            while (escrow_next_response(run, &response)) {
                bytes += (int64_t)response.length;
                failed += response.error != NULL;
            }
        }
        escrow_begin_record(run);
        escrow_put_integer(run, "bytes", bytes);
        escrow_put_integer(run, "failed", failed);
    } else {
        escrow_refuse(run, "not-enough-data", "none");
    }
}

ESCROW_PLUGIN(compute)
