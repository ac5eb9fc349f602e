import EscrowConsent
import EscrowDiagnostics
import EscrowHome
import Glibc
import TemporaryFolder
import Testing

/// The machine owner's restrictions count only where nobody else can write them.
@Suite struct RestrictionStoreTests {
    let scratch: TemporaryFolder
    var folder: String { scratch.path }
    let system: String
    let file: String

    init() throws {
        scratch = try TemporaryFolder("escrow-restrictions")
        let folder = scratch.path
        system = folder + "/system"
        mkdir(system, 0o755)
        let home = try Home.create(at: folder + "/owner")
        let author =
            #"{"id": "work", "class": "organisational", "setBy": "ACME", "rules": [{"id": "no", "effect": "forbid"}]}"#
        let signed = try Restriction.sign(
            Array(author.utf8), with: home.path + "/host.key", sequence: 1, isRemoved: false, file: "author")
        file = system + "/work.dsse.json"
        let output = try #require(fopen(file, "w"))
        fwrite(signed, 1, signed.count, output)
        fclose(output)
        chmod(file, 0o644)
    }

    private func store(owner: UInt32 = getuid()) -> RestrictionStore {
        RestrictionStore(directory: folder + "/restrictions", system: system, owner: owner)
    }

    @Test func whatTheMachinesOwnerSignedIsInForce() throws {
        let restrictions = try store().list()
        #expect(restrictions.map(\.setter) == ["ACME (organisational, work)"])
        #expect(restrictions[0].preferences.decide(DataflowFacts()).reason == .rule)
    }

    @Test func withoutTheFolderThereIsNone() throws {
        #expect(
            try RestrictionStore(directory: folder + "/restrictions", system: folder + "/none").list().isEmpty
        )
    }

    @Test func aFolderThatIsThereAndCannotBeReadStopsEveryRun() throws {
        // A file in its place: also for root there is nothing to be listed.
        let store = RestrictionStore(directory: folder + "/restrictions", system: file)
        #expect(throws: Diagnostic(.restrictionUntrusted, "")) { try store.list() }
    }

    @Test func whatOthersCanWriteStopsEveryRun() throws {
        #expect(throws: Diagnostic(.restrictionUntrusted, "")) { try store(owner: getuid() + 1).list() }
        chmod(file, 0o666)
        #expect(throws: Diagnostic(.restrictionUntrusted, "")) { try store().list() }
        chmod(file, 0o644)
        chmod(system, 0o777)
        #expect(throws: Diagnostic(.restrictionUntrusted, "")) { try store().list() }
    }
}
