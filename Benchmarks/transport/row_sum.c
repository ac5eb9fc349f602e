/* Adds up every value of every row, to measure how fast rows reach a plugin in C. */
#include "escrow_plugin.h"

/* Seconds since 1970 of a moment as the kit gives it, YYYY-MM-DDThh:mm:ss.sssZ. */
static int64_t seconds(const char *text) {
    int year = atoi(text), month = atoi(text + 5), day = atoi(text + 8);
    int64_t shifted = year - (month <= 2), era = shifted / 400, of_era = shifted - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
    return days * 86400 + atoi(text + 11) * 3600 + atoi(text + 14) * 60 + atoi(text + 17);
}

static void compute(escrow_run *run) {
    int id = escrow_column(run, "id"), name = escrow_column(run, "name");
    int latitude = escrow_column(run, "latitude"), taken = escrow_column(run, "taken");
    int64_t ids = 0, bytes = 0, total = 0;
    double latitudes = 0;
    while (escrow_next_row(run)) {
        size_t length;
        ids += escrow_integer(run, id);
        escrow_text(run, name, &length);
        bytes += (int64_t)length;
        latitudes += escrow_real(run, latitude);
        total += seconds(escrow_text(run, taken, NULL));
    }
    escrow_begin_record(run);
    escrow_put_integer(run, "ids", ids);
    escrow_put_integer(run, "bytes", bytes);
    escrow_put_real(run, "latitude", latitudes);
    escrow_put_integer(run, "seconds", total);
}

ESCROW_PLUGIN(compute)
