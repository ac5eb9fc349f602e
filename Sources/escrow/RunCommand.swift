import ArgumentParser
import EscrowComputation
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowMinimisation
import EscrowQuestion
import EscrowTabular
import EscrowTrust
import Glibc

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a plugin over your data: explain the dataflow, ask, compute, return only the result.",
        discussion: """
            The result goes to stdout, the explanation and progress to stderr. On a terminal an undecided dataflow is \
            asked about; elsewhere it ends with exit 11 and says how to decide.
            """)

    @Argument(help: "The plugin: its id, or the last part of it.", completion: .plugins)
    var plugin: String

    @Option(help: "The app on whose behalf this runs.", completion: .apps)
    var app = "org.escrow.cli"

    @Option(help: "Where it computes: a server that you added, device, or auto.", completion: .servers)
    var server: String?

    @Option(help: "The query; without it the plugin's own is used.")
    var sql: String?

    @Option(name: .customLong("param"), help: "A parameter, NAME=VALUE; may be repeated.")
    var parameters: [String] = []

    @Option(
        help: "Serve data more coarsely, for example 'round(Location.latitude, 1)'; may be repeated.")
    var coarser: [String] = []

    @Flag(
        help:
            "Where a rule of yours makes it wait for the device, wait here; otherwise it goes into the queue."
    )
    var wait = false

    @Flag(help: "Explain what would happen, and start nothing.")
    var dryRun = false

    @Flag(help: "See exactly what would be handed over, and decide then.")
    var preview = false

    @Flag(help: "Say nothing on stderr unless something is wrong.")
    var quiet = false

    @Flag(help: "Say how long each part took, on stderr.")
    var timings = false

    @Flag(help: "Show what the plugin wrote on its log. It may hold data of yours.")
    var log = false

    @OptionGroup var engine: EngineOptions
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let service = self.service()
        // Where nothing is to be said this process opens nothing of the home.
        if let service, quiet, isDecided(service), try run(by: service, nil) { return }
        var watch = Stopwatch()
        let host = try home.open()
        let openMs = watch.lap()
        let cancellation = Runner.Cancellation()
        let spinner = Spinner()
        let decider = TerminalDecider(host: host, spinner: spinner, explains: preview && !quiet)
        let runner = Runner(
            host: host, decider: decider,
            observer: Watcher(command: self, spinner: spinner), cancellation: cancellation,
            patience: wait ? .stay : .queue)
        var request = try self.request()
        if let service, !quiet, isDecided(service) || decider.canAsk {
            switch try runner.beginElsewhere(request) {
            case .nothing: if try run(by: service, spinner) { return }
            case .preview: request.isPreview = true
            case .ownProcess: break
            }
        }
        if dryRun {
            let plan = try runner.plan(request)
            if format.isJSON {
                Console.data(plan.json)
            } else {
                plan.lines(width: TerminalText.columns(of: 1) ?? 96).forEach(Console.data)
            }
            return
        }
        let result: RunResult
        Interruption.withdraws(cancellation)
        do throws(Diagnostic) { result = try runner.run(request) } catch {
            spinner?.stop()
            Console.report(error)
            Interruption.finish()
            BackgroundTidying.start(host)
            Glibc.exit(error.exitStatus.rawValue)
        }
        spinner?.stop()
        Interruption.finish()
        try Self.show(result, isJSON: format.isJSON)
        if timings { report(result.figures, openMs: openMs) }
        BackgroundTidying.start(host)
    }

    private func request() throws(Diagnostic) -> RunRequest {
        var request = RunRequest(app: app, sql: sql, plugin: plugin)
        request.isPreview = preview
        request.server = server == "device" ? nil : server
        request.engine = engine.engine
        request.arguments = try Parameters.values(parameters)
        request.imposed = try Minimisation(parsing: coarser)
        request.bindings = try Parameters.bindings(parameters)
        return request
    }

    /// Prints a result.
    static func show(_ result: RunResult, isJSON: Bool) throws {
        try show(result.value, result.columns, isJSON: isJSON)
    }

    /// The same, by its parts.
    static func show(_ value: RunResult.Value, _ columns: [String]?, isJSON: Bool) throws {
        switch value {
        case .bytes(let bytes, let mediaType):
            guard isatty(1) == 0 else {
                Console.say(
                    "the result is \(bytes.count) bytes of \(mediaType); send it to a file: escrow run … > FILE"
                )
                return
            }
            Console.data(bytes)
        case .json(let value) where isJSON: Console.line(value)
        case .json(.string(let text)): Console.result(text)
        case .json(let value):
            if let columns, let rows = value.array {
                Console.table(columns, rows.map { ($0.array ?? []).map(cell) })
            } else {
                Console.table(
                    ["field", "value"], (value.members ?? []).map { [$0.name, cell($0.value)] })
            }
        }
    }

    private static func cell(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .object(let members) where members.count == 1 && members[0].name == "b64":
            "(\((members[0].value.string?.utf8.count ?? 0) / 4 * 3) bytes)"
        case .array(let items) where items.count > 12:
            items.prefix(12).map(cell).joined(separator: " ") + " … (\(items.count) in all)"
        case .array(let items): items.map(cell).joined(separator: " ")
        default: String(decoding: JSONWriter.line(value), as: UTF8.self)
        }
    }

    /// The largest resident set of this process in KiB. `getrusage` would also count the parent's, up to our exec.
    private static var peakKiB: Int? {
        guard let status = fopen("/proc/self/status", "r") else { return nil }
        defer { fclose(status) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, status) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text.hasPrefix("VmHWM:") { return Int(text.filter(\.isNumber)) }
        }
        return nil
    }

    private func report(_ figures: RunFigures, openMs: Double) {
        func milliseconds(_ value: Double) -> String { String(Double(Int(value * 100)) / 100) }
        let told = [
            "timings (ms): open \(milliseconds(openMs)), verify \(milliseconds(figures.verifyMs))",
            "access \(milliseconds(figures.resolveMs)), launch \(milliseconds(figures.launchMs))",
            "compute \(milliseconds(figures.computeMs)), result \(milliseconds(figures.resultMs))",
            "run \(milliseconds(figures.wholeMs)); of compute, reading \(milliseconds(figures.readMs)); besides",
            "deciding \(milliseconds(figures.decideMs)), recording \(milliseconds(figures.recordMs))",
        ]
        Console.say(told.joined(separator: ", ").replacing("; besides,", with: "; besides"))
        Console.say(
            "peak memory of the host \(Self.peakKiB.map(String.init) ?? "?") KiB, of the plugin \(figures.pluginRSSKiB) KiB"
        )
    }
}

