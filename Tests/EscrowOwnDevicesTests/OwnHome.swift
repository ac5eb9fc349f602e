import EscrowConsent
import EscrowHome
import EscrowIdentity
import EscrowJSON
import EscrowLedger
import Foundation
import TemporaryFolder

@testable import EscrowOwnDevices

/// A home of one device, and the group's objects as that device sees them.
final class OwnHome {
    let home: Home
    let grants: GrantStore
    let identifiers: IdentifierStore
    let restrictions: RestrictionStore

    init(_ folder: TemporaryFolder, _ name: String) throws {
        home = try Home.create(at: folder.path + "/" + name)
        grants = GrantStore(directory: home.path)
        identifiers = IdentifierStore(directory: home.path)
        restrictions = RestrictionStore(directory: home.path + "/restrictions", system: folder.path + "/none")
    }

    /// One entry more in the ledger.
    func happen(_ count: Int = 1) throws {
        let ledger = try Ledger.open(
            directory: home.ledgerPath, copies: [home.headsPath], signer: HostSigner(home.hostKey()))
        for number in 0..<count {
            try ledger.append(.sourceAdded, fields: ["number": .integer(Int64(number))])
        }
    }

    var ledger: String { get throws { try home.ledgerReader().head().ledger } }

    func state(_ dataflow: DataflowDescription = .sample) throws -> ConsentState {
        try grants.decide(for: dataflow.dataflow).state
    }

    func exchange(_ group: Group, at seconds: UInt64 = 1_800_000_000) throws -> [ExchangeStep] {
        let steps = try Exchange(home, grants, restrictions, identifiers, at: seconds).run(
            Array(group.objects.values))
        group.take(steps)
        return steps
    }
}

/// What all devices see, once messages have come.
final class Group {
    var objects: [String: SharedObject] = [:]

    func take(_ steps: [ExchangeStep]) {
        for step in steps {
            switch step {
            case .update(let object): objects["\(object.kind)/\(object.id)"] = object
            case .delete(let kind, let id): objects["\(kind)/\(id)"] = nil
            case .took, .alarm: continue
            }
        }
    }

    /// Until nobody has anything to say.
    func settle(_ homes: [OwnHome]) throws -> [ExchangeStep] {
        var all: [ExchangeStep] = []
        for _ in 0..<10 {
            let steps = try homes.flatMap { try $0.exchange(self) }
            all += steps
            let alarms = steps.filter { if case .alarm = $0 { true } else { false } }
            guard steps.count > alarms.count else { break }
        }
        return all
    }
}

extension [ExchangeStep] {
    var alarms: [String] {
        compactMap { if case .alarm(let sentence) = $0 { sentence } else { nil } }
    }
}

extension DataflowDescription {
    static var sample: DataflowDescription {
        DataflowDescription(
            Dataflow(
                app: "org.example.notes",
                plugin: .init(
                    id: "org.example.phone-check", version: "1.2.0", manifestDigest: "sha256:aa",
                    signerKeyID: "SHA256:k1"),
                purpose: .init(code: "data-quality", text: "Find numbers that nobody can call."),
                reads: [TableUse(table: "Contacts", returned: ["phoneNumber"], used: ["familyName"])],
                minimumRows: 5, parameters: [], resultDigest: "sha256:r1",
                target: "org.example.notes on this computer"),
            publisher: "Example Org", returns: "two whole numbers", capacity: "sends nothing",
            limits: "10 s")
    }
}
