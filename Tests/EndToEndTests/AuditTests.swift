import Foundation
import Testing

/// `sudo escrow app audit --home DIR`: root, and the home of somebody else.
@Suite(.enabled(if: geteuid() == 0, "SKIP: only root can look at another user's home"))
struct AuditTests {
    private func execute(_ program: String, _ arguments: String...) throws -> Escrow.Outcome {
        try Escrow.start(arguments, home: URL(filePath: "/nonexistent"), program: URL(filePath: program))
    }

    @Test func rootLooksForAnotherUserAndLeavesTheirHomeAsItIs() throws {
        let escrow = try Escrow.withContacts()
        #expect(try execute("/bin/chown", "-R", "65534:65534", escrow.home.path).status == 0)
        func files() throws -> [Substring] {
            try execute("/usr/bin/find", escrow.home.path, "-printf", "%p %u %m %s %T@ %C@\n").output
                .split(separator: "\n").sorted()
        }
        let before = try files()
        let audit = try escrow.run("app", "audit", "--seconds", "1", "--format", "json")
        if audit.words.contains("E1262") {
            print("SKIP: this machine lets even root see no openings")
        } else {
            #expect(audit.status == 0 && audit.output.contains(#""openings""#), "\(audit.everything)")
        }
        // Nothing but that list is opened.
        let other = try escrow.run("source", "list")
        #expect(other.words.contains("E0014"), "\(other.everything)")
        #expect(try files() == before && before.count > 5)
    }
}
