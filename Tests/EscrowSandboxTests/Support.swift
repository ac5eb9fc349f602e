import EscrowDiagnostics
import EscrowSandbox
import Glibc
import Synchronization
import Testing

/// Programs that the tests run in sandboxes, compiled once per test run into a temporary directory.
enum Probes {
    static let directory: String? = {
        guard access("/usr/bin/gcc", X_OK) == 0 else {
            print("SKIP: gcc is missing, so no probe can be compiled")
            return nil
        }
        var template = Array("/tmp/escrow-probes.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            print("SKIP: no temporary directory: errno \(errno)")
            return nil
        }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        _ = chmod(path, 0o755)
        atexit {
            guard let directory = Probes.directory else { return }
            for name in [
                "call", "echo", "misdeed", "excess", "keep", "native.so", "twin", "twin-musl", "meet",
                "residue",
            ] {
                unlink("\(directory)/\(name)")
            }
            rmdir(directory)
        }
        return path
    }()

    private static let built = Mutex<[String: String]>([:])

    /// The twin as musl builds it; nil (after a SKIP line) where its compiler is missing.
    static func muslTwin() throws -> SealedFile? {
        guard let directory, access("/usr/bin/musl-gcc", X_OK) == 0 else {
            print("SKIP: musl-gcc is missing, so no program with musl can be compiled")
            return nil
        }
        let path = "\(directory)/twin-musl"
        let result = try Plain.run(["/usr/bin/musl-gcc", "-static", "-O1", "-o", path, "\(sources)/twin.c"])
        try #require(result.code == 0, "musl-gcc failed on twin")
        return try SealedFile(readFile(path))
    }

    /// Where the source of a probe is.
    static func source(_ name: String) -> String { "\(sources)/\(name).c" }

    /// The text of an honest program under Tests/Probes.
    static func text(_ name: String) throws -> String {
        String(decoding: try readFile("\(sources)/\(name)"), as: UTF8.self)
    }

    /// The path of a probe, built from `Tests/Probes/NAME.c`; nil (after a SKIP line) where there is no compiler.
    static func path(_ name: String) throws -> String? {
        guard let directory else { return nil }
        return try built.withLock { built in
            if let path = built[name] { return path }
            let path = "\(directory)/\(name)"
            let result = try Plain.run(["/usr/bin/gcc", "-static", "-O1", "-o", path, "\(sources)/\(name).c"])
            try #require(result.code == 0, "gcc failed on \(name)")
            built[name] = path
            return path
        }
    }

    private static let sources = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(2)
        return parts.joined(separator: "/") + "/Probes"
    }()

    /// A probe as a sealed program.
    static func program(_ name: String) throws -> SealedFile? {
        guard let path = try path(name) else { return nil }
        return try SealedFile(readFile(path))
    }
}

/// A one-file Swift program, linked statically, as plugin authors build them.
enum SwiftProgram {
    private static let compiler: String? = {
        let folders = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":")
        return folders.map { "\($0)/swiftc" }.first { access($0, X_OK) == 0 }
    }()
    private static let built = Mutex<[String: [UInt8]]>([:])

    /// nil (after a SKIP line) where there is no compiler.
    static func build(_ statement: String) throws -> SealedFile? {
        guard let folder = Probes.directory, let compiler else {
            print("SKIP: swiftc is not in PATH, so no Swift program can be compiled")
            return nil
        }
        let image = try built.withLock { built in
            if let image = built[statement] { return image }
            let source = "\(folder)/main.swift"
            let program = "\(folder)/main"
            let file = try #require(fopen(source, "w"))
            fputs(statement + "\n", file)
            fclose(file)
            defer {
                unlink(source)
                unlink(program)
            }
            let result = try Plain.run([compiler, "-O", "-static-executable", "-o", program, source])
            try #require(result.code == 0, "swiftc failed on: \(statement)")
            let image = try readFile(program)
            built[statement] = image
            return image
        }
        return try SealedFile(image)
    }
}

func readFile(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileError(number: errno) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(file, &buffer, buffer.count)
        if count <= 0 { return bytes }
        bytes += buffer.prefix(count)
    }
}

