import Glibc
import Testing

@testable import EscrowSandbox

/// A trace shows an author every call that the profile refuses, and lets none of them run.
@Suite struct TraceTests {
    /// Runs a probe under a trace; nil where there is no compiler.
    private func trace(_ name: String, _ arguments: [String], input: [UInt8] = []) throws -> (Ran, Trace)? {
        guard let program = try Probes.program(name) else { return nil }
        let trace = Trace()
        let ran = try Sandbox().run(
            .executable(fd: program.fd), arguments: arguments, input: input, trace: trace)
        #expect(!trace.wasBlind)
        return (ran, trace)
    }

    @Test func aRefusedCallIsNotedNotRunAndDoesNotEndTheRun() throws {
        guard let (ran, trace) = try trace("misdeed", ["inet"]) else { return }
        #expect(ran.output == "REFUSED EPERM\n")
        #expect(ran.outcome.status == .exited(0))
        let refused = trace.entries.filter { $0.decision == .refused }
        #expect(refused == [.init(call: "socket(AF_INET, SOCK_STREAM)", decision: .refused, count: 1)])
        #expect(trace.entries.first?.decision == .refused)
    }

    @Test func whatTheProfileAnswersIsAnsweredAndCounted() throws {
        guard let (ran, trace) = try trace("misdeed", ["clone3"]) else { return }
        #expect(ran.output == "REFUSED ENOSYS\n")
        #expect(trace.entries.contains(.init(call: "clone3()", decision: .answered(ENOSYS), count: 1)))
        guard let (second, other) = try self.trace("misdeed", ["open", "/proc/self/maps"]) else { return }
        #expect(second.output == "REFUSED ENOENT\n")
        let opened = Trace.Entry(
            call: "openat(AT_FDCWD, O_RDONLY)", decision: .answered(ENOENT), count: 1)
        #expect(other.entries.contains(opened))
    }

    @Test func pathsThatWouldEndARunAreRefusedAndNotShown() throws {
        guard let (ran, trace) = try trace("misdeed", ["open", "/etc/passwd"]) else { return }
        #expect(ran.output == "REFUSED EPERM\n")
        let refused = trace.entries.filter { $0.decision == .refused }
        #expect(refused == [.init(call: "openat(AT_FDCWD, O_RDONLY)", decision: .refused, count: 1)])
    }

    @Test func theLaunchersOwnCallsAreNotCountedAndTheProgramsAre() throws {
        let input = Array("1 ada\n".utf8)
        guard let (ran, trace) = try trace("echo", [], input: input) else { return }
        #expect(ran.output == "1 ada\n")
        #expect(ran.outcome.isClean)
        // Standard error and input are read to their end; nothing is written but the one line.
        #expect(trace.entries.contains(.init(call: "write", decision: .allowed, count: 1)))
        #expect(trace.entries.contains(.init(call: "exit_group", decision: .allowed, count: 1)))
        #expect(!trace.entries.contains { $0.call.hasPrefix("execve") })
    }

    @Test func aRunWithoutATraceStillEndsAtTheFirstRefusedCall() throws {
        guard let ran = try Sandbox().probe("misdeed", ["inet"]) else { return }
        #expect(ran.outcome.status == .violation)
    }

    @Test func aScriptsRefusedCallsAreAllSeen() throws {
        let script = """
            import os, socket
            for deed in [lambda: socket.socket(), lambda: os.fork(), lambda: os.mkdir("/x"), lambda: os.fork()]:
                try:
                    deed()
                except OSError as error:
                    print(error.errno)
            """
        let trace = Trace()
        guard let ran = try Sandbox().script("python3", script, trace: trace) else { return }
        #expect(ran.output == "1\n1\n1\n1\n", "\(ran.outcome.status) \(ran.log)")
        let refused = trace.entries.filter { $0.decision == .refused }
        #expect(
            refused == [
                .init(call: "clone(0)", decision: .refused, count: 2),
                .init(call: "mkdir()", decision: .refused, count: 1),
                .init(call: "socket(AF_INET, SOCK_STREAM)", decision: .refused, count: 1),
            ])
    }

    @Test func aMachineWithoutAListenerCannotTraceAndSaysSo() throws {
        var machine = Machine.probe()
        machine.notifyError = EINVAL
        var configuration = SandboxConfiguration()
        configuration.machine = machine
        guard let program = try Probes.program("echo") else { return }
        let trace = Trace()
        let ran = try Sandbox(configuration: configuration).run(
            .executable(fd: program.fd), trace: trace)
        #expect(ran.outcome.isClean)
        #expect(trace.wasBlind)
        #expect(trace.entries == [])
    }

    @Test func callsThatAreRunAreCountedApart() {
        let trace = Trace()
        let number = FilterArchitecture.native.number(of: "read") ?? -1
        trace.note(
            Syscall(number: number, token: FilterArchitecture.native.token, arguments: []), .answered(EPERM))
        for _ in 0..<3 { trace.noteAllowed(number) }
        #expect(
            trace.entries == [
                .init(call: "read()", decision: .answered(EPERM), count: 1),
                .init(call: "read", decision: .allowed, count: 3),
            ])
    }

    @Test func aPluginCannotMakeTheTraceGrowForEver() {
        let trace = Trace()
        for number in 0..<1000 {
            trace.note(
                Syscall(number: Int32(number), token: FilterArchitecture.native.token, arguments: []),
                .refused)
        }
        #expect(trace.entries.count == 257)
        #expect(trace.entries.reduce(0) { $0 + $1.count } == 1000)
        #expect(trace.entries.contains { $0.call == "other calls" && $0.count == 744 })
    }
}
