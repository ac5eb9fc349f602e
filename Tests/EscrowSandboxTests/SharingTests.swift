import Glibc
import Testing

@testable import EscrowSandbox

/// Nothing that a run maps or opens is there for anybody else: neither for a process of the machine nor for another
/// run. What two processes share in the page cache, or as the key of a futex, is a wire between them.
@Suite struct SharingTests {
    /// A file by its device, as `major:minor`, and number.
    private struct Inode: Hashable {
        let device: String
        let number: UInt64
    }

    /// The files that a process has mapped, as the kernel tells from outside; nil where it does not.
    private func mapped(_ process: SandboxedProcess) -> Set<Inode>? {
        guard let directory = process.procDirectory, let bytes = try? readFile("\(directory)/maps") else {
            return nil
        }
        var found: Set<Inode> = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let fields: [Substring] = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count > 4, let number = UInt64(fields[4]), number != 0 else { continue }
            let device: [Substring] = fields[3].split(separator: ":")
            guard device.count == 2, let major = UInt32(device[0], radix: 16),
                let minor = UInt32(device[1], radix: 16)
            else { continue }
            found.insert(Inode(device: "\(major):\(minor)", number: number))
        }
        return found.isEmpty ? nil : found
    }

    /// The devices of all that is mounted here, as `major:minor`.
    private static func devices() throws -> Set<String> {
        let text = String(decoding: try readFile("/proc/self/mountinfo"), as: UTF8.self)
        var found: Set<String> = []
        for line in text.split(separator: "\n") {
            let fields: [Substring] = line.split(separator: " ")
            if fields.count > 2 { found.insert(String(fields[2])) }
        }
        return found
    }

    /// The same once its own code runs: until then the child has the host's memory.
    private func mappedOnceItRuns(_ process: SandboxedProcess) throws -> Set<Inode>? {
        let first = try process.read(max: 1)
        #expect(!first.isEmpty)
        let found = mapped(process)
        if found == nil { print("SKIP: the kernel does not show this user what a plugin has mapped") }
        return found
    }

    private static func number(of file: Int32) -> UInt64 {
        var information = stat()
        return fstat(file, &information) == 0 ? UInt64(information.st_ino) : 0
    }

    /// Two runs of one sealed program, in one sandbox, and the number of the file that they were started from; nil (after
    /// a SKIP line) where there is no compiler.
    private func twoRuns(
        _ one: [String], _ other: [String]
    ) throws -> (first: SandboxedProcess, second: SandboxedProcess, number: UInt64)? {
        guard let path = try Probes.path("meet") else { return nil }
        let program = try SealedFile(readFile(path))
        let sandbox = try Sandbox()
        return (
            try sandbox.launch(.executable(fd: program.fd), name: "probe", arguments: one),
            try sandbox.launch(.executable(fd: program.fd), name: "probe", arguments: other),
            Self.number(of: program.fd)
        )
    }

    @Test func twoRunsOfAStaticProgramShareNoFile() throws {
        guard let runs = try twoRuns([], []) else { return }
        guard let files = try mappedOnceItRuns(runs.first), let others = try mappedOnceItRuns(runs.second)
        else { return }
        #expect(files.isDisjoint(with: others))
        let numbers = files.union(others).map(\.number)
        #expect(!numbers.contains(runs.number))
        runs.first.kill(reason: .cancelled)
        runs.second.kill(reason: .cancelled)
    }

    private static let waiting: [String: String] = [
        "python3": "import sys\nprint('ready', flush=True)\nfor line in sys.stdin: pass",
        // More than a pipe holds, since jq writes what it has at its end.
        "jq": "range(1000000)",
        "awk": "BEGIN { print \"ready\"; fflush(); getline }",
        "sh": "echo ready; read x",
    ]

    @Test(arguments: ["python3", "jq", "awk", "sh"])
    func twoRunsOfAScriptShareNoFile(_ interpreter: String) throws {
        let text = try #require(Self.waiting[interpreter])
        guard let first = try launch(interpreter, text), let second = try launch(interpreter, text) else {
            return
        }
        guard let files = try mappedOnceItRuns(first), let others = try mappedOnceItRuns(second) else {
            return
        }
        #expect(files.isDisjoint(with: others))
        let devices = try Self.devices()
        let shared = files.union(others).filter { (file: Inode) in devices.contains(file.device) }
        #expect(shared.isEmpty)
        first.kill(reason: .cancelled)
        second.kill(reason: .cancelled)
    }

    /// A run of a script; nil (after a SKIP line) where the interpreter is missing.
    private func launch(_ interpreter: String, _ text: String) throws -> SandboxedProcess? {
        guard (try? Interpreter(word: interpreter)) != nil else {
            print("SKIP: \(interpreter) is missing")
            return nil
        }
        let file = try SealedFile(Array(text.utf8))
        let sandbox = try Sandbox()
        return try sandbox.launch(
            .script(interpreter: interpreter, main: "main", files: [("main", file.fd)]), name: "probe")
    }

    /// All that a script can open, by device and number, against all that is mounted outside.
    @Test func whateverAScriptCanOpenIsItsOwn() throws {
        let script = """
            import os, sys
            places = ["/plugin", os.path.dirname(os.__file__), "/usr/lib/" + sys.implementation._multiarch, "/usr/lib64"]
            seen = set()
            for place in places:
                for folder, _, names in os.walk(place):
                    for path in [folder] + [folder + "/" + name for name in names]:
                        try:
                            file = os.open(path, os.O_RDONLY)
                        except OSError:
                            continue
                        about = os.fstat(file)
                        seen.add((os.major(about.st_dev), os.minor(about.st_dev)))
                        os.close(file)
            print(" ".join(f"{major}:{minor}" for major, minor in seen))
            """
        // Thousands of files, each by a word with the host.
        let limits = SandboxLimits(wallSeconds: 600, cpuSeconds: 600)
        guard let ran = try Sandbox().script("python3", script, limits: limits) else { return }
        #expect(ran.outcome.isClean, "\(ran.outcome.status) \(ran.log)")
        let devices = Set(ran.output.split { $0.isWhitespace }.map { String($0) })
        #expect(!devices.isEmpty)
        let mounted = try Self.devices()
        #expect(mounted.isDisjoint(with: devices))
    }

    @Test func twoRunsDoNotMeetOnTheProgramsText() throws {
        guard let runs = try twoRuns(["wait"], ["wake"]) else { return }
        for process in [runs.second, runs.first] {
            let ran = process.finishRun(input: [])
            #expect(ran.output == "ready\n")
            #expect(ran.outcome.status == .violation)
            #expect(ran.outcome.syscall?.name == "futex")
        }
    }

    /// No page of a library is a place where a script wakes a thread of another process: not by itself, and not by what
    /// the kernel does at the end of a thread, which is to wake by a shared key whoever waits at its `clear_child_tid`.
    @Test func nobodyOutsideIsWokenFromWithin() throws {
        let waiter = try #require(FutexWaiter(at: "getpid"))
        guard waiter.start() else {
            print("SKIP: the kernel does not show in what call a thread waits")
            return
        }
        let script = """
            import ctypes, os, threading, time
            libc = ctypes.CDLL(None)
            place = ctypes.c_void_p(ctypes.cast(libc.getpid, ctypes.c_void_p).value & ~3)
            futex, set_tid_address = {"x86_64": (202, 218), "aarch64": (98, 96)}[os.uname().machine]
            print(libc.syscall(futex, place, 1, 1))
            thread = threading.Thread(target=lambda: libc.syscall(set_tid_address, place))
            thread.start()
            thread.join()
            # The kernel wakes behind join, and nothing within can see that: the attack gets its time.
            time.sleep(0.1)
            """
        let ran = try Sandbox().script("python3", script)
        let wasWaiting = waiter.wake()
        guard let ran else { return }
        #expect(ran.outcome.isClean, "\(ran.outcome.status) \(ran.log)")
        #expect(ran.output == "0\n")
        #expect(wasWaiting == 1)
    }

    /// Every process of the machine can read a thread's name.
    @Test func aScriptDoesNotNameItsThreads() throws {
        let script = """
            import ctypes, sys
            print(ctypes.CDLL(None).prctl(15, b"a secret", 0, 0, 0), flush=True)
            sys.stdin.read()
            """
        guard let process = try launch("python3", script) else { return }
        #expect(try process.read(max: 16) == Array("0\n".utf8))
        let directory = try #require(process.procDirectory)
        #expect(try !String(decoding: readFile("\(directory)/comm"), as: UTF8.self).contains("secret"))
        #expect(process.finishRun(input: []).outcome.isClean)
    }
}

