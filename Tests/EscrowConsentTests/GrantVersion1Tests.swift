import EscrowDiagnostics
import EscrowJSON
import EscrowManifest
import Foundation
import Testing

@testable import EscrowConsent

/// Decisions of a home that was written before a dataflow had a type of its own hold on, in no other words and for no more.
@Suite struct GrantVersion1Tests {
    let scratch = Scratch()
    var store: GrantStore {
        GrantStore(
            directory: scratch.path, clock: { ConsentTime(milliseconds: 1_800_000_000_000 - 36_000_000_000) })
    }
    var file: URL { URL(filePath: scratch.path + "/grants.json") }

    /// As `escrow grant` wrote it; of one the identifiers were added in the words of that time.
    static let written = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors/grants/version-1.json")

    init() throws { try FileManager.default.copyItem(at: Self.written, to: file) }

    /// What that file says of a plugin, as a host describes it today.
    private func wanted(
        _ app: String, _ plugin: String, files: [String] = [], _ change: (inout Dataflow) -> Void = { _ in }
    ) throws -> Dataflow {
        let old = try JSONParser.parse(Data(contentsOf: Self.written).map { $0 }).value
        let grant = try #require(
            old["grants"]?.array?.first {
                $0["app"]?.string == app && $0["plugin"]?.string == "org.example.\(plugin)"
            })
        func text(_ name: String) -> String { grant[name]?.string ?? "" }
        func names(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }
        let reach = JSONWriter.line(try #require(grant["reach"]))
        var dataflow = Dataflow(
            app: app,
            plugin: .init(
                id: text("plugin"), version: text("version"), manifestDigest: text("manifest"),
                signerKeyID: text("signer")),
            purpose: .init(
                code: grant["purpose"]?["code"]?.string ?? "", text: grant["purpose"]?["text"]?.string ?? ""),
            reads: (grant["reads"]?.array ?? []).map {
                TableUse(
                    table: $0["table"]?.string ?? "", returned: names($0["returned"]), used: names($0["used"])
                )
            },
            files: files, parameters: names(grant["parameters"]),
            reach: try Reach(JSONParser.parse(reach), file: ""), resultDigest: text("resultSchema"),
            target: "app:\(app)", isScript: grant["script"]?.bool ?? false)
        change(&dataflow)
        return dataflow
    }

    @Test func everyDecisionStands() throws {
        let store = store
        #expect(try store.list().count == 7)
        let notes = "org.example.notes"
        #expect(
            try store.decide(for: wanted(notes, "phone-check") { $0.arguments = ["region": "DE"] }).state
                == .authorized)
        #expect(try store.decide(for: wanted(notes, "phone-check")).state == .notDetermined)
        #expect(
            try store.decide(for: wanted(notes, "thumbnails", files: ["image/jpeg"])).state == .authorized)
        let weather = try store.decide(for: wanted(notes, "weather"))
        #expect(weather.state == .authorized && weather.grant?.budget?.bitsPerDay == 64)
        #expect(weather.grant?.scope == .uses(5) && weather.grant?.isPinned == true)
        let empty = try store.decide(for: wanted(notes, "places-summary"))
        #expect(empty.state == .denied && empty.runs && empty.shownState == .authorized)
        #expect(try store.decide(for: wanted("org.example.ads", "phone-check")).state == .denied)
        let limited = try store.decide(for: wanted("org.example.paper", "phone-check"))
        #expect(limited.state == .limited && limited.limit?.rows["ContactPhoneNumbers"]?.first == 3)
    }

    @Test func whatAPluginIsToldIsTheSame() throws {
        func known(_ identifiers: [IdentifierScope]) throws -> ConsentState {
            try store.decide(
                for: wanted("org.example.known", "phone-check") {
                    $0.arguments = ["region": "DE"]
                    $0.identifiers = identifiers
                }
            ).state
        }
        #expect(try known(IdentifierScope.allCases) == .authorized)
        #expect(try store.list().last?.useCount == 7)
    }

    @Test func theFirstChangeWritesItAnewAndNothingIsLost() throws {
        let before = try store.list()
        let wanted = try wanted("org.example.notes", "thumbnails", files: ["image/jpeg"])
        #expect(try store.claim(wanted).state == .authorized)
        let after = try store.list()
        #expect(try String(contentsOf: file, encoding: .utf8).contains(#""escrow-grants": 2"#))
        #expect(after.count == before.count)
        for (old, new) in zip(before, after) where old.id != after[1].id { #expect(old == new) }
        #expect(after[1].files == ["image/jpeg"] && after[1].useCount == 1)
    }

    @Test(arguments: [
        ("your identifier for this app alone", "your identifier"), ("this device", "device"),
        ("\"egress\"", "\"reaches\""),
    ])
    func whatIsNotUnderstoodAllowsNothing(part: String, changed: String) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        try #require(text.contains(part))
        try text.replacing(part, with: changed).write(to: file, atomically: true, encoding: .utf8)
        #expect(throws: Diagnostic(.grantsUnreadable, "")) { _ = try store.list() }
    }
}
