import EscrowDiagnostics
import EscrowGroupAnswers
import EscrowJSON
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowGroup
@testable import EscrowGroupDevice

/// What a member of a group does to another's device: b to a, with servers in this process.
@Suite("Hostile members and a device's answers") final class AnswerAttackTests {
    let servers: FakeServers
    let devices: (a: Device, b: Device)
    let now: Int64 = 1_000_000_000_000
    /// Of the messages that b forges.
    private var sequence: UInt64 = 100

    init() throws {
        servers = try FakeServers()
        devices = try servers.devices()
    }

    private func exchange() throws {
        for device in [devices.a, devices.b, devices.a, devices.b] { _ = try device.sync(at: now) }
    }

    private func ask(_ device: Device, epsilon: Double = 0.5) throws -> Question {
        let question = try device.ask(
            plugin: "p", sql: nil, field: "f", count: 1, least: 3, epsilon: epsilon, bound: 40, at: now)
        try exchange()
        return question
    }

    private func budget(_ most: Double = 4) -> AnswerBudget {
        AnswerBudget(home: servers.folder.path, most: most)
    }

    private func spent() throws -> [Double] {
        let bytes = try Array(Data(contentsOf: URL(filePath: servers.folder.path + "/answers.json")))
        return try JSONParser.parse(bytes).value.array?.compactMap { $0["epsilon"]?.real } ?? []
    }

    /// Sends a word under any name, past what an honest device checks; or a deletion of it.
    private func forge(_ id: String, _ content: String?, as objectClass: String) throws {
        let b = devices.b
        sequence += 1
        let stamp: JSONValue = [.integer(now + Int64(sequence)), 0, "b"]
        let version: JSONValue = content.map { ["at": stamp, "object": .string($0)] } ?? ["at": stamp]
        let text = String(decoding: JSONWriter.line(version), as: UTF8.self)
        let message = Message(
            content: content == nil ? .delete(text) : .update(text), sequence: sequence,
            objectClass: objectClass, objectId: id, receiverId: .everybody, senderId: "b", email: "",
            name: "", sentTime: now)
        try b.step { () throws(Diagnostic) in
            guard let sealed = try? b.keyring.seal(message) else {
                throw Diagnostic(.groupUnfit, "not sealed")
            }
            try b.enqueue(sealed)
        }
        try exchange()
    }

