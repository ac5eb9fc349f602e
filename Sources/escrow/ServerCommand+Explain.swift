import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowJSON
import EscrowLedger

extension ServerCommand {
    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Say what a run gave to a server, which server that was, and what it said of the run.",
            discussion: "All of it is from the ledger; the server is not asked.")
        @Argument(help: "The id of a run, or last.") var which: String
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let reader = try home.ledger()
            let entries = try reader.entries(of: which == "last" ? try reader.lastIntent() : which)
            guard let intent = entries.first(where: { $0.kind == .runIntent }) else {
                throw Diagnostic.noSuchEntry
            }
            let record = RemoteRunRecord(intent, end: entries.last { $0.kind == .runEnd })
            if format.isJSON {
                Console.data(record.json)
            } else {
                Console.table(
                    ["what", "as the ledger has it"], record.rows.map { [$0.0, Console.printable($0.1)] })
            }
        }
    }
}

extension LedgerReader {
    /// The run that began last; no run where there is none.
    fileprivate func lastIntent() throws(Diagnostic) -> String {
        var last = ""
        try forEach { (entry) throws(Diagnostic) in
            if entry.kind == .runIntent, let run = entry.run { last = run }
            return true
        }
        return last
    }
}

/// What the ledger has of a run on a server.
private struct RemoteRunRecord {
    private let intent: LedgerEntry
    private let end: LedgerEntry?

    init(_ intent: LedgerEntry, end: LedgerEntry?) {
        self.intent = intent
        self.end = end
    }

    /// Which server the host took it for; nil for a run on this device.
    private var server: JSONValue? { intent.fields["at"] }
    /// What that server said; nil where it never began.
    private var said: JSONValue? { end?.fields["atServer"] }
    /// Whether the server named the manifest that the individual decided about.
    private var isSamePlugin: Bool? {
        said.map { $0["manifest"]?.string == intent.fields["manifest"]?.string }
    }
    /// What went to the server, and what came of it.
    private static let figures = ["rows", "bytes", "assets", "assetBytes", "resultBytes", "milliseconds"]

    var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = []
        members.append(("run", intent.run.map { .string($0) } ?? .null))
        for name in ["plugin", "place", "grant"] { members.append((name, intent.fields[name] ?? .null)) }
        members.append(("server", server ?? .null))
        members.append(("said", said ?? .null))
        members.append(("samePlugin", isSamePlugin.map { .bool($0) } ?? .null))
        // A certificate says whose key it is, not what runs there.
        members.append(("attested", said?["attested"]?.string.map { .string($0) } ?? .bool(false)))
        for name in ["outcome"] + Self.figures { members.append((name, end?.fields[name] ?? .null)) }
        return .object(members)
    }

    var rows: [(String, String)] {
        func text(_ value: JSONValue?) -> String { value.map(ledgerText) ?? "not recorded" }
        var rows = [("run", intent.run ?? ""), ("plugin", text(intent.fields["plugin"]))]
        guard let server else {
            return rows + [("place", "this device: nothing of it went to a server")]
        }
        rows += [
            ("server", "\(text(server["server"])), at \(text(server["host"]))"),
            ("its key", text(server["serverKey"])), ("allowed by", "grant \(text(intent.fields["grant"]))"),
            ("tables", text(intent.fields["tables"])),
        ]
        guard let end else { return rows + [("end", "none yet: it is running, or its host was stopped")] }
        rows.append(("end", text(end.fields["outcome"])))
        rows += Self.figures.compactMap { name in end.fields[name].map { (name, ledgerText($0)) } }
        guard let said else { return rows + [("it said", "nothing: it never began the run")] }
        rows += [
            ("calls itself", text(said["calls itself"])), ("its version", text(said["version"])),
            ("it ran", isSamePlugin == true ? "the manifest you decided about" : "ANOTHER MANIFEST"),
            ("started in", "\(text(said["launchMs"])) ms"),
        ]
        let proved = said["attested"]?.string.map { "yes: its TPM vouched for the software \($0)" }
        return rows + [("attested", proved ?? "no: it is the server's own word what ran there")]
    }
}
