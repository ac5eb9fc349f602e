import EscrowConsent
import EscrowDiagnostics
import EscrowHome
import EscrowIdentity
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowOwnDevices

@Suite("What one's devices have in common") struct ExchangeTests {
    let folder: TemporaryFolder
    let (laptop, phone): (OwnHome, OwnHome)
    let group = Group()

    init() throws {
        folder = try TemporaryFolder("own-devices")
        (laptop, phone) = (try OwnHome(folder, "laptop"), try OwnHome(folder, "phone"))
    }

    @Test func aYesIsAYesAndANoOnOneIsANoOnAll() throws {
        let grant = try laptop.grants.allow(.sample, GrantTerms(reason: .settings))
        _ = try group.settle([laptop, phone])
        #expect(try phone.state() == .authorized)
        #expect(try phone.grants.list().map(\.id) == [grant.id])
        try phone.grants.deny(.sample, GrantTerms(reason: .settings))
        _ = try group.settle([laptop, phone])
        #expect(try laptop.state() == .denied)
        #expect(try laptop.grants.list().map(\.state) == [.denied])
        // And the denial taken back leaves it undecided on both.
        _ = try laptop.grants.revoke(try laptop.grants.list()[0].id)
        _ = try group.settle([laptop, phone])
        #expect(try phone.state() == .notDetermined && phone.grants.list().isEmpty)
        #expect(!group.objects.keys.contains { $0.hasPrefix("decision") })
    }

    /// Both decide before they hear of each other.
    @Test func ofAYesAndANoAtOnceTheNoStands() throws {
        for first in [laptop, phone] {
            let second = first === laptop ? phone : laptop
            try first.grants.allow(.sample, GrantTerms(reason: .settings))
            try second.grants.deny(.sample, GrantTerms(reason: .settings))
            _ = try group.settle([laptop, phone])
            #expect(try laptop.state() == .denied && phone.state() == .denied)
            for grant in try laptop.grants.list() { _ = try laptop.grants.revoke(grant.id) }
            _ = try group.settle([laptop, phone])
            #expect(try phone.grants.list().isEmpty)
        }
    }

    /// What was said to the group and lost on the way is no word that it was taken back.
    @Test func aDenialIsNotLostWithAMessage() throws {
        try laptop.grants.deny(.sample, GrantTerms(reason: .settings))
        _ = try Exchange(laptop.home, laptop.grants, laptop.restrictions, laptop.identifiers, at: 1).run([])
        // The program that carries it was killed: the group has nothing of it.
        _ = try group.settle([laptop, phone])
        #expect(try laptop.state() == .denied && phone.state() == .denied)
    }

    @Test func whatIsForSoManyRunsStaysOnItsDevice() throws {
        try laptop.grants.allow(.sample, GrantTerms(.uses(2), reason: .settings))
        _ = try group.settle([laptop, phone])
        #expect(try laptop.state() == .authorized && phone.state() == .notDetermined)
        #expect(!group.objects.keys.contains { $0.hasPrefix("decision") })
    }

    static func rules(_ rules: String, _ rest: String = "") -> Data {
        Data("{ \"escrow-preferences\": 1, \(rest) \"rules\": [\(rules)] }".utf8)
    }
    static let forbid =
        #"{ "id": "no-health", "effect": "forbid", "when": { "table": ["Health"] }, "why": "mine" }"#

    @Test func aRuleOfOneIsARuleOfAll() throws {
        let file = URL(filePath: laptop.home.preferencesPath)
        try SecureWrite.write(Self.rules(Self.forbid, #""unmatched": "deny","#), to: file)
        _ = try group.settle([laptop, phone])
        let there = try Preferences.load(phone.home.preferencesPath)
        #expect(there == (try Preferences.load(laptop.home.preferencesPath)))
        #expect(there.rules.map(\.id) == ["no-health"] && there.unmatched == .deny)
        // Each changes another rule; both changes stand.
        try SecureWrite.write(
            Self.rules(Self.forbid.replacing("Health", with: "Workouts")), to: file)
        try SecureWrite.write(
            Self.rules(
                Self.forbid + "," + Self.forbid.replacing("no-health", with: "no-photos"),
                #""unmatched": "deny","#),
            to: URL(filePath: phone.home.preferencesPath))
        _ = try group.settle([laptop, phone])
        let both = try [laptop, phone].map { try Preferences.load($0.home.preferencesPath) }
        #expect(Set(both[0].rules.map(\.id)) == ["no-health", "no-photos"])
        #expect(both[0].rules.sorted { $0.id < $1.id } == both[1].rules.sorted { $0.id < $1.id })
        #expect(both[0].unmatched == .ask && both[1].unmatched == .ask)
        // A file that cannot be read may hold a forbid: nothing is exchanged.
        try SecureWrite.write(Data("{".utf8), to: file)
        #expect(throws: Diagnostic(.preferencesInvalid, "")) { try laptop.exchange(group) }
        #expect(try Preferences.load(phone.home.preferencesPath) == both[1])
    }

    @Test func anAppIsKnownByTheSameIdentifierOnAll() throws {
        let first = try laptop.identifiers.identifier(.application, app: "org.example.a", vendor: "k")
        _ = try laptop.identifiers.identifier(.vendor, app: "org.example.a", vendor: "k")
        _ = try group.settle([laptop, phone])
        #expect(try phone.identifiers.list() == [first])
        _ = try phone.identifiers.reset(.application, owner: "org.example.a")
        _ = try group.settle([laptop, phone])
        #expect(try laptop.identifiers.list().filter { $0.kind == .application }.isEmpty)
        let second = try phone.identifiers.identifier(.application, app: "org.example.a", vendor: "k")
        _ = try group.settle([laptop, phone])
        #expect(try laptop.identifiers.list().contains(second) && second != first)
    }

    @Test func whatIsRememberedIsReadAgainAndDamageIsRefused() throws {
        _ = try group.settle([laptop, phone])
        let memory = try DeviceMemory.load(laptop.home.path)
        #expect(memory.ledgers.count == 1)
        try SecureWrite.write(
            Data("{\"escrow-devices\":1}".utf8), to: URL(filePath: laptop.home.path + "/devices.json"))
        #expect(throws: Diagnostic(.devicesUnreadable, "")) { try laptop.exchange(group) }
        #expect(Diagnostic.Code.devicesUnreadable.exitStatus == .fault)
    }
}

/// Puts a file in the place of another, as an editor does, for its owner alone.
enum SecureWrite {
    static func write(_ data: Data, to file: URL) throws {
        try data.write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}
