"""Private set intersection as the plugin `find-contacts` does it (`Blinding.swift` says how and why), for who does without Swift: points
of ristretto255 by libsodium."""

import ctypes
import hashlib
import os

SODIUM = ctypes.CDLL("libsodium.so.23")
ORDER = 2**252 + 27742317777372353535851937790883648493


def call(name, *given):
    """32 bytes of a function of libsodium; ValueError for what is no point."""
    product = ctypes.create_string_buffer(32)
    if getattr(SODIUM, name)(product, *given):
        raise ValueError("this is no point")
    return product.raw


def secret():
    """A factor that multiplies points."""
    return (int.from_bytes(os.urandom(64), "little") % (ORDER - 1) + 1).to_bytes(32, "little")


def point(text):
    """A text as a point."""
    return call("crypto_core_ristretto255_from_hash", hashlib.sha512(b"escrow-contacts/3" + text.encode()).digest())


def times(factor, point):
    """A point multiplied."""
    if len(point) != 32:
        raise ValueError("this is no point")
    return call("crypto_scalarmult_ristretto255", factor, point)


def inverse(factor):
    """The factor that takes another off again."""
    return call("crypto_core_ristretto255_scalar_invert", factor)
