import CEscrowLauncher
import EscrowDiagnostics

/// A program of a few machine instructions that writes "ok", waits for its input to end, and opens a socket. It runs through the
/// real pipeline before any plugin, and proves that plugins run here and that the walls stop them, which kernel settings
/// cannot: while it waits it is inspected from outside; then it must be stopped at `socket`.
enum Canary {
    enum Failure: Error {
        /// A wall that cannot be built or does not hold, why, and others that are missing as well.
        case wall(Wall, reason: String, others: [Wall] = [])
        /// No fault of a wall: the host has no descriptor or thread left, say.
        case other(Diagnostic)

        var diagnostic: Diagnostic {
            switch self {
            case .wall(let wall, let reason, let others): wall.missing(reason, alsoMissing: others)
            case .other(let diagnostic): diagnostic
            }
        }
    }

    /// Throws unless the canary was started, stood inside every wall, and was stopped at `socket`.
    static func fly(in sandbox: Sandbox) throws(Failure) {
        let limits = SandboxLimits(
            wallSeconds: 60, cpuSeconds: 2, memoryMiB: 16, outputBytes: 64, logBytes: 64)
        let process: SandboxedProcess
        let executable: SealedFile
        do throws(Diagnostic) { executable = try SealedFile(image) } catch {
            throw .wall(.sealedProgram, reason: error.message)
        }
        do throws(Diagnostic) {
            process = try sandbox.start(
                sandbox.prepare(.executable(fd: executable.fd), arguments: [], limits: limits))
        } catch { throw .other(error) }
        var output: [UInt8] = []
        while output.count < 2, let bytes = try? process.read(max: 64), !bytes.isEmpty { output += bytes }
        let flaw = output == Array("ok".utf8) ? Inspection(process, sandbox)?.firstFlaw() : nil
        process.closeInput()
        while let bytes = try? process.read(max: 64), !bytes.isEmpty { output += bytes }
        let outcome = process.finish(graceSeconds: 60)
        switch outcome.status {
        case .violation where output == Array("ok".utf8):
            if let flaw { throw .wall(flaw.wall, reason: flaw.reason) }
            if let syscall = outcome.syscall, syscall.name != "socket" {
                throw wrong("it was stopped at \(syscall.name) instead of socket")
            }
            if !sandbox.configuration.loweredWalls.contains(.landlock) { try proveLandlock() }
        case .setupFailed(let step, let error): throw diagnose(step, error, sandbox)
        default:
            if let flaw { throw .wall(flaw.wall, reason: flaw.reason) }
            throw wrong("it ended otherwise than by its violation")
        }
    }

    private static func wrong(_ what: String) -> Failure {
        .wall(.seccomp, reason: "a test program was run in the sandbox, and \(what)")
    }

    /// /proc does not show Landlock, and behind the other walls nothing is left for it to refuse. So a child restricts itself by
    /// Landlock alone and tries to open the machine's root.
    private static func proveLandlock() throws(Failure) {
        let error = escrow_probe_landlock()
        switch error {
        case 0: return
        case -1:
            throw .wall(.landlock, reason: "a test program restricted itself and could open / all the same")
        default:
            throw .wall(
                .landlock, reason: "a test program could not restrict itself: \(errnoSentence(error))")
        }
    }

    /// Which wall a failed step belongs to. A failed clone does not say which flag was refused, so each is tried alone.
    private static func diagnose(_ step: String, _ error: Int32, _ sandbox: Sandbox) -> Failure {
        if step == "clone" {
            let errors = sandbox.machine.namespaceErrors(sandbox.configuration.loweredWalls)
            let missing = Machine.namespaces.filter {
                errors[$0] != nil && !sandbox.configuration.loweredWalls.contains($0)
            }
            if let first = missing.first {
                let sentence = errnoSentence(errors[first] ?? error)
                return .wall(
                    first, reason: "the kernel refuses it: \(sentence)", others: Array(missing.dropFirst()))
            }
        }
        return .wall(wall(of: step), reason: "\(step): \(errnoSentence(error))")
    }

    static func wall(of step: String) -> Wall {
        switch step {
        case "clone", "identity": .userNamespace
        case "mount-private", "mount-root", "mount-view", "pivot": .mountNamespace
        case "hostname": .hostnameNamespace
        case "descriptors", "keyring": .descriptors
        case "limits", "beginning": .resourceLimits
        case "capabilities": .capabilities
        case "no-new-privileges": .noNewPrivileges
        case "landlock": .landlock
        // "start": it was gone before its own exec was seen, so no filter of ours was on it.
        case "seccomp", "start", "time", "wait": .seccomp
        case "exec": .sealedProgram
        default: .processNamespace
        }
    }

    static let image = program(code)

    /// A whole ELF file: header, one readable and executable segment, a stack that is not executable, the code.
    static func program(_ code: [UInt8]) -> [UInt8] {
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
    }

    #if arch(x86_64)
    // write(1, "ok", 2); read(0, stack, 1); socket(AF_INET, SOCK_STREAM, 0); exit_group(0)
    private static let code: [UInt8] = [
        0xb8, 0x01, 0x00, 0x00, 0x00, 0xbf, 0x01, 0x00, 0x00, 0x00, 0x48, 0x8d,
        0x35, 0x33, 0x00, 0x00, 0x00, 0xba, 0x02, 0x00, 0x00, 0x00, 0x0f, 0x05,
        0x31, 0xc0, 0x31, 0xff, 0x48, 0x8d, 0x74, 0x24, 0xc0, 0xba, 0x01, 0x00,
        0x00, 0x00, 0x0f, 0x05, 0xb8, 0x29, 0x00, 0x00, 0x00, 0xbf, 0x02, 0x00,
        0x00, 0x00, 0xbe, 0x01, 0x00, 0x00, 0x00, 0x31, 0xd2, 0x0f, 0x05, 0xb8,
        0xe7, 0x00, 0x00, 0x00, 0x31, 0xff, 0x0f, 0x05, 0x6f, 0x6b,
    ]
    #else
    private static let code: [UInt8] = [
        0x08, 0x08, 0x80, 0xd2, 0x20, 0x00, 0x80, 0xd2, 0x01, 0x02, 0x00, 0x10,
        0x42, 0x00, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4, 0xe8, 0x07, 0x80, 0xd2,
        0x00, 0x00, 0x80, 0xd2, 0xe1, 0x03, 0x01, 0xd1, 0x22, 0x00, 0x80, 0xd2,
        0x01, 0x00, 0x00, 0xd4, 0xc8, 0x18, 0x80, 0xd2, 0x40, 0x00, 0x80, 0xd2,
        0x21, 0x00, 0x80, 0xd2, 0x02, 0x00, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4,
        0xc8, 0x0b, 0x80, 0xd2, 0x00, 0x00, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4,
        0x6f, 0x6b,
    ]
    #endif
}