/// Tells of a run on the terminal.
private struct Watcher: RunObserver {
    let command: RunCommand
    let spinner: Spinner?

    func explain(_ lines: [String]) {
        guard !command.quiet else { return }
        lines.forEach(Console.explain)
    }

    var columns: Int { Console.sheetWidth }

    func begins(_ allowed: String?) {
        guard !command.quiet else { return }
        if let allowed { Console.say(PlainText.neutral(allowed, longest: 1000)) }
        spinner?.start()
    }

    func progress(_ fraction: Double) { spinner?.show(fraction) }

    func log(_ bytes: [UInt8]) {
        guard command.log, !bytes.isEmpty else { return }
        spinner?.stop()
        Console.say("log of the plugin:")
        Console.quote(String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes[...], as: UTF8.self))
    }
}

/// Asks on the terminal, where there is one.
struct TerminalDecider: Decider {
    let host: Host
    /// What is drawn while a run computes; it ends before anything is asked.
    let spinner: Spinner?
    /// Whether the dataflow is put into words before its result is shown: where nothing was asked before.
    var explains = false
    /// Whether a preview can be chosen.
    var previews = true

    var canAsk: Bool { isatty(0) == 1 && isatty(2) == 1 }

    func decide(_ description: DataflowDescription, _ decision: Decision) -> ConsentReply {
        let question = ConsentQuestion(
            description, reason: decision.reason, why: decision.why, changes: decision.changes,
            previews: previews,
            count: { limit throws(Diagnostic) in try host.rowCounts(of: description, under: limit) },
            examples: { limit throws(Diagnostic) in try host.columnExamples(of: description, under: limit) },
            records: { words throws(Diagnostic) in try host.recordExamples(of: description, with: words) })
        return Interruption.endingAtOnce { ConsentPrompt.ask(question, input: 0, output: 2) }
    }

    func review(_ description: DataflowDescription, _ result: ResultPreview) -> ConsentReply {
        spinner?.stop()
        if explains { description.explain(width: Console.sheetWidth).forEach(Console.explain) }
        let app = PlainText.neutral(description.app, longest: 128)
        Console.say("this is what \(app) would be given, \(result.bytes.count) bytes of \(result.mediaType):")
        if result.isReadable {
            Console.quote(PlainText.verbatim(result.bytes))
        } else {
            Console.say("bytes that are no text; sha256 \(Digest(of: result.bytes).hexadecimal)")
        }
        return Interruption.endingAtOnce { ConsentPrompt.askRelease(input: 0, output: 2) }
    }

    func pick(_ question: PickQuestion) -> [Int]? {
        spinner?.stop()
        return Interruption.endingAtOnce { Picking(question).ask() }
    }
}
