internal import CZlib
internal import Glibc

/// Unpacks deflate (RFC 1951) with zlib, piece by piece, in memory that does not depend on what it unpacks to.
package struct Inflater {
    /// Why unpacking ended early.
    enum Failure: Error, Equatable {
        /// What is packed breaks a rule of the format, or ends too early.
        case damaged
        /// It unpacks to more than was announced.
        case tooLong
        /// The file cannot be read.
        case unreadable(errno: Int32)
        /// What takes the bytes cannot take more.
        case refused
    }

    private let file: SharedDescriptor
    private let range: Range<Int64>
    private let limit: Int64

    /// - Parameters:
    ///   - range: where in the file the packed bytes lie.
    ///   - limit: how many bytes they unpack to; one more is an error.
    init(_ file: SharedDescriptor, range: Range<Int64>, limit: Int64) {
        self.file = file
        self.range = range
        self.limit = limit
    }

    /// Unpacks all of it.
    ///
    /// - Parameter sink: takes the bytes in order; false ends the unpacking.
    /// - Returns: how many bytes there were.
    func run(_ sink: (ArraySlice<UInt8>) -> Bool) throws(Failure) -> Int64 {
        // zlib keeps the address.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard escrow_inflate_begin(stream) == Z_OK else { throw .unreadable(errno: ENOMEM) }
        defer { inflateEnd(stream) }
        var input = [UInt8](repeating: 0, count: 64 << 10)
        var output = [UInt8](repeating: 0, count: 256 << 10)
        var position = range.lowerBound
        var total: Int64 = 0
        while position < range.upperBound {
            let wanted = Int(min(Int64(input.count), range.upperBound - position))
            guard let count = file.read(into: &input, range: 0..<wanted, at: position) else {
                throw .unreadable(errno: errno)
            }
            guard count > 0 else { throw .damaged }
            position += Int64(count)
            var used = 0
            while true {
                let (status, made) = Self.step(stream, &input, &used, count, &output)
                guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
                    throw .damaged
                }
                guard Int64(made) <= limit - total else { throw .tooLong }
                total += Int64(made)
                if made > 0, !sink(output[..<made]) { throw .refused }
                if status == Z_STREAM_END { return total }
                // The output was not filled: this input is used up.
                if made < output.count { break }
            }
        }
        throw .damaged
    }

    /// What little a zlib stream in memory (RFC 1950) unpacks to; nil where it is damaged, or longer than so many bytes. The check
    /// sum behind it is not looked at.
    package static func unpacked(_ packed: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
        // The first of two bytes names the method, which is deflate.
        guard packed.count > 2, let first = packed.first, first & 0x0F == 8 else { return nil }
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard escrow_inflate_begin(stream) == Z_OK else { return nil }
        defer { inflateEnd(stream) }
        var input = Array(packed.dropFirst(2))
        var output = [UInt8](repeating: 0, count: limit)
        var used = 0
        let (status, made) = step(stream, &input, &used, input.count, &output)
        return status == Z_STREAM_END ? Array(output.prefix(made)) : nil
    }

    private static func step(
        _ stream: UnsafeMutablePointer<z_stream>, _ input: inout [UInt8], _ used: inout Int, _ count: Int,
        _ output: inout [UInt8]
    ) -> (status: Int32, made: Int) {
        input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_in = input.baseAddress! + used
                stream.pointee.avail_in = UInt32(count - used)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                let status = inflate(stream, Z_NO_FLUSH)
                used = count - Int(stream.pointee.avail_in)
                return (status, output.count - Int(stream.pointee.avail_out))
            }
        }
    }
}

/// The check sum of zip and gzip (CRC-32, IEEE 802.3).
struct CRC32 {
    /// The sum of what was added.
    private(set) var value: UInt32 = 0

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBufferPointer {
            value = UInt32(truncatingIfNeeded: crc32(UInt(value), $0.baseAddress, UInt32($0.count)))
        }
    }
}
