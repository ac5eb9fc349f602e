public import EscrowEgress

/// Reads one answer of HTTP/1.1, piece by piece, and stops at the first thing that RFC 9112 or the limits forbid. It is
/// strict where the RFC lets readers be lenient: what two readers understand differently is an attack.
public struct AnswerReader {
    /// Where the next byte belongs.
    private enum Place {
        case head
        case body(left: Int)
        case bodyToTheEnd
        case chunkSize
        case chunkExtension
        case chunk(left: Int)
        case chunkEnd
        case trailers
        case whole
    }

    private let limits: ExchangeLimits
    private var place = Place.head
    private var lines = LineTaker()
    private var head = AnswerHead()
    private var size = ChunkSize()
    private var gunzip: Gunzip?
    private var body: [UInt8] = []
    private var hasBody = false
    private var hasExcess = false

    public init(_ limits: ExchangeLimits) { self.limits = limits }

    /// The answer, once it is whole.
    public var response: IncomingResponse? {
        guard case .whole = place else { return nil }
        return IncomingResponse(
            status: head.status, body: body, mediaType: hasBody ? limits.mediaType : "",
            droppedHeaders: head.dropped)
    }

    /// Whether the connection may carry another request: both sides agree where this answer ended.
    public var isReusable: Bool {
        guard case .whole = place else { return false }
        return !hasExcess && head.isKept
    }

    /// Takes bytes as they came. True when they brought a head or a piece of the body, which counts as progress.
    public mutating func take(_ bytes: some Collection<UInt8>) throws(TransportFailure) -> Bool {
        var rest = Array(bytes)[...]
        var isProgress = false
        while !rest.isEmpty {
            switch place {
            case .whole:
                hasExcess = true
                return isProgress
            case .body(let left), .chunk(let left):
                let piece = rest.prefix(left)
                rest = rest.dropFirst(piece.count)
                isProgress = true
                try add(piece)
                try took(piece.count, of: left)
            case .bodyToTheEnd:
                try add(rest)
                return true
            default:
                if try take(rest.removeFirst()) { isProgress = true }
            }
        }
        return isProgress
    }

    /// Takes the end of the connection, which came in order: without it an answer may have been cut by anybody.
    public mutating func end() throws(TransportFailure) {
        switch place {
        case .whole: break
        case .bodyToTheEnd: try finish()
        default: throw .closed
        }
    }

    /// A byte that is not of a body. True when it ended a head.
    private mutating func take(_ byte: UInt8) throws(TransportFailure) -> Bool {
        switch place {
        case .head:
            guard let line = try lines.take(byte) else {
                if !head.hasStatus { try AnswerHead.checkStart(lines.line) }
                return false
            }
            guard line.isEmpty, head.hasStatus else {
                try head.take(line)
                return false
            }
            try endHead()
            return true
        case .chunkSize:
            switch byte {
            case UInt8(ascii: ";"): place = .chunkExtension
            case UInt8(ascii: "\r"): place = .chunkExtension
            default: return try size.take(byte)
            }
            guard size.isGiven else { throw .malformed }
            lines = LineTaker()
            if byte == UInt8(ascii: "\r") { _ = try lines.skip(byte) }
        case .chunkExtension:
            guard try lines.skip(byte) else { return false }
            lines = LineTaker()
            place = size.value == 0 ? .trailers : .chunk(left: size.value)
        case .chunkEnd:
            guard try lines.skip(byte) else {
                guard byte == UInt8(ascii: "\r") else { throw .malformed }
                return false
            }
            lines = LineTaker()
            size = ChunkSize()
            place = .chunkSize
        case .trailers:
            guard let line = try lines.take(byte) else { return false }
            if line.isEmpty { try finish() } else { try AnswerHead.checkTrailer(line) }
        default: break
        }
        return false
    }

    private mutating func endHead() throws(TransportFailure) {
        let isFinal = try head.isFinal()
        lines = LineTaker()
        guard isFinal else {
            head = AnswerHead()
            return
        }
        let framing = try head.framing()
        switch try head.judge(limits) {
        case .statusAlone:
            // An error page is of whatever type and length the server likes: it is not read.
            head.isKept = false
            place = .whole
            return
        case .noBody:
            if framing != .length(0), framing != .toTheEnd { head.isKept = false }
            place = .whole
            return
        case .packed: gunzip = Gunzip()
        case .plain: break
        }
        hasBody = true
        switch framing {
        case .length(0): try finish()
        case .length(let count): place = .body(left: count)
        case .chunked: place = .chunkSize
        case .toTheEnd:
            head.isKept = false
            place = .bodyToTheEnd
        }
    }

    private mutating func took(_ count: Int, of left: Int) throws(TransportFailure) {
        switch place {
        case .body where count == left: try finish()
        case .body: place = .body(left: left - count)
        case .chunk where count == left: place = .chunkEnd
        default: place = .chunk(left: left - count)
        }
    }

    private mutating func add(_ piece: ArraySlice<UInt8>) throws(TransportFailure) {
        guard let gunzip else {
            guard piece.count <= limits.maxBytes - body.count else { throw .tooLarge }
            body += piece
            return
        }
        try gunzip.unpack(piece, into: &body, atMost: limits.maxBytes)
    }

    private mutating func finish() throws(TransportFailure) {
        if let gunzip, !gunzip.isWhole { throw .encoding }
        place = .whole
    }
}

/// The size at the beginning of a chunk: RFC 9112 section 7.1.
private struct ChunkSize {
    private(set) var value = 0
    private var digits = 0

    var isGiven: Bool { digits > 0 }

    mutating func take(_ byte: UInt8) throws(TransportFailure) -> Bool {
        let digit: UInt8
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
        default: throw .malformed
        }
        digits += 1
        guard digits <= 15 else { throw .malformed }
        value = value << 4 | Int(digit)
        return false
    }
}
