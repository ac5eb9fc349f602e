package import EscrowSourceFiles
internal import Glibc

/// Protocol Buffers on the wire (https://protobuf.dev/programming-guides/encoding), as far as a message is made of numbers and
/// byte strings: read as a stream, in memory that does not depend on the file's size.
package struct ProtobufReader: ~Copyable {
    /// Why reading stopped.
    package enum Failure: Error, Equatable {
        case malformed, truncated
        case unreadable(Int32)
    }

    /// What follows a field's number.
    package enum Value: Equatable {
        case varint(UInt64)
        case fixed(UInt64)
        /// A byte string of so many bytes, to be taken or passed over before the next field.
        case bytes(Int64)
    }

    private static let blockSize = 64 << 10
    private let file: SharedDescriptor?
    private var buffer: [UInt8]
    private var base: Int64
    private var position = 0
    private var count = 0
    private let end: Int64

    /// Reads the message that begins at `start` and ends with the file.
    package init(_ file: SharedDescriptor, size: Int64, from start: Int64) {
        self.file = file
        base = start
        end = size
        buffer = [UInt8](repeating: 0, count: Self.blockSize)
    }

    /// Reads the message in `bytes`.
    package init(_ bytes: [UInt8]) {
        file = nil
        base = 0
        end = Int64(bytes.count)
        buffer = bytes
        count = bytes.count
    }

    /// Where the next byte is.
    package var offset: Int64 { base + Int64(position) }

    /// The next field; nil at the end of the message.
    package mutating func next() throws(Failure) -> (number: UInt64, value: Value)? {
        guard offset < end else { return nil }
        let tag = try varint()
        let number = tag >> 3
        guard (1...0x1FFF_FFFF).contains(number) else { throw .malformed }
        switch tag & 7 {
        case 0: return (number, .varint(try varint()))
        case 1: return (number, .fixed(try fixed(8)))
        case 2:
            let length = try varint()
            guard length <= UInt64(end - offset) else { throw .truncated }
            return (number, .bytes(Int64(length)))
        case 5: return (number, .fixed(try fixed(4)))
        // Groups, which nobody writes any more.
        default: throw .malformed
        }
    }

    /// The bytes that ``next()`` announced.
    package mutating func take(_ length: Int64) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(length))
        while bytes.count < Int(length) {
            if position == count { try fill() }
            let part = min(count - position, Int(length) - bytes.count)
            bytes += buffer[position..<position + part]
            position += part
        }
        return bytes
    }

    /// Passes over the bytes that ``next()`` announced.
    package mutating func skip(_ length: Int64) {
        if length <= Int64(count - position) {
            position += Int(length)
        } else {
            base = offset + length
            position = 0
            count = 0
        }
    }

    private mutating func varint() throws(Failure) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            let byte = try byte()
            guard shift < 63 || byte <= 1 else { throw .malformed }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw .malformed
    }

    private mutating func fixed(_ width: UInt64) throws(Failure) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<width { value |= UInt64(try byte()) << (8 * index) }
        return value
    }

    private mutating func byte() throws(Failure) -> UInt8 {
        if position == count { try fill() }
        position += 1
        return buffer[position - 1]
    }

    private mutating func fill() throws(Failure) {
        base += Int64(count)
        position = 0
        count = 0
        let wanted = Int(min(Int64(buffer.count), end - base))
        guard let file, wanted > 0 else { throw .truncated }
        guard let got = file.read(into: &buffer, range: 0..<wanted, at: base) else {
            throw .unreadable(errno)
        }
        guard got > 0 else { throw .truncated }
        count = got
    }
}
