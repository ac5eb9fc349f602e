import CEscrowLauncher
public import EscrowDiagnostics
import EscrowFiles
import Glibc

/// Builds sandboxes: a fresh process for each run, inside every wall that this machine has.
///
/// The first launch proves the walls with a canary; a wall that is missing, and was not lowered by name, stops
/// every run.
public final class Sandbox: Sendable {
    let configuration: SandboxConfiguration
    let machine: Machine
    let controlGroups: ControlGroups?
    private let hasProof = Monitor(false)
    let interpreters = Monitor<[String: Interpreter]>([:])

    /// Asks the kernel the cheap questions and compiles the filters. Throws for a wall that is missing and was not lowered, and
    /// for a filter that cannot be compiled.
    public init(configuration: SandboxConfiguration = .default) throws(Diagnostic) {
        try configuration.check()
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
    func filters(
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
    /// Throws for a program that cannot be run and for a machine that cannot run it. What goes wrong between clone and exec is
    /// the outcome `setupFailed`. A trace counts every call, and refuses those that would end the run: for authors' tests, not
    /// for a person's data.
    public func launch(
        _ program: SandboxProgram, name: String, arguments: [String] = [],
        limits: SandboxLimits = .standard, trace: Trace? = nil
    ) throws(Diagnostic) -> SandboxedProcess {
        do throws(Canary.Failure) { try proveWalls() } catch { throw error.diagnostic }
        return try start(prepare(program, arguments: arguments, limits: limits, trace: trace))
    }

    /// Runs the canary until it has passed once. A failure is not remembered, as a descriptor or a thread may be missing for a
    /// moment only. Each configuration has its own proof.
    func proveWalls() throws(Canary.Failure) {
        try hasProof.withLock { (hasProof: inout Bool) throws(Canary.Failure) in
            if hasProof { return }
            try Canary.fly(in: self)
            hasProof = true
        }
    }

    /// Starts a run of a program. A parked one waits, sandboxed and started, until `Run.take` begins its run.
    func start(_ program: PreparedProgram, isParked: Bool = false) throws(Diagnostic) -> SandboxedProcess {
        try start(
            program, group: controlGroups.flatMap { ControlGroup($0, limits: program.limits) },
            isParked: isParked)
    }

    func start(
        _ program: PreparedProgram, group: ControlGroup?, isParked: Bool
    ) throws(Diagnostic) -> SandboxedProcess {
        guard LostProcesses.current.count < configuration.mostLost else {
            _ = group?.finish()
            throw Diagnostic(
                .pluginDoesNotEnd,
                "\(configuration.mostLost) plugins were killed here and do not end, so no other is started",
                help: "`escrow doctor` names their processes, and what holds them")
        }
        do {
            return try connect(LaunchPlan(program), group, isParked: isParked)
        } catch {
            _ = group?.finish()
            throw Diagnostic(.sandboxNotStarted, "the sandbox could not be started: \(error.sentence)")
        }
    }

    private func connect(
        _ plan: LaunchPlan, _ group: ControlGroup?, isParked: Bool
    ) throws(SystemError) -> SandboxedProcess {
        let input = try Pipe()
        let output = try Pipe()
        let log = try Pipe()
        let status = try Pipe()
        let go = try Pipe()
        let wakeNumber = escrow_eventfd()
        guard wakeNumber >= 0 else { throw SystemError(-wakeNumber) }
        let wake = Descriptor(owning: wakeNumber)
        for end in [input.writing.raw, output.reading.raw, log.reading.raw, status.reading.raw] {
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
            plan: plan, isParked: isParked, controlGroup: group, wake: wake.release(), log: logHost,
            status: statusHost, go: goHost, childEnds: ends, patience: configuration.patience)
        let process = SandboxedProcess(run: run, input: inputHost, output: outputHost)
        guard Supervisor.start(run) else {
            ends.forEach { close($0) }
            run.abandon()
            throw SystemError(EAGAIN)
        }
        return process
    }
}
