import EscrowEgress
import EscrowEgressWire

/// A file that follows a request, and what ends the body after it.
struct FileToSend {
    let file: any RequestFile
    let size: Int
    let tail: [UInt8]

    var count: Int { size + tail.count }

    init(_ request: OutgoingRequest, _ file: any RequestFile) {
        self.file = file
        size = request.payload?.size ?? 0
        tail = request.payload?.tail ?? []
    }

    /// Reads and sends it piece by piece; `WireFault.wrong` for one that is shorter than it was.
    func send(_ send: ([UInt8]) throws(WireFault) -> Void) throws(WireFault) {
        var left = size
        while left > 0 {
            guard let piece = file.read(min(left, 1 << 16)), !piece.isEmpty else { throw .wrong }
            try send(Array(piece.prefix(left)))
            left -= min(left, piece.count)
        }
        if !tail.isEmpty { try send(tail) }
    }
}
