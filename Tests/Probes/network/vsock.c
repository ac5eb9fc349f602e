// Talks to the hypervisor.
// strict: violation socket(AF_VSOCK, SOCK_STREAM)
// needs: a kernel with vsock, else EAFNOSUPPORT
PROBE { return tell(socket(AF_VSOCK, SOCK_STREAM, 0)); }
