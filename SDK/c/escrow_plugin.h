/* The kit for escrow plugins in C: one header, the C library alone.
 *
 *     #include "escrow_plugin.h"
 *
 *     static void compute(escrow_run *run) {
 *         int age = escrow_column(run, "age");
 *         int64_t sum = 0, n = 0;
 *         while (escrow_next_row(run)) { sum += escrow_integer(run, age); n++; }
 *         if (n == 0) { escrow_refuse(run, "not-enough-data", "no rows matched"); return; }
 *         escrow_begin_record(run);
 *         escrow_put_real(run, "mean_age", (double)sum / (double)n);
 *         escrow_put_integer(run, "n", n);
 *     }
 *
 *     ESCROW_PLUGIN(compute)
 *
 * Build with `cc -O2 -static`; with `-DESCROW_ARROW` besides, rows come in Arrow and not in JSON, several times as fast,
 * and nothing else changes. stdin and stdout belong to the protocol (docs/spec/protocol.md): write logs to stderr.
 * A fault that no plugin can mend (the host is gone, a column of another type, no memory) ends the process.
 */
#ifndef ESCROW_PLUGIN_H
#define ESCROW_PLUGIN_H

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct escrow_run escrow_run;

/* Unused functions of the kit are no fault of the plugin's. */
#define ESCROW_API static __attribute__((unused))

/* Ends the process with a line in the log. */
ESCROW_API void escrow_fail(const char *message) __attribute__((noreturn));

/* Rows. Columns go by position; text and blobs are valid until the next row. */

ESCROW_API int escrow_column_count(escrow_run *run);
ESCROW_API const char *escrow_column_name(escrow_run *run, int column);
/* The position of a column, from 0; -1 if there is none of that name. */
ESCROW_API int escrow_column(escrow_run *run, const char *name);
/* Goes to the next row; false after the last. */
ESCROW_API bool escrow_next_row(escrow_run *run);
ESCROW_API bool escrow_is_null(escrow_run *run, int column);
ESCROW_API int64_t escrow_integer(escrow_run *run, int column);
ESCROW_API double escrow_real(escrow_run *run, int column);
ESCROW_API bool escrow_boolean(escrow_run *run, int column);
/* UTF-8 with a NUL after it; a moment is ISO 8601 text in UTC. `length` may be NULL. */
ESCROW_API const char *escrow_text(escrow_run *run, int column, size_t *length);
/* A moment in microseconds since 1970. */
ESCROW_API int64_t escrow_moment(escrow_run *run, int column);
ESCROW_API const uint8_t *escrow_blob(escrow_run *run, int column, size_t *length);

/* Parameters; the manifest gives each a type and a default, so that they are there. */

ESCROW_API int64_t escrow_parameter_integer(escrow_run *run, const char *name);
ESCROW_API double escrow_parameter_real(escrow_run *run, const char *name);
ESCROW_API bool escrow_parameter_boolean(escrow_run *run, const char *name);
ESCROW_API const char *escrow_parameter_text(escrow_run *run, const char *name);

/* An asset's bytes and media type, valid until the next asset; false if the host answered with an error, whose code is
 * in `media_type`. */
ESCROW_API bool escrow_asset(
    escrow_run *run, const char *handle, const uint8_t **bytes, size_t *length, const char **media_type);
/* Several assets in one ask, at most ESCROW_FILES: on a server the plugin then waits for the network once. All of their bytes
 * are held, until the next assets. A file that was not given has no `bytes`, and the error's code in `media_type`. */
enum { ESCROW_FILES = 64 };
typedef struct {
    const uint8_t *bytes;
    size_t length;
    const char *media_type;
} escrow_file;
ESCROW_API void escrow_assets(escrow_run *run, const char *const handles[], size_t count, escrow_file files[]);
/* One in pieces: a video of gigabytes takes no more memory than one of them. The first gives an asset's length and
 * media type, or false with the error's code as above; the second the next bytes, at most `size`, and 0 at the end. What
 * is not read is passed over when the run goes on to anything else, the next rows among it. */
ESCROW_API bool escrow_open_asset(escrow_run *run, const char *handle, int64_t *length, const char **media_type);
ESCROW_API size_t escrow_read_asset(escrow_run *run, void *into, size_t size);

/* Requests that the manifest declares. Begin one, put its fields in, and have it sent; where the manifest says "together",
 * begin all of the run one after the other and have them sent in one go. False if the host refused, with its code in
 * `error`. What came of each is then read in this order; what is not read is passed over when the run goes on to
 * anything else. */

typedef struct {
    const char *error; /* the code of what went wrong; NULL if there is an answer */
    int64_t status;
    const uint8_t *body; /* valid until the next response, as is the media type */
    size_t length;
    const char *media_type;
} escrow_response;

ESCROW_API void escrow_begin_request(escrow_run *run, const char *endpoint);
ESCROW_API void escrow_field_integer(escrow_run *run, const char *name, int64_t value);
ESCROW_API void escrow_field_real(escrow_run *run, const char *name, double value);
ESCROW_API void escrow_field_boolean(escrow_run *run, const char *name, bool value);
ESCROW_API void escrow_field_text(escrow_run *run, const char *name, const char *text, size_t length);
ESCROW_API bool escrow_fetch(escrow_run *run, const char **error);
ESCROW_API bool escrow_fetch_together(escrow_run *run, const char **error);
/* False after the last. */
ESCROW_API bool escrow_next_response(escrow_run *run, escrow_response *response);

/* Tells. `share` goes from 0 to 1; `level` is debug, info, warning or error. */

ESCROW_API void escrow_progress(escrow_run *run, double share);
ESCROW_API void escrow_log(escrow_run *run, const char *level, const char *text);

/* The result: one record, one table, one text or bytes; it goes out when compute() returns. In a table `name` is NULL,
 * and the cells of a row come in the order of the declared columns. */

ESCROW_API void escrow_begin_record(escrow_run *run);
ESCROW_API void escrow_begin_table(escrow_run *run);
ESCROW_API void escrow_begin_row(escrow_run *run);
ESCROW_API void escrow_put_integer(escrow_run *run, const char *name, int64_t value);
ESCROW_API void escrow_put_real(escrow_run *run, const char *name, double value);
ESCROW_API void escrow_put_boolean(escrow_run *run, const char *name, bool value);
ESCROW_API void escrow_put_text(escrow_run *run, const char *name, const char *text, size_t length);
ESCROW_API void escrow_put_blob(escrow_run *run, const char *name, const uint8_t *bytes, size_t length);
ESCROW_API void escrow_put_null(escrow_run *run, const char *name);
ESCROW_API void escrow_result_text(escrow_run *run, const char *text, size_t length);
ESCROW_API void escrow_result_bytes(escrow_run *run, const uint8_t *bytes, size_t length, const char *media_type);
/* Says no; `code` is not-enough-data, bad-parameter, unsupported-data or other. Return from compute() after it. */
ESCROW_API void escrow_refuse(escrow_run *run, const char *code, const char *message);

/* ---- what follows is how it works ---- */

enum { ESCROW_ROWS_PER_ASK = 1000, ESCROW_INPUT = 65536, ESCROW_COLUMNS = 200 };

/* Bytes that grow. */
typedef struct { char *at; size_t length, capacity; } escrow_buffer;

