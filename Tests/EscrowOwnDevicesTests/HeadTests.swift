import Crypto
import EscrowDiagnostics
import EscrowHome
import EscrowJSON
import EscrowTrust
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowLedger
@testable import EscrowOwnDevices

@Suite("Cosigned heads of ledgers") struct HeadTests {
    let folder: TemporaryFolder
    let (laptop, phone): (OwnHome, OwnHome)
    let group = Group()

    init() throws {
        folder = try TemporaryFolder("own-heads")
        (laptop, phone) = (try OwnHome(folder, "laptop"), try OwnHome(folder, "phone"))
    }

    /// The signature is over the bytes that C2SP tlog-cosignature names, by a key that the note names as it says.
    @Test func aHeadThatGrowsIsCosigned() throws {
        try laptop.happen(3)
        #expect(try group.settle([laptop, phone]).alarms == [])
        try laptop.happen(2)
        #expect(try group.settle([laptop, phone]).alarms == [])
        let id = try "\(laptop.ledger).\(phone.ledger)"
        let value = try #require(group.objects["cosignature/\(id)"]?.value)
        let lines = try #require(value["note"]?.string).split(
            separator: "\n", omittingEmptySubsequences: false)
        let name = try #require(value["witness"]?.string)
        let key = try #require((value["key"]?.string).flatMap { Base64.decode($0) })
        let line = try #require(lines.first { $0.hasPrefix("— \(name) ") })
        let bytes = try #require(Base64.decode(String(line.split(separator: " ")[2])))
        let blank = try #require(lines.firstIndex(of: ""))
        let body = lines[..<blank].map { $0 + "\n" }.joined()
        #expect(bytes.count == 4 + 8 + 64)
        #expect(
            Array(bytes.prefix(4)) == Array(SHA256.hash(data: Array("\(name)\n".utf8) + [4] + key).prefix(4)))
        let seconds = bytes[4..<12].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        #expect(seconds == 1_800_000_000)
        let statement = Data("cosignature/v1\ntime \(seconds)\n\(body)".utf8)
        let verifier = try Curve25519.Signing.PublicKey(rawRepresentation: key)
        #expect(verifier.isValidSignature(bytes.dropFirst(12), for: statement))
        // Of the newest head, which the laptop's own key signed.
        let head = try #require(
            LedgerHead(
                text: value["note"]?.string ?? "", host: HostVerifier(key: laptop.home.hostKey().publicKey)))
        #expect(head.size == (try laptop.home.ledgerReader().head().size))
        #expect(head.cosignedAt(by: name, key: key) == seconds)
        #expect(head.cosignedAt(by: name + "x", key: key) == nil)
    }

    /// The whole home is put back, its copies of the heads with it: on the device itself nothing shows it.
    @Test func aLedgerThatWasPutBackIsFoundHereAndThere() throws {
        try laptop.happen(3)
        _ = try group.settle([laptop, phone])
        let copy = folder.path + "/copy"
        try FileManager.default.copyItem(atPath: laptop.home.path, toPath: copy)
        try laptop.happen(4)
        _ = try group.settle([laptop, phone])
        try FileManager.default.removeItem(atPath: laptop.home.path)
        try FileManager.default.moveItem(atPath: copy, toPath: laptop.home.path)
        _ = try laptop.home.ledgerReader().verify()
        let here = try laptop.exchange(group).alarms
        try #require(here.count == 1, "\(here)")
        #expect(here[0].contains("put back: it has 4 entries"), "\(here)")
        #expect(try phone.exchange(group).alarms.isEmpty)
        // It goes on beyond what it had been: still another ledger than the one that was cosigned.
        try laptop.happen(9)
        let fork = try laptop.exchange(group).alarms
        #expect(fork.count == 1 && fork[0].contains("its first 8 entries are others"), "\(fork)")
        // A device that does not look, or lies, shows the others its head; they know what it was.
        let head = try laptop.home.ledgerReader().head()
        let value: JSONValue = [
            "key": .string(try laptop.home.hostKey().publicKey.base64), "head": .string(head.text),
            "proofs": ["8": .string(try laptop.home.ledgerReader().proveConsistency(from: 8).text)],
        ]
        group.take([.update(SharedObject(.head, head.ledger, value))])
        let there = try phone.exchange(group).alarms
        #expect(there.count == 1 && there[0].contains("does not continue the 8 entries"), "\(there)")
        #expect(Diagnostic.Code.headContradicted.exitStatus == .untrusted)
    }

    @Test func aShorterHeadAnotherKeyAndNoHeadAreAlarms() throws {
        try laptop.happen(3)
        _ = try group.settle([laptop, phone])
        let id = try "head/\(laptop.ledger)"
        let good = try #require(group.objects[id])
        let early = folder.path + "/early"
        try FileManager.default.copyItem(atPath: laptop.home.path, toPath: early)
        try laptop.happen(2)
        _ = try group.settle([laptop, phone])
        group.objects[id] = good
        #expect(
            try phone.exchange(group).alarms.joined().contains("was put back: it has 4 entries, and had 6"))
        func with(_ name: String, _ value: JSONValue) -> SharedObject {
            SharedObject(
                .head, good.id,
                .object((good.value.members ?? []).map { $0.name == name ? (name, value) : $0 }))
        }
        group.objects[id] = with("head", "nothing")
        #expect(try phone.exchange(group).alarms.joined().contains("no sound head"))
        group.objects[id] = with("key", .string(try phone.home.hostKey().publicKey.base64))
        #expect(try phone.exchange(group).alarms.joined().contains("no sound head"))
    }
}
