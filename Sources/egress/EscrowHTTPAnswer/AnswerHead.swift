import EscrowEgress

/// Status line and header fields of an answer: RFC 9112 sections 4 and 5.
struct AnswerHead {
    /// Where the body ends: RFC 9112 section 6.3.
    enum Framing: Equatable {
        case length(Int)
        case chunked
        case toTheEnd
    }

    enum Verdict {
        case plain
        case packed
        case noBody
        case statusAlone
    }

    private(set) var status = 0
    private var isOld = false
    private var fields: [String: [String]] = [:]
    private var isBroken = false

    var hasStatus: Bool { status != 0 }
    /// Whether the server goes on with this connection, as far as it says.
    var isKept: Bool {
        get { !isBroken && !isOld && !tokens("connection").contains("close") }
        set { isBroken = !newValue }
    }

    /// Refuses what cannot become an answer as soon as that shows: whoever speaks another protocol may wait for us.
    static func checkStart(_ line: [UInt8]) throws(TransportFailure) {
        guard zip(line, "HTTP/1.".utf8).allSatisfy({ $0 == $1 }) else { throw .malformed }
    }

    mutating func take(_ line: [UInt8]) throws(TransportFailure) {
        guard hasStatus else { return try takeStatus(line) }
        let field = try Self.field(line)
        fields[field.name, default: []].append(field.value)
    }

    /// `HTTP/1.1 200 OK`; the reason may be left out.
    private mutating func takeStatus(_ line: [UInt8]) throws(TransportFailure) {
        try Self.checkStart(line)
        guard line.count >= 12, line[7] == UInt8(ascii: "1") || line[7] == UInt8(ascii: "0"),
            line[8] == UInt8(ascii: " "), line[9] >= UInt8(ascii: "1"),
            line[9..<12].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            line.count == 12 || line[12] == UInt8(ascii: " "), Self.isText(line[12...])
        else { throw .malformed }
        isOld = line[7] == UInt8(ascii: "0")
        status = line[9..<12].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// False for an interim answer, after which another one comes.
    func isFinal() throws(TransportFailure) -> Bool {
        guard status < 200 else { return true }
        // RFC 9110 section 7.8: no upgrade was asked for. RFC 9112 section 6.3: an interim answer has no body.
        guard status != 101, fields["content-length"] == nil, fields["transfer-encoding"] == nil else {
            throw .malformed
        }
        return false
    }

    func framing() throws(TransportFailure) -> Framing {
        let lengths = fields["content-length"] ?? []
        let codings = fields["transfer-encoding"] ?? []
        guard lengths.count + codings.count <= 1 else { throw .malformed }
        if let coding = codings.first {
            guard !isOld else { throw .malformed }
            // Another transfer coding is a packing, too, which nobody here undoes.
            guard coding.lowercased() == "chunked" else { throw .encoding }
            return .chunked
        }
        guard let length = lengths.first else { return .toTheEnd }
        guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(length)
        else { throw .malformed }
        return .length(count)
    }

    /// Refuses what the limits do not allow before a byte of the body is read.
    func judge(_ limits: ExchangeLimits) throws(TransportFailure) -> Verdict {
        guard !(300..<400).contains(status) else { throw .redirect }
        let encodings = (fields["content-encoding"] ?? []).map { $0.lowercased() }
        guard encodings.count <= 1, encodings.allSatisfy({ $0 == "gzip" || $0 == "identity" }) else {
            throw .encoding
        }
        if status == 204 { return .noBody }
        let types = fields["content-type"] ?? []
        // What was made or moved is often answered by nothing, of no type.
        if types.isEmpty, encodings.isEmpty, (200..<300).contains(status), try framing() == .length(0) {
            return .noBody
        }
        let type = types.first.map {
            String($0.prefix { $0 != ";" }).lowercased().filter { $0 != " " && $0 != "\t" }
        }
        guard types.count == 1, type == limits.mediaType else {
            if (200..<300).contains(status) { throw .mediaType }
            return .statusAlone
        }
        if encodings == ["gzip"] { return .packed }
        if case .length(let count) = try framing(), count > limits.maxBytes { throw .tooLarge }
        return .plain
    }

    /// The first names of those that do not say how to read the answer: cookies, tags, ids of requests, what is to be reported.
    var dropped: [String] {
        Array(
            fields.keys.filter {
                !Self.understood.contains($0) && $0.utf8.count <= IncomingResponse.longestName
            }
            .sorted().prefix(IncomingResponse.mostNames))
    }

    private static let understood: Set<String> = [
        "connection", "content-encoding", "content-length", "content-type", "date", "transfer-encoding",
    ]

    private func tokens(_ name: String) -> [String] {
        (fields[name] ?? []).flatMap { $0.lowercased().split(separator: ",") }.map { token in
            String(token.filter { $0 != " " && $0 != "\t" })
        }
    }

    /// A trailer is read as a field and kept nowhere; one about the framing of what has been read is an attack.
    static func checkTrailer(_ line: [UInt8]) throws(TransportFailure) {
        let name = try field(line).name
        guard name != "content-length", name != "transfer-encoding" else { throw .malformed }
    }

    /// `name: value`. No blank stands before the colon, and none begins a line: RFC 9112 sections 5.1 and 5.2.
    private static func field(_ line: [UInt8]) throws(TransportFailure) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy(isTokenByte), isText(line[(colon + 1)...])
        else { throw .malformed }
        var value = line[(colon + 1)...]
        while let first = value.first, isBlank(first) { value.removeFirst() }
        while let last = value.last, isBlank(last) { value.removeLast() }
        return (
            String(decoding: line[..<colon], as: UTF8.self).lowercased(),
            String(decoding: value, as: UTF8.self)
        )
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Neither a control character but the tab, nor DEL.
    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }
    }

    /// RFC 9110 section 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