/* A JSON value within a line. */
typedef struct {
    enum { ESCROW_NULL, ESCROW_TRUE, ESCROW_FALSE, ESCROW_NUMBER, ESCROW_STRING, ESCROW_ARRAY, ESCROW_OBJECT } type;
    char *start, *end; /* the value; of a string, what stands between its quotes */
} escrow_value;

#ifdef ESCROW_ARROW
/* A column of the batch that is being read: its buffers within `rows`. */
typedef struct {
    enum { ESCROW_OTHER, ESCROW_INTEGER, ESCROW_REAL, ESCROW_TEXT, ESCROW_BLOB, ESCROW_BOOLEAN, ESCROW_MOMENT } type;
    const uint8_t *validity, *values; /* `validity` is NULL where no value is null */
    uint8_t *data; /* texts or blobs, one after the other */
    size_t data_length;
    uint8_t *cut, saved; /* where a NUL stands until the next row, and what stood there */
    escrow_buffer own; /* a text that has no room for a NUL, or a moment in words */
} escrow_arrow;
#endif

struct escrow_run {
    escrow_buffer hello, rows, line, asset, result, requests, answers, body;
    escrow_value parameters;
    char *names[ESCROW_COLUMNS], *media_type, *file_types[ESCROW_FILES];
    char missing[65]; /* the column that was asked for last and is not there */
    int columns;
#ifdef ESCROW_ARROW
    escrow_arrow arrow[ESCROW_COLUMNS];
    size_t next_message; /* within `rows` */
    int64_t row, row_count, rows_per_ask;
#else
    escrow_value cells[ESCROW_COLUMNS];
    char *next_row; /* within `rows`; NULL when an answer is used up */
#endif
    bool is_last_row_here;
    enum { ESCROW_NOTHING, ESCROW_RECORD, ESCROW_TABLE, ESCROW_DONE } shape;
    bool needs_comma, is_row_open, has_row;
    double last_progress;
    int64_t asset_left; /* of the open asset, or of the bodies of responses */
    char *next_answer; /* within `answers`; NULL where there are none */
    int begun_requests;
    bool needs_field_comma;
    size_t unread, filled;
    char input[ESCROW_INPUT];
};

ESCROW_API void escrow_fail(const char *message) {
    ssize_t ignored = write(2, message, strlen(message));
    ignored = write(2, "\n", 1);
    (void)ignored;
    exit(70);
}

ESCROW_API void escrow__grow(escrow_buffer *buffer, size_t more) {
    if (more > SIZE_MAX / 2 - buffer->length) escrow_fail("out of memory");
    size_t needed = buffer->length + more;
    if (needed <= buffer->capacity) return;
    size_t capacity = buffer->capacity ? buffer->capacity : 4096;
    while (capacity < needed) capacity *= 2;
    char *at = realloc(buffer->at, capacity);
    if (!at) escrow_fail("out of memory");
    buffer->at = at;
    buffer->capacity = capacity;
}

ESCROW_API void escrow__append(escrow_buffer *buffer, const void *bytes, size_t length) {
    escrow__grow(buffer, length);
    if (length) memcpy(buffer->at + buffer->length, bytes, length);
    buffer->length += length;
}

ESCROW_API void escrow__print(escrow_buffer *buffer, const char *text) { escrow__append(buffer, text, strlen(text)); }

ESCROW_API void escrow__quote(escrow_buffer *buffer, const char *text, size_t length) {
    escrow__print(buffer, "\"");
    for (size_t i = 0, start = 0; i <= length; i++) {
        unsigned char byte = i < length ? (unsigned char)text[i] : 0;
        if (i < length && byte >= 0x20 && byte != '"' && byte != '\\') continue;
        escrow__append(buffer, text + start, i - start);
        start = i + 1;
        if (i == length) break;
        char escaped[8];
        snprintf(escaped, sizeof escaped, byte < 0x20 ? "\\u%04x" : "\\%c", byte);
        escrow__print(buffer, escaped);
    }
    escrow__print(buffer, "\"");
}

ESCROW_API void escrow__write(const char *at, size_t length) {
    while (length > 0) {
        ssize_t count = write(1, at, length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) escrow_fail("the host closed the connection");
        at += count;
        length -= (size_t)count;
    }
}

ESCROW_API bool escrow__fill(escrow_run *run) {
    ssize_t count;
    do count = read(0, run->input, sizeof run->input); while (count < 0 && errno == EINTR);
    run->unread = 0;
    run->filled = count > 0 ? (size_t)count : 0;
    return count > 0;
}

/* Lines and raw bytes share one stream, so both come through the one buffer. */
ESCROW_API void escrow__read_line(escrow_run *run, escrow_buffer *line) {
    line->length = 0;
    for (;;) {
        char *start = run->input + run->unread;
        size_t available = run->filled - run->unread;
        char *end = available ? memchr(start, '\n', available) : NULL;
        escrow__append(line, start, end ? (size_t)(end - start) : available);
        if (end) {
            run->unread = (size_t)(end + 1 - run->input);
            escrow__append(line, "", 1);
            return;
        }
        if (!escrow__fill(run)) escrow_fail("the host closed the connection");
    }
}

ESCROW_API void escrow__read_bytes(escrow_run *run, escrow_buffer *into, size_t count) {
    into->length = 0;
    escrow__grow(into, count);
    while (into->length < count) {
        size_t left = count - into->length, available = run->filled - run->unread;
        if (available == 0) {
            if (!escrow__fill(run)) escrow_fail("the host closed the connection");
            continue;
        }
        if (available > left) available = left;
        escrow__append(into, run->input + run->unread, available);
        run->unread += available;
    }
}

/* Reading JSON: every line ends with a NUL, which no rule below steps over. */

ESCROW_API void escrow__malformed(void) { escrow_fail("the host's line is not JSON"); }

ESCROW_API char *escrow__space(char *at) {
    while (*at == ' ' || *at == '\t' || *at == '\r') at++;
    return at;
}

ESCROW_API unsigned escrow__hex(const char *at) {
    unsigned code = 0;
    for (int i = 0; i < 4; i++) {
        char c = at[i];
        unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0')
            : (c | 32) >= 'a' && (c | 32) <= 'f' ? (unsigned)((c | 32) - 'a' + 10) : 16;
        if (digit > 15) escrow__malformed();
        code = code << 4 | digit;
    }
    return code;
}

ESCROW_API char *escrow__utf8(char *to, unsigned code) {
    if (code < 0x80) *to++ = (char)code;
    else if (code < 0x800) { *to++ = (char)(0xC0 | code >> 6); *to++ = (char)(0x80 | (code & 63)); }
    else if (code < 0x10000) {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    } else {
        *to++ = (char)(0xF0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 63));
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    }
    return to;
}

/* Reads the string whose quote stands at `at`, and returns the place after it. With `unescape` the text is unescaped
 * where it stands and ends with a NUL: nothing can step over it a second time. */
