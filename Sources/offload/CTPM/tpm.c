#include "CTPM.h"

#include <stdlib.h>
#include <string.h>
#include <tss2/tss2_esys.h>
#include <tss2/tss2_tctildr.h>

struct ctpm {
    TSS2_TCTI_CONTEXT *transport;
    ESYS_CONTEXT *context;
    ESYS_TR key;
    uint8_t point[64];
};

// A number of at most 32 bytes, with zeros before it.
static void pad(uint8_t to[32], const TPM2B_ECC_PARAMETER *from) {
    size_t size = from->size > 32 ? 32 : from->size;
    memset(to, 0, 32);
    memcpy(to + 32 - size, from->buffer, size);
}

// The attestation key. Restricted: the TPM signs with it only what it made itself, so no caller can have it sign a made-up quote.
static TSS2_RC make_key(ctpm *tpm) {
    TPM2B_SENSITIVE_CREATE sensitive = {0};
    TPM2B_DATA outside = {0};
    TPML_PCR_SELECTION creation = {0};
    TPM2B_PUBLIC template = {
        .publicArea = {
            .type = TPM2_ALG_ECC,
            .nameAlg = TPM2_ALG_SHA256,
            .objectAttributes = TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_SIGN_ENCRYPT | TPMA_OBJECT_FIXEDTPM
                | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_USERWITHAUTH,
            .parameters.eccDetail = {
                .symmetric = {.algorithm = TPM2_ALG_NULL},
                .scheme = {.scheme = TPM2_ALG_ECDSA, .details.ecdsa.hashAlg = TPM2_ALG_SHA256},
                .curveID = TPM2_ECC_NIST_P256,
                .kdf = {.scheme = TPM2_ALG_NULL},
            },
        },
    };
    TPM2B_PUBLIC *made = NULL;
    TSS2_RC error = Esys_CreatePrimary(tpm->context, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE,
                                       &sensitive, &template, &outside, &creation, &tpm->key, &made, NULL, NULL, NULL);
    if (error) return error;
    pad(tpm->point, &made->publicArea.unique.ecc.x);
    pad(tpm->point + 32, &made->publicArea.unique.ecc.y);
    Esys_Free(made);
    return 0;
}

uint32_t ctpm_open(const char *words, ctpm **opened) {
    ctpm *tpm = calloc(1, sizeof *tpm);
    if (!tpm) return TSS2_BASE_RC_MEMORY;
    tpm->key = ESYS_TR_NONE;
    TSS2_RC error = Tss2_TctiLdr_Initialize(words, &tpm->transport);
    if (!error) error = Esys_Initialize(&tpm->context, tpm->transport, NULL);
    if (!error) error = make_key(tpm);
    if (error) {
        ctpm_close(tpm);
        return error;
    }
    *opened = tpm;
    return 0;
}

void ctpm_close(ctpm *tpm) {
    if (tpm->context && tpm->key != ESYS_TR_NONE) Esys_FlushContext(tpm->context, tpm->key);
    if (tpm->context) Esys_Finalize(&tpm->context);
    if (tpm->transport) Tss2_TctiLdr_Finalize(&tpm->transport);
    free(tpm);
}

void ctpm_key(const ctpm *tpm, uint8_t point[64]) { memcpy(point, tpm->point, 64); }

uint32_t ctpm_extend(ctpm *tpm, uint32_t pcr, const uint8_t digest[CTPM_DIGEST]) {
    TPML_DIGEST_VALUES values = {.count = 1, .digests = {{.hashAlg = TPM2_ALG_SHA256}}};
    memcpy(values.digests[0].digest.sha256, digest, CTPM_DIGEST);
    return Esys_PCR_Extend(tpm->context, ESYS_TR_PCR0 + pcr, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &values);
}

// Registers of the SHA-256 bank as the TPM names them.
static TPML_PCR_SELECTION selection(uint32_t pcrs) {
    TPML_PCR_SELECTION wanted = {.count = 1, .pcrSelections = {{.hash = TPM2_ALG_SHA256, .sizeofSelect = 3}}};
    for (int byte = 0; byte < 3; byte++) wanted.pcrSelections[0].pcrSelect[byte] = (uint8_t)(pcrs >> (8 * byte));
    return wanted;
}

uint32_t ctpm_read(ctpm *tpm, uint32_t pcr, uint8_t digest[CTPM_DIGEST]) {
    TPML_PCR_SELECTION wanted = selection(1u << pcr);
    TPML_DIGEST *values = NULL;
    TSS2_RC error = Esys_PCR_Read(tpm->context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &wanted, NULL, NULL, &values);
    if (error) return error;
    if (values->count == 1 && values->digests[0].size == CTPM_DIGEST) memcpy(digest, values->digests[0].buffer, CTPM_DIGEST);
    else error = TSS2_BASE_RC_BAD_VALUE;
    Esys_Free(values);
    return error;
}

uint32_t ctpm_quote(ctpm *tpm, uint32_t pcrs, const uint8_t *qualifying, size_t size, uint8_t statement[CTPM_MOST],
                    size_t *statement_size, uint8_t signature[64]) {
    TPM2B_DATA ours = {.size = (uint16_t)size};
    if (size > 48) return TSS2_BASE_RC_BAD_VALUE;
    memcpy(ours.buffer, qualifying, size);
    TPMT_SIG_SCHEME scheme = {.scheme = TPM2_ALG_NULL};
    TPML_PCR_SELECTION wanted = selection(pcrs);
    TPM2B_ATTEST *quoted = NULL;
    TPMT_SIGNATURE *signed_by = NULL;
    TSS2_RC error = Esys_Quote(tpm->context, tpm->key, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &ours, &scheme, &wanted,
                               &quoted, &signed_by);
    if (error) return error;
    if (quoted->size <= CTPM_MOST && signed_by->sigAlg == TPM2_ALG_ECDSA) {
        memcpy(statement, quoted->attestationData, quoted->size);
        *statement_size = quoted->size;
        pad(signature, &signed_by->signature.ecdsa.signatureR);
        pad(signature + 32, &signed_by->signature.ecdsa.signatureS);
    } else {
        error = TSS2_BASE_RC_BAD_VALUE;
    }
    Esys_Free(quoted);
    Esys_Free(signed_by);
    return error;
}
