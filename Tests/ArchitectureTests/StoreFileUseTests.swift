import Foundation
import Testing

/// Files that Escrow reads back whole are written by one rule for writer and reader: `StoreFile`.
@Suite struct StoreFileUseTests {
    static let root = DependencyGraphTests.root

    /// Who may write a file without it, and why that cannot come to a file which its reader refuses.
    static let exempt: [String: String] = [
        "base/EscrowFiles/StoreFile.swift": "it is the rule",
        "individual/EscrowHome/Home.swift": "the empty trust store of a new home",
        "individual/EscrowIdentity/DeviceIdentity.swift": "32 bytes",
        "compute/EscrowTrust/SigningKey.swift": "a key, always as long",
        "compute/EscrowTrust/PluginPackage.swift": "checked as an archive, within its reader's bounds",
        "compute/EscrowTrust/PluginPackage+Sign.swift":
            "the same with one signature more, which the envelope bounds",
        "individual/EscrowLedger/Ledger.swift":
            "read line by line; each record is read back before it is written",
        "individual/EscrowLedger/Ledger+Repair.swift": "the same",
        "individual/EscrowLedger/LedgerFiles.swift": "two pages of one size",
        "access/EscrowPeople/Contacts/CardIndex.swift": "a cache, made anew where it cannot be read",
        "access/EscrowTableKit/Index/FactsIndex.swift": "the same",
        "apps/EscrowLocationCommands/MapDrawing.swift":
            "a picture for the individual, which nothing reads back",
        "escrow/RestrictionCommand.swift": "a signed envelope, which bounds itself",
        "apps/EscrowApps/ServicePlace.swift": "a path, which the system bounds below its reader's limit",
        "authoring/EscrowAuthoring/PluginFolder.swift":
            "a copy of a file that was read within its reader's limit",
        "authoring/EscrowAuthoring/PluginNew.swift": "an author's own files",
        "authoring/EscrowAuthoring/PluginAuthoring.swift": "a copy of a package",
        "group/escrow-group/Paper.swift": "an empty trial, which is removed at once",
        "offload/EscrowServerService/RunService.swift": "a copy of a package",
        "offload/EscrowServerService/ServerHome+Registry.swift": "a copy of a package",
        "offload/escrow-server/AttestCommand.swift": "a file that is handed over; its reader bounds it",
        "offload/escrow-server/EnrolCommand.swift": "a file that is handed over; its reader bounds it",
    ]

    @Test func whoeverWritesAFileOfTheHomeReadsItFirst() throws {
        let sources = Self.root.appending(path: "Sources")
        let names = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap {
            $0 as? String
        }
        var writers: Set<String> = []
        for name in names where name.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            if text.contains("SecureFile.replace(") { writers.insert(name) }
        }
        let others = writers.subtracting(Self.exempt.keys).sorted()
        #expect(
            others.isEmpty,
            "these write a file by SecureFile.replace; a file that is read back is a StoreFile")
        #expect(Set(Self.exempt.keys).subtracting(writers).isEmpty)
    }
}