ESCROW_API char *escrow__string(char *at, bool unescape, escrow_value *value) {
    char *to = ++at;
    value->type = ESCROW_STRING;
    value->start = to;
    for (;;) {
        char *run = at;
        while (*at && *at != '"' && *at != '\\') at++;
        if (unescape && to != run) memmove(to, run, (size_t)(at - run));
        to += at - run;
        if (!*at) escrow__malformed();
        if (*at == '"') break;
        if (!at[1]) escrow__malformed();
        if (!unescape) { at += 2; to = at; continue; }
        char escape = at[1];
        at += 2;
        switch (escape) {
        case 'n': *to++ = '\n'; break;
        case 't': *to++ = '\t'; break;
        case 'r': *to++ = '\r'; break;
        case 'b': *to++ = '\b'; break;
        case 'f': *to++ = '\f'; break;
        case 'u': {
            unsigned code = escrow__hex(at);
            at += 4;
            if (code >= 0xD800 && code < 0xDC00 && at[0] == '\\' && at[1] == 'u') {
                unsigned low = escrow__hex(at + 2);
                at += 6;
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            }
            to = escrow__utf8(to, code & 0x1FFFFF);
            break;
        }
        default: *to++ = escape;
        }
    }
    value->end = to;
    if (unescape) *to = 0;
    return at + 1;
}

/* Reads one value and returns the place after it. Arrays and objects are stepped over, not looked into. */
ESCROW_API char *escrow__value(char *at, escrow_value *value, bool unescape) {
    at = escrow__space(at);
    value->start = at;
    switch (*at) {
    case '"': return escrow__string(at, unescape, value);
    case 'n': value->type = ESCROW_NULL; if (strncmp(at, "null", 4)) escrow__malformed(); value->end = at + 4; break;
    case 't': value->type = ESCROW_TRUE; if (strncmp(at, "true", 4)) escrow__malformed(); value->end = at + 4; break;
    case 'f': value->type = ESCROW_FALSE; if (strncmp(at, "false", 5)) escrow__malformed(); value->end = at + 5; break;
    case '[': case '{': {
        value->type = *at == '[' ? ESCROW_ARRAY : ESCROW_OBJECT;
        long depth = 0;
        do {
            if (!*at) escrow__malformed();
            if (*at == '"') { escrow_value ignored; at = escrow__string(at, false, &ignored); continue; }
            if (*at == '[' || *at == '{') depth++;
            if (*at == ']' || *at == '}') depth--;
            at++;
        } while (depth > 0);
        value->end = at;
        break;
    }
    default:
        value->type = ESCROW_NUMBER;
        while (*at == '-' || *at == '+' || *at == '.' || (*at | 32) == 'e' || (*at >= '0' && *at <= '9')) at++;
        if (at == value->start) escrow__malformed();
        value->end = at;
    }
    return value->end;
}

/* The member of that name; false if the object has none. */
ESCROW_API bool escrow__member(const escrow_value *object, const char *name, escrow_value *value) {
    if (object->type != ESCROW_OBJECT) escrow__malformed();
    char *at = escrow__space(object->start + 1);
    size_t length = strlen(name);
    while (*at == '"') {
        escrow_value key;
        at = escrow__space(escrow__string(at, false, &key));
        if (*at != ':') escrow__malformed();
        /* The names that the protocol uses have nothing to unescape. */
        bool is_it = (size_t)(key.end - key.start) == length && !memcmp(key.start, name, length);
        at = escrow__space(escrow__value(at + 1, value, false));
        if (is_it) return true;
        if (*at == ',') at = escrow__space(at + 1);
    }
    return false;
}

/* An unescaped copy of a string, to be freed. */
ESCROW_API char *escrow__copy(const escrow_value *value) {
    size_t length = (size_t)(value->end - value->start);
    char *copy = malloc(length + 3);
    if (!copy) escrow_fail("out of memory");
    copy[0] = '"';
    memcpy(copy + 1, value->start, length);
    copy[length + 1] = '"';
    copy[length + 2] = 0;
    escrow_value text;
    escrow__string(copy, true, &text);
    size_t unescaped = (size_t)(text.end - text.start);
    memmove(copy, text.start, unescaped);
    copy[unescaped] = 0;
    return copy;
}

ESCROW_API void escrow__required(const escrow_value *object, const char *name, int type, escrow_value *value) {
    if (!escrow__member(object, name, value) || (int)value->type != type)
        escrow_fail("the host's line lacks a member");
}

ESCROW_API int64_t escrow__int(const escrow_value *value) {
    bool negative = *value->start == '-';
    uint64_t number = 0;
    for (const char *at = value->start + negative; at < value->end; at++) {
        if (*at < '0' || *at > '9') escrow_fail("a number is not whole");
        if (__builtin_mul_overflow(number, (uint64_t)10, &number)
            || __builtin_add_overflow(number, (uint64_t)(*at - '0'), &number))
            escrow_fail("a whole number is too large");
    }
    if (number > (uint64_t)INT64_MAX + negative) escrow_fail("a whole number is too large");
    return negative ? (int64_t)(0 - number) : (int64_t)number;
}

ESCROW_API double escrow__double(const escrow_value *value) {
    /* What follows a number in a line is no part of one, so strtod() stops by itself. */
    return strtod(value->start, NULL);
}

/* Reads over what is left of an asset or of responses: the host has to have written all of an answer before it takes the
 * next message. */
ESCROW_API void escrow__pass_over(escrow_run *run) {
    run->next_answer = NULL;
    while (run->asset_left > 0) {
        size_t available = run->filled - run->unread;
        if (available == 0 && !escrow__fill(run)) escrow_fail("the host closed the connection");
        if ((uint64_t)available > (uint64_t)run->asset_left) available = (size_t)run->asset_left;
        run->unread += available;
        run->asset_left -= (int64_t)available;
    }
}

/* Sends a line and reads the one that answers; false if that is an error, whose code is then in `media_type`. */
ESCROW_API bool escrow__ask(escrow_run *run, escrow_buffer *ask, escrow_buffer *line, escrow_value *answer) {
    escrow__pass_over(run);
    escrow__print(ask, "\n");
    escrow__write(ask->at, ask->length);
    free(ask->at);
    escrow__read_line(run, line);
    escrow__value(line->at, answer, false);
    escrow_value error, code;
    if (!escrow__member(answer, "error", &error)) return true;
    escrow__required(&error, "code", ESCROW_STRING, &code);
    free(run->media_type);
    run->media_type = escrow__copy(&code);
    if (!strcmp(run->media_type, "cancelled")) exit(75);
    return false;
}

#ifdef ESCROW_ARROW
/* What the host's first line says that a column holds. */
ESCROW_API int escrow__type(const escrow_value *column) {
    static const struct { const char *name; int type; } types[] = {
        {"integer", ESCROW_INTEGER}, {"real", ESCROW_REAL}, {"text", ESCROW_TEXT}, {"asset", ESCROW_TEXT},
        {"blob", ESCROW_BLOB}, {"boolean", ESCROW_BOOLEAN}, {"timestamp", ESCROW_MOMENT}};
    escrow_value type;
    escrow__required(column, "type", ESCROW_STRING, &type);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if ((size_t)(type.end - type.start) == strlen(types[i].name)
            && !memcmp(type.start, types[i].name, strlen(types[i].name)))
            return types[i].type;
    return ESCROW_OTHER;
}
#endif

