import EscrowDiagnostics
import EscrowSandbox
import Glibc
import Testing

/// Misdeeds: outside the sandbox each succeeds, inside each is stopped and named.
@Suite struct ViolationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let deed: String
        let call: String
        var testDescription: String { deed }
    }

    static let killed: [Case] = [
        Case(deed: "inet", call: "socket(AF_INET, SOCK_STREAM)"),
        Case(deed: "inet6", call: "socket(AF_INET6, SOCK_DGRAM)"),
        Case(deed: "unix", call: "socket(AF_UNIX, SOCK_STREAM)"),
        Case(deed: "netlink", call: "socket(AF_NETLINK, SOCK_RAW)"),
        Case(deed: "fork", call: "clone(0)"),
        Case(deed: "unshare", call: "unshare(CLONE_NEWUSER)"),
        Case(deed: "execve", call: "clone(0)"),
        Case(deed: "wx", call: "mmap(PROT_READ|PROT_WRITE|PROT_EXEC)"),
        Case(deed: "rx", call: "mprotect(PROT_READ|PROT_EXEC)"),
        Case(deed: "memfd", call: "memfd_create()"),
        Case(deed: "kill", call: "kill()"),
        Case(deed: "keyring", call: "keyctl()"),
        Case(deed: "seccomp", call: "seccomp()"),
        Case(deed: "tiocsti", call: "ioctl(TIOCSTI)"),
        Case(deed: "shm", call: "shmget()"),
        Case(deed: "ptrace", call: "ptrace()"),
    ]

    @Test(arguments: killed) func aMisdeedIsStoppedAndNamed(_ item: Case) throws {
        guard let path = try Probes.path("misdeed") else { return }
        let control = try Plain.run([path, item.deed])
        // Some machines refuse these even to an ordinary program; then the probe proves nothing about us.
        guard control.output == "DID IT\n" else {
            print("SKIP: \(item.deed) does not succeed outside the sandbox: \(control.output)")
            return
        }
        let ran = try #require(try Sandbox().probe("misdeed", [item.deed]))
        #expect(ran.outcome.status == .violation)
        #expect(ran.outcome.syscall?.description == item.call)
        #expect(ran.output == "")
        #expect(!ran.outcome.isClean)
    }

    @Test func executingAProgramIsNamed() throws {
        guard let ran = try Sandbox().probe("misdeed", ["exec-now"]) else { return }
        #expect(ran.outcome.status == .violation)
        #expect(ran.outcome.syscall?.name == "execve")
    }

    #if arch(x86_64)
    @Test func theThirtyTwoBitTableIsNamedAsSuch() throws {
        guard let path = try Probes.path("misdeed") else { return }
        guard try Plain.run([path, "int80"]).output == "DID IT\n" else {
            print("SKIP: this kernel has no 32-bit table")
            return
        }
        let ran = try #require(try Sandbox().probe("misdeed", ["int80"]))
        #expect(ran.outcome.status == .violation)
        #expect(ran.outcome.syscall?.name == "getpid")
        #expect(ran.outcome.syscall?.architecture == .i386)
        #expect(ran.outcome.syscall?.description == "getpid() of the i386 table")
    }
    #endif

    @Test func aNewerSpellingOfForkIsUnknownToThePlugin() throws {
        guard let path = try Probes.path("misdeed") else { return }
        #expect(try Plain.run([path, "clone3"]).output == "DID IT\n")
        let ran = try #require(try Sandbox().probe("misdeed", ["clone3"]))
        #expect(ran.output == "REFUSED ENOSYS\n")
        #expect(ran.outcome.isClean)
    }

    @Test func aViolationReadsAsOneSentence() throws {
        guard let ran = try Sandbox().probe("misdeed", ["inet"]) else { return }
        let diagnostic = try #require(ran.outcome.diagnostic(plugin: "phone-check", version: "1.2.0"))
        #expect(diagnostic.code == "E0511")
        #expect(
            diagnostic.message.hasPrefix(
                "phone-check 1.2.0 was stopped: it called socket(AF_INET, SOCK_STREAM), "))
        #expect(diagnostic.message.hasSuffix(" ms after start; nothing was returned"))
    }

    @Test(arguments: [
        ("import socket; socket.socket()", "socket(AF_INET, SOCK_STREAM)"),
        ("import os; os.fork()", "clone(0)"),
        ("import os; os.execv('/usr/bin/python3', ['x'])", "execve()"),
        ("open('/plugin/new', 'w')", "openat(AT_FDCWD, O_WRONLY|O_CREAT|O_TRUNC)"),
        ("import os; os.kill(1, 9)", "kill()"),
        ("import os; os.mkdir('/plugin/x')", "mkdir()"),
        ("import os; os.memfd_create('x')", "memfd_create()"),
    ])
    func aScriptsMisdeedIsNamed(_ script: String, _ call: String) throws {
        guard let ran = try Sandbox().script("python3", script) else { return }
        #expect(ran.outcome.status == .violation, "\(ran.outcome.status) \(ran.log)")
        #expect(ran.outcome.syscall?.description == call)
    }
}
