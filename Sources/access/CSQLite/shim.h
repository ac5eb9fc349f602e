// SQLite's C interface for Swift. Variadic functions and macros that cast (SQLITE_STATIC, SQLITE_TRANSIENT) do not
// reach Swift, so each gets a typed function here.

#ifndef ESCROW_CSQLITE_SHIM_H
#define ESCROW_CSQLITE_SHIM_H

#include <sqlite3.h>

/// sqlite3_db_config for the switches that take 0 or 1; *now receives the setting as it stands afterwards.
static inline int csqlite_db_config(sqlite3 *db, int op, int value, int *now) {
    return sqlite3_db_config(db, op, value, now);
}

/// sqlite3_vtab_config without an argument, for SQLITE_VTAB_DIRECTONLY.
static inline int csqlite_vtab_config(sqlite3 *db, int op) {
    return sqlite3_vtab_config(db, op);
}

/// A copy of a string in memory of sqlite3_malloc, which idxStr and zErrMsg must come from; NULL without memory.
static inline char *csqlite_strdup(const char *text) {
    return sqlite3_mprintf("%s", text);
}

// SQLite takes a null pointer for NULL, and Swift has one for empty text: these four take it for a value of no bytes.

/// Answers xColumn or a function with text that SQLite copies. The text may hold NUL bytes.
static inline void csqlite_result_text(sqlite3_context *context, const void *text, sqlite3_uint64 count) {
    sqlite3_result_text64(context, text ? text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Answers xColumn or a function with bytes that SQLite copies.
static inline void csqlite_result_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
    sqlite3_result_blob64(context, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Binds text that SQLite copies.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text ? text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds bytes that SQLite copies.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

#endif
