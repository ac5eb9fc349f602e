import EscrowEgress
import EscrowHTTPAnswer
import Testing

@Suite("Answers of HTTP/1.1 are read strictly, in whatever pieces they come")
struct AnswerReaderTests {
    static let limits = ExchangeLimits(mediaType: "application/json", maxBytes: 20, isUnlinkable: false)
    static let type = "content-type: application/json\r\n"

    enum End: Equatable {
        case whole(String, isReusable: Bool)
        case unfinished
        case failure(TransportFailure)
    }

    /// Feeds the text in pieces of a size.
    static func read(_ text: String, by size: Int, thenEnds: Bool = false) -> End {
        var reader = AnswerReader(limits)
        let bytes = Array(text.utf8)
        do throws(TransportFailure) {
            for start in stride(from: 0, to: bytes.count, by: size) {
                _ = try reader.take(bytes[start..<min(start + size, bytes.count)])
            }
            if thenEnds { try reader.end() }
        } catch {
            return .failure(error)
        }
        guard let response = reader.response else { return .unfinished }
        return .whole(String(decoding: response.body, as: UTF8.self), isReusable: reader.isReusable)
    }

    static let cases: [(String, End)] = [
        ("HTTP/1.1 200 OK\r\n\(type)content-length: 2\r\n\r\n{}", .whole("{}", isReusable: true)),
        ("HTTP/1.1 200\r\n\(type)content-length: 2\r\n\r\n{}", .whole("{}", isReusable: true)),
        ("HTTP/1.0 200 OK\r\n\(type)content-length: 2\r\n\r\n{}", .whole("{}", isReusable: false)),
        (
            "HTTP/1.1 200 OK\r\nConnection: x, Close\r\n\(type)content-length: 2\r\n\r\n{}",
            .whole("{}", isReusable: false)
        ),
        ("HTTP/1.1 200 OK\r\n\(type)content-length: 2\r\n\r\n{}x", .whole("{}", isReusable: false)),
        ("HTTP/1.1 200 OK\r\n\(type)content-length: 3\r\n\r\n{}", .unfinished),
        ("HTTP/1.1 200 OK\r\n\(type)content-length: 0\r\n\r\n", .whole("", isReusable: true)),
        ("HTTP/1.1 204 No\r\n\r\n", .whole("", isReusable: true)),
        ("HTTP/1.1 204 No\r\ncontent-length: 2\r\n\r\n{}", .whole("", isReusable: false)),
        ("HTTP/1.1 103 x\r\na: b\r\n\r\nHTTP/1.1 204 No\r\n\r\n", .whole("", isReusable: true)),
        ("HTTP/1.1 100 x\r\ncontent-length: 0\r\n\r\n", .failure(.malformed)),
        ("HTTP/1.1 304 x\r\n\r\n", .failure(.redirect)), ("HTTP/1.2 200 OK\r\n", .failure(.malformed)),
        ("HTTP/1.1 200 OK\r\n \r\n", .failure(.malformed)), ("HTTP/1.1 200 OK\n", .failure(.malformed)),
        ("HTTP/1.1 200 OK\r\r\n", .failure(.malformed)), ("HTTP/1.1 2x0 OK\r\n", .failure(.malformed)),
        ("HTTP/1.1 099 OK\r\n", .failure(.malformed)), ("\r\nHTTP/1.1 200 OK\r\n", .failure(.malformed)),
        ("HTTP/1.1 200 OK\r\na\u{7F}: b\r\n", .failure(.malformed)),
        ("HTTP/1.1 200 OK\r\n: b\r\n", .failure(.malformed)),
        ("HTTP/1.1 200 OK\r\na\r\n", .failure(.malformed)),
        ("HTTP/1.1 200 OK\r\n\(type)content-length: \r\n\r\n", .failure(.malformed)),
        ("HTTP/1.1 200 OK\r\n\(type)content-length: 1\r\ncontent-length: 1\r\n\r\n", .failure(.malformed)),
        (
            "HTTP/1.1 200 OK\r\n\(type)transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n",
            .failure(.malformed)
        ),
        ("HTTP/1.0 200 OK\r\n\(type)transfer-encoding: chunked\r\n\r\n", .failure(.malformed)),
    ]

    @Test("Heads and lengths", arguments: cases)
    func heads(text: String, end: End) {
        for size in [1, 2, 7, text.utf8.count] {
            #expect(Self.read(text, by: size) == end, "\(text.debugDescription) by \(size)")
        }
    }

    static let chunks: [(String, End)] = [
        ("2\r\n{}\r\n0\r\n\r\n", .whole("{}", isReusable: true)),
        ("0001;a=\"b\"\r\n1\r\n1 ;x\r\n", .failure(.malformed)),
        ("1;a\r\n1\r\n00\r\n\r\n", .whole("1", isReusable: true)), ("1\r\n12", .failure(.malformed)),
        ("1\n1", .failure(.malformed)), ("\r\n", .failure(.malformed)), (";\r\n", .failure(.malformed)),
        (" 1\r\n", .failure(.malformed)), ("0x1\r\n", .failure(.malformed)), ("-1\r\n", .failure(.malformed)),
        ("0000000000000001\r\n", .failure(.malformed)), ("0\r\nx: y\r\n\r\n", .whole("", isReusable: true)),
        ("0\r\nTransfer-Encoding: x\r\n", .failure(.malformed)), ("0\r\n x\r\n", .failure(.malformed)),
        ("15\r\n123456789012345678901", .failure(.tooLarge)), ("14\r\n", .unfinished),
    ]

    @Test("Chunks", arguments: chunks)
    func chunked(text: String, end: End) {
        let text = "HTTP/1.1 200 OK\r\n\(Self.type)transfer-encoding: chunked\r\n\r\n" + text
        for size in [1, 2, 7, text.utf8.count] {
            #expect(Self.read(text, by: size) == end, "\(text.debugDescription) by \(size)")
        }
    }

    @Test("An end is the end of a body without a length, and of nothing else")
    func ends() {
        let head = "HTTP/1.1 200 OK\r\n\(Self.type)"
        #expect(Self.read(head + "\r\n{}", by: 3, thenEnds: true) == .whole("{}", isReusable: false))
        #expect(Self.read(head + "\r\n{}", by: 3) == .unfinished)
        for cut in ["", head, head + "content-length: 3\r\n\r\n{}"] {
            #expect(Self.read(cut, by: 3, thenEnds: true) == .failure(.closed))
        }
    }

    @Test("Only a head and a body are progress")
    func progress() throws {
        var reader = AnswerReader(Self.limits)
        let head = "HTTP/1.1 200 OK\r\n\(Self.type)transfer-encoding: chunked\r\n"
        let pieces: [(String, Bool)] = [
            (head, false), ("\r\n", true), ("1", false), (";endless", false), ("\r\n", false), ("1", true),
            ("\r\n0\r\nx: y\r\n", false),
        ]
        for (piece, isProgress) in pieces {
            #expect(try reader.take(Array(piece.utf8)) == isProgress, "\(piece.debugDescription)")
        }
    }
}
