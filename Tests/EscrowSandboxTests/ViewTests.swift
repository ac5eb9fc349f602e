import CEscrowLauncher
import CSeccomp
import Glibc
import Testing

@testable import EscrowSandbox

/// What a plugin can see of the machine and of its host.
@Suite struct ViewTests {
    /// What the kernel says of a running plugin, seen from outside, where it cannot colour the answer.
    @Test(arguments: [SandboxProfile.strict, .runtime])
    func aPluginHoldsNoRights(_ profile: SandboxProfile) throws {
        guard let probe = try Probes.path("excess") else { return }
        let isScript = profile == .runtime
        if isScript, access("/usr/bin/python3", X_OK) != 0 {
            print("SKIP: python3 is missing")
            return
        }
        let program = try SealedFile(isScript ? Array("print('x' * 70000000)".utf8) : readFile(probe))
        let process = try Sandbox().launch(
            isScript
                ? .script(interpreter: "python3", main: "main", files: [("main", program.fd)])
                : .executable(fd: program.fd),
            name: "probe", arguments: ["output", "70000000"])
        // Its first bytes show that it runs; more than a pipe holds, it then waits.
        #expect(try !process.read(max: 1).isEmpty)
        let directory = try #require(process.procDirectory)
        var values: [String: [Substring]] = [:]
        for line in String(decoding: try readFile("\(directory)/status"), as: UTF8.self).split(
            separator: "\n")
        {
            let parts = line.split(separator: ":", maxSplits: 1)
            values[String(parts[0])] = parts.last?.split(whereSeparator: \.isWhitespace)
        }
        for key in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
            #expect(values[key] == ["0000000000000000"], "\(key)")
        }
        #expect(values["NoNewPrivs"] == ["1"])
        #expect(values["Seccomp"] == ["2"])
        #expect(values["NSpid"]?.last == "1")
        let user = try #require(values["Uid"]?.first.flatMap { uid_t($0) })
        #expect(values["Uid"] == [Substring](repeating: "\(user)", count: 4))
        #expect(user != 0)
        #expect(user == geteuid() || geteuid() == 0)
        if geteuid() == 0 { #expect(values["Groups"] == []) }
        let interfaces = String(decoding: try readFile("\(directory)/net/dev"), as: UTF8.self)
            .split(separator: "\n").dropFirst(2).map { $0.drop { $0 == " " }.prefix { $0 != ":" } }
        #expect(interfaces == ["lo"])
        process.kill(reason: .cancelled)
        #expect(process.finish().status == .killedByHost(.cancelled))
    }

    @Test func theNetworkIsAnotherThanTheHostsAndEmpty() throws {
        guard let program = try Probes.program("echo") else { return }
        let process = try Sandbox().launch(.executable(fd: program.fd), name: "probe")
        // What it echoes shows that it runs.
        try process.write(Array(repeating: 0x78, count: 65536))
        #expect(try !process.read(max: 1).isEmpty)
        let pid = escrow_pid(process.run.state.withLock { $0.pidfd })
        func link(_ path: String) -> String? {
            var buffer = [CChar](repeating: 0, count: 256)
            let count = readlink(path, &buffer, buffer.count)
            return count > 0
                ? String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
        }
        if let theirs = link("/proc/\(pid)/ns/net") {
            #expect(theirs != link("/proc/self/ns/net"))
            #expect(theirs != link("/proc/1/ns/net"))
        } else {
            print("SKIP: the kernel does not show this user another process's network namespace")
        }
        if let bytes = try? readFile("/proc/\(pid)/net/dev"), !bytes.isEmpty {
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst(2)
            #expect(lines.map { $0.split(separator: ":")[0].filter { $0 != " " } } == ["lo"])
        }
        #expect(process.finish(graceSeconds: 60).isClean)
    }

    @Test func runningPluginsLeavesTheHostAsItWas() throws {
        let before = escrow_is_dumpable()
        guard let ran = try Sandbox().script("python3", "print(1)") else { return }
        #expect(ran.outcome.isClean)
        #expect(escrow_is_dumpable() == before)
        // A new program of the host's may still do what a plugin may not.
        guard let path = try Probes.path("misdeed") else { return }
        #expect(try Plain.run([path, "rx"]).output == "DID IT\n")
    }

