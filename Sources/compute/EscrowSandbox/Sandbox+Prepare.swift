import EscrowDiagnostics

extension Sandbox {
    /// Checks a program, its arguments and its limits, and makes it ready to be started any number of times. `copies` holds its
    /// runs' copies between them.
    func prepare(
        _ program: SandboxProgram, arguments: [String], limits: SandboxLimits, trace: Trace? = nil,
        copies: RunCopies = RunCopies(mostBytes: 0)
    ) throws(Diagnostic) -> PreparedProgram {
        try limits.check()
        try Self.check(arguments)
        var parts = try parts(of: program, arguments, limits)
        if let trace {
            parts.tracing = Tracing(trace: trace, filter: FilterEvaluator(instructions: parts.naming.code))
            parts.naming = try Tracing.program()
        }
        return try PreparedProgram(
            parts, machine: machine, lowered: configuration.loweredWalls, copies: copies)
    }

    private func parts(
        of program: SandboxProgram, _ arguments: [String], _ limits: SandboxLimits
    ) throws(Diagnostic) -> PreparedProgram.Parts {
        let (naming, killing) = try filters(for: program.profile)
        var parts = PreparedProgram.Parts(
            profile: program.profile, program: -1, programPath: nil, arguments: [], root: .empty,
            limits: limits, naming: naming, killing: killing)
        switch program {
        case .executable(let descriptor):
            try Executable.checkStrict(descriptor)
            parts.program = descriptor
            parts.arguments = ["plugin"] + arguments
        case .script(let word, let main, let files, let mapsCode):
            for wall in [Wall.mountNamespace, .landlock] where configuration.loweredWalls.contains(wall) {
                throw Diagnostic(
                    .wallDoesNotHold, "scripts cannot run while the wall \(wall.rawValue) is lowered",
                    help: "take it off loweredWalls in config.json; static executables run without it")
            }
            let interpreter = try interpreter(word)
            guard Set(files.map(\.name)).count == files.count, files.contains(where: { $0.name == main })
            else {
                throw Diagnostic(
                    .scriptFilesUnfit, "the script's files do not fit together",
                    help: "name each file once, and the main one among them")
            }
            parts.root = try RootPlan(interpreter: interpreter, files: files, mapsCode: mapsCode)
            parts.programPath = interpreter.path
            parts.arguments = [interpreter.path] + interpreter.options + ["/plugin/\(main)"] + arguments
        }
        return parts
    }

    private static func check(_ arguments: [String]) throws(Diagnostic) {
        let size = arguments.reduce(0) { $0 + $1.utf8.count }
        guard arguments.count <= 64, size <= 16384, !arguments.contains(where: { $0.utf8.contains(0) }) else {
            throw Diagnostic(
                .argumentsUnfit, "the plugin's arguments cannot be passed",
                help: "give at most 64, of 16384 bytes together, without NUL")
        }
    }

    private func interpreter(_ word: String) throws(Diagnostic) -> Interpreter {
        try interpreters.withLock { (known: inout [String: Interpreter]) throws(Diagnostic) in
            if let found = known[word] { return found }
            let found = try Interpreter(word: word)
            known[word] = found
            return found
        }
    }
}
