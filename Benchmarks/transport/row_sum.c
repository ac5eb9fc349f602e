/* Adds up every value of every row, to measure how fast rows reach a plugin in C. */
#include "escrow_plugin.h"

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
        total += escrow_moment(run, taken) / 1000000;
    }
    escrow_begin_record(run);
    escrow_put_integer(run, "ids", ids);
    escrow_put_integer(run, "bytes", bytes);
    escrow_put_real(run, "latitude", latitudes);
    escrow_put_integer(run, "seconds", total);
}

ESCROW_PLUGIN(compute)
