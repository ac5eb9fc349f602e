import Foundation
import ShareServers
import TemporaryFolder
import Testing

/// One person's two devices, by programs: a decision, an invitation over the network by a short code, a ledger that was put back.
@Suite("escrow group devices") struct OwnDevicesProgramTests {
    let programs: AnswerProgramTests

    init() throws { programs = try AnswerProgramTests() }

    /// Starts a command and reads its first line; the rest comes later.
    func begin(_ who: String, _ words: [String]) throws -> (Process, [String: Any]) {
        let process = Process()
        let output = Pipe()
        process.executableURL = ShareServer.products.appending(path: "escrow")
        process.arguments = words
        process.environment = [
            "ESCROW_HOME": programs.folder.path + "/" + who, "PATH": "/usr/bin:/bin",
            "HOME": programs.folder.path,
        ]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = Data()
        while line.last != 0x0A, let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty
        {
            line += byte
        }
        return (process, try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:])
    }

    @Test func aNoOnOneIsANoOnAllAndALedgerThatWasPutBackIsFound() throws {
        let publisher = AnswerProgramTests.packages.appending(path: "publisher").path
        let keys = try programs.escrow("none", ["key", "list", "--home", publisher, "--format", "json"])
        let key = try #require((keys.first?["keys"] as? [[String: Any]])?.first?["publicKey"] as? String)
        for who in ["laptop", "phone"] {
            try programs.escrow(who, ["init"])
            try programs.escrow(who, ["trust", "add", "org.example.*", key, "--name", "Samples"])
            try programs.escrow(
                who,
                [
                    "plugin", "install",
                    AnswerProgramTests.packages.appending(path: "age-of-contacts.escrow").path, "--yes",
                ])
        }
        try programs.escrow(
            "laptop",
            ["group", "create", "own", "--name", "Laptop", "--own-devices"]
                + programs.servers.flatMap { ["--server", $0.address] })
        // A wrong code first; the right one is still taken.
        let (inviting, first) = try begin(
            "laptop", ["group", "invite", "own", "--near", "--listen", "127.0.0.1"])
        let (place, code) = (first["near"] as? String ?? "", first["code"] as? String ?? "")
        let wrong = code.hasSuffix("0") ? "00000001" : "00000000"
        try programs.escrow(
            "phone", ["group", "join", "own", "--near", place, "--code", wrong, "--name", "Phone"], status: 12
        )
        let joined = try programs.escrow(
            "phone",
            ["group", "join", "own", "--near", "escrow-group://\(place)/\(code)", "--name", "Phone"])
        inviting.waitUntilExit()
        #expect(inviting.terminationStatus == 0)
        #expect((joined.first?["members"] as? [Any])?.count == 2)

        func together() throws {
            for _ in 0..<2 {
                for who in ["laptop", "phone"] { try programs.escrow(who, ["group", "devices", "own"]) }
            }
        }
        let dataflow = ["--app", "org.example.cards", "--plugin", "age-of-contacts"]
        try programs.escrow("laptop", ["grant", "allow"] + dataflow)
        try together()
        func states(_ who: String) throws -> [String] {
            let list = try programs.escrow(who, ["grant", "list", "--format", "json"])
            return (list.first?["grants"] as? [[String: Any]] ?? []).compactMap { $0["state"] as? String }
        }
        #expect(try states("phone") == ["authorized"])
        try programs.escrow("phone", ["grant", "deny"] + dataflow)
        try together()
        #expect(try states("laptop") == ["denied"])

        // The laptop's disk is put back to an image of before.
        let laptop = programs.folder.path + "/laptop"
        let copy = programs.folder.path + "/image"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        for name in ["ledger", "ledger.heads"] {
            try FileManager.default.copyItem(atPath: "\(laptop)/\(name)", toPath: "\(copy)/\(name)")
        }
        try programs.escrow("laptop", ["grant", "reset", "--all"])
        try together()
        for name in ["ledger", "ledger.heads"] {
            try FileManager.default.removeItem(atPath: "\(laptop)/\(name)")
            try FileManager.default.moveItem(atPath: "\(copy)/\(name)", toPath: "\(laptop)/\(name)")
        }
        try programs.escrow("laptop", ["ledger", "verify"])
        let found = try programs.escrow("laptop", ["group", "devices", "own"], status: 12)
        #expect(
            (found.first?["alarm"] as? String)?.contains("this device's ledger was put back") == true,
            "\(found)")
    }
}
