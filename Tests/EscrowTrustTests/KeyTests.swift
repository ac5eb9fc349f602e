import EscrowDiagnostics
import EscrowManifest
import Glibc
import Testing

@testable import EscrowTrust

@Suite struct KeyTests {
    /// RFC 8032 section 7.1, TEST 1.
    @Test func theKnownSeedGivesTheKnownKey() throws {
        let seed = Digest(hexadecimal: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
        let key = try SigningKey(seed: seed?.bytes ?? [])
        #expect(
            Digest(hexadecimal: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")?.bytes
                == key.publicKey.bytes)
    }

    @Test func aKeyFileIsForItsOwnerAloneAndIsNeverOverwritten() throws {
        let home = Scratch()
        let path = home.path + "/key.pem"
        let key = try SigningKey.generate()
        try key.save(path)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try SigningKey.load(path).publicKey == key.publicKey)
        #expect(refusal { try key.save(path) }?.code == .keyFile)
        chmod(path, 0o640)
        #expect(refusal { _ = try SigningKey.load(path) }?.code == .keyFile)
        home.write("empty.pem", [], mode: 0o600)
        #expect(refusal { _ = try SigningKey.load(home.path + "/empty.pem") }?.code == .keyFile)
    }

    @Test func keysThatAcceptAnythingAreRefused() {
        let eight = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
        let other = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
        let zero = String(repeating: "00", count: 32)
        let one = "01" + String(repeating: "00", count: 31)
        let minusOne = "ec" + String(repeating: "ff", count: 30) + "7f"
        let prime = "ed" + String(repeating: "ff", count: 30) + "7f"
        let primeAndOne = "ee" + String(repeating: "ff", count: 30) + "7f"
        for text in [eight, other, zero, one, minusOne, prime, primeAndOne] {
            for sign: UInt8 in [0, 0x80] {
                var bytes = Digest(hexadecimal: text)?.bytes ?? []
                bytes[31] |= sign
                #expect(refusal { _ = try PublicKey(bytes) }?.code == .publicKeyInvalid, "\(text)")
            }
        }
        #expect(refusal { _ = try PublicKey([UInt8](repeating: 1, count: 31)) }?.code == .publicKeyInvalid)
    }

    @Test func opensslVerifiesWhatWeSign() throws {
        let home = Scratch()
        guard run("/usr/bin/env", ["openssl", "version"], output: home.path + "/log") == 0 else {
            print("SKIP: openssl is not installed")
            return
        }
        let envelope = try Envelope.sign([1, 2, 3], as: .pluginManifest, with: [Fixture.publisher])
        home.write("pae.bin", Envelope.preauthenticated(envelope.payload, envelope.payloadType))
        home.write("sig.bin", envelope.signatures[0].bytes)
        home.write("pub.der", Fixture.publisher.publicKey.spki)
        let arguments = [
            "openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", home.path + "/pub.der",
            "-rawin", "-in",
            home.path + "/pae.bin", "-sigfile", home.path + "/sig.bin",
        ]
        #expect(run("/usr/bin/env", arguments, output: home.path + "/log") == 0)
        var other = envelope.signatures[0].bytes
        other[0] ^= 1
        home.write("sig.bin", other)
        #expect(run("/usr/bin/env", arguments, output: home.path + "/log") != 0)
    }

    @Test func weVerifyWhatOpensslSigns() throws {
        let home = Scratch()
        guard run("/usr/bin/env", ["openssl", "version"], output: home.path + "/log") == 0 else {
            print("SKIP: openssl is not installed")
            return
        }
        let path = home.path + "/openssl.pem"
        #expect(
            run(
                "/usr/bin/env", ["openssl", "genpkey", "-algorithm", "ed25519", "-out", path],
                output: home.path + "/log")
                == 0)
        chmod(path, 0o600)
        let key = try SigningKey.load(path)
        let message = Envelope.preauthenticated([9, 8, 7], PayloadType.pluginManifest.rawValue)
        home.write("pae.bin", message)
        let arguments = [
            "openssl", "pkeyutl", "-sign", "-inkey", path, "-rawin", "-in", home.path + "/pae.bin", "-out",
            home.path + "/sig.bin",
        ]
        #expect(run("/usr/bin/env", arguments, output: home.path + "/log") == 0)
        let signature = readFile(home.path + "/sig.bin")
        #expect(key.publicKey.isValid(signature, for: message))
        #expect(!key.publicKey.isValid(signature, for: message + [0]))
        #expect(try key.signature(for: message) == signature, "Ed25519 is deterministic")
    }

    @Test func aSignatureWithTheGroupOrderAddedIsRefused() throws {
        let message = Array("m".utf8)
        var signature = try Fixture.publisher.signature(for: message)
        let order: [UInt8] = [
            0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14, 0,
            0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ]
        var carry = 0
        for index in 0..<32 {
            let sum = Int(signature[32 + index]) + Int(order[index]) + carry
            signature[32 + index] = UInt8(sum & 255)
            carry = sum >> 8
        }
        #expect(!Fixture.publisher.publicKey.isValid(signature, for: message))
    }
}
