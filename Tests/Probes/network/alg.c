// Opens a socket of the kernel's cryptography, as Copy Fail (CVE-2026-31431) did.
// strict: violation socket(AF_ALG, SOCK_SEQPACKET)
// needs: a kernel with AF_ALG, else EAFNOSUPPORT
PROBE { return tell(socket(AF_ALG, SOCK_SEQPACKET, 0)); }
