import EscrowDiagnostics
import EscrowGroup
import EscrowGroupAnswers
import Foundation
import ShareServers
import TemporaryFolder
import Testing

@testable import EscrowGroupDevice

/// Draws that give no noise.
struct Silence: RandomNumberGenerator {
    func next() -> UInt64 { 0 }
}

/// A question through servers' processes.
@Suite("Devices that answer together") struct AnswerDeviceTests {
    /// Ada, who asks, Bob, Cy, and more.
    final class Stage {
        let folder: TemporaryFolder
        let servers: [ShareServer]
        var devices: [Device]
        var now: Int64 = 1_000_000_000_000

        init(rule: Rule = .newestWins, members: Int = 3) throws {
            folder = try TemporaryFolder("answers")
            servers = try (0..<3).map { _ in try ShareServer() }
            let owner = try DeviceTests.Stage.begin(
                folder.path + "/0", servers.map(\.address), accepted: 2, 60_000, rule)
            devices = [owner]
            for number in 1..<members {
                devices.append(try DeviceTests.Stage.join(folder.path + "/\(number)", owner, at: now))
            }
            for device in devices { device.conduct.random = Silence() }
        }

        /// What one of them allows, in a home of their own.
        func budget(_ index: Int, _ most: Double = 100) -> AnswerBudget {
            AnswerBudget(home: "\(folder.path)/\(index)", most: most)
        }

        /// Two rounds, so that what each says reaches the others.
        func exchange() throws {
            for device in devices + devices {
                now += 1000
                _ = try device.sync(at: now)
            }
        }

        func ask(least: Int = 3, epsilon: Double = 1, bound: Int64 = 1) throws -> Question {
            let question = try devices[0].ask(
                plugin: "org.example.count", sql: nil, field: "count", count: 2, least: least,
                epsilon: epsilon,
                bound: bound, at: now)
            try exchange()
            return question
        }

        func goOn(_ question: Question, _ numbers: [[Int64]]) throws -> [QuestionState] {
            try devices.indices.map { index in
                try devices[index].goOn(question.id, budget: budget(index), at: now) { _ in numbers[index] }
            }
        }
    }

    @Test(arguments: [Rule.newestWins, .merging]) func allLearnTheSum(rule: Rule) throws {
        let stage = try Stage(rule: rule)
        let question = try stage.ask()
        #expect(try stage.devices[1].questions() == [question])
        let numbers: [[Int64]] = [[1, 0], [0, 1], [1, 0]]
        var states: [QuestionState] = []
        for _ in 0..<8 {
            states = try stage.goOn(question, numbers)
            if states.allSatisfy({ if case .answered = $0 { true } else { false } }) { break }
            try stage.exchange()
        }
        for state in states {
            guard case .answered(let answer) = state else {
                Issue.record("\(state)")
                continue
            }
            #expect(answer.sums == [2, 1])
            #expect(answer.members.count == 3)
        }
        // An app sees none of it, and cannot speak for a member.
        #expect(stage.devices[0].objects().isEmpty)
        #expect(throws: Diagnostic(.objectUnfit, "")) {
            try stage.devices[0].update("answers together", "x", "{}", at: stage.now)
        }
    }

    /// After each step the device is opened again: what it said before, it does not say otherwise.
    @Test func aDeviceThatStartsAgainGoesOn() throws {
        let stage = try Stage()
        let question = try stage.ask()
        var calls = 0
        for _ in 0..<8 {
            for index in stage.devices.indices {
                let budget = stage.budget(index)
                _ = try stage.devices[index].goOn(question.id, budget: budget, at: stage.now) { _ in
                    calls += 1
                    return [1, 0]
                }
            }
            try stage.exchange()
            let folder = stage.folder.path
            stage.devices = []
            stage.devices = try (0...2).map { try Device("\(folder)/\($0)") }
            for device in stage.devices { device.conduct.random = Silence() }
        }
        #expect(calls == 3)
        let states = try stage.goOn(question, [[], [], []])
        for case .answered(let answer) in states { #expect(answer.sums == [3, 0]) }
        #expect(!states.contains { if case .waiting = $0 { true } else { false } })
    }

    @Test func whatTellsMoreThanTheIndividualAllowsIsNotAnswered() throws {
        let stage = try Stage()
        let (first, second) = (try stage.ask(epsilon: 3), try stage.ask(epsilon: 2))
        let (bob, budget) = (stage.devices[1], stage.budget(1, 4))
        _ = try bob.goOn(first.id, budget: budget, at: stage.now) { _ in [] }
        #expect(throws: Diagnostic(.answerBudgetSpent, "")) {
            try bob.goOn(second.id, budget: budget, at: stage.now) { _ in [] }
        }
        // What was taken part in is counted once; a month later there is room.
        _ = try bob.goOn(first.id, budget: budget, at: stage.now) { _ in [] }
        _ = try bob.goOn(second.id, budget: budget, at: stage.now + 31 * 86_400_000) { _ in [] }
        #expect(throws: Diagnostic(.noSuchThing, "")) {
            try bob.goOn("none", budget: budget, at: stage.now) { _ in [] }
        }
        #expect(throws: Diagnostic(.questionUnfit, "")) { try stage.ask(least: 2) }
    }

    /// Whoever comes when it is said who is in it gives nothing and pays nothing.
    @Test func whoIsLeftOutPaysNothing() throws {
        let stage = try Stage(members: 4)
        let question = try stage.ask()
        func goOn(_ index: Int, withoutMissing: Bool = false) throws -> QuestionState {
            try stage.devices[index].goOn(
                question.id, withoutMissing: withoutMissing, budget: stage.budget(index), at: stage.now
            ) { _ in [0, 0] }
        }
        for index in 0..<3 { _ = try goOn(index) }
        try stage.exchange()
        _ = try goOn(0, withoutMissing: true)
        try stage.exchange()
        #expect(try goOn(3) == .waiting(for: []))
        #expect(!FileManager.default.fileExists(atPath: stage.folder.path + "/3/answers.json"))
        // The control: the others have paid.
        #expect(FileManager.default.fileExists(atPath: stage.folder.path + "/1/answers.json"))
    }

    @Test func numbersThatDoNotFitAreNotGiven() throws {
        let stage = try Stage()
        let question = try stage.ask()
        for _ in 0..<3 {
            _ = try stage.goOn(question, [[0, 0], [0, 0], [0, 0]])
            try stage.exchange()
        }
        _ = try stage.devices[0].goOn(question.id, budget: stage.budget(0), at: stage.now) { _ in [0, 0] }
        try stage.exchange()
        for numbers in [[2, 0], [1, 1], [1], [1, 0, 0]] as [[Int64]] {
            #expect(throws: Diagnostic(.answerNotGiven, "")) {
                try stage.devices[1].goOn(question.id, budget: stage.budget(1), at: stage.now) { _ in numbers
                }
            }
        }
    }
}
