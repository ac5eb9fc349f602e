import EscrowJSON
import EscrowTabular
import EscrowWire
import Glibc

/// Runs a plugin's executable by the protocol, without a sandbox: rows and assets from memory.
struct PluginProcess {
    var command: [String]
    var schema: Schema
    var batches: [Batch] = []
    var parameters: [(name: String, value: JSONValue)] = []
    var assets: [String: (mediaType: String, bytes: [UInt8])] = [:]
    var resultKind: ResultKind = .record
    var resultBytes = 16 << 20
    var environment = ["ESCROW_PLUGIN=1", "SWIFT_ROOT=/", "SWIFT_BACKTRACE=enable=no", "LC_ALL=C.UTF-8"]

    /// Whether the process's log is thrown away.
    var isQuiet = false

    struct Outcome {
        var result: ResultPayload?
        var refusal: (code: RefusalCode, message: String)?
        var counts = SessionCounts()
        var log: [String] = []
        var exitStatus: Int32 = -1
        /// Kibibytes of the process at its largest.
        var peakMemory = 0
    }

    struct LaunchFailure: Error { let code: Int32 }

    /// Runs in `ask` mode.
    func run() throws -> Outcome {
        var outcome = Outcome()
        let (child, input, output) = try spawn()
        var session = Session(
            run: "test", schema: schema, parameters: parameters, resultKind: resultKind,
            limits: SessionLimits(resultBytes: resultBytes))
        defer { outcome.counts = session.counts }
        var failure: (any Error)?
        do {
            try converse(&session, input, output, &outcome)
        } catch { failure = error }
        close(input)
        close(output)
        wait(child, &outcome)
        if let failure { throw failure }
        outcome.counts = session.counts
        return outcome
    }

    private func converse(_ session: inout Session, _ input: Int32, _ output: Int32, _ outcome: inout Outcome)
        throws
    {
        var next = 0
        write(session.start(), to: input)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { break }
            for event in try session.receive(buffer[..<count]) {
                switch event {
                case .rows(let max, _):
                    let batch = next < batches.count ? batches[next] : BatchBuilder(schema: schema).finish()
                    precondition(batch.rowCount <= max)
                    next += 1
                    for piece in try session.answer(batch: batch, more: next < batches.count) {
                        write(piece, to: input)
                    }
                case .asset(let id):
                    if let asset = assets[id] {
                        write(session.answer(asset: asset.bytes.count, mediaType: asset.mediaType), to: input)
                        write(asset.bytes, to: input)
                    } else {
                        write(session.answer(error: "unknown-asset", message: "no such handle"), to: input)
                    }
                case .assets, .fetch, .fetchTogether:
                    write(session.answer(error: "egress-undeclared", message: "none"), to: input)
                case .send(let bytes): write(bytes, to: input)
                case .hello, .progress: break
                case .log(_, let text): outcome.log.append(text)
                case .result(let payload): outcome.result = payload
                case .refusal(let code, let message): outcome.refusal = (code, message)
                }
            }
        }
        try session.endOfOutput()
    }

    /// Runs in `filter` mode: `input` is everything on stdin; gives back everything on stdout.
    func filter(_ input: [UInt8]) throws -> (output: [UInt8], exitStatus: Int32) {
        // A file for stdin: nobody has to feed it while the output is read.
        var template = Array("/tmp/escrow-filter-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        defer {
            close(file)
            unlink(template)
        }
        write(input, to: file)
        lseek(file, 0, SEEK_SET)
        let (child, inputPipe, outputPipe) = try spawn(stdin: file)
        close(inputPipe)
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(outputPipe, &buffer, buffer.count)
            guard count > 0 else { break }
            output += buffer[..<count]
        }
        close(outputPipe)
        var outcome = Outcome()
        wait(child, &outcome)
        return (output, outcome.exitStatus)
    }

    private func wait(_ child: pid_t, _ outcome: inout Outcome) {
        var status: Int32 = 0
        var usage = rusage()
        wait4(child, &status, 0, &usage)
        outcome.exitStatus = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
        outcome.peakMemory = usage.ru_maxrss
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private func spawn(stdin: Int32? = nil) throws -> (child: pid_t, input: Int32, output: Int32) {
        var toChild: [Int32] = [0, 0]
        var fromChild: [Int32] = [0, 0]
        guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw LaunchFailure(code: errno) }
        // Suites that start processes are serialized: between pipe() and fcntl() another child would inherit these.
        for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        signal(SIGPIPE, SIG_IGN)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, stdin ?? toChild[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
        if isQuiet { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, command[0], &actions, nil, arguments, variables)
        close(toChild[0])
        close(fromChild[1])
        guard code == 0 else {
            close(toChild[1])
            close(fromChild[0])
            throw LaunchFailure(code: code)
        }
        return (child, toChild[1], fromChild[0])
    }
}
