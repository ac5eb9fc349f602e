// libsodium's arithmetic on the curve of Ed25519.
#ifndef ESCROW_CSODIUM_SHIM_H
#define ESCROW_CSODIUM_SHIM_H

#include <sodium/core.h>
#include <sodium/crypto_core_ed25519.h>
#include <sodium/crypto_scalarmult_ed25519.h>

#endif
