import EscrowDiagnostics

/// A program of a few machine instructions that writes "ok" and then opens a socket. Run through the whole real
/// pipeline before any plugin, it proves that plugins run here and that the walls stop them, which no reading of
/// kernel settings can.
enum Canary {
    /// Throws E0550 to E0559 unless the canary was started, wrote its word, and was stopped at `socket`.
    static func fly(in sandbox: Sandbox) throws(Diagnostic) {
        let limits = SandboxLimits(
            wallSeconds: 10, cpuSeconds: 2, memoryMiB: 16, outputBytes: 64, logBytes: 64)
        let executable = try SealedFile(image)
        let process = try sandbox.start(
            sandbox.prepare(.executable(fd: executable.fd), arguments: [], limits: limits))
        var output: [UInt8] = []
        while let bytes = try? process.read(max: 64), !bytes.isEmpty { output += bytes }
        let outcome = process.finish(graceSeconds: 10)
        switch outcome.status {
        case .violation where output == Array("ok".utf8):
            guard let syscall = outcome.syscall, syscall.name != "socket" else { return }
            throw wrong("it was stopped at \(syscall.name) instead of socket")
        case .setupFailed(let step, let error): throw diagnose(step, error, sandbox)
        default: throw wrong("it ended otherwise than by its violation")
        }
    }

    private static func wrong(_ what: String) -> Diagnostic {
        Diagnostic(
            "E0554", "the sandbox does not hold on this machine: a test program was run in it, and \(what)",
            help: "run no plugin here; `escrow doctor` checks each wall by itself")
    }

    /// Which wall a failed step belongs to. A failed clone does not say which of its flags was refused, so each is
    /// tried by itself.
    private static func diagnose(_ step: String, _ error: Int32, _ sandbox: Sandbox) -> Diagnostic {
        let reason = "\(step): \(errnoSentence(error))"
        if step == "clone" {
            let errors = sandbox.machine.namespaceErrors()
            let missing = Machine.namespaces.filter {
                errors[$0] != nil && !sandbox.configuration.loweredWalls.contains($0)
            }
            if let first = missing.first {
                let sentence = errnoSentence(errors[first] ?? error)
                return first.missing(
                    "the kernel refuses it: \(sentence)", alsoMissing: Array(missing.dropFirst()))
            }
        }
        return wall(of: step).missing(reason)
    }

    /// The wall that a step of the launcher builds.
    static func wall(of step: String) -> Wall {
        switch step {
        case "clone", "identity": .userNamespace
        case "mount-private", "mount-root", "mount-view", "mount-proc", "pivot": .mountNamespace
        case "hostname": .hostnameNamespace
        case "descriptors", "keyring": .descriptors
        case "limits": .resourceLimits
        case "capabilities": .capabilities
        case "no-new-privileges": .noNewPrivileges
        case "landlock": .landlock
        case "seccomp": .seccomp
        case "exec": .sealedProgram
        default: .processNamespace
        }
    }

    /// A whole ELF file: header, one readable and executable segment, a stack that is not executable, the code.
    static let image: [UInt8] = {
        func number(_ value: UInt64, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        }
        let base: UInt64 = 0x40_0000
        let headers: UInt64 = 64 + 2 * 56
        let size = headers + UInt64(code.count)
        var image: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0] + number(0, 8)
        image += number(2, 2) + number(Executable.machine, 2) + number(1, 4)
        image += number(base + headers, 8) + number(64, 8) + number(0, 8)
        image += number(0, 4) + number(64, 2) + number(56, 2) + number(2, 2) + number(0, 6)
        image += number(1, 4) + number(5, 4) + number(0, 8) + number(base, 8) + number(base, 8)
        image += number(size, 8) + number(size, 8) + number(0x1_0000, 8)
        image += number(0x6474_e551, 4) + number(6, 4) + number(0, 40) + number(16, 8)
        return image + code
    }()

    #if arch(x86_64)
    // write(1, "ok", 2); socket(AF_INET, SOCK_STREAM, 0); exit_group(0)
    private static let code: [UInt8] = [
        0xb8, 0x01, 0x00, 0x00, 0x00, 0xbf, 0x01, 0x00, 0x00, 0x00, 0x48, 0x8d,
        0x35, 0x23, 0x00, 0x00, 0x00, 0xba, 0x02, 0x00, 0x00, 0x00, 0x0f, 0x05,
        0xb8, 0x29, 0x00, 0x00, 0x00, 0xbf, 0x02, 0x00, 0x00, 0x00, 0xbe, 0x01,
        0x00, 0x00, 0x00, 0x31, 0xd2, 0x0f, 0x05, 0xb8, 0xe7, 0x00, 0x00, 0x00,
        0x31, 0xff, 0x0f, 0x05, 0x6f, 0x6b,
    ]
    #else
    private static let code: [UInt8] = [
        0x08, 0x08, 0x80, 0xd2, 0x20, 0x00, 0x80, 0xd2, 0x61, 0x01, 0x00, 0x10,
        0x42, 0x00, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4, 0xc8, 0x18, 0x80, 0xd2,
        0x40, 0x00, 0x80, 0xd2, 0x21, 0x00, 0x80, 0xd2, 0x02, 0x00, 0x80, 0xd2,
        0x01, 0x00, 0x00, 0xd4, 0xc8, 0x0b, 0x80, 0xd2, 0x00, 0x00, 0x80, 0xd2,
        0x01, 0x00, 0x00, 0xd4, 0x6f, 0x6b,
    ]
    #endif
}
