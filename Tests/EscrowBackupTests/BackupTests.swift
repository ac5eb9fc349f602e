import EscrowDiagnostics
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowBackup

@Suite("Backups of a folder") struct BackupTests {
    static let passphrase = Array("correct horse battery staple".utf8)
    let temporary: TemporaryFolder
    var scratch: URL { temporary.url }
    var folder: URL { scratch.appending(path: "home") }
    var file: URL { scratch.appending(path: "backup") }
    var target: URL { scratch.appending(path: "restored") }

    init() throws {
        temporary = try TemporaryFolder("escrow-backup")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    }

    func put(_ path: String, _ bytes: [UInt8], mode: Int = 0o600) throws {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    func back(_ passphrase: [UInt8] = passphrase) throws -> BackupWriter.Summary {
        try BackupWriter.write(folder: folder.path, to: file.path, passphrase: passphrase, cost: 14)
    }

    func restore(_ passphrase: [UInt8] = passphrase) throws {
        try BackupReader.read(file.path, into: target.path, passphrase: passphrase)
    }

    /// Every path with its bytes; folders with none.
    func contents(_ url: URL) throws -> [String: Data] {
        var all: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
            all[path] = FileManager.default.contents(atPath: url.appending(path: path).path) ?? Data()
        }
        return all
    }

