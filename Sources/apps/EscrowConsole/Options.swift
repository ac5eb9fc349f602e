package import ArgumentParser
package import EscrowDiagnostics
import EscrowEgressHTTP
import EscrowHome
package import EscrowHost
package import EscrowJSON
import EscrowSources
import EscrowTableKit
import Glibc

/// Where the escrow home is.
package struct HomeOptions: ParsableArguments {
    @Option(help: "The escrow home (default: $ESCROW_HOME, else $XDG_DATA_HOME/escrow).")
    package var home: String?

    /// The home's path, whether or not there is one.
    package func location() throws(Diagnostic) -> String { try Home.location(given: home) }

    /// Opens the home with all its stores. What is remembered of sources and cannot be used is told on stderr, and, on a terminal,
    /// how far the first reading of many files is.
    package func open() throws(Diagnostic) -> Host {
        let host = try openQuietly()
        // What runs by itself goes on for a month without them.
        if isatty(0) == 1 || isatty(2) == 1 { host.timetable.seeIndividual() }
        host.sourceMemory.onNotice { Console.report($0) }
        if let bar = ProgressBar() { host.sourceMemory.onProgress { bar.show($0) } }
        return host
    }

    /// Opens the home without a word on what is remembered of sources: for a process whose stderr an app reads.
    package func openQuietly() throws(Diagnostic) -> Host {
        try Host(
            home: try Home.open(at: try location()),
            transport: { egress throws(Diagnostic) in try HTTPTransport(additionalRoots: egress.trustRoots) })
    }

    package init() {}
}

extension CompletionKind {
    /// The plugins that are installed.
    package static var plugins: CompletionKind { names("plugin list --names") }
    /// Where sources lie.
    package static var sources: CompletionKind { names("source list --names") }
    /// The decisions that stand, by id.
    package static var grants: CompletionKind { names("grant list --names") }
    /// The apps that decisions are about.
    package static var apps: CompletionKind { names("grant list --apps") }
    /// What waits for an answer.
    package static var pending: CompletionKind { names("pending --names") }
    /// What waits for the device.
    package static var waiting: CompletionKind { names("queue list --names") }
    /// The individual's own keys.
    package static var keys: CompletionKind { names("key list --names") }
    /// The servers that were added.
    package static var servers: CompletionKind { names("server list --names") }
    /// The apps that were added.
    package static var addedApps: CompletionKind { names("app list --names") }
    /// The keys that are trusted.
    package static var trusted: CompletionKind { names("trust list --names") }
    /// The codes of errors.
    package static var codes: CompletionKind { .list(Diagnostic.Code.allCases.map(\.rawValue)) }
    /// Packages to install.
    package static var packages: CompletionKind { .file(extensions: ["escrow"]) }

    private static func names(_ command: String) -> CompletionKind {
        .shellCommand("escrow \(command) 2>/dev/null")
    }
}

extension Console {
    /// Prints names for a shell to complete, one a line.
    ///
    /// Bash expands what is to be completed like words of a command (`compgen -W`), so a name that holds `$(id)` would run it on a
    /// press of TAB. Names that hold more than letters, digits and a few harmless signs are left out.
    package static func names(_ names: [String]) {
        for name in names where name.unicodeScalars.allSatisfy(isHarmless) { line(name) }
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
            || " -_./@+,:=%".unicodeScalars.contains(scalar)
    }
}

/// How a reading command prints.
package struct FormatOptions: ParsableArguments {
    package enum Format: String, ExpressibleByArgument, CaseIterable {
        case table
        case json
    }

    @Option(help: "How to print: table or json.")
    package var format: Format = .table

    package var isJSON: Bool { format == .json }

    /// Prints a list: a table under headings, JSON under a name, or what is said where there is nothing.
    package func list<Item>(
        _ items: [Item], as name: String, none: String? = nil, _ headings: [String],
        row: (Item) -> [String], json: (Item) -> JSONValue
    ) {
        if isJSON { return Console.data([name: .array(items.map(json))]) }
        if items.isEmpty, let none { return Console.say(none) }
        Console.table(headings, items.map(row))
    }

    package init() {}
}