ESCROW_API void escrow__start(escrow_run *run) {
    escrow_value hello, value, item;
    escrow__read_line(run, &run->hello);
    escrow__value(run->hello.at, &hello, false);
    escrow__required(&hello, "escrow", ESCROW_NUMBER, &value);
    if (escrow__int(&value) != 1) escrow_fail("the host's first line is not that of protocol 1");
    escrow__required(&hello, "params", ESCROW_OBJECT, &run->parameters);
    escrow__required(&hello, "columns", ESCROW_ARRAY, &value);
    char *at = escrow__space(value.start + 1);
    while (*at == '{') {
        if (run->columns == ESCROW_COLUMNS) escrow_fail("too many columns");
        at = escrow__space(escrow__value(at, &item, false));
        escrow__required(&item, "name", ESCROW_STRING, &value);
#ifdef ESCROW_ARROW
        run->arrow[run->columns].type = escrow__type(&item);
#endif
        run->names[run->columns++] = escrow__copy(&value);
        if (*at == ',') at = escrow__space(at + 1);
    }
#ifdef ESCROW_ARROW
    escrow__required(&hello, "limits", ESCROW_OBJECT, &item);
    escrow__required(&item, "rowsPerAsk", ESCROW_NUMBER, &value);
    run->rows_per_ask = escrow__int(&value);
#endif
    run->last_progress = -1;
}

ESCROW_API int escrow_column_count(escrow_run *run) { return run->columns; }

/* How many letters must be put in, left out or replaced to make one name of another. */
ESCROW_API size_t escrow__distance(const char *left, const char *right) {
    size_t row[65], length = strlen(right);
    if (length > 64) return 65;
    for (size_t j = 0; j <= length; j++) row[j] = j;
    for (size_t i = 0; left[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t best = diagonal + (left[i] != right[j]);
            diagonal = row[j + 1];
            if (row[j + 1] + 1 < best) best = row[j + 1] + 1;
            if (row[j] + 1 < best) best = row[j] + 1;
            row[j + 1] = best;
        }
    }
    return row[length];
}

/* Ends the process: a position is no column's. Names the column that was looked for, and the nearest that there is. */
ESCROW_API __attribute__((noreturn)) void escrow__no_column(escrow_run *run) {
    char message[320];
    int nearest = -1;
    if (!*run->missing) escrow_fail("the rows have no such column");
    for (int i = 0; i < run->columns; i++)
        if (nearest < 0 || escrow__distance(run->missing, run->names[i]) < escrow__distance(run->missing, run->names[nearest]))
            nearest = i;
    snprintf(message, sizeof message, "the rows have no column \"%s\"; the nearest is \"%.64s\"", run->missing,
             nearest < 0 ? "" : run->names[nearest]);
    escrow_fail(message);
}

ESCROW_API const char *escrow_column_name(escrow_run *run, int column) {
    if (column < 0 || column >= run->columns) escrow__no_column(run);
    return run->names[column];
}

ESCROW_API int escrow_column(escrow_run *run, const char *name) {
    for (int i = 0; i < run->columns; i++)
        if (!strcmp(run->names[i], name)) return i;
    snprintf(run->missing, sizeof run->missing, "%s", name);
    return -1;
}

#ifdef ESCROW_ARROW

/* Rows in Arrow: an IPC stream (Arrow columnar format 1.5) in pieces. Its metadata are FlatBuffers; whatever an offset
 * in them says is checked before it is followed. */

/* A table of a FlatBuffer. */
typedef struct { const uint8_t *base; size_t length, at; } escrow_table;

ESCROW_API void escrow__broken(void) { escrow_fail("the host's rows are not an Arrow stream"); }

/* A number of so many bytes, little-endian. */
ESCROW_API uint64_t escrow__number(const uint8_t *at, int size) {
    uint64_t number = 0;
    for (int i = size - 1; i >= 0; i--) number = number << 8 | at[i];
    return number;
}

/* A number within a table's FlatBuffer. */
ESCROW_API uint64_t escrow__within(const escrow_table *table, size_t at, int size) {
    if (at > table->length || table->length - at < (size_t)size) escrow__broken();
    return escrow__number(table->base + at, size);
}

/* Where a field lies in its table; 0 if it is absent. */
ESCROW_API size_t escrow__field(const escrow_table *table, unsigned index) {
    int64_t vtable = (int64_t)table->at - (int32_t)escrow__within(table, table->at, 4);
    if (vtable < 0) escrow__broken();
    size_t slot = 4 + 2 * (size_t)index, size = escrow__within(table, (size_t)vtable, 2);
    uint64_t offset = slot + 2 <= size ? escrow__within(table, (size_t)vtable + slot, 2) : 0;
    return offset ? table->at + (size_t)offset : 0;
}

/* What a field of offsets points to. */
ESCROW_API size_t escrow__target(const escrow_table *table, unsigned index) {
    size_t field = escrow__field(table, index);
    if (!field) escrow__broken();
    return field + (size_t)escrow__within(table, field, 4);
}

/* The next buffer of a batch; at least `needed` bytes long, or empty where `may_be_empty`. */
ESCROW_API uint8_t *escrow__buffer(
    const escrow_table *batch, size_t buffers, int *next, uint8_t *body, uint64_t length, uint64_t needed,
    bool may_be_empty, size_t *size) {
    if (*next >= (int)escrow__within(batch, buffers, 4)) escrow__broken();
    size_t at = buffers + 4 + 16 * (size_t)(*next)++;
    uint64_t start = escrow__within(batch, at, 8), count = escrow__within(batch, at + 8, 8);
    if (start > length || count > length - start) escrow__broken();
    if (size) *size = (size_t)count;
    if (count == 0 && may_be_empty) return NULL;
    if (count < needed) escrow__broken();
    return body + start;
}

/* Points the columns at a batch. */
ESCROW_API void escrow__take(escrow_run *run, const escrow_table *batch, uint8_t *body, uint64_t length) {
    size_t field = escrow__field(batch, 0), buffers = escrow__target(batch, 2);
    uint64_t rows = field ? escrow__within(batch, field, 8) : 0;
    int next = 0;
    if (rows / 8 > length) escrow__broken(); /* the smallest column has a bit a row */
    for (int i = 0; i < run->columns; i++) {
        escrow_arrow *column = &run->arrow[i];
        bool has_offsets = column->type == ESCROW_TEXT || column->type == ESCROW_BLOB;
        uint64_t needed = has_offsets ? (rows + 1) * 4 : column->type == ESCROW_BOOLEAN ? (rows + 7) / 8 : rows * 8;
        if (column->type == ESCROW_OTHER) escrow_fail("a column is of a type that this kit does not know");
        column->validity = escrow__buffer(batch, buffers, &next, body, length, (rows + 7) / 8, true, NULL);
        column->values = escrow__buffer(batch, buffers, &next, body, length, needed, rows == 0, NULL);
        column->data = has_offsets
            ? escrow__buffer(batch, buffers, &next, body, length, 0, true, &column->data_length) : NULL;
    }
    run->row = -1;
    run->row_count = (int64_t)rows;
}

/* Goes to the next batch of an answer; false after its last. */
ESCROW_API bool escrow__next_batch(escrow_run *run) {
    while (run->rows.length - run->next_message >= 8) {
        uint8_t *at = (uint8_t *)run->rows.at + run->next_message;
        size_t left = run->rows.length - run->next_message - 8;
        uint64_t size = escrow__number(at + 4, 4);
        if (escrow__number(at, 4) != 0xFFFFFFFF || size > left) escrow__broken();
        run->next_message += 8 + (size_t)size;
        if (size == 0) continue; /* the end of the stream */
        escrow_table message = {at + 8, (size_t)size, 0};
        message.at = (size_t)escrow__within(&message, 0, 4);
        size_t type = escrow__field(&message, 1), body = escrow__field(&message, 3);
        uint64_t kind = type ? escrow__within(&message, type, 1) : 0;
        uint64_t length = body ? escrow__within(&message, body, 8) : 0;
        if (length > left - size) escrow__broken();
        run->next_message += (size_t)length;
        if (kind == 1) continue; /* the schema says what the host's first line said */
        if (kind != 3) escrow__broken();
        message.at = escrow__target(&message, 2);
        escrow__take(run, &message, at + 8 + size, length);
        return true;
    }
    return false;
}

