"""Points of the curve P-256, and texts as points: P256_XMD:SHA-256_SSWU_RO_ of RFC 9380. Not in constant time: the secret lives for
one run, in a process that nobody can watch."""

import hashlib

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
A = P - 3
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
Z = P - 10
SUITE = b"escrow-contacts-V01-CS01-with-P256_XMD:SHA-256_SSWU_RO_"


def secret(seed):
    """A factor from 48 random bytes, so that none is likelier than another."""
    return int.from_bytes(seed, "big") % (ORDER - 1) + 1


def add(p, q):
    if p is None or q is None:
        return q if p is None else p
    if p[0] == q[0] and (p[1] + q[1]) % P == 0:
        return None
    slope = ((3 * p[0] * p[0] + A) * pow(2 * p[1], -1, P) if p == q else (q[1] - p[1]) * pow(q[0] - p[0], -1, P)) % P
    x = (slope * slope - p[0] - q[0]) % P
    return x, (slope * (p[0] - x) - p[1]) % P


def _double(p):
    """In Jacobian coordinates, where no step divides."""
    x, y, z = p
    if not y:
        return 0, 1, 0
    d = z * z % P
    g = y * y % P
    b = x * g % P
    a = 3 * (x - d) * (x + d) % P
    x3 = (a * a - 8 * b) % P
    return x3, (a * (4 * b - x3) - 8 * g * g) % P, 2 * y * z % P


def _add(p, q):
    """A Jacobian point and an affine one."""
    if not p[2]:
        return q[0], q[1], 1
    x, y, z = p
    zz = z * z % P
    h = (q[0] * zz - x) % P
    r = (q[1] * z * zz - y) % P
    if not h:
        return _double(p) if not r else (0, 1, 0)
    hh = h * h % P
    v = x * hh % P
    x3 = (r * r - h * hh - 2 * v) % P
    return x3, (r * (v - x3) - y * h * hh) % P, z * h % P


def multiply(factor, point):
    result = 0, 1, 0
    for bit in bin(factor % ORDER)[2:]:
        result = _double(result)
        if bit == "1":
            result = _add(result, point)
    if not result[2]:
        raise ValueError("the point at infinity")
    inverse = pow(result[2], -1, P)
    square = inverse * inverse % P
    return result[0] * square % P, result[1] * square * inverse % P


def pack(point):
    """SEC 1, compressed."""
    return bytes([2 + point[1] % 2]) + point[0].to_bytes(32, "big")


def unpack(data):
    x = int.from_bytes(data[1:], "big")
    if len(data) != 33 or data[0] not in (2, 3) or x >= P:
        raise ValueError("no point")
    square = (x * x * x + A * x + B) % P
    y = pow(square, (P + 1) // 4, P)
    if y * y % P != square:
        raise ValueError("not on the curve")
    return x, y if y % 2 == data[0] % 2 else P - y


def _expand(message, count, suite):
    """expand_message_xmd, RFC 9380 section 5.3.1."""
    suite += bytes([len(suite)])
    first = hashlib.sha256(bytes(64) + message + count.to_bytes(2, "big") + b"\0" + suite).digest()
    blocks = [hashlib.sha256(first + b"\1" + suite).digest()]
    while len(blocks) * 32 < count:
        mixed = bytes(a ^ b for a, b in zip(first, blocks[-1]))
        blocks.append(hashlib.sha256(mixed + bytes([len(blocks) + 1]) + suite).digest())
    return b"".join(blocks)[:count]


def _mapped(u):
    """Simplified SWU, RFC 9380 section 6.6.2."""
    t = Z * u * u % P
    d = (t * t + t) % P
    x = -B * pow(A, -1, P) * (1 + pow(d, -1, P)) % P if d else B * pow(Z * A, -1, P) % P
    square = (x * x * x + A * x + B) % P
    if pow(square, (P - 1) // 2, P) not in (0, 1):
        x = t * x % P
        square = (x * x * x + A * x + B) % P
    y = pow(square, (P + 1) // 4, P)
    return x, y if y % 2 == u % 2 else P - y


def hashed(message, suite=SUITE):
    """A text as a point of which nobody knows the logarithm."""
    data = _expand(message, 96, suite)
    first, second = (int.from_bytes(data[at:at + 48], "big") % P for at in (0, 48))
    return add(_mapped(first), _mapped(second))
