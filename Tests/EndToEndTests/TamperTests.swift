import Foundation
import Testing

/// One flipped byte anywhere in manifest, signature or executable: exit 12, and nothing is started.
@Suite(.serialized) struct TamperTests {
    static let escrow = Result { () throws -> Escrow in
        let escrow = try Escrow()
        #expect(
            try escrow.run("source", "add", "contacts", try escrow.write("one.vcf", RogueTests.card)).status
                == 0)
        try escrow.allow("phone-check")
        return escrow
    }

    /// The installed files of phone-check.
    func installed(_ name: String) throws -> URL {
        let home = try Self.escrow.get().home.appending(path: "plugins")
        let files = try #require(FileManager.default.enumerator(at: home, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.lastPathComponent == name { return file }
        throw CocoaError(.fileNoSuchFile)
    }

    @Test(arguments: ["manifest.dsse.json", "phone-check"])
    func aFlippedByteIsRefused(name: String) throws {
        let escrow = try Self.escrow.get()
        let file = try installed(name)
        let good = try Data(contentsOf: file)
        defer { try? good.write(to: file) }
        let before =
            try escrow.run("ledger", "list", "--last", "1000", "--format", "json").json()["entries"] as? [Any]
        // Positions spread over the whole file, its first and its last byte included.
        for step in 0...12 {
            var bad = good
            let position = min(good.count - 1, good.count * step / 12)
            bad[position] ^= 0x01
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            try bad.write(to: file)
            let outcome = try escrow.run("run", "phone-check", "--app", "org.example.test")
            #expect(outcome.status == 12, "byte \(position) of \(name): \(outcome.words)")
            #expect(outcome.output.isEmpty)
        }
        let after =
            try escrow.run("ledger", "list", "--last", "1000", "--format", "json").json()["entries"] as? [Any]
        #expect(before?.count == after?.count, "a run was begun with an altered plugin")
        try good.write(to: file)
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.test").status == 0)
    }

    @Test func aPackageIsRefusedForAnyFlippedByte() throws {
        let escrow = try Escrow()
        let good = try Data(contentsOf: Escrow.packages.appending(path: "age-of-contacts.escrow"))
        let path = escrow.folder.appending(path: "bad.escrow")
        for position in stride(from: 0, to: good.count, by: max(1, good.count / 60)) {
            var bad = good
            bad[position] ^= 0x20
            try bad.write(to: path)
            let outcome = try escrow.run("plugin", "install", path.path, "--yes")
            #expect(outcome.status == 12, "byte \(position): \(outcome.status) \(outcome.words)")
        }
        #expect(
            try escrow.run("plugin", "list", "--format", "json").output.contains("age-of-contacts") == false)
    }

    @Test func aPublisherWhomNobodyTrustsIsRefused() throws {
        let escrow = try Escrow(trusting: false)
        let package = Escrow.packages.appending(path: "phone-check.escrow").path
        let outcome = try escrow.run("plugin", "install", package, "--yes")
        #expect(outcome.status == 12)
        #expect(outcome.words.contains("is signed by nobody whom this host trusts"), "\(outcome.words)")
    }
}