ESCROW_API bool escrow_next_row(escrow_run *run) {
    for (int i = 0; i < run->columns; i++) {
        if (run->arrow[i].cut) *run->arrow[i].cut = run->arrow[i].saved;
        run->arrow[i].cut = NULL;
        run->arrow[i].own.length = 0;
    }
    while (run->row + 1 >= run->row_count) {
        if (escrow__next_batch(run)) continue;
        if (run->is_last_row_here) return false;
        escrow_buffer ask = {0};
        escrow_value answer, batch, count, more;
        char text[64];
        snprintf(text, sizeof text, "{\"ask\":\"rows\",\"max\":%lld}", (long long)run->rows_per_ask);
        escrow__print(&ask, text);
        if (!escrow__ask(run, &ask, &run->line, &answer) || !escrow__member(&answer, "batch", &batch))
            escrow_fail("the host's answer holds no rows");
        escrow__required(&batch, "bytes", ESCROW_NUMBER, &count);
        int64_t size = escrow__int(&count);
        if (size < 0 || !escrow__member(&batch, "more", &more)) escrow__malformed();
        run->is_last_row_here = more.type != ESCROW_TRUE;
        escrow__read_bytes(run, &run->rows, (size_t)size);
        run->next_message = 0;
        run->row = -1;
        run->row_count = 0;
    }
    run->row++;
    return true;
}

ESCROW_API bool escrow_is_null(escrow_run *run, int column) {
    if (column < 0 || column >= run->columns) escrow__no_column(run);
    const uint8_t *validity = run->arrow[column].validity;
    return validity && !(validity[run->row >> 3] >> (run->row & 7) & 1);
}

/* A column that holds a value in this row. */
ESCROW_API escrow_arrow *escrow__cell(escrow_run *run, int column, const char *otherwise) {
    if (escrow_is_null(run, column)) escrow_fail(otherwise);
    return &run->arrow[column];
}

ESCROW_API int64_t escrow__word(escrow_run *run, const escrow_arrow *column) {
    int64_t word;
    memcpy(&word, column->values + 8 * run->row, sizeof word);
    return word;
}

ESCROW_API int64_t escrow_integer(escrow_run *run, int column) {
    escrow_arrow *cell = escrow__cell(run, column, "a cell is no whole number");
    if (cell->type != ESCROW_INTEGER) escrow_fail("a cell is no whole number");
    return escrow__word(run, cell);
}

ESCROW_API double escrow_real(escrow_run *run, int column) {
    escrow_arrow *cell = escrow__cell(run, column, "a cell is no number");
    double value;
    if (cell->type == ESCROW_INTEGER) return (double)escrow__word(run, cell);
    if (cell->type != ESCROW_REAL) escrow_fail("a cell is no number");
    memcpy(&value, cell->values + 8 * run->row, sizeof value);
    return value;
}

ESCROW_API bool escrow_boolean(escrow_run *run, int column) {
    escrow_arrow *cell = escrow__cell(run, column, "a cell is neither true nor false");
    if (cell->type != ESCROW_BOOLEAN) escrow_fail("a cell is neither true nor false");
    return cell->values[run->row >> 3] >> (run->row & 7) & 1;
}

ESCROW_API int64_t escrow_moment(escrow_run *run, int column) {
    escrow_arrow *cell = escrow__cell(run, column, "a cell is no moment");
    if (cell->type != ESCROW_MOMENT) escrow_fail("a cell is no moment");
    return escrow__word(run, cell);
}

/* Where a text or blob of this row begins and ends within its column's data. */
ESCROW_API void escrow__range(escrow_run *run, const escrow_arrow *column, size_t *start, size_t *end) {
    uint32_t ends[2];
    memcpy(ends, column->values + 4 * run->row, sizeof ends);
    if (ends[0] > ends[1] || ends[1] > column->data_length) escrow__broken();
    *start = ends[0];
    *end = ends[1];
}

/* Spells a moment as the rows in JSON have it, to the millisecond. */
ESCROW_API const char *escrow__spell(escrow_arrow *column, int64_t microseconds, size_t *length) {
    int64_t milliseconds = microseconds / 1000 - (microseconds % 1000 < 0);
    int64_t days = milliseconds / 86400000 - (milliseconds % 86400000 < 0), rest = milliseconds - days * 86400000;
    /* The years begin in March, so that a leap day is the last of its year; 719468 days lie before 1970. */
    int64_t shifted = days + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    int64_t of_era = shifted - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
    int64_t day = of_year - (153 * month + 2) / 5 + 1;
    month += month < 10 ? 3 : -9;
    year += era * 400 + (month <= 2);
    char text[64];
    int count = snprintf(
        text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", (int)year, (int)month, (int)day,
        (int)(rest / 3600000), (int)(rest / 60000 % 60), (int)(rest / 1000 % 60), (int)(rest % 1000));
    column->own.length = 0;
    escrow__append(&column->own, text, (size_t)count + 1);
    if (length) *length = (size_t)count;
    return column->own.at;
}

ESCROW_API const char *escrow_text(escrow_run *run, int column, size_t *length) {
    escrow_arrow *cell = escrow__cell(run, column, "a cell is no text");
    size_t start, end;
    if (cell->type == ESCROW_MOMENT) return escrow__spell(cell, escrow__word(run, cell), length);
    if (cell->type != ESCROW_TEXT) escrow_fail("a cell is no text");
    escrow__range(run, cell, &start, &end);
    if (length) *length = end - start;
    if (end < cell->data_length) {
        /* The byte after a text is the first of another row's: it is put back before that row is read. */
        if (!cell->cut) {
            cell->cut = cell->data + end;
            cell->saved = *cell->cut;
            *cell->cut = 0;
        }
        return (const char *)cell->data + start;
    }
    if (cell->own.length == 0) {
        if (end > start) escrow__append(&cell->own, cell->data + start, end - start);
        escrow__append(&cell->own, "", 1);
    }
    return cell->own.at;
}

ESCROW_API const uint8_t *escrow_blob(escrow_run *run, int column, size_t *length) {
    escrow_arrow *cell = escrow__cell(run, column, "a cell is no blob");
    size_t start, end;
    if (cell->type == ESCROW_TEXT) return (const uint8_t *)escrow_text(run, column, length);
    if (cell->type != ESCROW_BLOB) escrow_fail("a cell is no blob");
    escrow__range(run, cell, &start, &end);
    if (length) *length = end - start;
    return cell->data ? cell->data + start : (const uint8_t *)"";
}

#else /* rows in JSON */

