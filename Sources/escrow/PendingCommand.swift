import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowQuestion
import Glibc

struct PendingCommand: Paged {
    static let configuration = CommandConfiguration(
        commandName: "pending",
        abstract: "List what waits: for an answer of yours, or decided, for the device.",
        discussion: """
            What was refused because nobody could be asked is listed until it is answered. What is decided may still wait \
            for power, a network or the service, and then says for what.
            """)
    @Flag(help: "Print what they can be called, and nothing else.") var names = false
    @OptionGroup var paging: PagingOptions
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let host = try home.open()
        let pending = try host.undecidedRequests()
        let picks = try host.pickRequests()
        guard !names else { return Console.names(pending.map(\.id) + picks.map(\.id)) }
        let waiting = try host.waitingRuns(at: Int64(time(nil)))
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
                    }),
                "picks": .array(picks.map(\.listing)),
                "waiting": .array(waiting.map(\.listing)),
            ])
            return
        }
        show(picks)
        show(pending, isAll: picks.isEmpty)
        show(waiting)
    }

    private func show(_ picks: [PickRequest]) {
        guard !picks.isEmpty else { return }
        Console.table(
            ["id", "since", "app", "plugin", "you pick, at most"],
            picks.map { [$0.id, $0.since, $0.description.app, $0.description.plugin.id, String($0.most)] })
        Console.say("pick for one: escrow answer ID, or escrow page")
    }

    /// `isAll`: nothing else waits for an answer.
    private func show(_ pending: [UndecidedRequest], isAll: Bool) {
        if pending.isEmpty {
            if isAll { Console.say("nothing waits for an answer of yours") }
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

    private func show(_ waiting: [WaitingRun]) {
        guard !waiting.isEmpty else { return }
        Console.say("decided, and waiting for something else than you:")
        Console.table(
            ["id", "since", "app", "plugin", "waits for", "goes on by"],
            waiting.map { [$0.id, $0.since, $0.app, $0.plugin, $0.needed, $0.by.words] })
        if waiting.contains(where: { $0.by == .queue }) {
            Console.say(
                "run what has all that it needs: escrow queue run; let go of one: escrow queue drop ID")
        }
    }
}

extension PickRequest {
    fileprivate var listing: JSONValue {
        [
            "id": .string(id), "since": .string(since), "app": .string(description.app),
            "plugin": .string(description.plugin.id), "most": .integer(Int64(most)),
        ]
    }
}

extension WaitingRun {
    /// What it waits for, in words.
    fileprivate var needed: String { needs.isEmpty ? "nothing more" : needs.joined(separator: ", ") }

    fileprivate var listing: JSONValue {
        [
            "id": .string(id), "since": .string(since), "app": .string(app), "plugin": .string(plugin),
            "missing": .array(needs.map(JSONValue.string)), "by": .string(by.rawValue),
        ]
    }
}

extension WaitingRun.Continuation {
    fileprivate var words: String {
        switch self {
        case .app: "its app"
        case .timetable: "itself"
        case .queue: "you"
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
        if let request = try host.pickRequests().first(where: { $0.id == id }) {
            return try pick(for: request, host)
        }
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

    /// Picks at the terminal, for the app's next run.
    private func pick(for request: PickRequest, _ host: Host) throws(Diagnostic) {
        guard answer.isEmpty, isatty(0) == 1, isatty(2) == 1 else {
            if answer == ["no"] { return try host.pickNothing(for: request) }
            throw Diagnostic(
                .undecided, "nothing was picked",
                help: "pick on a terminal: escrow answer \(id); or say no: escrow answer \(id) no")
        }
        let list = try host.rows(of: request)
        guard let places = Picking(list.question).ask(), !places.isEmpty else {
            try host.pickNothing(for: request)
            return Console.say("nothing is picked")
        }
        try host.pick(Set(places.map { list.marks[$0] }), for: request)
        Console.say("picked: the app's next run is given these, and nothing else")
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
