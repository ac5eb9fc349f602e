# What every Python probe begins with: the runner puts this text before its own.
import ctypes
import errno
import os
import sys

libc = ctypes.CDLL(None, use_errno=True)


def tell(result):
    """Says how the misdeed ended: DID IT, or REFUSED with the errno's name when the result is below 0."""
    if result is not None and result < 0:
        print("REFUSED", errno.errorcode[ctypes.get_errno()], flush=True)
    else:
        print("DID IT", flush=True)


def attempt(deed, *arguments):
    """The same for a call of Python's own, which raises OSError."""
    try:
        deed(*arguments)
    except OSError as error:
        print("REFUSED", errno.errorcode[error.errno], flush=True)
    else:
        print("DID IT", flush=True)


def outside():
    """True in the control run."""
    return "ESCROW_PLUGIN" not in os.environ