ESCROW_API bool escrow_next_row(escrow_run *run) {
    while (!run->next_row) {
        if (run->is_last_row_here) return false;
        escrow_buffer ask = {0};
        escrow_value answer, rows, more;
        char text[64];
        snprintf(text, sizeof text, "{\"ask\":\"rows\",\"rows\":\"json\",\"max\":%d}", ESCROW_ROWS_PER_ASK);
        escrow__print(&ask, text);
        if (!escrow__ask(run, &ask, &run->rows, &answer) || !escrow__member(&answer, "rows", &rows) || rows.type != ESCROW_ARRAY
            || !escrow__member(&answer, "more", &more))
            escrow_fail("the host's answer holds no rows");
        run->is_last_row_here = more.type != ESCROW_TRUE;
        run->next_row = escrow__space(rows.start + 1);
        if (*run->next_row != '[') run->next_row = NULL;
    }
    char *at = escrow__space(run->next_row + 1);
    for (int i = 0; i < run->columns; i++) {
        at = escrow__space(escrow__value(at, &run->cells[i], true));
        if (*at == ',' && i + 1 < run->columns) at = escrow__space(at + 1);
    }
    if (*at != ']') escrow_fail("a row has another number of cells than there are columns");
    at = escrow__space(at + 1);
    if (*at == ',') at = escrow__space(at + 1);
    run->next_row = *at == '[' ? at : NULL;
    return true;
}

ESCROW_API escrow_value *escrow__cell(escrow_run *run, int column) {
    if (column < 0 || column >= run->columns) escrow__no_column(run);
    return &run->cells[column];
}

ESCROW_API bool escrow_is_null(escrow_run *run, int column) { return escrow__cell(run, column)->type == ESCROW_NULL; }

ESCROW_API int64_t escrow_integer(escrow_run *run, int column) {
    escrow_value *cell = escrow__cell(run, column), wide;
    if (cell->type == ESCROW_NUMBER) return escrow__int(cell);
    if (cell->type != ESCROW_OBJECT) escrow_fail("a cell is no whole number");
    escrow__required(cell, "i64", ESCROW_STRING, &wide);
    return escrow__int(&wide);
}

ESCROW_API double escrow_real(escrow_run *run, int column) {
    escrow_value *cell = escrow__cell(run, column), word;
    if (cell->type == ESCROW_NUMBER) return escrow__double(cell);
    if (cell->type != ESCROW_OBJECT) escrow_fail("a cell is no number");
    escrow__required(cell, "f64", ESCROW_STRING, &word);
    return *word.start == '-' ? -INFINITY : *word.start == 'i' ? INFINITY : NAN;
}

ESCROW_API bool escrow_boolean(escrow_run *run, int column) {
    escrow_value *cell = escrow__cell(run, column);
    if (cell->type != ESCROW_TRUE && cell->type != ESCROW_FALSE) escrow_fail("a cell is neither true nor false");
    return cell->type == ESCROW_TRUE;
}

ESCROW_API const char *escrow_text(escrow_run *run, int column, size_t *length) {
    escrow_value *cell = escrow__cell(run, column);
    if (cell->type != ESCROW_STRING) escrow_fail("a cell is no text");
    if (length) *length = (size_t)(cell->end - cell->start);
    return cell->start;
}

ESCROW_API const uint8_t *escrow_blob(escrow_run *run, int column, size_t *length) {
    escrow_value *cell = escrow__cell(run, column), text;
    /* Read once, a blob is a string of its bytes: they take less room than their base64, and stand in its place. */
    if (cell->type == ESCROW_OBJECT) {
        escrow__required(cell, "b64", ESCROW_STRING, &text);
        uint8_t *to = (uint8_t *)text.start;
        uint32_t group = 0;
        int bits = 0;
        for (char *at = text.start; at < text.end && *at != '='; at++) {
            char c = *at;
            int digit = c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26
                : c >= '0' && c <= '9' ? c - '0' + 52 : c == '+' ? 62 : c == '/' ? 63 : -1;
            if (digit < 0) escrow__malformed();
            group = group << 6 | (uint32_t)digit;
            bits += 6;
            if (bits >= 8) {
                bits -= 8;
                *to++ = (uint8_t)(group >> bits);
            }
        }
        cell->type = ESCROW_STRING;
        cell->start = text.start;
        cell->end = (char *)to;
    }
    return (const uint8_t *)escrow_text(run, column, length);
}

/* Two digits or four, as they stand in a moment. */
ESCROW_API int64_t escrow__digits(const char *at, int count) {
    int64_t number = 0;
    for (int i = 0; i < count; i++) {
        if (at[i] < '0' || at[i] > '9') escrow_fail("a cell is no moment");
        number = number * 10 + (at[i] - '0');
    }
    return number;
}

ESCROW_API int64_t escrow_moment(escrow_run *run, int column) {
    size_t length;
    const char *text = escrow_text(run, column, &length); /* 2026-03-01T12:00:00.000Z */
    if (length != 24) escrow_fail("a cell is no moment");
    /* The years begin in March, so that a leap day is the last of its year; 719468 days lie before 1970. */
    int64_t month = escrow__digits(text + 5, 2), year = escrow__digits(text, 4) - (month <= 2);
    int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + escrow__digits(text + 8, 2) - 1;
    int64_t days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
    int64_t minutes = escrow__digits(text + 11, 2) * 60 + escrow__digits(text + 14, 2);
    int64_t seconds = days * 86400 + minutes * 60 + escrow__digits(text + 17, 2);
    return (seconds * 1000 + escrow__digits(text + 20, 3)) * 1000;
}

#endif /* ESCROW_ARROW */

ESCROW_API escrow_value escrow__parameter(escrow_run *run, const char *name) {
    escrow_value value;
    if (!escrow__member(&run->parameters, name, &value)) escrow_fail("the run has no such parameter");
    return value;
}

ESCROW_API int64_t escrow_parameter_integer(escrow_run *run, const char *name) {
    escrow_value value = escrow__parameter(run, name);
    if (value.type != ESCROW_NUMBER) escrow_fail("a parameter is no whole number");
    return escrow__int(&value);
}

ESCROW_API double escrow_parameter_real(escrow_run *run, const char *name) {
    escrow_value value = escrow__parameter(run, name);
    if (value.type != ESCROW_NUMBER) escrow_fail("a parameter is no number");
    return escrow__double(&value);
}

ESCROW_API bool escrow_parameter_boolean(escrow_run *run, const char *name) {
    escrow_value value = escrow__parameter(run, name);
    if (value.type != ESCROW_TRUE && value.type != ESCROW_FALSE) escrow_fail("a parameter is neither true nor false");
    return value.type == ESCROW_TRUE;
}

ESCROW_API const char *escrow_parameter_text(escrow_run *run, const char *name) {
    escrow_value value = escrow__parameter(run, name);
    if (value.type != ESCROW_STRING) escrow_fail("a parameter is no text");
    return escrow__copy(&value);
}

ESCROW_API bool escrow_open_asset(escrow_run *run, const char *handle, int64_t *length, const char **media_type) {
    escrow_buffer ask = {0};
    escrow_value answer, header, count, type;
    escrow__print(&ask, "{\"ask\":\"asset\",\"id\":");
    escrow__quote(&ask, handle, strlen(handle));
    escrow__print(&ask, "}");
    bool is_there = escrow__ask(run, &ask, &run->line, &answer);
    *media_type = run->media_type;
    if (!is_there) return false;
    escrow__required(&answer, "asset", ESCROW_OBJECT, &header);
    escrow__required(&header, "bytes", ESCROW_NUMBER, &count);
    *length = escrow__int(&count);
    escrow__required(&header, "mediaType", ESCROW_STRING, &type);
    if (*length < 0) escrow__malformed();
    run->asset_left = *length;
    free(run->media_type);
    *media_type = run->media_type = escrow__copy(&type);
    return true;
}

