// libsodium's group of prime order on the curve of Ed25519.
#ifndef FIND_CONTACTS_SODIUM_H
#define FIND_CONTACTS_SODIUM_H

#include <sodium/core.h>
#include <sodium/crypto_core_ristretto255.h>
#include <sodium/crypto_hash_sha512.h>
#include <sodium/crypto_scalarmult_ristretto255.h>

#endif
