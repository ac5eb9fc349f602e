#ifndef CTPM_H
#define CTPM_H

#include <stddef.h>
#include <stdint.h>

// A TPM 2.0 by tpm2-tss, as far as attestation needs it. Each call gives 0, or the TPM's or the library's own error code.

typedef struct ctpm ctpm;

enum { CTPM_MOST = 1024, CTPM_DIGEST = 32 };

// Opens a TPM by tpm2-tss's words, `device:/dev/tpmrm0` or `swtpm:path=…`, and makes the attestation key: a restricted P-256
// signing key, derived from the TPM's own seed, so that it is the same after every start and leaves the TPM never.
uint32_t ctpm_open(const char *words, ctpm **tpm);
void ctpm_close(ctpm *tpm);

// The attestation key's point, X and then Y, 32 bytes each.
void ctpm_key(const ctpm *tpm, uint8_t point[64]);

// Extends a register of the SHA-256 bank by a digest.
uint32_t ctpm_extend(ctpm *tpm, uint32_t pcr, const uint8_t digest[CTPM_DIGEST]);

// Reads a register of the SHA-256 bank.
uint32_t ctpm_read(ctpm *tpm, uint32_t pcr, uint8_t digest[CTPM_DIGEST]);

// A quote over registers (bit n for register n), with so many bytes of the caller's in it, at most 48.
// `statement` is TPMS_ATTEST as it was signed; `signature` is R and then S, 32 bytes each.
uint32_t ctpm_quote(ctpm *tpm, uint32_t pcrs, const uint8_t *qualifying, size_t size, uint8_t statement[CTPM_MOST],
                    size_t *statement_size, uint8_t signature[64]);

#endif
