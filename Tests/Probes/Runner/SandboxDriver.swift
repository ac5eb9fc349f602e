import EscrowDiagnostics
import EscrowSandbox
import Glibc
import Synchronization

/// Runs a probe as a plugin of its own through `Sandbox.launch`, and its control as an ordinary program.
final class SandboxDriver: ProbeDriver {
    let families: Set<String> = ["files", "kernel", "network", "process", "resources", "sharing", "view"]

    private let workplace: Workplace
    private let sources: String
    private let sandbox = Mutex<Sandbox?>(nil)
    /// Open on purpose and not to be closed on exec: the launcher alone keeps it from a plugin.
    private let forgotten = open("/dev/null", O_RDONLY)

    /// `sources` is Tests/Probes.
    init(workplace: Workplace, sources: String) {
        self.workplace = workplace
        self.sources = sources
    }

    private func built(_ probe: Probe) -> String { "\(workplace.path)/\(probe.family)-\(probe.name)" }

    /// The folder, in the workplace, that its control runs in.
    func scratch(_ probe: Probe) -> String { "\(probe.family)-\(probe.name).control" }

    /// What it is told. The canary's path is the control's: outside it was there to be read.
    private func arguments(_ probe: Probe) -> [String] {
        switch probe.header.argument {
        case .canary: ["\(workplace.path)/\(scratch(probe))/canary"]
        case .host: ["\(getpid())"]
        case .device:
            {
                var information = stat()
                return stat("/usr/lib", &information) == 0 ? ["\(information.st_dev)"] : ["0"]
            }()
        case nil: []
        }
    }

    func build(_ probe: Probe) throws(ProbeFailure) -> String? {
        let command: [String]
        switch probe.language {
        case "c":
            command = [
                "/usr/bin/gcc", "-static", "-O1", "-pthread", "-Wall", "-Werror",
                "-include", "\(Main.sources)/probe.h", "-o", built(probe), probe.path,
            ]
        case "swift":
            command = ["/usr/bin/env", "swiftc", "-static-executable", "-O", "-o", built(probe), probe.path]
        case "py", "awk", "sh":
            let interpreter = Self.interpreter(of: probe).command[0]
            guard access(interpreter, X_OK) == 0 else { return "\(interpreter) is missing" }
            // A copy, which whoever this process becomes can read.
            let prelude = probe.language == "py" ? try Files.bytes("\(sources)/probe.py") + [0x0a] : []
            try Files.write(prelude + (try Files.bytes(probe.path)), to: built(probe))
            return nil
        default: throw ProbeFailure("\(probe.title): no driver knows .\(probe.language)")
        }
        if probe.language == "c", access(command[0], X_OK) != 0 { return "\(command[0]) is missing" }
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let result = try Command(arguments: command, environment: ["PATH=\(path)", "LANG=C.UTF-8"]).run()
        guard result.status == .exited(0) else {
            throw ProbeFailure(
                "\(probe.title) does not compile:\n\(String(decoding: result.errors, as: UTF8.self))")
        }
        return nil
    }

    /// The word for the interpreter inside, and the command line for the same outside.
    private static func interpreter(of probe: Probe) -> (word: String, command: [String]) {
        switch probe.language {
        case "py": ("python3", ["/usr/bin/python3", "-I", "-S", "-B"])
        case "awk": ("awk", ["/usr/bin/awk", "-f"])
        default: ("sh", ["/bin/sh"])
        }
    }

    func control(_ probe: Probe) throws(ProbeFailure) -> End { try runOutside(probe).end }

    func inside(_ probe: Probe) throws(ProbeFailure) -> End { try runInside(probe).end }

    /// The control run, and what it wrote.
    func runOutside(_ probe: Probe) throws(ProbeFailure) -> (end: End, output: [UInt8]) {
        let scratch = try workplace.folder(scratch(probe))
        try Files.write(Array("canary\n".utf8), to: "\(scratch)/canary")
        let isScript = probe.header.profile == .runtime
        let command =
            (isScript ? Self.interpreter(of: probe).command : []) + [built(probe)] + arguments(probe)
        let input = probe.header.input.map { [UInt8](repeating: 0x2e, count: $0) }
        let result = try Command(arguments: command, directory: scratch, input: input).run()
        return (End(result), result.output)
    }

    func prepareInside() throws(ProbeFailure) {
        do {
            let made = try Sandbox()
            sandbox.withLock { $0 = made }
        } catch { throw ProbeFailure("no sandbox can be made here: \(error.message)") }
    }

    /// The run inside, and the beginning of what it wrote.
    func runInside(_ probe: Probe) throws(ProbeFailure) -> (end: End, output: [UInt8]) {
        guard let sandbox = sandbox.withLock({ $0 }) else {
            throw ProbeFailure("prepareInside was not called")
        }
        do {
            let isScript = probe.header.profile == .runtime
            let file = try SealedFile(try Files.bytes(built(probe)))
            let process = try sandbox.launch(
                isScript
                    ? .script(
                        interpreter: Self.interpreter(of: probe).word, main: "main",
                        files: [("main", file.fd)])
                    : .executable(fd: file.fd),
                name: probe.name, arguments: arguments(probe), limits: probe.header.limits)
            return Self.talk(process, probe.header.input)
        } catch let failure as ProbeFailure {
            throw failure
        } catch let diagnostic as Diagnostic {
            return (End(text: "code \(diagnostic.code.rawValue)"), [])
        } catch { throw ProbeFailure("\(error)") }
    }

    /// Feeds it and reads all that it writes, as the host does, to its end.
    private static func talk(_ process: SandboxedProcess, _ input: Int?) -> (end: End, output: [UInt8]) {
        var writer: pthread_t?
        if let input {
            writer = startThread {
                // A probe that does not read ends at a limit, and the write with it.
                _ = try? process.write([UInt8](repeating: 0x2e, count: input))
                process.closeInput()
            }
        } else {
            process.closeInput()
        }
        var output: [UInt8] = []
        while let bytes = try? process.read(max: 1 << 16), !bytes.isEmpty {
            output += bytes.prefix(max(0, 16384 - output.count))
        }
        // A probe that closes its output and goes on meets its limits, not our patience.
        let outcome = process.finish(graceSeconds: 3600)
        if let writer { pthread_join(writer, nil) }
        return (End(outcome, output: output), output)
    }
}
