import CZlib
import EscrowEgress

/// Unpacks one member of gzip (RFC 1952), checksum included, and never more of it than is allowed.
final class Gunzip {
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool
    private var hasBegun = false
    private var hasEnded = false

    init() {
        // zlib keeps the address.
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isReady = escrow_gunzip_begin(stream) == Z_OK
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
    }

    /// Whether the member has ended; a body without a byte is none.
    var isWhole: Bool { hasEnded || !hasBegun }

    func unpack(
        _ piece: ArraySlice<UInt8>, into body: inout [UInt8], atMost most: Int
    ) throws(TransportFailure) {
        guard isReady, !hasEnded else { throw .encoding }
        hasBegun = true
        var input = Array(piece)
        var output = [UInt8](repeating: 0, count: 1 << 14)
        var failure: TransportFailure?
        input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                let made = output.withUnsafeMutableBufferPointer { output in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    switch inflate(stream, Z_NO_FLUSH) {
                    case Z_OK, Z_BUF_ERROR: break
                    case Z_STREAM_END: hasEnded = true
                    default: failure = .encoding
                    }
                    return output.count - Int(stream.pointee.avail_out)
                }
                if failure == nil, made > most - body.count { failure = .tooLarge }
                if failure != nil { break }
                body += output.prefix(made)
                // A buffer that is not full means that there is no more to be had from this piece.
            } while !hasEnded && stream.pointee.avail_out == 0
            if failure == nil, hasEnded, stream.pointee.avail_in > 0 { failure = .encoding }
            stream.pointee.next_in = nil
            stream.pointee.avail_in = 0
        }
        if let failure { throw failure }
    }
}
