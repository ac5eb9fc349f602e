import Foundation
import Testing

/// An app that is denied as if there were no data is answered, byte for byte, as it is where it is allowed and there are none.
@Suite struct DeniedAsEmptyTests {
    static let app = "org.example.notes"
    /// The plugin's own query, which looks at a column more than it hands on.
    static let own = "SELECT id, familyName FROM Contacts WHERE givenName IS NOT NULL"

    /// Every kind of question, of the dataflow that was decided about, of less, of more, and of what can never be.
    static let questions: [(verb: String, body: String)] = {
        let sql: [String?] = [
            nil, own, "SELECT id, familyName FROM Contacts", "SELECT id, familyName FROM Contacts LIMIT 1",
            "SELECT id, familyName FROM Contacts WHERE familyName = :name ORDER BY id",
            "SELECT id, familyName FROM Contacts WHERE id IN (SELECT id FROM Contacts)",
            "SELECT id, familyName FROM Contacts WHERE phoneNumber IS NOT NULL",
            "SELECT id, familyName, givenName FROM Contacts", "SELECT familyName, id FROM Contacts",
            "SELECT latitude, timestamp FROM Location", "SELECT count(*) FROM Contacts", "SELECT 1",
            "nonsense",
            "SELECT id, familyName FROM Nowhere",
        ]
        var bodies = sql.map { text in
            let member = text.map { #""sql":"\#($0)","# } ?? ""
            return #"{"app":"\#(app)",\#(member)"bindings":{"name":"x","unused":1},"compute":"echo"}"#
        }
        bodies += [
            #"{"app":"\#(app)","compute":"echo","arguments":{"none":"1"}}"#,
            #"{"app":"\#(app)","compute":"nothing"}"#, #"{"app":"org.example.other","compute":"echo"}"#,
            #"{"app":"notes","compute":"echo"}"#, #"{"app":"\#(app)","compute":"echo","more":1}"#,
        ]
        return ["status", "watch", "run"].flatMap { verb in bodies.map { (verb, $0) } }
    }()

    /// An individual whose contacts are those of the samples, or none.
    private func echo(hasContacts: Bool) throws -> Echo {
        let echo = try Echo()
        let installed = try echo.install([
            (#""name": "latitude", "type": "real""#, #""name": "id", "type": "text""#),
            (#""name": "timestamp", "type": "timestamp""#, #""name": "familyName", "type": "text""#),
            (#""Location": ["latitude", "timestamp"]"#, #""Contacts": ["id", "familyName", "givenName"]"#),
            ("SELECT latitude, timestamp FROM Location", Self.own),
        ])
        try #require(installed.status == 0, "\(installed.words)")
        guard !hasContacts else { return echo }
        let path = Escrow.root.appending(path: "samples/contacts.vcf").path
        try #require(try echo.escrow.run("source", "remove", "contacts", path).status == 0)
        let folder = echo.escrow.folder.appending(path: "cards")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let card = folder.appending(path: "a.vcf")
        try FileManager.default.copyItem(atPath: path, toPath: card.path)
        try #require(try echo.escrow.run("source", "add", "contacts", folder.path).status == 0)
        try FileManager.default.removeItem(at: card)
        return echo
    }

    /// All answers to all questions, each asked when the one before is answered.
    private func answers(_ echo: Echo) throws -> [String] {
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = ["host", "--stdio"]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "ESCROW_HOME": echo.escrow.home.path
        ]) { $1 }
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        /// The next line that is an answer to this request.
        func answer(_ id: Int) throws -> String {
            while true {
                var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                let whole = lines.dropLast()
                if let place = whole.firstIndex(where: { $0.hasPrefix("{\"id\":\(id),") }) {
                    let line = String(lines.remove(at: place))
                    text = lines.joined(separator: "\n")
                    return line
                }
                let piece = output.fileHandleForReading.availableData
                try #require(!piece.isEmpty, "the host ended: \(text)")
                text += String(decoding: piece, as: UTF8.self)
            }
        }
        func send(_ line: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        }
        var answers: [String] = []
        for (index, question) in Self.questions.enumerated() {
            let id = 2 * index + 1
            try send(#"{"id":\#(id),"\#(question.verb)":\#(question.body)}"#)
            answers.append(try answer(id))
            // A question that stays is withdrawn, and its last word is an answer as well.
            guard question.verb == "watch", !answers[index].contains("\"error\"") else { continue }
            try send(#"{"id":\#(id + 1),"cancel":\#(id)}"#)
            answers[index] += try answer(id)
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        // Alike but for the run's own name.
        return (answers + ["\(process.terminationStatus)"]).map { $0.replacing(/r-[0-9a-f]+/, with: "r") }
    }

    @Test func everyQuestionOfAnAppHasTheSameAnswer() throws {
        let allowed = try echo(hasContacts: false)
        try allowed.allow(Self.app)
        let denied = try echo(hasContacts: true)
        let outcome = try denied.escrow.run(
            "grant", "deny", "--as-empty", "--app", Self.app, "--plugin", "echo")
        try #require(outcome.status == 0, "\(outcome.words)")
        let (ours, theirs) = (try answers(allowed), try answers(denied))
        for (index, question) in Self.questions.enumerated() {
            #expect(ours[index] == theirs[index], "\(question)")
        }
        #expect(ours.last == theirs.last)
        // They are not all the same: some are allowed, some undecided, some refused.
        #expect(ours.contains { $0.contains("authorized") } && ours.contains { $0.contains("notDetermined") })
        #expect(ours.contains { $0.contains("\"result\"") } && ours.contains { $0.contains("\"error\"") })
    }
}
