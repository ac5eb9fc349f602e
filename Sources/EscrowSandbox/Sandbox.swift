import CEscrowLauncher
public import EscrowDiagnostics
import Glibc

/// Builds sandboxes: a fresh process for each run, inside every wall that this machine has.
///
/// The first launch proves the walls with a canary; a wall that is missing, and was not lowered by name, stops
/// every run.
public final class Sandbox: Sendable {
    let configuration: SandboxConfiguration
    let machine: Machine
    let controlGroups: ControlGroups?
    private let canary = Monitor<Result<Void, Diagnostic>?>(nil)
    private let interpreters = Monitor<[String: Interpreter]>([:])

    /// Asks the kernel the cheap questions and compiles the filters. Throws E0551 to E0553 naming a wall that is
    /// missing and was not lowered, E0557 when a filter cannot be compiled.
    public init(configuration: SandboxConfiguration = .default) throws(Diagnostic) {
        for wall in configuration.loweredWalls where !wall.canBeLowered {
            throw Diagnostic(
                "E0555", "the wall \(wall.rawValue) cannot be lowered", help: "take it off the list")
        }
        self.configuration = configuration
        machine = configuration.machine ?? Machine.probe()
        controlGroups = configuration.usesControlGroups ? ControlGroups.find() : nil
        let missing = machine.missingWalls.filter { !configuration.loweredWalls.contains($0.wall) }
        if let first = missing.first {
            throw first.wall.missing(first.reason, alsoMissing: missing.dropFirst().map(\.wall))
        }
        _ = try filters(for: .strict)
    }

    /// The profile's filter twice: with the calls named, and killing where the kernel refuses a listener.
    private func filters(
        for profile: SandboxProfile
    ) throws(Diagnostic) -> (naming: FilterProgram, killing: FilterProgram) {
        var options = FilterRules.Options()
        options.ownProcessNamespace = !configuration.loweredWalls.contains(.processNamespace)
        let naming = try FilterProgram.filter(for: profile, options)
        options.naming = false
        return (naming, try FilterProgram.filter(for: profile, options))
    }

    /// Starts a program in a sandbox of its own. `name` is for messages; `arguments` follow the script's path.
    ///
    /// Throws E0512 to E0519 for a program that cannot be run and E0550 to E0559 for a machine that cannot run it.
    /// What goes wrong between clone and exec is the outcome `setupFailed`.
    public func launch(
        _ program: SandboxProgram, name: String, arguments: [String] = [],
        limits: SandboxLimits = .standard
    ) throws(Diagnostic) -> SandboxedProcess {
        try proveWalls()
        return try start(program, arguments: arguments, limits: limits)
    }

    /// Runs the canary, once.
    func proveWalls() throws(Diagnostic) {
        try canary.withLock { (proof: inout Result<Void, Diagnostic>?) throws(Diagnostic) in
            let result = proof ?? Result { () throws(Diagnostic) in try Canary.fly(in: self) }
            proof = result
            try result.get()
        }
    }

    func start(
        _ program: SandboxProgram, arguments: [String], limits: SandboxLimits
    ) throws(Diagnostic) -> SandboxedProcess {
        try limits.check()
        try Self.check(arguments)
        var parts = try parts(of: program, arguments, limits)
        // The child's copy must not close under it should the caller let go at once.
        var held: [Int32] = []
        defer { held.forEach { close($0) } }
        _ = try hold(&parts, &held)
        let plan = LaunchPlan(parts, machine: machine, lowered: configuration.loweredWalls)
        let group = controlGroups.flatMap { ControlGroup($0, limits: limits) }
        do {
            let process = try connect(plan, limits, group, kept: held)
            held = []
            return process
        } catch {
            _ = group?.finish()
            throw Diagnostic("E0556", "the sandbox could not be started: \(error.sentence)")
        }
    }

