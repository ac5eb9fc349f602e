package import EscrowSourceFiles

/// The frame of one record of a ``FactsIndex``: a check sum, the length of the rest, which state of which file it is about, and
/// the facts.
package enum FactsRecord {
    /// Another number whenever a record has another form.
    package static let version = 2
    /// The bytes before a record's body.
    static let prefixLength = 6
    /// The bytes of a key, with which a body begins.
    static let keyLength = 40
    /// The most bytes of facts.
    package static let bodyLimit = 16_384
    /// The most bytes of a record.
    package static let longest = prefixLength + keyLength + bodyLimit

    /// Appends a record; false, and nothing appended, if the facts are not to be kept.
    package static func append(_ key: FileKey, _ facts: some FileFacts, to bytes: inout [UInt8]) -> Bool {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: prefixLength))
        for word in [
            key.path, key.inode, UInt64(bitPattern: key.size), UInt64(bitPattern: key.modified),
            UInt64(bitPattern: key.touched),
        ] {
            bytes.keep(word)
        }
        let length = bytes.count
        guard facts.append(to: &bytes), bytes.count - length <= bodyLimit else {
            bytes.removeSubrange(start...)
            return false
        }
        let count = UInt16(bytes.count - start - prefixLength)
        let sum = bytes.withUnsafeBytes { FNV.sum(.init(rebasing: $0[(start + prefixLength)...])) }
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: sum.littleEndian, toByteOffset: start, as: UInt32.self)
            $0.storeBytes(of: count.littleEndian, toByteOffset: start + 4, as: UInt16.self)
        }
        return true
    }

    /// The body that begins at an offset; nil if what stands there is no whole record.
    package static func body(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UnsafeRawBufferPointer? {
        guard offset <= bytes.count - prefixLength else { return nil }
        let sum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        let length = Int(
            UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)))
        let start = offset + prefixLength
        guard length >= keyLength, length <= keyLength + bodyLimit, length <= bytes.count - start else {
            return nil
        }
        let body = UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
        return FNV.sum(body) == sum ? body : nil
    }

    /// The body of a record whose sum was checked before.
    package static func trustedBody(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UnsafeRawBufferPointer
    {
        let length = Int(
            UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)))
        let start = offset + prefixLength
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
    }

    package static func key(_ body: UnsafeRawBufferPointer) -> FileKey {
        FileKey(
            path: word(body, 0), inode: word(body, 8), size: Int64(bitPattern: word(body, 16)),
            modified: Int64(bitPattern: word(body, 24)), touched: Int64(bitPattern: word(body, 32)))
    }

    /// The facts behind the key.
    package static func facts(_ body: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: body[keyLength...])
    }

    /// The number at an offset.
    package static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
    }
}
