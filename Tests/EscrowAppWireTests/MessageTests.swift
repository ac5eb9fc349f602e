import EscrowAppWire
import EscrowDiagnostics
import EscrowJSON
import Testing

@Suite struct MessageTests {
    private func refusal(_ body: RunBody) -> AppWireError? {
        do throws(AppWireError) {
            _ = try AppRequest.run(id: 1, body).line()
            return nil
        } catch {
            return error
        }
    }

    @Test func `an app hears of its mistake before anything is sent`() {
        let long = String(repeating: "n", count: 256)
        #expect(refusal(RunBody(app: "a", compute: "c")) == nil)
        #expect(refusal(RunBody(app: long, compute: "c")) == AppWireError(.badValue, member: "app"))
        #expect(refusal(RunBody(app: "a", compute: "c d")) == AppWireError(.badValue, member: "compute"))
        let twice: [RunBody.Named] = [("n", 1), ("n", 2)]
        #expect(
            refusal(RunBody(app: "a", bindings: twice, compute: "c"))
                == AppWireError(.badValue, member: "bindings"))
        #expect(
            refusal(RunBody(app: "a", compute: "c", arguments: [("k", .real(.infinity))]))
                == AppWireError(.badValue, member: "arguments"))
        let many = (0...AppWire.valueCap).map { RunBody.Named("n\($0)", 1) }
        #expect(
            refusal(RunBody(app: "a", bindings: many, compute: "c"))
                == AppWireError(.badValue, member: "bindings"))
        #expect(refusal(RunBody(app: "a", bindings: many.dropLast(), compute: "c")) == nil)
    }

    @Test func `a request beyond its cap is refused on both sides`() throws {
        let room = AppWire.requestCap - #"{"id":1,"run":{"app":"a","sql":"","compute":"c"}}"#.utf8.count
        let fits = RunBody(app: "a", sql: String(repeating: "x", count: room), compute: "c")
        let line = try AppRequest.run(id: 1, fits).line()
        #expect(line.count == AppWire.requestCap + 1)
        #expect(try AppRequest(line: line.dropLast()) == .run(id: 1, fits))
        let exceeds = RunBody(app: "a", sql: String(repeating: "x", count: room + 1), compute: "c")
        #expect(refusal(exceeds) == AppWireError(.lineTooLong))
        #expect(throws: AppWireError(.lineTooLong)) { try AppRequest(line: [0x20] + line.dropLast()) }
    }

    @Test func `a result beyond its cap is refused by the writer`() {
        let bytes = [UInt8](repeating: 0, count: AppWire.answerCap / 4 * 3)
        #expect(throws: AppWireError(.lineTooLong)) {
            try HostMessage.result(id: 1, .bytes(bytes, mediaType: "a/b")).line()
        }
        let text = String(repeating: "x", count: AppWire.answerCap)
        #expect(throws: AppWireError(.lineTooLong)) {
            try HostMessage.result(id: 1, .value(.string(text), columns: nil)).line()
        }
    }

    @Test(arguments: [0, 1, 2, 3, 255, 256, 1000]) func `bytes come out as they went in`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }
        let message = HostMessage.result(id: 4, .bytes(bytes, mediaType: "application/octet-stream"))
        #expect(try HostMessage(line: message.line().dropLast()) == message)
    }

    @Test func `an id is open once, and answered once`() throws {
        var open = OpenRequests()
        try open.open(1)
        #expect(throws: AppWireError(.badID)) { try open.open(1) }
        for id in 2...Int64(AppWire.openCap) { try open.open(id) }
        #expect(throws: AppWireError(.tooManyOpen, id: 100)) { try open.open(100) }
        let first = open.close(1)
        let second = open.close(1)
        #expect(first && !second)
        try open.open(100)
        #expect(open.count == AppWire.openCap)
    }

    @Test func `every rule has a sentence of its own, and its failure is usage`() {
        let errors = AppWireError.Reason.allCases.map { AppWireError($0, member: "sql") }
        #expect(Set(errors.map(\.message)).count == errors.count)
        #expect(errors.map(\.code.rawValue) == (1001...1009).map { "E\($0)" })
        for error in errors {
            #expect(
                HostFailure(error)
                    == HostFailure(code: error.code.rawValue, status: 64, message: error.message))
        }
    }
}
