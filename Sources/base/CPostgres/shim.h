// PostgreSQL's C library for Swift.
#ifndef ESCROW_CPOSTGRES_SHIM_H
#define ESCROW_CPOSTGRES_SHIM_H

#include <libpq-fe.h>

#endif
