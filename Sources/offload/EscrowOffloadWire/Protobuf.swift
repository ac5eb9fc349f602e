/// Protobuf's encoding as far as `offload.proto` uses it. Stricter than protobuf: a field that is unknown, repeated or out of
/// order is an error, so that one message has one spelling.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    mutating func number(_ field: UInt8, _ value: UInt64) {
        guard value != 0 else { return }
        bytes.append(field << 3)
        varint(value)
    }

    mutating func text(_ field: UInt8, _ value: String) {
        guard !value.isEmpty else { return }
        data(field, Array(value.utf8))
    }

    /// A part is written also where it is empty: that it is there tells which message this is.
    mutating func data(_ field: UInt8, _ value: [UInt8]) {
        bytes.append(field << 3 | 2)
        varint(UInt64(value.count))
        bytes += value
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// Reads one message's fields, each at most once and in order.
struct ProtobufReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var last: UInt64 = 0

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The next field's number, without reading it; nil at the end.
    mutating func peek() throws(OffloadWireError) -> (field: UInt64, isData: Bool)? {
        guard position < bytes.endIndex else { return nil }
        var copy = self
        let tag = try copy.varint()
        guard tag & 7 == 0 || tag & 7 == 2 else { throw OffloadWireError("a field of an unknown type") }
        return (tag >> 3, tag & 7 == 2)
    }

    mutating func number(_ field: UInt64) throws(OffloadWireError) -> UInt64 {
        guard let next = try peek(), next.field == field else { return 0 }
        guard !next.isData else { throw OffloadWireError("a field of the wrong type") }
        try take(field)
        let value = try varint()
        // Zero is written as nothing.
        guard value != 0 else { throw OffloadWireError("a zero that is spelled out") }
        return value
    }

    /// A number that is used as a count or a size.
    mutating func count(_ field: UInt64, atMost most: Int) throws(OffloadWireError) -> Int {
        let value = try number(field)
        guard value <= UInt64(most) else { throw OffloadWireError("a number that is too large") }
        return Int(value)
    }

    mutating func text(_ field: UInt64, atMost most: Int) throws(OffloadWireError) -> String {
        guard let bytes = try data(field, atMost: most) else { return "" }
        guard !bytes.isEmpty else { throw OffloadWireError("an empty text that is spelled out") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw OffloadWireError("a text that is no UTF-8")
        }
        return text
    }

    mutating func data(_ field: UInt64, atMost most: Int) throws(OffloadWireError) -> ArraySlice<UInt8>? {
        guard let next = try peek(), next.field == field else { return nil }
        guard next.isData else { throw OffloadWireError("a field of the wrong type") }
        try take(field)
        let count = try varint()
        guard count <= UInt64(most) else { throw OffloadWireError("a field that is too long") }
        guard count <= UInt64(bytes.endIndex - position) else {
            throw OffloadWireError("a field that is cut off")
        }
        defer { position += Int(count) }
        return bytes[position..<position + Int(count)]
    }

    /// Bytes that are written only where there are any.
    mutating func bytes(_ field: UInt64, atMost most: Int) throws(OffloadWireError) -> [UInt8] {
        guard let bytes = try data(field, atMost: most) else { return [] }
        guard !bytes.isEmpty else { throw OffloadWireError("an empty field that is spelled out") }
        return Array(bytes)
    }

    func finish() throws(OffloadWireError) {
        guard position == bytes.endIndex else {
            throw OffloadWireError("a field that is unknown, repeated or out of order")
        }
    }

    private mutating func take(_ field: UInt64) throws(OffloadWireError) {
        guard field > last else { throw OffloadWireError("a field that is repeated or out of order") }
        last = field
        _ = try varint()
    }

    private mutating func varint() throws(OffloadWireError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard position < bytes.endIndex else { throw OffloadWireError("a number that is cut off") }
            let byte = bytes[position]
            position += 1
            guard shift < 63 || byte <= 1 else { break }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 {
                guard byte != 0 || shift == 0 else { throw OffloadWireError("a number with a needless end") }
                return value
            }
        }
        throw OffloadWireError("a number that is too large")
    }
}