    /// In a process of its own: other suites open descriptors at the same time.
    @Test func noDescriptorIsLeftOpenInTheHost() async throws {
        guard let path = try Probes.path("echo") else { return }
        await #expect(processExitsWith: .success) { [path = path as String] in
            let program = try SealedFile(readFile(path))
            let sandbox = try Sandbox()
            func opened() -> Int { (0..<1024).filter { fcntl($0, F_GETFD) >= 0 }.count }
            for _ in 0..<4 { _ = try sandbox.run(.executable(fd: program.fd)) }
            let before = opened()
            for _ in 0..<40 { #expect(try sandbox.run(.executable(fd: program.fd)).outcome.isClean) }
            // A supervisor's thread may still be on its way out; Swift's own runtime opens a few at a time of its choosing.
            #expect(isSoon { opened() < before + 8 })
        }
    }

    @Test func aPluginDiesWithItsHost() async throws {
        guard let probe = try Probes.path("excess"), let directory = Probes.directory else { return }
        let note = "\(directory)/pid-\(getpid())"
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [probe = probe as String, note = note as String] in
            let program = try SealedFile(readFile(probe))
            let process = try Sandbox().launch(
                .executable(fd: program.fd), name: "probe", arguments: ["output", "70000000"])
            // Its first bytes show that it runs; more than a pipe holds, it then waits for ever.
            #expect(try !process.read(max: 1).isEmpty)
            let digits = Array(try #require(process.procDirectory).dropFirst("/proc/".count).utf8)
            let file = open(note, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            #expect(write(file, digits, digits.count) == digits.count)
            close(file)
            kill(getpid(), SIGKILL)
        }
        let pid = try #require(Int32(String(decoding: try readFile(note), as: UTF8.self)))
        unlink(note)
        #expect(isDeadSoon(pid))
    }

    @Test func aChildThatIsStillBeingMadeDiesWithItsHost() async throws {
        guard let directory = Probes.directory else { return }
        let note = "\(directory)/child-\(getpid())"
        await #expect(processExitsWith: .signal(SIGKILL)) { [note = note as String] in
            // The parent-death signal is lost, as it is for a moment while the child takes its identity.
            let context = try #require(seccomp_init(escrow_action_allow))
            let isParentDeath = [scmp_arg_cmp(arg: 0, op: SCMP_CMP_EQ, datum_a: 1, datum_b: 0)]
            let prctl = seccomp_syscall_resolve_name("prctl")
            try #require(
                seccomp_rule_add_array(context, escrow_action_errno(0), prctl, 1, isParentDeath) == 0)
            try #require(seccomp_load(context) == 0)
            let sandbox = try Sandbox()
            let canary = try SealedFile(Canary.image)
            _ = try sandbox.launch(.executable(fd: canary.fd), name: "canary").finish(graceSeconds: 60)
            // So much to copy that the child is at it when the host dies; then its own filter comes. Where the host is
            // slower it waits for its input, and is still there to be found.
            let script = try SealedFile([UInt8](repeating: 0x0a, count: 48 << 20) + Array("read x\n".utf8))
            let process = try sandbox.launch(
                .script(interpreter: "sh", main: "main", files: [("main", script.fd)]), name: "probe")
            var child: String?
            while child == nil {
                guard let directory = process.procDirectory, let map = try? readFile("\(directory)/uid_map")
                else { continue }
                if !map.isEmpty { child = directory }
            }
            let digits = Array((child ?? "").dropFirst("/proc/".count).utf8)
            let file = open(note, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            #expect(write(file, digits, digits.count) == digits.count)
            close(file)
            kill(getpid(), SIGKILL)
        }
        let pid = try #require(Int32(String(decoding: try readFile(note), as: UTF8.self)))
        unlink(note)
        #expect(isDeadSoon(pid))
        kill(pid, SIGKILL)
    }
}

/// Whether a process is gone, or a zombie that init has not reaped yet, within some time.
private func isDeadSoon(_ pid: pid_t) -> Bool {
    isSoon {
        let text = (try? readFile("/proc/\(pid)/stat")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        // The name, which may hold anything, is in parentheses.
        guard let state = text.split(separator: ")").last?.dropFirst().first else { return true }
        return state == "Z" || state == "X"
    }
}

/// Whether something comes true; two minutes are a guard against waiting for ever.
private func isSoon(_ look: () -> Bool) -> Bool {
    for _ in 0..<12_000 {
        if look() { return true }
        poll(nil, 0, 10)
    }
    return false
}
