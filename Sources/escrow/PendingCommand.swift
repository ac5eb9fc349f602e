import ArgumentParser
import EscrowConsent
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import Glibc

struct PendingCommand: Paged {
    static let configuration = CommandConfiguration(
        commandName: "pending",
        abstract: "List what was refused because nobody could be asked, and is still undecided.")
    @Flag(help: "Print what they can be called, and nothing else.") var names = false
    @OptionGroup var paging: PagingOptions
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let pending = try home.open().undecidedRequests()
        guard !names else { return pending.forEach { Console.line($0.id) } }
        if format.isJSON {
            Console.data([
                "pending": .array(
                    pending.map {
                        [
                            "id": .string($0.id), "since": .string($0.since),
                            "app": .string($0.description.app),
                            "known": .string($0.description.proof.rawValue),
                            "says": .string($0.description.appWords),
                            "plugin": .string($0.description.plugin.id),
                            "reads": .array($0.columns.map(JSONValue.string)),
                            "why": .string($0.decision.why),
                        ]
                    })
            ])
        } else if pending.isEmpty {
            Console.say("nothing waits for an answer of yours")
        } else {
            Console.table(
                ["id", "since", "app", "known by", "plugin", "reads"],
                pending.map {
                    [
                        $0.id, $0.since, $0.description.app, $0.description.proof.short,
                        $0.description.plugin.id,
                        $0.columns.joined(separator: ", "),
                    ]
                })
            Console.say("answer one: escrow answer ID, or escrow answer ID once|today|always|no|never")
        }
    }
}

struct AnswerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer",
        abstract: "Decide about what was refused because nobody could be asked.",
        discussion: """
            Without an answer the question is shown and asked here. The app is not run by it: it asks again. once is for \
            its next run.
            """)
    @Argument(help: "The id, as escrow pending lists it.", completion: .pending) var id: String
    @Argument(
        help: "once, today, always, no, never, until DAY, N runs, empty.",
        completion: .list(["once", "today", "always", "no", "never", "empty"]))
    var answer: [String] = []
    @OptionGroup var home: HomeOptions

    func run() throws {
        let host = try home.open()
        guard let request = try host.undecidedRequests().first(where: { $0.id == id }) else {
            throw Diagnostic(
                .nothingWaits, "nothing that is undecided has that id", help: "see what has: escrow pending")
        }
        guard let answer = try given() ?? asked(request, host) else {
            throw Diagnostic(
                .undecided, "nothing was decided", help: "say it in one line: escrow answer \(id) once")
        }
        switch try host.settle(request, answer) {
        case let grant? where grant.state == .denied: Console.say("denied, \(grant.duration)")
        case let grant?:
            Console.say("\(grant.limit == nil ? "allowed" : "limited"), \(grant.duration)")
        case nil: Console.say("no, for this time")
        }
    }

    /// What was given on the command line.
    private func given() throws(Diagnostic) -> ConsentAnswer? {
        guard !answer.isEmpty else { return nil }
        guard let answer = ConsentAnswer(answer.joined(separator: " ")), answer != .preview else {
            throw Diagnostic(
                .optionMissing, "that is no answer",
                help: "one of: once, today, always, no, never, until 2030-12-31, 5 runs, empty")
        }
        return answer
    }

    private func asked(_ request: UndecidedRequest, _ host: Host) -> ConsentAnswer? {
        let decider = TerminalDecider(host: host, spinner: nil, previews: false)
        guard decider.canAsk, case .answer(let answer) = decider.decide(request.description, request.decision)
        else { return nil }
        return answer
    }
}
