import EscrowEgress
import EscrowEgressWire
import EscrowJSON
import Glibc
import Testing

@Suite("What the host and escrow-egress tell each other is what was meant, or nothing")
struct EgressWireTests {
    static let limits = ExchangeLimits(
        mediaType: "application/json", maxBytes: 100, isUnlinkable: true,
        patience: Patience(connect: 1, read: 0.5, whole: 2.25))

    static func bytes(_ line: JSONValue) -> [UInt8] { JSONWriter.line(line) }

    @Test("An order is read as it was written", arguments: ["192.0.2.1", "2001:db8::1"])
    func orders(address: String) throws {
        let destination = Destination(
            host: "api.example.org", address: try #require(IPAddress(address)), port: 8443, isPlain: true,
            isStandIn: true, pins: [[UInt8](repeating: 7, count: 32)])
        let order = SendOrder(destination: destination, limits: Self.limits, bytes: 12)
        #expect(try SendOrder(line: Self.bytes(order.line)) == order)
    }

    @Test("Every failure is read as it was written")
    func failures() throws {
        for failure in TransportFailure.allCases {
            let report = SendReport.failure(failure)
            #expect(try SendReport(line: Self.bytes(report.line), limits: Self.limits) == report)
        }
    }

    @Test("An answer is read as it was written, with as many names of headers as there can be")
    func answers() throws {
        let names = (0..<IncomingResponse.mostNames).map { number in
            String(repeating: "n", count: IncomingResponse.longestName - 2) + "\(10 + number)"
        }
        for dropped in [[], ["etag", "set-cookie"], names] {
            let report = SendReport.answer(status: 200, isTyped: true, bytes: 7, dropped: dropped)
            let line = Self.bytes(report.line)
            #expect(line.count <= SendReport.longestLine)
            #expect(try SendReport(line: line, limits: Self.limits) == report)
        }
        let more = SendReport.answer(status: 200, isTyped: true, bytes: 7, dropped: names + ["x"])
        #expect(throws: WireFault.wrong) {
            try SendReport(line: Self.bytes(more.line), limits: Self.limits)
        }
    }

    @Test(
        "What is not of the shape, or past the limits, is not believed",
        arguments: [
            "", "{}", "[]", #"{"status":200}"#, #"{"status":200,"typed":true,"bytes":101,"dropped":[]}"#,
            #"{"status":200,"typed":false,"bytes":1,"dropped":[]}"#,
            #"{"status":199,"typed":true,"bytes":1,"dropped":[]}"#,
            #"{"status":1000,"typed":true,"bytes":1,"dropped":[]}"#,
            #"{"status":200,"typed":true,"bytes":-1,"dropped":[]}"#,
            #"{"status":200,"typed":true,"bytes":1.5,"dropped":[]}"#,
            #"{"status":200,"typed":true,"bytes":1,"dropped":[],"more":1}"#,
            #"{"status":200,"typed":true,"bytes":1}"#,
            #"{"status":200,"typed":true,"bytes":1,"dropped":["a b"]}"#,
            #"{"status":200,"typed":true,"bytes":1,"dropped":[1]}"#,
            #"{"status":200,"typed":true,"bytes":1,"dropped":[""]}"#,
            #"{"failure":"weather"}"#, #"{"failure":"closed","bytes":1}"#, #"{"failure":1}"#,
        ])
    func reports(line: String) {
        #expect(throws: WireFault.wrong) { try SendReport(line: Array(line.utf8), limits: Self.limits) }
        #expect(throws: WireFault.wrong) { try SendOrder(line: Array(line.utf8)) }
        #expect(throws: WireFault.wrong) { try SendGreeting(line: Array(line.utf8)) }
    }

    @Test("Lines and bytes come over the socket in order; one that is cut or too long does not")
    func socket() throws {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        var near = MessageSocket(ends[0])
        let far = MessageSocket(ends[1])
        defer { close(ends[0]) }
        try far.send(["a": 1], [10, 11])
        try far.send(["b": 2])
        try far.send(.string(String(repeating: "x", count: 100)))
        #expect(try near.line(atMost: 100, within: nil) == Array(#"{"a":1}"#.utf8))
        #expect(try near.bytes(2, within: nil) == [10, 11])
        #expect(try near.line(atMost: 100, within: nil) == Array(#"{"b":2}"#.utf8))
        #expect(throws: WireFault.wrong) { try near.line(atMost: 99, within: nil) }
        #expect(try near.line(atMost: 102, within: nil)?.count == 102)
        #expect(throws: WireFault.late) { try near.line(atMost: 1, within: 0) }
        try far.send(.integer(5), [1])
        close(ends[1])
        #expect(try near.line(atMost: 1, within: nil) == [0x35])
        #expect(throws: WireFault.ended) { try near.bytes(2, within: nil) }
        #expect(throws: WireFault.ended) { try near.line(atMost: 1, within: nil) }
    }
}
