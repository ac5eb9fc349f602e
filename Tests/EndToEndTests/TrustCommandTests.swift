import Foundation
import Testing

/// Commands about whom one trusts: what they do, and what they say that they do not.
@Suite struct TrustCommandTests {
    @Test func aFileOfItsNameDoesNotAnswerForAPlugin() throws {
        let escrow = try Escrow.withPhoneCheck()
        try Data("none".utf8).write(to: escrow.folder.appending(path: "phone-check"))
        func verify(_ subject: String) throws -> Escrow.Outcome {
            try Escrow.start(
                ["-C", escrow.folder.path, Escrow.program.path, "plugin", "verify", subject],
                home: escrow.home, program: URL(filePath: "/usr/bin/env"))
        }
        let installed = try verify("phone-check")
        #expect(
            installed.status == 0 && installed.output.contains("\nas it is installed\n"), "\(installed.words)"
        )
        #expect(try verify("./phone-check").words.contains("E0209"))
    }

    @Test func halfARevocationIsRefused() throws {
        let escrow = try Escrow(trusting: false)
        let key = "SHA256:" + String(repeating: "A", count: 43)
        for half in [["--plugin", "org.example.count"], ["--below", "1.0.0"]] {
            let outcome = try Escrow.start(["trust", "revoke", "--key", key] + half, home: escrow.home)
            #expect(outcome.status == 64 && outcome.words.contains("nothing was revoked"), "\(outcome.words)")
        }
    }

    @Test func aLowerThresholdIsTold() throws {
        let escrow = try Escrow(trusting: false)
        var ids: [String] = []
        for name in ["one", "two"] {
            try #require(try escrow.run("key", "new", name).status == 0)
            let keys = try escrow.run("key", "list", "--format", "json").json()["keys"] as? [[String: Any]]
            let key = try #require(keys?.first { $0["name"] as? String == name })
            ids.append(try #require(key["fingerprint"] as? String))
            let added = try escrow.run(
                "trust", "add", "org.example.*", try #require(key["publicKey"] as? String))
            try #require(added.status == 0, "\(added.words)")
        }
        let file = escrow.home.appending(path: "trust.signers")
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.firstRange(of: "types="))
        try Data(text.replacingCharacters(in: start, with: "threshold=2,types=").utf8).write(to: file)
        let removed = try escrow.run("trust", "remove", ids[0])
        #expect(
            removed.words.contains("for org.example.* signatures needed: 1, it was 2"), "\(removed.words)")
    }
}
