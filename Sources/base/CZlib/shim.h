// zlib for Swift. `inflateInit2` is a macro, which Swift cannot see.
#ifndef ESCROW_CZLIB_SHIM_H
#define ESCROW_CZLIB_SHIM_H

#include <zlib.h>

// Reads gzip (RFC 1952) and nothing else, checksum included.
static inline int escrow_gunzip_begin(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

// Reads deflate (RFC 1951) without anything around it.
static inline int escrow_inflate_begin(z_stream *stream) { return inflateInit2(stream, -15); }

#endif