/// A thread of this process that waits on a page of the C library, by the key that every process has for it.
private final class FutexWaiter: @unchecked Sendable {
    private typealias Call = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int
    private let call: Call
    private let place: Int
    private var thread = pthread_t()
    private let number = Monitor(0)
    private var most = timespec(tv_sec: 600, tv_nsec: 0)

    #if arch(x86_64)
    private static let (futex, gettid) = (202, 186)
    #else
    private static let (futex, gettid) = (98, 178)
    #endif

    /// Waits where a function of the C library begins.
    init?(at symbol: String) {
        guard let call = dlsym(nil, "syscall"), let place = dlsym(nil, symbol) else { return nil }
        self.call = unsafeBitCast(call, to: Call.self)
        self.place = Int(bitPattern: place) & ~3
    }

    /// Starts the thread, and comes back when it waits; false where that cannot be seen.
    func start() -> Bool {
        let argument = Unmanaged.passRetained(self).toOpaque()
        _ = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<FutexWaiter>.fromOpaque(argument).takeRetainedValue().wait()
                return nil
            }, argument)
        let number = number.wait { $0 == 0 ? nil : $0 } ?? 0
        for _ in 0..<120_000 {
            guard let bytes = try? readFile("/proc/self/task/\(number)/syscall") else { break }
            if String(decoding: bytes, as: UTF8.self).hasPrefix(
                "\(Self.futex) 0x\(String(place, radix: 16)) ")
            {
                return true
            }
            poll(nil, 0, 1)
        }
        pthread_detach(thread)
        return false
    }

    private func wait() {
        let own = call(Self.gettid, 0, 0, 0, 0, 0, 0)
        number.withLock { $0 = own }
        let value = UnsafePointer<UInt32>(bitPattern: place)?.pointee ?? 0
        // FUTEX_WAIT
        _ = withUnsafePointer(to: &most) { most in
            call(Self.futex, place, 0, Int(value), Int(bitPattern: most), 0, 0)
        }
    }

    /// Wakes the thread and waits for its end: 1 if it was waiting, 0 if somebody had woken it.
    func wake() -> Int {
        let count = call(Self.futex, place, 1, 1, 0, 0, 0)
        pthread_join(thread, nil)
        return count
    }
}

/// What the doctor says of a machine whose /proc everybody reads.
@Suite struct ProcMountTests {
    @Test(arguments: [
        ("", false), (",hidepid=invisible", true), (",hidepid=2", true), (",hidepid=noaccess,gid=4", true),
        (",hidepid=off", false), (",hidepid=0", false),
    ])
    func theMountOptionsTell(_ options: String, _ hides: Bool) {
        let line = "22 1 0:21 / /proc rw,nosuid shared:5 - proc proc rw\(options)\n"
        let other = "23 22 0:22 / /proc/bus rw - proc proc rw,hidepid=invisible\n"
        #expect(ProcMount.hidesProcesses(line + other) == hides)
        // What is mounted over it is what is seen.
        #expect(!ProcMount.hidesProcesses(line + "24 1 0:23 / /proc rw - proc proc rw\n"))
    }
}