/// A program run without any sandbox: the control that shows a misdeed succeeding.
enum Plain {
    struct Result {
        var code: Int32
        var output: String
    }

    static func run(_ arguments: [String]) throws -> Result {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        var pid = pid_t()
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        try #require(posix_spawn(&pid, arguments[0], &actions, nil, &pointers, environ) == 0)
        close(ends[1])
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            if count <= 0 { break }
            bytes += buffer.prefix(count)
        }
        close(ends[0])
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let code = status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
        return Result(code: code, output: String(decoding: bytes, as: UTF8.self))
    }
}

/// What a run gave.
struct Ran {
    var output: String
    var outcome: Outcome
    var log: String { String(decoding: outcome.log, as: UTF8.self) }
}

extension Sandbox {
    /// Runs a program to its end with some input.
    func run(
        _ program: SandboxProgram, arguments: [String] = [], input: [UInt8] = [],
        limits: SandboxLimits = .standard, trace: Trace? = nil
    ) throws -> Ran {
        try launch(program, name: "probe", arguments: arguments, limits: limits, trace: trace)
            .finishRun(input: input)
    }

    /// Runs a C probe; nil where there is no compiler.
    func probe(
        _ name: String, _ arguments: [String] = [], input: [UInt8] = [], limits: SandboxLimits = .standard
    ) throws -> Ran? {
        guard let program = try Probes.program(name) else { return nil }
        return try run(.executable(fd: program.fd), arguments: arguments, input: input, limits: limits)
    }

    /// Runs a script; nil (after a SKIP line) where the interpreter is missing.
    func script(
        _ interpreter: String, _ text: String, arguments: [String] = [], input: [UInt8] = [],
        limits: SandboxLimits = .standard, trace: Trace? = nil
    ) throws -> Ran? {
        let file = try SealedFile(Array(text.utf8))
        do {
            return try run(
                .script(interpreter: interpreter, main: "main", files: [("main", file.fd)]),
                arguments: arguments, input: input, limits: limits, trace: trace)
        } catch let error as Diagnostic where error.code == .interpreterUnusable {
            print("SKIP: \(error.message)")
            return nil
        }
    }
}

extension SandboxedProcess {
    /// Runs it to its end with some input.
    func finishRun(input: [UInt8]) -> Ran {
        // A plugin that ends without reading closes its stdin; that is no failure of these tests.
        do { try write(input) } catch { #expect(error == .closed) }
        closeInput()
        var output: [UInt8] = []
        do {
            while true {
                let bytes = try read(max: 65536)
                if bytes.isEmpty { break }
                output += bytes
            }
        } catch { #expect(error == .outputLimit) }
        let outcome = finish(graceSeconds: 60)
        return Ran(output: String(decoding: output, as: UTF8.self), outcome: outcome)
    }
}

/// Writes on a thread of its own, and then closes the input.
final class Writer: Sendable {
    private let process: SandboxedProcess
    private let bytes: [UInt8]

    init(process: SandboxedProcess, bytes: [UInt8]) {
        self.process = process
        self.bytes = bytes
    }

    func start() {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(self).toOpaque()
        _ = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let writer = Unmanaged<Writer>.fromOpaque(argument).takeRetainedValue()
                do { try writer.process.write(writer.bytes) } catch {
                    #expect(error as? SandboxIOError == .closed)
                }
                writer.process.closeInput()
                return nil
            }, argument)
        pthread_detach(thread)
    }
}

/// A file of a test that could not be opened.
struct FileError: Error {
    let number: Int32
}

/// Looks again and again until something is so; fails after two minutes at least.
@discardableResult
func eventually<Value>(_ what: String, _ look: () -> Value?) -> Value? {
    for _ in 0..<120_000 {
        if let value = look() { return value }
        poll(nil, 0, 1)
    }
    Issue.record("it never came true that \(what)")
    return nil
}

func eventually(_ what: String, _ look: () -> Bool) {
    eventually(what) { look() ? () : nil }
}