    /// Neither by a word of the same name, nor by a deletion, nor by an object of the app's.
    @Test func aQuestionStaysWhatItsAskerAsked() throws {
        let question = try ask(devices.a)
        let id = Grouper<Replica>.wordId("\(question.id)/0-asked/a")
        try forge(id, "{\"word\":\"\"}", as: Grouper<Replica>.answers)
        #expect(try devices.a.questions() == [question])
        try forge(id, nil, as: Grouper<Replica>.answers)
        #expect(try devices.a.questions() == [question])
        try forge(id, "{\"word\":\"\"}", as: "Record")
        #expect(try devices.a.questions() == [question])
        #expect(devices.a.objects().isEmpty)
        // Nor by this device's own app.
        #expect(throws: Diagnostic(.objectUnfit, "")) {
            try devices.a.delete(Grouper<Replica>.answers, id, at: now)
        }
        #expect(throws: Diagnostic(.objectUnfit, "")) { try devices.a.update("Record", id, "{}", at: now) }
        #expect(try Device(reading: servers.folder.path + "/a").questions() == [question])
    }

    /// The asker, who says its question a second time after it was counted, with an ε that tells all.
    @Test func whatIsAnsweredIsWhatWasCounted() throws {
        let question = try ask(devices.b)
        _ = try devices.a.goOn(question.id, budget: budget(), at: now) { _ in [] }
        #expect(try spent() == [0.5])
        let asked = String(decoding: JSONWriter.line(question.json), as: UTF8.self)
            .replacing("\"epsilon\":0.5", with: "\"epsilon\":16.0")
        let word = "{\"question\":\"\(question.id)\",\"sender\":\"b\",\"asked\":\(asked)"
        let signature = try devices.b.keys.sign(Array("escrow answer word\n\(word)}".utf8))
        let object: JSONValue = ["word": .string("\(word),\"signature\":\"\(Base64.encode(signature))\"}")]
        try forge(
            Grouper<Replica>.wordId("\(question.id)/0-asked/b"),
            String(decoding: JSONWriter.line(object), as: UTF8.self), as: Grouper<Replica>.answers)
        #expect(try devices.a.questions() == [question])
        _ = try devices.a.goOn(question.id, budget: budget(), at: now) { _ in [] }
        #expect(try spent() == [0.5])
    }

    /// One budget for all groups of a home, also for a process that starts anew; what an earlier version counted counts.
    @Test func allGroupsOfAHomeShareOneBudget() throws {
        let work = try AnswerAttackTests()
        let home = budget()
        let (first, second) = (try ask(devices.b, epsilon: 3.9), try work.ask(work.devices.b, epsilon: 3.9))
        _ = try devices.a.goOn(first.id, budget: home, at: now) { _ in [] }
        #expect(throws: Diagnostic(.answerBudgetSpent, "")) {
            try work.devices.a.goOn(second.id, budget: budget(), at: now) { _ in [] }
        }
        #expect(try spent() == [3.9])
        // A month later there is room, but for what the group's own file says.
        let later = now + 31 * 86_400_000
        struct Old: Codable {
            let question: String
            let epsilon: Double
            let at: Int64
        }
        try work.devices.a.store.setPart("spent", [Old(question: "q", epsilon: 1, at: later)])
        #expect(throws: Diagnostic(.answerBudgetSpent, "")) {
            try work.devices.a.goOn(second.id, budget: budget(), at: later) { _ in [] }
        }
        _ = try work.devices.a.goOn(second.id, budget: budget(5), at: later) { _ in [] }
        #expect(try spent() == [3.9])
        // What cannot be read is not taken for nothing.
        try Data("[{}]".utf8).write(to: URL(filePath: servers.folder.path + "/answers.json"))
        let third = try ask(devices.b)
        #expect(throws: Diagnostic(.homeDamaged, "")) {
            try devices.a.goOn(third.id, budget: home, at: now) { _ in [] }
        }
    }

    /// What would not be read back is not said, and nothing is said twice: no device deals without an end.
    @Test func aWordIsSaidOnceAndOnlyWhereItCanBeRead() throws {
        let question = try ask(devices.a)
        func word(_ count: Int) -> Word {
            Word(
                question: question.id, sender: "a",
                content: .dealt(["b": [UInt8](repeating: 7, count: count)]))
        }
        #expect(throws: Diagnostic(.groupUnfit, "")) { try devices.a.say(word(5 << 20), nil, at: now) }
        try devices.a.say(word(100), nil, at: now)
        #expect(throws: Diagnostic(.groupUnfit, "")) { try devices.a.say(word(100), nil, at: now) }
    }

    /// A grant is for one group, whoever began another of the same name.
    @Test func eachGroupAsksInItsOwnName() throws {
        let folder = try TemporaryFolder("group-names")
        var apps: Set<String> = []
        for home in ["one", "two"] {
            let candidate = try Candidate("\(folder.path)/\(home)/my_Home", name: "", email: "")
            let node = candidate.introduction.profile.id
            apps.insert(Device.app(of: node, called: "my_Home"))
        }
        #expect(apps.count == 2)
        #expect(apps.allSatisfy { $0.hasPrefix("org.escrow.group.") && $0.hasSuffix(".my-home") })
        for alike in ["My_home", "my-home"] {
            #expect(throws: Diagnostic(.groupExists, "")) {
                try Candidate("\(folder.path)/one/\(alike)", name: "", email: "")
            }
        }
    }
}
