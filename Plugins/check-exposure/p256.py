"""Points of the curve P-256, and signatures by it (FIPS 186-5). Not in constant time: nothing secret is multiplied here but by stand-ins."""

import hashlib

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
A = P - 3
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


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


def unpack(data):
    x = int.from_bytes(data[1:], "big")
    if len(data) != 33 or data[0] not in (2, 3) or x >= P:
        raise ValueError("no point")
    square = (x * x * x + A * x + B) % P
    y = pow(square, (P + 1) // 4, P)
    if y * y % P != square:
        raise ValueError("not on the curve")
    return x, y if y % 2 == data[0] % 2 else P - y


BASE = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def _numbers(signature):
    """The two whole numbers of a signature: DER, RFC 3279 section 2.2.3."""
    if len(signature) < 8 or signature[0] != 0x30 or signature[1] != len(signature) - 2:
        raise ValueError("no signature")
    at, numbers = 2, []
    for _ in range(2):
        if signature[at] != 2:
            raise ValueError("no signature")
        size = signature[at + 1]
        numbers.append(int.from_bytes(signature[at + 2:at + 2 + size], "big"))
        at += 2 + size
    if at != len(signature):
        raise ValueError("no signature")
    return numbers


def verified(key, message, signature):
    """Whether a key made a signature of a message: ECDSA with SHA-256, FIPS 186-5 section 6.4.2."""
    r, s = _numbers(signature)
    if not (0 < r < ORDER and 0 < s < ORDER):
        return False
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    inverse = pow(s, -1, ORDER)
    point = add(multiply(digest * inverse, BASE), multiply(r * inverse, key))
    return point is not None and point[0] % ORDER == r


def sign(factor, message, nonce):
    """The same the other way: for stand-ins and test cases, which have a nonce of their own."""
    r = multiply(nonce, BASE)[0] % ORDER
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    s = pow(nonce, -1, ORDER) * (digest + r * factor) % ORDER
    parts = b""
    for number in (r, s):
        data = number.to_bytes(33, "big").lstrip(b"\0")
        data = (b"\0" if data[0] > 127 else b"") + data
        parts += bytes([2, len(data)]) + data
    return bytes([0x30, len(parts)]) + parts
