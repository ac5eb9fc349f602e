import EscrowDiagnostics
import EscrowManifest
import Glibc

@testable import EscrowTrust

/// A folder of its own for a test, removed with it.
final class Scratch {
    let path: String

    init() {
        var template = Array("/tmp/escrow-trust-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
        }
        precondition(!path.isEmpty, "mkdtemp failed")
    }

    deinit { try? Tree.remove(path) }

    func write(_ name: String, _ bytes: [UInt8], mode: mode_t = 0o644) {
        let full = "\(path)/\(name)"
        if let slash = full.lastIndex(of: "/") { makeFolders(String(full[..<slash])) }
        unlink(full)
        let file = open(full, O_WRONLY | O_CREAT | O_EXCL, mode)
        precondition(file >= 0 && Glibc.write(file, bytes, bytes.count) == bytes.count)
        fchmod(file, mode)
        close(file)
    }

    private func makeFolders(_ path: String) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        makeFolders(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        mkdir(path, 0o700)
    }
}

func readFile(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY)
    precondition(file >= 0, path)
    defer { close(file) }
    var status = stat()
    fstat(file, &status)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    precondition(read(file, &bytes, bytes.count) == bytes.count)
    return bytes
}

/// Keys, manifests and packages. TEST ONLY: the seeds are public.
enum Fixture {
    static let root: String = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    static let vectors = root + "/Tests/Vectors/envelope"

    static let publisher = key(1)
    static let other = key(2)
    static let owner = key(3)

    static func key(_ byte: UInt8) -> SigningKey {
        guard let key = try? SigningKey(seed: [UInt8](repeating: byte, count: 32)) else {
            preconditionFailure()
        }
        return key
    }

    static let now = Moment("2026-12-01T00:00:00Z") ?? Moment(seconds: 0)
    static let issued = Moment("2026-11-21T00:00:00Z") ?? Moment(seconds: 0)
    static let expires = Moment("2027-11-21T00:00:00Z") ?? Moment(seconds: 0)

    /// A script, so that the vectors are small and run nowhere by themselves.
    static func manifest(
        id: String = "org.example.count", version: String = "1.2.0", sequence: Int = 7, extra: String = "",
        artifact: String? = nil, profile: String = "runtime"
    ) -> String {
        """
        {
          "schema": "escrow.plugin/1",
          "id": "\(id)",
          "version": "\(version)",
          "sequence": \(sequence),
          "title": "Count",
          "purpose": { "code": "aggregate-statistics", "text": "Count the rows." },
          "publisher": { "name": "Example Org" },
          "host": ">=0.1.0 <1.0.0",
          "protocol": { "major": 1, "mode": "filter", "input": "ndjson" },
          "accepts": {
            "columns": [ { "name": "id", "type": "integer" } ],
            "reads": { "Contacts": ["id"] }
          },
          "result": { "kind": "record", "fields": { "n": { "type": "integer", "min": 0 } }, "maxBytes": 64 },
          "sandbox": { "profile": "\(profile)" },
          \(extra)
          "artifacts": [ \(artifact ?? #"{ "platform": "any", "path": "count.jq", "interpreter": "jq" }"#) ]
        }
        """
    }

    static let script = Array("{n: length}\n".utf8)

    /// A folder of files as an author ships them.
    static func staging(_ program: [UInt8] = script, _ name: String = "count.jq") -> Scratch {
        let folder = Scratch()
        folder.write(name, program)
        folder.write("LICENSE", Array("test only\n".utf8))
        return folder
    }

    /// A package in a folder; returns its path.
    static func pack(
        _ manifest: String = manifest(), program: [UInt8] = script, name: String = "count.jq",
        keys: [SigningKey] = [publisher], issued: Moment = issued, expires: Moment = expires,
        into target: Scratch
    ) throws -> String {
        let folder = staging(program, name)
        return try PluginPackage.pack(
            folder: folder.path, authorManifest: Array(manifest.utf8), file: "plugin.json", keys: keys,
            issued: issued, expires: expires, to: target.path
        ).path
    }

    static func trust(
        _ key: SigningKey = publisher, pattern: String = "org.example.*", threshold: Int = 1,
        validBefore: Moment? = nil
    ) throws -> TrustStore {
        TrustStore([
            try TrustEntry(
                pattern: pattern, key: key.publicKey, name: "Example Org release key",
                validBefore: validBefore,
                threshold: threshold)
        ])
    }

    static func store(
        _ home: Scratch, trust: TrustStore? = nil, revocations: Revocations = .none,
        installation: String? = nil
    ) throws -> PluginStore {
        PluginStore(
            directory: home.path + "/plugins", trust: try trust ?? Fixture.trust(), revocations: revocations,
            installation: installation)
    }
}

/// The diagnostic that a piece of work ends with; nil if it succeeds.
func refusal(_ work: () throws -> Void) -> Diagnostic? {
    do { try work() } catch { return error as? Diagnostic ?? Diagnostic(.ownFault, "\(error)") }
    return nil
}
