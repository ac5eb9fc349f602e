import ArgumentParser
import EscrowDiagnostics
import EscrowEgressHTTP
import EscrowHome
import EscrowHost
import EscrowSources
import EscrowTableKit

/// Where the escrow home is.
struct HomeOptions: ParsableArguments {
    @Option(help: "The escrow home (default: $ESCROW_HOME, else $XDG_DATA_HOME/escrow).")
    var home: String?

    /// The home's path, whether or not there is one.
    func location() throws(Diagnostic) -> String { try Home.location(given: home) }

    /// Opens the home with all its stores. What is remembered of sources and cannot be used is told on stderr, and, on a terminal,
    /// how far the first reading of many files is.
    func open() throws(Diagnostic) -> Host {
        let host = try openQuietly()
        host.sourceMemory.onNotice { Console.report($0) }
        if let bar = ProgressBar() { host.sourceMemory.onProgress { bar.show($0) } }
        return host
    }

    /// Opens the home without a word on what is remembered of sources: for a process whose stderr an app reads.
    func openQuietly() throws(Diagnostic) -> Host {
        try Host(
            home: try Home.open(at: try location()),
            transport: { egress throws(Diagnostic) in
                guard let transport = HTTPTransport(additionalRoots: egress.trustRoots) else {
                    throw Diagnostic(
                        .certificatesUnreadable,
                        "the certificates that config.json names under egress.trustRoots cannot be read",
                        help: "name a PEM file, or take the member away")
                }
                return transport
            })
    }
}

extension CompletionKind {
    /// The plugins that are installed.
    static var plugins: CompletionKind { names("plugin list --names") }
    /// Where sources lie.
    static var sources: CompletionKind { names("source list --names") }
    /// The decisions that stand, by id.
    static var grants: CompletionKind { names("grant list --names") }
    /// The apps that decisions are about.
    static var apps: CompletionKind { names("grant list --apps") }
    /// What waits for an answer.
    static var pending: CompletionKind { names("pending --names") }
    /// What waits for the device.
    static var waiting: CompletionKind { names("queue list --names") }
    /// The individual's own keys.
    static var keys: CompletionKind { names("key list --names") }
    /// The servers that were added.
    static var servers: CompletionKind { names("server list --names") }
    /// Packages to install.
    static var packages: CompletionKind { .file(extensions: ["escrow"]) }

    private static func names(_ command: String) -> CompletionKind {
        .shellCommand("escrow \(command) 2>/dev/null")
    }
}

/// How a reading command prints.
struct FormatOptions: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table
        case json
    }

    @Option(help: "How to print: table or json.")
    var format: Format = .table

    var isJSON: Bool { format == .json }
}