ESCROW_API size_t escrow_read_asset(escrow_run *run, void *into, size_t size) {
    if ((uint64_t)size > (uint64_t)run->asset_left) size = (size_t)run->asset_left;
    size_t done = 0;
    while (done < size) {
        size_t available = run->filled - run->unread;
        if (available == 0) {
            if (!escrow__fill(run)) escrow_fail("the host closed the connection");
            continue;
        }
        if (available > size - done) available = size - done;
        memcpy((char *)into + done, run->input + run->unread, available);
        run->unread += available;
        done += available;
    }
    run->asset_left -= (int64_t)done;
    return done;
}

ESCROW_API bool escrow_asset(
    escrow_run *run, const char *handle, const uint8_t **bytes, size_t *length, const char **media_type) {
    int64_t size;
    if (!escrow_open_asset(run, handle, &size, media_type)) return false;
    run->asset.length = 0;
    escrow__grow(&run->asset, (size_t)size);
    run->asset.length = escrow_read_asset(run, run->asset.at, (size_t)size);
    *bytes = (const uint8_t *)run->asset.at;
    *length = run->asset.length;
    return true;
}

ESCROW_API void escrow_assets(escrow_run *run, const char *const handles[], size_t count, escrow_file files[]) {
    escrow_buffer ask = {0};
    escrow_value answer, list, file, value;
    if (count == 0) return;
    if (count > ESCROW_FILES) escrow_fail("more assets were asked for together than may be");
    escrow__print(&ask, "{\"ask\":\"asset\",\"ids\":[");
    for (size_t i = 0; i < count; i++) {
        if (i) escrow__print(&ask, ",");
        escrow__quote(&ask, handles[i], strlen(handles[i]));
    }
    escrow__print(&ask, "]}");
    if (!escrow__ask(run, &ask, &run->line, &answer)) escrow_fail(run->media_type);
    escrow__required(&answer, "assets", ESCROW_ARRAY, &list);
    char *at = escrow__space(list.start + 1);
    int64_t whole = 0;
    for (size_t i = 0; i < count; i++) {
        if (*at != '{') escrow__malformed();
        at = escrow__space(escrow__value(at, &file, false));
        if (*at == ',') at = escrow__space(at + 1);
        free(run->file_types[i]);
        bool is_there = !escrow__member(&file, "error", &value);
        escrow__required(is_there ? &file : &value, is_there ? "mediaType" : "code", ESCROW_STRING, &answer);
        files[i].media_type = run->file_types[i] = escrow__copy(&answer);
        int64_t bytes = 0;
        if (is_there) {
            escrow__required(&file, "bytes", ESCROW_NUMBER, &value);
            bytes = escrow__int(&value);
        }
        if (bytes < 0 || __builtin_add_overflow(whole, bytes, &whole)) escrow__malformed();
        files[i].length = (size_t)bytes;
        /* Where it lies is known once all are read: the buffer may yet move. */
        files[i].bytes = is_there ? (const uint8_t *)"" : NULL;
    }
    run->asset_left = whole;
    run->asset.length = 0;
    /* One more, so that an empty file has a place too. */
    escrow__grow(&run->asset, (size_t)whole + 1);
    run->asset.length = escrow_read_asset(run, run->asset.at, (size_t)whole);
    const uint8_t *next = (const uint8_t *)run->asset.at;
    for (size_t i = 0; i < count; i++) {
        if (!files[i].bytes) continue;
        files[i].bytes = next;
        next += files[i].length;
    }
}

/* A number as JSON has it. */
ESCROW_API void escrow__print_integer(escrow_buffer *buffer, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    escrow__print(buffer, text);
}

ESCROW_API void escrow__print_real(escrow_buffer *buffer, double value) {
    char text[40];
    if (!isfinite(value)) escrow_fail("a number is infinite or not a number, which JSON cannot hold");
    snprintf(text, sizeof text, "%.17g", value == 0 ? 0.0 : value);
    escrow__print(buffer, text);
}

ESCROW_API void escrow_begin_request(escrow_run *run, const char *endpoint) {
    escrow__print(&run->requests, run->begun_requests++ ? "}},{\"to\":" : "{\"to\":");
    escrow__quote(&run->requests, endpoint, strlen(endpoint));
    escrow__print(&run->requests, ",\"fields\":{");
    run->needs_field_comma = false;
}

ESCROW_API void escrow__name_field(escrow_run *run, const char *name) {
    if (!run->begun_requests) escrow_fail("begin a request first");
    if (run->needs_field_comma) escrow__print(&run->requests, ",");
    run->needs_field_comma = true;
    escrow__quote(&run->requests, name, strlen(name));
    escrow__print(&run->requests, ":");
}

ESCROW_API void escrow_field_integer(escrow_run *run, const char *name, int64_t value) {
    escrow__name_field(run, name);
    escrow__print_integer(&run->requests, value);
}

ESCROW_API void escrow_field_real(escrow_run *run, const char *name, double value) {
    escrow__name_field(run, name);
    escrow__print_real(&run->requests, value);
}

ESCROW_API void escrow_field_boolean(escrow_run *run, const char *name, bool value) {
    escrow__name_field(run, name);
    escrow__print(&run->requests, value ? "true" : "false");
}

ESCROW_API void escrow_field_text(escrow_run *run, const char *name, const char *text, size_t length) {
    escrow__name_field(run, name);
    escrow__quote(&run->requests, text, length);
}

/* Has the requests that were begun sent; `after` is what of the ask comes behind them. */
ESCROW_API bool escrow__send_requests(escrow_run *run, const char *before, const char *after, const char **error) {
    escrow_buffer ask = {0};
    escrow_value answer, list, end, count;
    bool is_together = *after;
    if (!run->begun_requests) escrow_fail("begin a request first");
    /* A request by itself is the ask: its first brace stands in `before`. */
    escrow__print(&ask, before);
    escrow__append(&ask, run->requests.at + !is_together, run->requests.length - !is_together);
    escrow__print(&ask, "}}");
    escrow__print(&ask, after);
    run->requests.length = 0;
    run->begun_requests = 0;
    bool is_there = escrow__ask(run, &ask, &run->answers, &answer);
    *error = is_there ? NULL : run->media_type;
    if (!is_there) return false;
    run->next_answer = answer.start;
    if (is_together) {
        escrow__required(&answer, "answers", ESCROW_ARRAY, &list);
        run->next_answer = escrow__space(list.start + 1);
    }
    for (char *at = run->next_answer; *at == '{';) {
        at = escrow__space(escrow__value(at, &end, false));
        if (*at == ',') at = escrow__space(at + 1);
        if (!escrow__member(&end, "bytes", &count)) continue;
        int64_t bytes = escrow__int(&count);
        if (bytes < 0 || __builtin_add_overflow(run->asset_left, bytes, &run->asset_left)) escrow__malformed();
    }
    return true;
}

ESCROW_API bool escrow_fetch(escrow_run *run, const char **error) {
    if (run->begun_requests > 1) escrow_fail("more than one request was begun: they are sent together");
    return escrow__send_requests(run, "{\"ask\":\"fetch\",", "", error);
}

