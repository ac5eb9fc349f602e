import EscrowJSON
import EscrowTabular
import EscrowWire
import Testing

/// What transcripts cannot show: lines that are split, cancelling, dropped remarks, and that no text of the plugin's
/// gets into an error.
@Suite struct SessionTests {
    private static func session(_ limits: SessionLimits = .init(resultBytes: 256)) throws -> Session {
        Session(
            run: "r", schema: try Schema([.init("t", type: .text)]), resultKind: .record, limits: limits)
    }

    private static func batch(_ texts: [String]) throws -> Batch {
        let builder = BatchBuilder(schema: try Schema([.init("t", type: .text)]))
        for text in texts {
            try builder.appendText(text, to: 0)
            try builder.endRow()
        }
        return builder.finish()
    }

    private static let ask = Array("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":100}\n".utf8)

    @Test func rowsThatDoNotFitIntoALineComeWithTheNextAsk() throws {
        var limits = SessionLimits(resultBytes: 256)
        limits.hostLineBytes = 100
        var session = try Self.session(limits)
        let texts = ["a", String(repeating: "b", count: 200), "c", String(repeating: "d", count: 50), "e"]
        _ = try session.receive(Self.ask)
        var lines = try session.answer(batch: Self.batch(texts), more: false)
        for _ in 0..<10
        where !String(decoding: lines[lines.count - 1], as: UTF8.self).contains("\"more\":false") {
            for event in try session.receive(Self.ask) {
                if case .send(let line) = event {
                    lines.append(line)
                } else {
                    Issue.record("an ask that the host need not see")
                }
            }
        }
        let rows = try lines.flatMap { try JSONParser.parse($0).value["rows"]?.array ?? [] }
        #expect(rows == texts.map { [.string($0)] })
        #expect(lines.count == 3, "a alone, b alone though it is too long, then the rest")
        #expect(session.counts.rows == 5)
        #expect(throws: WireError(.badRowsAsk, line: 0, "")) { try session.receive(Self.ask) }
    }

    private static func sending() throws -> Session {
        Session(
            run: "r", schema: try Schema([.init("t", type: .text)]), features: [.fetch], resultKind: .record,
            limits: .init(resultBytes: 256))
    }

    private static let made =
        Array(
            #"{"ask":"fetch","to":"up","fields":{},"bytes":5,"mediaType":"image/jpeg"}"#.utf8) + [0x0A]

    @Test func bytesToSendFollowTheAskHoweverTheyAreSplit() throws {
        for cut in 0...(Self.made.count + 5) {
            var session = try Self.sending()
            let bytes = Self.made + Array("a\n{\"x".utf8)
            var events = try session.receive(bytes[..<cut])
            events += try session.receive(bytes[cut...])
            guard case .fetch(let request)? = events.first, events.count == 1 else {
                Issue.record("no ask, or more than one, where it is cut at \(cut)")
                continue
            }
            #expect(request.made == Array("a\n{\"x".utf8))
            #expect(session.isAnswerDue)
        }
    }

    @Test func nothingFollowsTheBytesBeforeTheAnswer() throws {
        var session = try Self.sending()
        #expect(throws: WireError(.outOfTurn, line: 0, "")) {
            try session.receive(Self.made + Array("abcde{".utf8))
        }
    }

    @Test func cancelIsToldAfterTheBytes() throws {
        var session = try Self.sending()
        _ = try session.receive(Self.made)
        _ = session.cancel()
        guard case .send(let line)? = try session.receive(Array("abcde".utf8)).first else {
            Issue.record("the ask was not answered")
            return
        }
        #expect(String(decoding: line, as: UTF8.self).contains("cancelled"))
    }

    @Test(arguments: [
        #"{"ask":"fetch","to":"a","fields":{},"bytes":16777217,"mediaType":"a/b"}"#,
        #"{"ask":"fetch","to":"a","fields":{},"bytes":-1,"mediaType":"a/b"}"#,
        #"{"ask":"fetch","to":"a","fields":{},"bytes":1}"#,
        #"{"ask":"fetch","to":"a","fields":{},"bytes":1,"mediaType":"a/b","asset":"h"}"#,
        #"{"ask":"fetch","to":"a","fields":{},"part":[0,1]}"#,
        #"{"ask":"fetch","to":"a","fields":{},"asset":"h","part":[0,0]}"#,
        #"{"ask":"fetch","to":"a","fields":{},"asset":"h","part":[-1,2]}"#,
        #"{"ask":"fetch","to":"a","fields":{},"asset":"h","part":[9223372036854775807,9223372036854775807]}"#,
        #"{"ask":"fetch","together":[{"to":"a","fields":{},"bytes":1,"mediaType":"a/b"}]}"#,
    ])
    func anAskToSendThatIsNone(line: String) throws {
        var session = try Self.sending()
        #expect(throws: WireError.self) { try session.receive(Array((line + "\n").utf8)) }
    }

    @Test func cancelAnswersTheAskThatWaits() throws {
        var session = try Self.session()
        _ = try session.receive(Self.ask)
        let line = String(decoding: session.cancel() ?? [], as: UTF8.self)
        #expect(line == "{\"error\":{\"code\":\"cancelled\",\"message\":\"the run was cancelled\"}}\n")
        #expect(!session.isAnswerDue)
    }

    @Test func cancelAnswersTheNextAskIfNoneWaits() throws {
        var session = try Self.session()
        #expect(session.cancel() == nil)
        let events = try session.receive(Self.ask)
        guard case .send(let line)? = events.first else {
            Issue.record("no answer")
            return
        }
        #expect(String(decoding: line, as: UTF8.self).contains("cancelled"))
    }

    @Test func remarksBeyondTheLimitAreDroppedAndCounted() throws {
        var limits = SessionLimits(resultBytes: 256)
        limits.tells = 2
        var session = try Self.session(limits)
        let events = try session.receive(Array(String(repeating: "{\"progress\":0.5}\n", count: 5).utf8))
        #expect(events.count == 2)
        #expect(session.counts.droppedTells == 3)
    }

    @Test(arguments: [
        "canary", "{\"canary\":1}", "{\"ask\":\"canary\"}", "{\"ask\":\"rows\",\"max\":1,\"canary\":1}",
        "{\"refuse\":{\"code\":\"canary\",\"message\":\"\"}}", "{\"result\":\"canary\"}",
        "{\"canary\":1,\"canary\":2}", "{\"log\":{\"level\":\"canary\",\"text\":\"\"}}",
    ])
    func noErrorHoldsWhatThePluginWrote(line: String) throws {
        var session = try Self.session()
        do {
            _ = try session.receive(Array((line + "\n").utf8))
            Issue.record("accepted")
        } catch {
            #expect(!error.description.contains("canary"))
            #expect(error.description.contains("line 1"))
        }
    }

    @Test func theFirstLineTellsColumnsParametersAndLimits() throws {
        let session = Session(
            run: "r-7", schema: try Schema([.init("age", type: .integer)]), parameters: [("min", 21)],
            features: [.asset, .rows], resultKind: .record, limits: SessionLimits(resultBytes: 256))
        #expect(
            String(decoding: session.start(), as: UTF8.self)
                == #"{"escrow":1,"run":"r-7","columns":[{"name":"age","type":"integer"}],"params":{"min":21},"#
                + "\"limits\":"
                + #"{"rowsPerAsk":8192,"lineBytes":65536,"resultBytes":256},"features":["rows","asset"]}"#
                + "\n")
    }
}
