/// Goes through what the functions `keep` of arrays of bytes wrote, from the start to the end. The bytes
/// may be any: what does not fit is nil, and the place stays where it was.
package struct KeptReader {
    private let bytes: UnsafeRawBufferPointer
    private var at = 0
    /// The number of the field that was read last.
    private var lastField = -1

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package var isAtEnd: Bool { at == bytes.count }

    package mutating func byte() -> UInt8? {
        guard at < bytes.count else { return nil }
        defer { at += 1 }
        return bytes[at]
    }

    package mutating func number() -> UInt64? {
        guard bytes.count - at >= 8 else { return nil }
        defer { at += 8 }
        return FactsRecord.word(bytes, at)
    }

    /// A text of at most so many bytes, as it stands.
    package mutating func text(limit: Int = .max) -> Slice<UnsafeRawBufferPointer>? {
        guard bytes.count - at >= 2 else { return nil }
        let count = Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt16.self)))
        let start = at + 2
        guard count <= limit, count <= bytes.count - start else { return nil }
        at = start + count
        return bytes[start..<at]
    }

    /// A field and its text; nil also for one that comes twice or behind a later one.
    package mutating func field<Field: RawRepresentable<UInt8>>() -> (Field, Slice<UnsafeRawBufferPointer>)? {
        let start = at
        guard let number = byte(), Int(number) > lastField, let field = Field(rawValue: number),
            let text = text()
        else {
            at = start
            return nil
        }
        lastField = Int(number)
        return (field, text)
    }
}
