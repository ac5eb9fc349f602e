import EscrowDiagnostics
import EscrowJSON
import EscrowManifest
import Glibc
import Testing

@testable import EscrowTrust

/// One package a verdict, as files in Tests/Vectors/envelope. They are made by ``make(_:)`` below when
/// `ESCROW_WRITE_VECTORS=1` is set; the seeds of their keys are public: TEST ONLY.
@Suite struct VerdictTests {
    struct Vector: Sendable, CustomStringConvertible {
        let name: String
        let code: String?
        var description: String { name }
    }

    static let vectors = [
        Vector(name: "good", code: nil), Vector(name: "good-without-key", code: nil),
        Vector(name: "envelope-another-key", code: "E0313"), Vector(name: "altered-manifest", code: "E0304"),
        Vector(name: "altered-executable", code: "E0301"), Vector(name: "unlisted-file", code: "E0202"),
        Vector(name: "missing-file", code: "E0203"), Vector(name: "unsigned", code: "E0302"),
        Vector(name: "wrong-payload-type", code: "E0309"), Vector(name: "unknown-signer", code: "E0303"),
        Vector(name: "signer-of-another-id", code: "E0317"), Vector(name: "expired", code: "E0306"),
        Vector(name: "not-yet-valid", code: "E0307"), Vector(name: "revoked-key", code: "E0308"),
        Vector(name: "revoked-version", code: "E0308"), Vector(name: "rolled-back", code: "E0305"),
        Vector(name: "another-installation", code: "E0310"), Vector(name: "duplicate-key", code: "E0107"),
        Vector(name: "unknown-member", code: "E0102"), Vector(name: "envelope-duplicate-key", code: "E0313"),
        Vector(name: "envelope-unknown-member", code: "E0313"),
        Vector(name: "envelope-spaced", code: "E0313"),
        Vector(name: "path-traversal", code: "E0209"), Vector(name: "symlink", code: "E0209"),
        Vector(name: "trailing-bytes", code: "E0209"), Vector(name: "file-twice", code: "E0209"),
    ]

    @Test(arguments: vectors)
    func everyVerdictHasItsPackage(vector: Vector) throws {
        let path = "\(Fixture.vectors)/\(vector.name).escrow"
        if getenv("ESCROW_WRITE_VECTORS") != nil { try Self.make(vector.name, at: path) }
        let home = Scratch()
        let revocations = Revocations(
            sequence: 1, expires: Fixture.expires, keys: [Fixture.key(9).publicKey.id.description],
            versions: [.init(id: "org.example.bad", below: try #require(SemanticVersion("2.0.0")))])
        let trust = TrustStore([
            try TrustEntry(pattern: "org.example.*", key: Fixture.publisher.publicKey),
            try TrustEntry(pattern: "org.example.*", key: Fixture.key(9).publicKey),
            try TrustEntry(pattern: "com.another.*", key: Fixture.key(8).publicKey),
        ])
        let store = try Fixture.store(home, trust: trust, revocations: revocations, installation: "here")
        if vector.name == "rolled-back" {
            _ = try store.install("\(Fixture.vectors)/good.escrow", now: Fixture.now)
        }
        let refused = refusal { _ = try store.install(path, now: Fixture.now) }
        #expect(refused?.code.rawValue == vector.code, "\(refused?.description ?? "installed")")
        #expect(vector.code == nil || refused?.exitStatus == .untrusted)
    }

    @Test func alteredFilesAreNamedWithBothDigests() throws {
        let home = Scratch()
        let store = try Fixture.store(home)
        let refused = refusal {
            _ = try store.install("\(Fixture.vectors)/altered-executable.escrow", now: Fixture.now)
        }
        let found = Digest(of: Array("{n: 1+length}\n".utf8)).short
        #expect(
            refused?.description == """
                refused[E0301]: count 1.2.0 was altered after signing
                note: count.jq   signed \(Digest(of: Fixture.script).short)  found \(found)
                note: the signature itself is good; the file is not the signed one
                help: fetch the package again; if you built it yourself, run `escrow plugin pack --key NAME`
                """)
    }

    @Test func unknownSignersAreNamedAsTheyClaimToBe() throws {
        let home = Scratch()
        let store = try Fixture.store(home)
        let path = "\(Fixture.vectors)/unknown-signer.escrow"
        let refused = refusal { _ = try store.install(path, now: Fixture.now) }
        #expect(
            refused?.description == """
                refused[E0303]: \(path) is signed by nobody whom this host trusts
                note: it claims to be signed by \(Fixture.other.publicKey.id)
                help: get the publisher's key by another route, compare, then `escrow trust add`
                """)
    }

    @Test func oneBadSignatureByAKnownKeyAltersTheWhole() throws {
        let good = try Envelope.sign([1], as: .grant, with: [Fixture.publisher, Fixture.other])
        let wrong = try Envelope.sign([2], as: .grant, with: [Fixture.other])
        let mixed = Envelope.forged(
            type: good.payloadType, payload: good.payload,
            signatures: [good.signatures[0], wrong.signatures[0]])
        let keys = [Fixture.publisher.publicKey, Fixture.other.publicKey]
        #expect(throws: Never.self) { try good.verify(as: .grant, keys: keys).get() }
        #expect(throws: Verification.Reason.altered(signer: Fixture.other.publicKey.id)) {
            try mixed.verify(as: .grant, keys: keys).get()
        }
        // The same bad signature by a key that nobody knows is ignored.
        #expect(try mixed.verify(as: .grant, keys: [Fixture.publisher.publicKey]).get().keys.count == 1)
    }

