// libcurl for Swift. Its setters and getters are variadic, which Swift cannot call: one for each type of argument.
#ifndef ESCROW_CCURL_SHIM_H
#define ESCROW_CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <openssl/ssl.h>
#include <string.h>

// Only with OpenSSL is the context of `escrow_curl_secured` what it is taken for.
static inline CURLcode escrow_curl_begin(void) {
    CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
    const char *library = curl_version_info(CURLVERSION_NOW)->ssl_version;
    return code || (library && strncmp(library, "OpenSSL/", 8) == 0) ? code : CURLE_UNSUPPORTED_PROTOCOL;
}

// What libcurl does not tell of TLS on a connection.
struct escrow_curl_tls {
    int has_begun;
    // The server said that it ends (close_notify). libcurl takes a connection that was cut for one that ended in order.
    int has_ended;
};

static inline void escrow_curl_heard(const SSL *tls, int where, int alert) {
    struct escrow_curl_tls *state = (struct escrow_curl_tls *)SSL_CTX_get_app_data(SSL_get_SSL_CTX(tls));
    if (where == SSL_CB_READ_ALERT && (alert & 0xff) == SSL_AD_CLOSE_NOTIFY) state->has_ended = 1;
}

static inline CURLcode escrow_curl_secured(CURL *curl, void *context, void *state) {
    (void)curl;
    ((struct escrow_curl_tls *)state)->has_begun = 1;
    SSL_CTX_set_app_data((SSL_CTX *)context, state);
    SSL_CTX_set_info_callback((SSL_CTX *)context, escrow_curl_heard);
    return CURLE_OK;
}

// The state must outlive the handle.
static inline CURLcode escrow_curl_watch_tls(CURL *curl, struct escrow_curl_tls *state) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_SSL_CTX_DATA, state);
    return code ? code : curl_easy_setopt(curl, CURLOPT_SSL_CTX_FUNCTION, escrow_curl_secured);
}

static inline CURLcode escrow_curl_set_number(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}

// The text is copied; NULL takes the option back.
static inline CURLcode escrow_curl_set_text(CURL *curl, CURLoption option, const char *value) {
    return curl_easy_setopt(curl, option, value);
}

// The list is not copied.
static inline CURLcode escrow_curl_set_list(CURL *curl, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode escrow_curl_set_bytes(CURL *curl, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(curl, option, &blob);
}

// CURL_ERROR_SIZE bytes that outlive the handle.
static inline CURLcode escrow_curl_set_words(CURL *curl, char *buffer) {
    return curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLcode escrow_curl_socket(CURL *curl, curl_socket_t *socket) {
    return curl_easy_getinfo(curl, CURLINFO_ACTIVESOCKET, socket);
}

static inline CURLcode escrow_curl_number(CURL *curl, CURLINFO info, long *value) {
    return curl_easy_getinfo(curl, info, value);
}

// The body of an answer, piece by piece.
static inline CURLcode escrow_curl_collect(CURL *curl, curl_write_callback call, void *context) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_WRITEDATA, context);
    return code ? code : curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, call);
}

// The body of a request; it is copied.
static inline CURLcode escrow_curl_set_body(CURL *curl, const void *bytes, size_t count) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code ? code : curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, count ? bytes : "");
}

static inline CURLMcode escrow_curl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

#endif
