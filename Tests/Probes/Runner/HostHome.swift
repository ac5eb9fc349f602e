import Glibc

/// An escrow home of one probe's own, and the `escrow` commands in it.
struct HostHome: Sendable {
    /// The app on whose behalf everything runs.
    static let app = "org.example.probe"

    /// A folder with `home`, `tmp` and whatever the probe makes.
    let folder: String
    /// The program under test.
    let program: String
    /// The built witness.c.
    let witness: String

    /// The home itself.
    var path: String { "\(folder)/home" }

    /// What a command came to.
    struct Outcome: Sendable {
        let status: Command.Status
        let output: [UInt8]
        let words: String
        /// The most memory that the command had in use.
        let peakKiB: Int
        /// Processes that it left behind.
        let orphans: Int

        /// The first code of a message on stderr: `E0525`.
        var code: Substring? {
            for line in words.split(separator: "\n") {
                guard let start = line.firstIndex(of: "["), let end = line.firstIndex(of: "]"), start < end
                else { continue }
                let code = line[line.index(after: start)..<end]
                let word = line[..<start]
                guard code.count == 5, code.first == "E", ["error", "refused", "undecided"].contains(word)
                else { continue }
                return code
            }
            return nil
        }

        /// How it ended, in the words that probes are written in.
        var end: String {
            switch status {
            case .exited(0): "prints \(printed)"
            case .exited(let status): "code \(code ?? "none") exit \(status)"
            case .signaled(let signal): "the host died of signal \(signal)"
            case .timedOut: "no end in \(Command.seconds) s"
            }
        }

        /// What stands on stdout, on one line; bytes that are no text are counted.
        private var printed: String {
            guard let text = String(validating: output, as: UTF8.self) else { return "\(output.count) bytes" }
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            if lines.last == "" { lines.removeLast() }
            return lines.joined(separator: "⏎")
        }
    }

    /// Runs `escrow` in this home, off a terminal, with an empty stdin.
    func escrow(_ arguments: [String]) throws(ProbeFailure) -> Outcome { try start([program] + arguments) }

    /// Runs a program as a command of this home.
    func start(_ command: [String]) throws(ProbeFailure) -> Outcome {
        let report = "\(folder)/report"
        let result = try Command(
            arguments: [witness, report] + command, environment: environment, directory: folder
        ).run()
        var numbers: [Int] = []
        if result.status != .timedOut {
            numbers = try Files.text(report).split(whereSeparator: { $0 == " " || $0 == "\n" }).compactMap {
                Int($0)
            }
        }
        return Outcome(
            status: result.status, output: result.output,
            words: String(decoding: result.errors, as: UTF8.self),
            peakKiB: numbers.first ?? 0, orphans: numbers.last ?? 0)
    }

    /// What a command of this home finds in its environment.
    var environment: [String] {
        [
            "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "ESCROW_HOME=\(path)", "TMPDIR=\(folder)/tmp",
            "ESCROW=\(program)",
            "PROBE_APP=\(Self.app)",
        ]
    }

    /// Runs `escrow`, which must succeed.
    func must(_ arguments: String...) throws(ProbeFailure) {
        let outcome = try escrow(arguments)
        guard outcome.status == .exited(0) else {
            throw ProbeFailure("escrow \(arguments.joined(separator: " ")): \(outcome.words)")
        }
    }

    /// Installs a package and allows what it asks for.
    func install(_ package: String, _ plugin: String) throws(ProbeFailure) {
        try must("plugin", "install", package, "--yes")
        try must("grant", "allow", "--app", Self.app, "--plugin", plugin)
    }

    /// Runs a plugin, by the way that a probe names.
    func run(_ plugin: String, _ way: HostProbe.Way, _ parameters: [(name: String, value: String)])
        throws(ProbeFailure)
        -> Outcome
    {
        switch way {
        case .json, .table:
            try escrow(
                ["run", plugin, "--app", Self.app]
                    + parameters.flatMap { ["--param", "\($0.name)=\($0.value)"] }
                    + (way == .json ? ["--format", "json"] : []))
        case .app:
            try start(["/bin/bash", "-c", Self.asApp, program, request(plugin, parameters)])
        }
    }

    private func request(_ plugin: String, _ parameters: [(name: String, value: String)]) -> String {
        let arguments = parameters.map { "\"\($0.name)\":\"\($0.value)\"" }.joined(separator: ",")
        return
            "{\"id\":1,\"run\":{\"app\":\"\(Self.app)\",\"compute\":\"\(plugin)\",\"arguments\":{\(arguments)}}}"
    }

    /// Sends one request, waits for the line that answers it, then hangs up and prints whatever else comes.
    private static let asApp = #"""
        coproc HOST { exec "$0" host --stdio; }
        from=${HOST[0]} to=${HOST[1]} host=$HOST_PID
        printf '%s\n' "$1" >&"$to"
        read -r greeting <&"$from"
        read -r answer <&"$from"
        printf '%s\n' "$answer"
        exec {to}>&-
        cat <&"$from"
        wait "$host"
        """#
}