ESCROW_API bool escrow_fetch_together(escrow_run *run, const char **error) {
    return escrow__send_requests(run, "{\"ask\":\"fetch\",\"together\":[", "]}", error);
}

ESCROW_API bool escrow_next_response(escrow_run *run, escrow_response *response) {
    escrow_value answer, value;
    if (!run->next_answer || *run->next_answer != '{') return false;
    char *at = escrow__space(escrow__value(run->next_answer, &answer, false));
    run->next_answer = *at == ',' ? escrow__space(at + 1) : NULL;
    *response = (escrow_response){0};
    free(run->media_type);
    run->media_type = NULL;
    if (escrow__member(&answer, "error", &value)) {
        escrow__required(&value, "code", ESCROW_STRING, &answer);
        response->error = run->media_type = escrow__copy(&answer);
        return true;
    }
    escrow__required(&answer, "status", ESCROW_NUMBER, &value);
    response->status = escrow__int(&value);
    escrow__required(&answer, "mediaType", ESCROW_STRING, &value);
    response->media_type = run->media_type = escrow__copy(&value);
    escrow__required(&answer, "bytes", ESCROW_NUMBER, &value);
    size_t length = (size_t)escrow__int(&value);
    run->body.length = 0;
    escrow__grow(&run->body, length);
    response->length = run->body.length = escrow_read_asset(run, run->body.at, length);
    response->body = (const uint8_t *)run->body.at;
    return true;
}

ESCROW_API void escrow_progress(escrow_run *run, double share) {
    /* Less than a hundredth more than last time is not worth a line. */
    if (!(share >= 0 && share <= 1) || (share < run->last_progress + 0.01 && share >= run->last_progress)) return;
    run->last_progress = share;
    char text[48];
    int length = snprintf(text, sizeof text, "{\"progress\":%.3f}\n", share);
    escrow__write(text, (size_t)length);
}

ESCROW_API void escrow_log(escrow_run *run, const char *level, const char *text) {
    (void)run;
    escrow_buffer line = {0};
    size_t length = strlen(text);
    if (length > 600) for (length = 600; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;) length--;
    escrow__print(&line, "{\"log\":{\"level\":");
    escrow__quote(&line, level, strlen(level));
    escrow__print(&line, ",\"text\":");
    escrow__quote(&line, text, length);
    escrow__print(&line, "}}\n");
    escrow__write(line.at, line.length);
    free(line.at);
}

ESCROW_API void escrow__begin(escrow_run *run, const char *text) {
    if (run->shape != ESCROW_NOTHING) escrow_fail("a run has one result");
    escrow__print(&run->result, text);
}

ESCROW_API void escrow_begin_record(escrow_run *run) {
    escrow__begin(run, "{\"result\":{");
    run->shape = ESCROW_RECORD;
}

ESCROW_API void escrow_begin_table(escrow_run *run) {
    escrow__begin(run, "{\"result\":{\"rows\":[");
    run->shape = ESCROW_TABLE;
}

ESCROW_API void escrow_begin_row(escrow_run *run) {
    if (run->shape != ESCROW_TABLE) escrow_fail("only a table has rows");
    escrow__print(&run->result, run->is_row_open ? "],[" : "[");
    run->is_row_open = true;
    run->needs_comma = false;
}

ESCROW_API void escrow__name(escrow_run *run, const char *name) {
    if (run->shape != ESCROW_RECORD && !run->is_row_open) escrow_fail("begin a record, or a row of a table, first");
    if (run->needs_comma) escrow__print(&run->result, ",");
    run->needs_comma = true;
    if (run->shape != ESCROW_RECORD) return;
    if (!name) escrow_fail("a field of a record has a name");
    escrow__quote(&run->result, name, strlen(name));
    escrow__print(&run->result, ":");
}

ESCROW_API void escrow_put_integer(escrow_run *run, const char *name, int64_t value) {
    escrow__name(run, name);
    escrow__print_integer(&run->result, value);
}

ESCROW_API void escrow_put_real(escrow_run *run, const char *name, double value) {
    escrow__name(run, name);
    escrow__print_real(&run->result, value);
}

ESCROW_API void escrow_put_boolean(escrow_run *run, const char *name, bool value) {
    escrow__name(run, name);
    escrow__print(&run->result, value ? "true" : "false");
}

ESCROW_API void escrow_put_text(escrow_run *run, const char *name, const char *text, size_t length) {
    escrow__name(run, name);
    escrow__quote(&run->result, text, length);
}

ESCROW_API void escrow_put_blob(escrow_run *run, const char *name, const uint8_t *bytes, size_t length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    escrow__name(run, name);
    escrow__print(&run->result, "{\"b64\":\"");
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        uint32_t group = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0)
            | (left > 2 ? bytes[i + 2] : 0);
        char text[4] = {
            digits[group >> 18], digits[group >> 12 & 63], left > 1 ? digits[group >> 6 & 63] : '=',
            left > 2 ? digits[group & 63] : '='};
        escrow__append(&run->result, text, 4);
    }
    escrow__print(&run->result, "\"}");
}

ESCROW_API void escrow_put_null(escrow_run *run, const char *name) {
    escrow__name(run, name);
    escrow__print(&run->result, "null");
}

ESCROW_API void escrow_result_text(escrow_run *run, const char *text, size_t length) {
    escrow__begin(run, "{\"result\":{\"text\":");
    escrow__quote(&run->result, text, length);
    escrow__print(&run->result, "}}\n");
    run->shape = ESCROW_DONE;
}

ESCROW_API void escrow_result_bytes(escrow_run *run, const uint8_t *bytes, size_t length, const char *media_type) {
    char text[64];
    snprintf(text, sizeof text, "{\"result\":{\"bytes\":%zu,\"mediaType\":", length);
    escrow__begin(run, text);
    escrow__quote(&run->result, media_type, strlen(media_type));
    escrow__print(&run->result, "}}\n");
    escrow__append(&run->result, bytes, length);
    run->shape = ESCROW_DONE;
}

ESCROW_API void escrow_refuse(escrow_run *run, const char *code, const char *message) {
    run->result.length = 0;
    escrow__print(&run->result, "{\"refuse\":{\"code\":");
    escrow__quote(&run->result, code, strlen(code));
    escrow__print(&run->result, ",\"message\":");
    escrow__quote(&run->result, message, strlen(message));
    escrow__print(&run->result, "}}\n");
    run->shape = ESCROW_DONE;
}

ESCROW_API int escrow__main(void (*compute)(escrow_run *)) {
    static escrow_run run;
    if (!getenv("ESCROW_PLUGIN")) {
        static const char text[] = "This is an escrow plugin. Try: escrow plugin test\n";
        ssize_t ignored = write(2, text, sizeof text - 1);
        (void)ignored;
        return 64;
    }
    escrow__start(&run);
    compute(&run);
    switch (run.shape) {
    case ESCROW_NOTHING: escrow_fail("compute() came to no result");
    case ESCROW_RECORD: escrow__print(&run.result, "}}\n"); break;
    case ESCROW_TABLE: escrow__print(&run.result, run.is_row_open ? "]]}}\n" : "]}}\n"); break;
    case ESCROW_DONE: break;
    }
    escrow__pass_over(&run);
    escrow__write(run.result.at, run.result.length);
    return 0;
}

/* The program around compute(). */
#define ESCROW_PLUGIN(compute) int main(void) { return escrow__main(compute); }

#endif
