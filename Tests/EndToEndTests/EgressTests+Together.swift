import Foundation
import Testing

/// Requests that a manifest has leave together: one ask, one go.
extension EgressTests {
    @Test func requestsTogetherAreAskedForOnceAndAllRecordedBeforeTheFirstIsSent() throws {
        let escrow = try caller(together: true)
        let server = try StandIn(for: escrow, stopAt: "request")
        let run = try Running(
            escrow,
            [
                "run", "caller", "--app", "org.example.test", "--format", "json", "--param",
                "calls=good together:good,good,good good together:good",
            ])
        try server.waitForStop()
        #expect(try server.received().count == 1)
        #expect(try sent(escrow).count == 3)
        try server.goOn()
        #expect(
            try run.output() == "{\"said\":\"egress-together 200,200,200 egress-together egress-together\"}\n"
        )
        let received = try server.received()
        let recorded = try sent(escrow)
        #expect(recorded.map(\.bytes) == received.map(\.count))
        #expect(try recorded.map(\.digest) == received.map { try digest($0, in: escrow) })
        let each = try escrow.run("egress", "list", "--each").output
        #expect(each.components(separatedBy: "status 200").count == 4)
        #expect(each.components(separatedBy: "not sent: E0613").count == 4)
        let list = try escrow.run("egress", "list", "--each", "--format", "json").json()
        let ids = (list["requests"] as? [[String: Any]])?.compactMap { $0["id"] as? String }
        let shown = try escrow.run("egress", "show", try #require(ids?.first)).output
        #expect(shown.contains("\n  together   one of 3 requests that left in one go\n"), "\(shown)")
    }

    @Test func aFaultInOneOfTheRequestsTogetherRefusesAllOfThem() throws {
        let escrow = try caller(together: true)
        let server = try StandIn(for: escrow)
        #expect(
            try call(escrow, "together:good,range,good together:good").output
                == "{\"said\":\"egress-field-invalid egress-together\"}\n")
        #expect(try server.received().isEmpty)
    }

    /// What an author sees of it: the bits, and cases that play the servers' part.
    @Test func casesAnswerRequestsTogetherInTheOrderOfTheAsk() throws {
        let escrow = try caller(together: true)
        let source = escrow.folder.appending(path: "caller")
        let cases = source.appending(path: "Tests/cases")
        try FileManager.default.createDirectory(at: cases, withIntermediateDirectories: true)
        let requests =
            #"[{"to": "place", "sends": "\#(Self.line)", "status": 404, "body": {}}, "#
            + #"{"to": "place", "error": "egress-unreachable"}]"#
        for (calls, fetch, said) in [
            (
                "together:good,good good together:good", requests,
                "404,egress-unreachable egress-together egress-together"
            ),
            ("together:good,range together:good", "[]", "egress-field-invalid egress-together"),
            ("good", "[]", "egress-together"),
        ] {
            let text =
                #"{"name": "\#(calls)", "params": {"calls": "\#(calls)"}, "rows": [[60.37, 5.27]], "#
                + #""fetch": \#(fetch), "expect": {"result": {"said": "\#(said)"}}}"#
            try Data(text.utf8).write(to: cases.appending(path: "\(calls.count).json"))
        }
        let tested = try escrow.run("plugin", "test", source.path)
        #expect(tested.status == 0, "\(tested.everything)")
        #expect(tested.words.hasPrefix("3 passed, 0 failed; "), "\(tested.everything)")
        let checked = try escrow.run("plugin", "check", source.path).output
        #expect(
            checked.contains(
                "sends   place: lat 14.2, lon 15.2, appid 0.0; 29.3 bits a call, when all are sent 4.0, 89.3 a run"
            ),
            "\(checked)")
        #expect(
            checked.contains("bits    sends at most 90 bits a run to api.openweathermap.org; "), "\(checked)")
        #expect(!checked.contains("each when it asks for it"))
        let sheet = try escrow.run("grant", "allow", "--app", "org.example.test", "--plugin", "caller").words
        let words = sheet.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains("at most 3 calls and 90 bits a run, all requests of a run in one go; with lat"),
            "\(words)")
    }

    private static let line =
        "GET /data/2.5/weather?lat=60.37&lon=5.27&appid=00000000000000000000000000000000"

    @Test func requestsTogetherTakeWhatARunCanCarryFromTheBudgetOnce() throws {
        // Up to three of 2^29.3 places, in no order, at one of sixteen moments: 89.3 bits.
        let escrow = try caller("--bits-per-day", "179", together: true)
        let server = try StandIn(for: escrow)
        #expect(try call(escrow, "together:good").output == "{\"said\":\"200\"}\n")
        #expect(try call(escrow, "together:good,good,good").output == "{\"said\":\"egress-budget\"}\n")
        #expect(try server.received().count == 1)
    }
}
