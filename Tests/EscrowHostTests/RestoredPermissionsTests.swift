import EscrowDiagnostics
import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowLedger
import EscrowRestore
import Glibc
import TemporaryFolder
import Testing

/// What else than decisions a backup could bring back to life: who follows live, budgets of places, tokens of apps.
@Suite struct RestoredPermissionsTests {
    private let scratch: TemporaryFolder
    private let passphrase = Array("correct horse battery staple".utf8)

    init() throws { scratch = try TemporaryFolder("restored") }

    private func write(_ text: String, _ name: String) throws {
        let descriptor = open(scratch.path + "/home/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    }

    private func read(_ name: String) throws -> JSONValue {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let descriptor = open(scratch.path + "/back/" + name, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return try JSONParser.parse(Array(bytes.prefix(count))).value
    }

    /// A home with these files, backed up and restored.
    private func restore(_ files: [String: String]) throws -> RestoreReport {
        let home = try Home.create(at: scratch.path + "/home")
        for (name, text) in files { try write(text, name) }
        _ = try Host(home: home).backup(to: scratch.path + "/backup", passphrase: passphrase)
        return try Home.restore(
            scratch.path + "/backup", to: scratch.path + "/back", passphrase: passphrase)
    }

    @Test func whoMayFollowLiveIsUndecidedAgainAndEveryNoStays() throws {
        let report = try restore([
            "live.json": """
            {"escrow-live": 1, "apps": [{"app": "org.example.back", "when": "always"},
            {"app": "org.example.no", "when": "never"}, {"app": "org.example.used", "when": "while-using"}], "follows": []}
            """
        ])
        #expect(report.others.live == ["org.example.back", "org.example.used"])
        let left = try read("live.json")["apps"]?.array ?? []
        #expect(left.map { $0["app"]?.string } == ["org.example.no"])
        #expect(left.map { $0["when"]?.string } == ["never"])
    }

    @Test func aBudgetOfPlacesCountsAsSpentForToday() throws {
        let report = try restore([
            "location.memory.json": """
            {"escrow-location-memory": 1, "told": [
            {"app": "org.example.near", "mask": "planar-laplace(0.001)", "day": 20000, "spent": 0.001},
            {"app": "org.example.cells", "mask": "exact", "anchors": [[60, 5]]}]}
            """
        ])
        #expect(report.others.placesSpent == 1)
        let told = try read("location.memory.json")["told"]?.array ?? []
        let account = try #require(told.first { $0["app"]?.string == "org.example.near" })
        #expect(account["spent"]?.real ?? 0 >= 100 && account["day"]?.integer ?? 0 > 20000)
    }

    @Test func whatCannotBeReadAllowsNothingAndIsNoReasonToRestoreNothing() throws {
        let report = try restore(["live.json": "{", "location.memory.json": "{", "credentials.sealed": "x"])
        #expect(report.others.live.isEmpty && report.others.placesSpent == 0)
        #expect(report.others.credentials.isEmpty)
    }

    @Test func allOfItIsInTheRecord() throws {
        let report = try restore([
            "live.json":
                #"{"escrow-live": 1, "apps": [{"app": "org.example.back", "when": "always"}], "follows": []}"#,
            "apps.json": """
            {"escrow-apps": 1, "apps": [{"id": "org.example.known", "token": "\(String(repeating: "a", count: 64))",
            "network": true, "display": false, "sound": false, "folders": []}, {"id": "org.example.none",
            "network": false, "display": false, "sound": false, "folders": []}]}
            """,
        ])
        #expect(report.others.apps == ["org.example.known"])
        // They stay, with what they may use.
        let apps = try read("apps.json")["apps"]?.array ?? []
        #expect(apps.map { $0["id"]?.string } == ["org.example.known", "org.example.none"])
        #expect(apps.map { $0["token"] } == [nil, nil] && apps.first?["network"]?.bool == true)
        let home = try Home.open(at: scratch.path + "/back")
        let entries = try home.ledgerReader().latest(10)
        let record = try #require(entries.first { $0.kind == .restored }?.fields)
        #expect(record["live"]?.array == [.string("org.example.back")])
        #expect(record["apps"]?.array == [.string("org.example.known")])
        #expect(record["placesSpent"]?.integer == 0 && record["credentials"]?.array == [])
    }
}