    private func parts(
        of program: SandboxProgram, _ arguments: [String], _ limits: SandboxLimits
    ) throws(Diagnostic) -> LaunchPlan.Parts {
        let (naming, killing) = try filters(for: program.profile)
        var parts = LaunchPlan.Parts(
            profile: program.profile, program: -1, programPath: nil, arguments: [], root: .empty,
            limits: limits,
            naming: naming, killing: killing)
        switch program {
        case .executable(let descriptor):
            try Executable.checkStrict(descriptor)
            parts.program = descriptor
            parts.arguments = ["plugin"] + arguments
        case .script(let word, let main, let files):
            for wall in [Wall.mountNamespace, .landlock] where configuration.loweredWalls.contains(wall) {
                throw Diagnostic(
                    "E0554", "scripts cannot run while the wall \(wall.rawValue) is lowered",
                    help: "raise it again, or use a static executable")
            }
            let interpreter = try interpreter(word)
            guard Set(files.map(\.name)).count == files.count, files.contains(where: { $0.name == main })
            else {
                throw Diagnostic(
                    "E0516", "the script's files do not fit together",
                    help: "name each file once, and the main one among them")
            }
            parts.root = try RootPlan(interpreter: interpreter, files: files)
            parts.programPath = interpreter.path
            parts.arguments = [interpreter.path] + interpreter.options + ["/plugin/\(main)"] + arguments
        }
        return parts
    }

    private static func check(_ arguments: [String]) throws(Diagnostic) {
        let size = arguments.reduce(0) { $0 + $1.utf8.count }
        guard arguments.count <= 64, size <= 16384, !arguments.contains(where: { $0.utf8.contains(0) }) else {
            throw Diagnostic(
                "E0517", "the plugin's arguments cannot be passed",
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

    /// Duplicates the caller's descriptors, so that `launch` may return before the child has its own.
    private func hold(_ parts: inout LaunchPlan.Parts, _ held: inout [Int32]) throws(Diagnostic) {
        func duplicate(_ descriptor: Int32) throws(Diagnostic) -> Int32 {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else {
                throw Diagnostic("E0556", "the sandbox could not be started: \(errnoSentence(errno))")
            }
            held.append(copy)
            return copy
        }
        if parts.program >= 0 {
            parts.program = try duplicate(parts.program)
            // Execute only: see `SealedFile`. A file of the caller's own may have been made with other bits.
            fchmod(parts.program, 0o111)
        }
        try parts.root.replaceDescriptors(duplicate)
    }

    /// Makes the pipes and the supervisor.
    private func connect(
        _ plan: LaunchPlan, _ limits: SandboxLimits, _ group: ControlGroup?, kept: [Int32]
    ) throws(SystemError) -> SandboxedProcess {
        let input = try Pipe()
        let output = try Pipe()
        let log = try Pipe()
        let status = try Pipe()
        let go = try Pipe()
        let wakeNumber = escrow_eventfd()
        guard wakeNumber >= 0 else { throw SystemError(-wakeNumber) }
        let wake = Descriptor(owning: wakeNumber)
        for end in [input.writing.number, output.reading.number, log.reading.number, status.reading.number] {
            setNonBlocking(end)
        }
        let (inputChild, inputHost) = input.ends()
        let (outputHost, outputChild) = output.ends()
        let (logHost, logChild) = log.ends()
        let (statusHost, statusChild) = status.ends()
        let (goChild, goHost) = go.ends()
        plan.raw.pointee.input = inputChild
        plan.raw.pointee.output = outputChild
        plan.raw.pointee.log = logChild
        plan.raw.pointee.status = statusChild
        plan.raw.pointee.go = goChild
        plan.raw.pointee.host_go = goHost
        let ends = [inputChild, outputChild, logChild, statusChild, goChild]
        let run = Run(
            plan: plan, limits: limits, controlGroup: group, wake: wake.release(), log: logHost,
            status: statusHost, go: goHost, childEnds: ends + kept)
        let process = SandboxedProcess(run: run, input: inputHost, output: outputHost)
        guard Supervisor.start(run) else {
            ends.forEach { close($0) }
            run.abandon()
            throw SystemError(EAGAIN)
        }
        return process
    }
}