    /// What came along with a package is shown to the individual, and nothing is verified by it.
    @Test func theKeyThatComesAlongIsTrustedByNobody() throws {
        let path = "\(Fixture.vectors)/unknown-signer.escrow"
        let found = try PackageKeys(package: path)
        #expect(found.keys == [Fixture.other.publicKey] && found.manifest.id == "org.example.count")
        let refused = refusal { _ = try Fixture.store(Scratch()).install(path, now: Fixture.now) }
        #expect(refused?.code == .unknownSigner)
    }

    @Test(arguments: [
        ("good-without-key", "E1390"), ("unsigned", "E0302"), ("altered-manifest", "E0304"),
        ("envelope-another-key", "E0313"), ("wrong-payload-type", "E1390"),
    ])
    func keysAreReadOfWhatIsWholeAlone(name: String, code: String) throws {
        let refused = refusal { _ = try PackageKeys(package: "\(Fixture.vectors)/\(name).escrow") }
        #expect(refused?.code.rawValue == code)
    }

    @Test func aSecondSignatureBringsItsKey() throws {
        let scratch = Scratch()
        scratch.write("a.escrow", readFile("\(Fixture.vectors)/good.escrow"))
        _ = try PluginPackage.sign(scratch.path + "/a.escrow", with: Fixture.other)
        let found = try PackageKeys(package: scratch.path + "/a.escrow")
        #expect(found.keys == [Fixture.publisher.publicKey, Fixture.other.publicKey])
    }

    // MARK: Making the files

    private static func make(_ name: String, at path: String) throws {
        let key =
            name == "unknown-signer"
            ? Fixture.other
            : name == "revoked-key"
                ? Fixture.key(9)
                : name == "signer-of-another-id" ? Fixture.key(8) : Fixture.publisher
        let scratch = Scratch()
        let text: String
        switch name {
        case "rolled-back": text = Fixture.manifest(version: "1.1.0", sequence: 6)
        case "revoked-version": text = Fixture.manifest(id: "org.example.bad")
        case "another-installation": text = Fixture.manifest(extra: "\"audience\": [\"elsewhere\"],")
        default: text = Fixture.manifest()
        }
        let (issued, expires) =
            name == "expired"
            ? (Fixture.issued.adding(days: -100), Fixture.now)
            : name == "not-yet-valid"
                ? (Fixture.now.adding(days: 2), Fixture.expires) : (Fixture.issued, Fixture.expires)
        let good = readFile(
            try Fixture.pack(text, keys: [key], issued: issued, expires: expires, into: scratch))
        try write(change(good, name), to: path)
    }

