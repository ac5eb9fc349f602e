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

    /// Types a code on a terminal of its own once it is asked for; what the terminal showed.
    private func type(_ code: String, _ who: String, _ command: [String]) throws -> (
        status: Int32, shown: String
    ) {
        let script = """
            import os, pty, sys
            process, terminal = pty.fork()
            if process == 0:
                os.execv(sys.argv[2], sys.argv[2:])
            shown = b""
            while b"code: " not in shown:
                shown += os.read(terminal, 1024)
            os.write(terminal, sys.argv[1].encode() + b"\\n")
            try:
                while piece := os.read(terminal, 1024):
                    shown += piece
            except OSError:
                pass  # So ends a terminal.
            print(shown.decode())
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
            """
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", script, code] + command
        process.environment = [
            "ESCROW_HOME": programs.folder.path + "/" + who, "PATH": "/usr/bin:/bin",
            "HOME": programs.folder.path,
        ]
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    @Test func aCodeIsTypedWhereNobodySeesIt() throws {
        for who in ["laptop", "phone"] { try programs.escrow(who, ["init"]) }
        try programs.escrow(
            "laptop",
            ["group", "create", "own", "--name", "Laptop", "--own-devices"]
                + programs.servers.flatMap { ["--server", $0.address] })
        let (inviting, first) = try begin(
            "laptop", ["group", "invite", "own", "--near", "--listen", "127.0.0.1"])
        let (place, code) = (first["near"] as? String ?? "", first["code"] as? String ?? "")
        let program = ShareServer.products.appending(path: "escrow").path
        let join = [program, "group", "join", "own", "--near", place, "--code", "-", "--name", "Phone"]
        let joined = try type(code, "phone", join)
        inviting.waitUntilExit()
        #expect(joined.status == 0 && inviting.terminationStatus == 0, "\(joined.shown)")
        #expect(joined.shown.contains("members") && !joined.shown.contains(code), "\(joined.shown)")
        // The control: by itself a terminal shows what is typed.
        let control = try type(code, "phone", ["/bin/sh", "-c", "printf 'code: '; read -r line"])
        #expect(control.shown.contains(code))
        try programs.escrow(
            "phone", ["group", "join", "two", "--near", place, "--code", "-", "--name", "P"], status: 64)
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
            "phone", ["group", "join", "own", "--near", place, "--code", "-", "--name", "Phone"], status: 12,
            input: wrong + "\n")
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
