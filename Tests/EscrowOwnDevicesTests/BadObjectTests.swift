import EscrowConsent
import EscrowDiagnostics
import EscrowHome
import EscrowIdentity
import EscrowJSON
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowOwnDevices

/// One device of one's own says something that no other can read.
@Suite("A bad object among one's devices") struct BadObjectTests {
    let folder: TemporaryFolder
    let (laptop, phone): (OwnHome, OwnHome)
    let group = Group()

    init() throws {
        folder = try TemporaryFolder("bad-objects")
        (laptop, phone) = (try OwnHome(folder, "laptop"), try OwnHome(folder, "phone"))
    }

    private func outcome(_ home: OwnHome) throws -> ExchangeOutcome {
        let outcome = try Exchange(home.home, home.grants, home.restrictions, home.identifiers, at: 1)
            .exchange(Array(group.objects.values))
        group.take(outcome.steps)
        return outcome
    }

    static let bad: [SharedObject] = [
        .init(.rule, "x", ["effect": "forbid"]), .init(.rule, "x", ["id": "y", "effect": "forbid"]),
        .init(.rule, "x", 7), .init(.rule, "", ["id": ""]), .init(.rule, "/rules", []),
        .init(.rule, "/escrow-preferences", 2), .init(.rule, "/no-setting", true),
        .init(.rule, "x", ["id": "x", "effect": "forbid", "of": "a later version"]),
        .init(.rule, "x", ["id": "x", "effect": "forbid", "when": [[[[[[[[[1]]]]]]]]]]),
        .init(.decision, "x", ["id": "x"]), .init(.decision, "x", "no"), .init(.restriction, "x", [:]),
        .init(.identifier, "org.example.a", ["id": "?", "secret": "00"]),
    ]

    @Test(arguments: bad) func aNoStillLeavesAndComes(object: SharedObject) throws {
        group.take([.update(object)])
        let sound: JSONValue = ["id": "no-health", "effect": "forbid", "when": ["table": ["Health"]]]
        group.take([.update(SharedObject(.rule, "no-health", sound))])
        try laptop.grants.deny(.sample, GrantTerms(reason: .settings))
        let outcome = try outcome(laptop)
        #expect(outcome.failure == nil)
        #expect(outcome.refused.map(\.id) == [object.id] && outcome.refused.map(\.kind) == [object.kind])
        #expect(!outcome.refused[0].why.contains("preferences.json"), "\(outcome.refused)")
        #expect(group.objects.keys.contains { $0.hasPrefix("decision/") })
        _ = try group.settle([phone, laptop])
        #expect(try phone.state() == .denied)
        // A sound rule beside it is taken, and the file can be read still.
        for home in [laptop, phone] {
            #expect(try Preferences.load(home.home.preferencesPath).rules.map(\.id) == ["no-health"])
        }
    }

    /// More rules than a home may have: as many as there is room for, and the rest of the exchange goes on.
    @Test func tooManyRulesStopNothingElse() throws {
        for number in 0...Preferences.maximumRules {
            let rule: JSONValue = [
                "id": .string("r\(number)"), "effect": "forbid", "when": ["table": ["Health"]],
            ]
            group.take([.update(SharedObject(.rule, "r\(number)", rule))])
        }
        try laptop.grants.deny(.sample, GrantTerms(reason: .settings))
        let outcome = try outcome(laptop)
        #expect(outcome.failure?.code == .fileWouldNotBeReadable)
        #expect(group.objects.keys.contains { $0.hasPrefix("decision/") })
        #expect(try Preferences.load(laptop.home.preferencesPath).rules.count == Preferences.maximumRules)
    }

    /// This device's own rules cannot be read: its decisions go and come all the same, and it is told.
    @Test func anUnreadableFileOfOnesOwnKeepsNoDecisionBack() throws {
        try SecureWrite.write(Data("{".utf8), to: URL(filePath: laptop.home.preferencesPath))
        try laptop.grants.deny(.sample, GrantTerms(reason: .settings))
        #expect(try outcome(laptop).failure?.code == .preferencesInvalid)
        _ = try group.settle([phone])
        #expect(try phone.state() == .denied)
        _ = try outcome(laptop)
        for grant in try phone.grants.list() { _ = try phone.grants.revoke(grant.id) }
        _ = try group.settle([phone])
        #expect(try outcome(laptop).failure?.code == .preferencesInvalid)
        #expect(try laptop.state() == .notDetermined)
    }
}