    private static func change(_ good: [UInt8], _ name: String) throws -> [UInt8] {
        var files = try entries(good)
        let envelope = try Envelope(parsing: files[0].bytes, file: "envelope")
        let payload = String(decoding: envelope.payload, as: UTF8.self)
        func resigned(_ payload: String, _ type: PayloadType = .pluginManifest) throws -> [UInt8] {
            try Envelope.sign(Array(payload.utf8), as: type, with: [Fixture.publisher]).encoded
        }
        let line = String(decoding: files[0].bytes, as: UTF8.self)
        switch name {
        case "altered-manifest":
            files[0].bytes =
                Envelope.forged(
                    type: envelope.payloadType,
                    payload: Array(payload.replacing("\"maxBytes\": 64", with: "\"maxBytes\": 99").utf8),
                    signatures: envelope.signatures
                ).encoded
        case "altered-executable": files[2].bytes = Array("{n: 1+length}\n".utf8)
        case "unlisted-file": files.append(("extra.txt", Array("not listed\n".utf8)))
        case "missing-file": files.remove(at: 1)
        case "unsigned":
            files[0].bytes =
                Envelope.forged(type: envelope.payloadType, payload: envelope.payload, signatures: []).encoded
        case "wrong-payload-type": files[0].bytes = try resigned(payload, .grant)
        case "duplicate-key":
            files[0].bytes = try resigned(
                payload.replacing("\"sequence\": 7", with: "\"sequence\": 7, \"sequence\": 8"))
        case "unknown-member":
            files[0].bytes = try resigned(
                payload.replacing("\"sequence\": 7", with: "\"sequence\": 7, \"egres\": []"))
        case "good-without-key": files[0].bytes = try resigned(payload)
        case "envelope-another-key":
            files[0].bytes = Array(
                line.replacing(Fixture.publisher.publicKey.base64, with: Fixture.other.publicKey.base64).utf8)
        case "envelope-duplicate-key":
            files[0].bytes = Array(
                line.replacing("{\"payloadType\"", with: "{\"payloadType\":\"x\",\"payloadType\"").utf8)
        case "envelope-unknown-member":
            files[0].bytes = Array(
                line.replacing("{\"payloadType\"", with: "{\"alg\":\"none\",\"payloadType\"").utf8)
        case "envelope-spaced":
            files[0].bytes = Array(line.replacing(",\"payload\"", with: ", \"payload\"").utf8)
        case "path-traversal": files.append(("../evil", [1]))
        case "file-twice": files.append(files[2])
        default: break
        }
        var output = files.flatMap { file -> [UInt8] in
            Archive.header(file.name, size: file.bytes.count, executable: file.name == "count.jq")
                + file.bytes
                + [UInt8](repeating: 0, count: Archive.padding(file.bytes.count))
        }
        if name == "symlink" {
            var header = Archive.header("link", size: 0, executable: false)
            header[156] = UInt8(ascii: "2")
            header.replaceSubrange(157..<168, with: Array("/etc/passwd".utf8))
            let sum = header.enumerated().reduce(0) {
                $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element))
            }
            header.replaceSubrange(148..<154, with: Array(("000000" + String(sum, radix: 8)).suffix(6).utf8))
            output += header
        }
        output += [UInt8](repeating: 0, count: 2 * Archive.block)
        if name == "trailing-bytes" { output += [UInt8](repeating: 0, count: Archive.block) }
        return output
    }

    private static func entries(_ package: [UInt8]) throws -> [(name: String, bytes: [UInt8])] {
        var files: [(name: String, bytes: [UInt8])] = []
        var offset = 0
        while let header = try Archive.read(
            Array(package[offset..<offset + 512]), executable: { $0 == "count.jq" })
        {
            offset += 512
            files.append((header.name, Array(package[offset..<offset + header.size])))
            offset += header.size + Archive.padding(header.size)
        }
        return files
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        try #require(file >= 0)
        #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
        close(file)
    }
}

extension Envelope {
    /// An envelope with signatures that nobody made for it.
    static func forged(type: String, payload: [UInt8], signatures: [Signature]) -> Envelope {
        Envelope(payloadType: type, payload: payload, signatures: signatures)
    }
}