    @Test("What comes back is what was there, for the owner alone")
    func roundTrip() throws {
        try put("home.json", Array("{}".utf8))
        try put("empty", [])
        try put("a/b/c", (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try put("a/exactly", [UInt8](repeating: 7, count: 65_536))
        try put("plugins/org.example.new/uv.lock", [1])
        try put("plugins/org.example.lock/x.17.new", [2])
        try put("bin/program", [3], mode: 0o755)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "nothing"), withIntermediateDirectories: true)
        let expected = try contents(folder)
        try put("grants.lock", [])
        try put("ledger.17.new", [9])
        try put("ledger/lock", [])
        #expect(try back() == BackupWriter.Summary(files: 7, bytes: 2 + 200_000 + 65_536 + 3))
        try restore()
        var restored = try contents(target)
        restored["ledger"] = nil
        #expect(restored == expected)
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(target.path + "/home.json") == 0o600)
        #expect(try mode(target.path + "/bin/program") == 0o700)
        #expect(try mode(target.path + "/a") == 0o700)
        #expect(try mode(file.path) == 0o600)
    }

    @Test("Nothing of the contents and no name is in the clear, and no two backups are alike")
    func isEncrypted() throws {
        try put("visible-name", Array(repeating: Array("visible words ".utf8), count: 9_000).flatMap(\.self))
        _ = try back()
        let first = try Data(contentsOf: file)
        #expect(first.range(of: Data("visible".utf8)) == nil)
        try FileManager.default.removeItem(at: file)
        _ = try back()
        let second = try Data(contentsOf: file)
        #expect(first.count == second.count && first[48...] != second[48...])
    }

    @Test("An empty folder is backed up as well")
    func emptyFolder() throws {
        #expect(try back() == BackupWriter.Summary())
        try restore()
        #expect(try contents(target).isEmpty)
    }

    @Test("Another passphrase is one error")
    func wrongPassphrase() throws {
        try put("x", [1])
        _ = try back()
        #expect(throws: Diagnostic(.backupNotOpened, "")) {
            try restore(Array("correct horse battery stable".utf8))
        }
        #expect(try contents(target).isEmpty)
    }

    @Test("A byte that was altered anywhere, cut off, added, moved or repeated is noticed")
    func alterations() throws {
        try put("x", [UInt8](repeating: 5, count: 150_000))
        _ = try back()
        let whole = [UInt8](try Data(contentsOf: file))
        let stored = BackupCipher.chunkSize + BackupCipher.tagSize
        #expect(whole.count > 48 + 2 * stored)
        var damaged: [[UInt8]] = []
        for position in [0, 8, 9, 11, 12, 13, 15, 16, 47, 48, 60, 48 + stored, whole.count - 1] {
            var copy = whole
            copy[position] ^= 1
            damaged.append(copy)
        }
        for count in [0, 7, 47, 48, 50, 48 + stored, 48 + stored + 3, 48 + 2 * stored, whole.count - 1] {
            damaged.append(Array(whole.prefix(count)))
        }
        damaged.append(whole + [0])
        let header = Array(whole[..<48])
        let first = Array(whole[48..<48 + stored])
        let second = Array(whole[(48 + stored)..<(48 + 2 * stored)])
        let third = Array(whole[(48 + 2 * stored)...])
        for chunks in [[second, first, third], [first, first, second, third], [second, third], [third]] {
            damaged.append(header + chunks.flatMap(\.self))
        }
        for bytes in damaged {
            try Data(bytes).write(to: file)
            try FileManager.default.removeItem(at: target)
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            let error = try #require(throws: Diagnostic.self) { try restore() }
            #expect(["E1170", "E1171"].contains(error.code.rawValue))
        }
    }

    @Test("A header that asks for too much memory, or too little, is refused before any of it is used")
    func costs() throws {
        try put("x", [1])
        _ = try back()
        var bytes = [UInt8](try Data(contentsOf: file))
        for cost in [0, 13, 19, 63, 255] as [UInt8] {
            bytes[10] = cost
            try Data(bytes).write(to: file)
            #expect(throws: Diagnostic(.noBackup, "")) { try restore() }
        }
    }

    @Test("A file that exists is not replaced, and a symlink in the folder ends the backup without one")
    func refusals() throws {
        try put("x", [1])
        try Data("mine".utf8).write(to: file)
        #expect(throws: Diagnostic(.backupFileExists, "")) { try back() }
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "link").path, withDestinationPath: "/etc/passwd")
        #expect(throws: Diagnostic(.homeNotBackedUp, "")) { try back() }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == [
                "home", "restored",
            ])
    }

    @Test("Locks are taken store by store, and the ledger's last")
    func lockOrder() throws {
        // Not that of an open question: whoever is asked holds it and waits for the grants', so both would wait for ever.
        for path in [
            "sources.lock", "ledger/lock", "grants.lock", "plugins/lock", "plugins/a.b/uv.lock",
            "questions/org.example.notes.lock",
        ] { try put(path, []) }
        #expect(
            try BackupWriter.locks(of: folder.path)
                == ["grants.lock", "plugins/lock", "sources.lock", "ledger/lock"].map {
                    folder.path + "/" + $0
                })
    }

    @Test("Stock Python opens a backup by what the page says of it")
    func pythonAgrees() throws {
        try put("a/x", Array("hello".utf8))
        _ = try back()
        let script = """
            import hashlib, sys
            try:
                from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
            except ImportError:
                print("SKIP"); sys.exit(0)
            data = open(sys.argv[1], "rb").read()
            header, rest = data[:48], data[48:]
            key = hashlib.scrypt(sys.argv[2].encode(), salt=header[16:], n=1 << header[10], r=header[11], p=header[12],
                                 dklen=32, maxmem=1 << 28)
            chunks = [rest[i:i + 65552] for i in range(0, len(rest), 65552)]
            clear = b"".join(
                ChaCha20Poly1305(key).decrypt(i.to_bytes(11, "big") + bytes([i == len(chunks) - 1]), chunk, header)
                for i, chunk in enumerate(chunks))
            print(clear.hex())
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", script, file.path, String(decoding: Self.passphrase, as: UTF8.self),
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard text != "SKIP", process.terminationStatus == 0 else {
            print("SKIP: python3 with the package cryptography is not there")
            return
        }
        #expect(text == "01000161" + "020003612f7800" + "0000000000000005" + "68656c6c6f" + "00")
    }
}
