import Foundation
import ShareServers
import TemporaryFolder
import Testing

/// The commands, and a plugin that runs over each member's own contacts.
@Suite("escrow group answer") struct AnswerProgramTests {
    let folder: TemporaryFolder
    let servers: [ShareServer]
    static let packages = AccountBookTests.root.appending(path: ".build/plugins")

    init() throws {
        folder = try TemporaryFolder("answer-program")
        servers = try (0..<3).map { _ in try ShareServer() }
    }

    @discardableResult
    func escrow(
        _ who: String, _ words: [String], status: Int32 = 0, input: String? = nil
    ) throws -> [[String: Any]] {
        let process = Process()
        let (output, errors) = (Pipe(), folder.url.appending(path: "errors"))
        FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.executableURL = ShareServer.products.appending(path: "escrow")
        process.arguments = words
        process.environment = [
            "ESCROW_HOME": folder.path + "/" + who, "PATH": "/usr/bin:/bin", "HOME": folder.path,
        ]
        process.standardInput = FileHandle.nullDevice
        if let input {
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try pipe.fileHandleForWriting.close()
            process.standardInput = pipe
        }
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let said = try String(contentsOf: errors, encoding: .utf8)
        #expect(process.terminationStatus == status, "\(words): \(said)")
        if let whole = try? JSONSerialization.jsonObject(with: data) as? [String: Any] { return [whole] }
        return data.split(separator: 0x0A).compactMap {
            try? JSONSerialization.jsonObject(with: $0) as? [String: Any]
        }
    }

    @Test func threePeopleLearnHowManyContactsTheyHaveTogether() throws {
        let publisher = Self.packages.appending(path: "publisher").path
        let keys = try escrow("none", ["key", "list", "--home", publisher, "--format", "json"])
        let key = try #require((keys.first?["keys"] as? [[String: Any]])?.first?["publicKey"] as? String)
        let people = ["ada", "bob", "cy"]
        for who in people {
            try escrow(who, ["init"])
            let cards = AccountBookTests.root.appending(path: "samples/contacts.vcf").path
            try escrow(who, ["source", "add", "contacts", cards])
            try escrow(who, ["trust", "add", "org.example.*", key, "--name", "Samples"])
            try escrow(
                who,
                ["plugin", "install", Self.packages.appending(path: "age-of-contacts.escrow").path, "--yes"])
        }
        try escrow(
            "ada",
            ["group", "create", "home", "--name", "Ada", "--app", "org.example.count", "--class", "Note"]
                + servers.flatMap { ["--server", $0.address] })
        for who in people.dropFirst() {
            let (introduction, invitation) = (
                folder.path + "/\(who).json", folder.path + "/\(who).invitation"
            )
            let code = try escrow(who, ["group", "introduce", "home", "--name", who, "--out", introduction])[
                0]["code"]
            let answer = try escrow(
                "ada",
                [
                    "group", "invite", "home", "--introduction", introduction, "--code",
                    code as? String ?? "", "--out",
                    invitation,
                ])[0]["code"]
            try escrow(
                who, ["group", "join", "home", "--invitation", invitation, "--code", answer as? String ?? ""])
        }
        let question =
            try escrow(
                "ada",
                [
                    "group", "ask", "home", "--plugin", "age-of-contacts", "--field", "contacts", "--bound",
                    "50", "--epsilon", "4",
                ])[0]["id"] as? String ?? ""
        func together() throws { for who in people + people { try escrow(who, ["group", "sync", "home"]) } }
        try together()
        for _ in 0..<3 {
            for who in people { try escrow(who, ["group", "answer", "home", question]) }
            try together()
        }
        // The plugin runs once all have dealt, and nobody has allowed it: nothing is said.
        try escrow("ada", ["group", "answer", "home", question], status: 11)
        try together()
        try escrow("bob", ["group", "answer", "home", question], status: 11)
        for who in people {
            let app = try escrow(who, ["group", "show", "home"])[0]["answersAs"] as? String ?? ""
            #expect(app.hasPrefix("org.escrow.group.") && app.hasSuffix(".home"))
            // What was allowed to any group of that name holds for none.
            try escrow(
                who, ["grant", "allow", "--app", "org.escrow.group.home", "--plugin", "age-of-contacts"])
            if who == "ada" { try escrow(who, ["group", "answer", "home", question], status: 11) }
            try escrow(who, ["grant", "allow", "--app", app, "--plugin", "age-of-contacts"])
        }
        var states: [[String: Any]] = []
        for _ in 0..<6 {
            states = try people.map { try escrow($0, ["group", "answer", "home", question])[0] }
            try together()
        }
        for state in states {
            #expect(state["state"] as? String == "answered", "\(state)")
            let sum = (state["sums"] as? [Int])?.first ?? 0
            // 35 contacts with a birthday each; three parts of noise beyond 1000 are 40 times its scale.
            #expect(abs(sum - 105) < 1000, "\(sum)")
        }
        #expect(Set(states.map { ($0["sums"] as? [Int])?.first }).count == 1)
        // Each has the run in their own ledger.
        for who in people { #expect(try !escrow(who, ["ledger", "list", "--format", "json"]).isEmpty) }
    }
}
