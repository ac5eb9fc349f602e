/* The two breeds that each photo most likely shows, with how sure that is (bolt-on data escrow, section 5.3). */
#include "escrow_plugin.h"
#include "labels.h"
#include "network.h"
#include "picture.h"

_Static_assert(sizeof labels / sizeof labels[0] == NETWORK_CLASSES, "one label a class");

/* `repeats` computes each picture so often: a heavier job over the same bytes. 0 looks at none: what is left is the way of the bytes. */
static bool classify(const escrow_file *file, int64_t repeats, char words[160]) {
    static float pixels[NETWORK_EDGE * NETWORK_EDGE * 3];
    float shares[NETWORK_CLASSES];
    if (repeats == 0 || !file->bytes || !picture_read(file->bytes, file->length, NETWORK_EDGE, pixels)) return false;
    for (int64_t i = 0; i < repeats; i++)
        if (!network_classify(pixels, shares)) return false;
    int first = 0, second = -1;
    for (int k = 1; k < NETWORK_CLASSES; k++)
        if (shares[k] > shares[first]) first = k;
    for (int k = 0; k < NETWORK_CLASSES; k++)
        if (k != first && (second < 0 || shares[k] > shares[second])) second = k;
    snprintf(words, 160, "%s %.1f %%, %s %.1f %%", labels[first], (double)shares[first] * 100, labels[second],
             (double)shares[second] * 100);
    return true;
}

static void compute(escrow_run *run) {
    int asset = escrow_column(run, "asset");
    int64_t count = escrow_parameter_integer(run, "count"), repeats = escrow_parameter_integer(run, "repeats");
    int64_t together = escrow_parameter_integer(run, "together"), position = 0;
    char *handles[ESCROW_FILES];
    escrow_file files[ESCROW_FILES];
    escrow_begin_table(run);
    for (bool is_more = true; is_more;) {
        size_t rows = 0;
        while (rows < (size_t)together && (is_more = escrow_next_row(run)))
            handles[rows++] = strdup(escrow_text(run, asset, NULL));
        escrow_assets(run, (const char *const *)handles, rows, files);
        for (size_t i = 0; i < rows; i++) {
            char words[160];
            escrow_begin_row(run);
            escrow_put_integer(run, NULL, ++position);
            if (classify(&files[i], repeats, words)) escrow_put_text(run, NULL, words, strlen(words));
            else escrow_put_null(run, NULL);
            escrow_progress(run, position <= count ? (double)position / (double)count : 1);
            free(handles[i]);
        }
    }
}

ESCROW_PLUGIN(compute)
