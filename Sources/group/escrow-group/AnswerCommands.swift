import ArgumentParser
import EscrowDiagnostics
import EscrowFiles
import EscrowGroupAnswers
import EscrowGroupDevice
import EscrowJSON
import Foundation

struct AskCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask", abstract: "Ask all members for a sum that says nothing of any one of them.",
        discussion: """
            Each member runs the plugin over their own data, in their own escrow, if they say yes there. Only the sum of their \
            numbers comes out, of at least as many members as you say, with noise.

            The noise hides any one member, also from you and a friend together: with epsilon 1 and bound 1 it is usually below \
            10, with bound 10 below 100.
            """)
    @OptionGroup var group: GroupOptions
    @Option(help: "The plugin that each member runs: its id.")
    var plugin: String
    @Option(help: "The query; without it the plugin's own is used.")
    var sql: String?
    @Option(help: "Which member of the plugin's result is added: a whole number, or a list of them.")
    var field: String
    @Option(help: "How many numbers the result holds there: 1 for a number, the bars of a histogram else.")
    var count = 1
    @Option(help: "Of how many members the sum must be at least, 3 or more.")
    var least = 3
    @Option(
        help:
            "How much another answer of one member may change the probability of any outcome: smaller hides more."
    )
    var epsilon = 1.0
    @Option(help: "How great one member's numbers may be, all together; the noise is measured by it.")
    var bound: Int64 = 1

    func run() throws {
        let question = try group.device().ask(
            plugin: plugin, sql: sql, field: field, count: count, least: least, epsilon: epsilon,
            bound: bound,
            at: Output.now)
        Output.print(question.json)
    }
}

struct QuestionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "questions", abstract: "Print what members ask of the group.")
    @OptionGroup var group: GroupOptions

    func run() throws {
        for question in try group.device().questions() { Output.print(question.json) }
    }
}

struct AnswerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Take part in a question, and go on with it as far as it goes.",
        discussion: """
            Call it, and sync, until the sum is there: members say four things each, one after the other. Your own numbers are \
            needed at the third; the plugin runs then as `escrow run` does, asks you, and gives its result to nobody but this \
            command, which adds noise and masks before anything is sent.

            Who asked says with --without-missing that those who are there are enough.
            """)
    @OptionGroup var group: GroupOptions
    @Argument(help: "The question's id, as `questions` prints it.")
    var question: String
    @Flag(help: "Go on without those who have said nothing so far; only who asked may.")
    var withoutMissing = false
    @Option(
        help:
            "How much all answers of thirty days, in all your groups, may tell about you: the sum of their epsilons."
    )
    var budget = AnswerBudget.usual

    func run() throws {
        let device = try group.device()
        let state = try device.goOn(
            question, withoutMissing: withoutMissing,
            budget: AnswerBudget(home: group.home.path(), most: budget), at: Output.now
        ) { question throws(Diagnostic) in try numbers(question, for: device.app) }
        switch state {
        case .waiting(let members):
            Output.print(["state": "waiting", "for": .array(members.map { .string($0) })])
        case .answered(let answer):
            Output.print([
                "state": "answered", "sums": .array(answer.sums.map { .integer($0) }),
                "members": .integer(Int64(answer.members.count)),
                "faults": .array(
                    answer.faults.map {
                        [
                            "openedBy": .string($0.openedBy), "dealtBy": .string($0.dealtBy),
                            "fault": .string($0.what), "text": .string($0.text),
                        ]
                    }),
            ])
        }
    }

    /// This member's numbers, by their own escrow: its questions and messages go to the terminal.
    private func numbers(_ question: Question, for app: String) throws(Diagnostic) -> [Int64] {
        guard let program = HelperProcess.path(of: "escrow") else {
            throw Diagnostic(
                .toolNotStarted, "escrow is not beside escrow-group", help: "make groups builds both")
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments =
            [
                "run", question.plugin, "--app", app, "--format", "json",
            ]
            + (question.sql.map { ["--sql", $0] } ?? []) + (group.home.home.map { ["--home", $0] } ?? [])
        process.standardOutput = output
        let words = "A group asks, which you call \(group.group). Here it is the app \(app).\n"
        FileHandle.standardError.write(Data(words.utf8))
        let result: Data
        do {
            try process.run()
            result = try output.fileHandleForReading.readToEnd() ?? Data()
        } catch {
            throw Diagnostic(.toolNotStarted, "escrow cannot be started")
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            // It has said why.
            Foundation.exit(process.terminationStatus)
        }
        let value = try? JSONParser.parse(result, limits: .init(bytes: 16 << 20)).value
        guard let found = value?[question.field] ?? value?["result"]?[question.field] else {
            throw Diagnostic(
                .answerNotGiven,
                "the plugin's result has no member of the name that the question gives: nothing was given")
        }
        let numbers = found.array.map { $0.compactMap(\.integer) } ?? found.integer.map { [$0] } ?? []
        guard !numbers.isEmpty, numbers.count == found.array?.count ?? 1 else {
            throw Diagnostic(
                .answerNotGiven, "what the question asks for is not made of whole numbers: nothing was given")
        }
        return numbers
    }
}
