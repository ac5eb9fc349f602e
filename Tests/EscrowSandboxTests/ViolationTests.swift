import EscrowDiagnostics
import Glibc
import Testing

@testable import EscrowSandbox

/// How a violation is told to the person. That each misdeed is one, and is named, is what `make probes` shows.
@Suite struct ViolationTests {
    @Test func aViolationReadsAsOneSentence() throws {
        guard let ran = try Sandbox().probe("misdeed", ["inet"]) else { return }
        #expect(ran.outcome.status == .violation)
        #expect(!ran.outcome.isClean)
        let diagnostic = try #require(ran.outcome.diagnostic(plugin: "phone-check", version: "1.2.0"))
        #expect(diagnostic.code == .namedSystemCallNotAllowed)
        #expect(
            diagnostic.message.hasPrefix(
                "phone-check 1.2.0 was stopped: it called socket(AF_INET, SOCK_STREAM), "))
        #expect(diagnostic.message.hasSuffix(" ms after start; nothing was returned"))
    }

    @Test func theMessageNamesPluginAndCallButNotThePath() throws {
        guard let ran = try Sandbox().probe("misdeed", ["open", "/etc/passwd"]) else { return }
        let diagnostic = try #require(ran.outcome.diagnostic(plugin: "phone-check", version: "1.2.0"))
        #expect(diagnostic.code == .namedSystemCallNotAllowed)
        #expect(
            diagnostic.message.hasPrefix(
                "phone-check 1.2.0 was stopped: it called openat(AT_FDCWD, O_RDONLY), "))
        #expect(!"\(diagnostic)".contains("passwd"))
    }

    @Test(arguments: [1024, 94_107, 0x4000_0000 | 9999, .max, .min, -2, -101] as [Int32])
    func aNumberThatNoTableComesToIsNotRepeated(_ number: Int32) {
        for token: UInt32 in [0xC000_003E, 0x4000_0003, 0xC000_00B7] {
            let call = Syscall(number: number, token: token, arguments: [])
            #expect(call.name == "syscall beyond 1023")
            #expect(call.number == nil)
        }
        let last = Syscall(number: 1023, token: 0xC000_003E, arguments: [])
        #expect(last.name == "syscall 1023" && last.number == 1023)
    }

    #if arch(x86_64)
    @Test func aCallOfAnotherTableIsNamedByThatTable() throws {
        guard let path = try Probes.path("misdeed") else { return }
        guard try Plain.run([path, "int80"]).output == "DID IT\n" else {
            print("SKIP: this kernel has no 32-bit table")
            return
        }
        let ran = try #require(try Sandbox().probe("misdeed", ["int80"]))
        #expect(ran.outcome.syscall?.name == "getpid")
        #expect(ran.outcome.syscall?.number == 20)
        #expect(ran.outcome.syscall?.architecture == .i386)
    }
    #endif
}
