import CEscrowLauncher
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
        #expect(process.finish().isClean)
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

    @Test func noDescriptorIsLeftOpenInTheHost() throws {
        guard let program = try Probes.program("echo") else { return }
        let sandbox = try Sandbox()
        // Other suites open descriptors at the same time, so it is their growth over many runs that counts.
        func opened() -> Int { (0..<4096).filter { fcntl($0, F_GETFD) >= 0 }.count }
        _ = try sandbox.run(.executable(fd: program.fd))
        let before = opened()
        for _ in 0..<40 { #expect(try sandbox.run(.executable(fd: program.fd)).outcome.isClean) }
        #expect(opened() < before + 40)
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
        // Init reaps it in its own time; dead it is as a zombie as well.
        var state = "R"
        for _ in 0..<500 where state != "gone" && state != "Z" {
            let text = (try? readFile("/proc/\(pid)/stat")).map { String(decoding: $0, as: UTF8.self) } ?? ""
            state = text.split(separator: ")").last.map { String($0.dropFirst().prefix(1)) } ?? "gone"
            poll(nil, 0, 10)
        }
        #expect(state == "gone" || state == "Z")
    }
}
