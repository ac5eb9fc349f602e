import EscrowManifest
import Foundation
import Testing

@testable import EscrowConsent
@testable import EscrowQuestion

/// Manifests of the longest names and lists that are allowed: what matters stands in each text that a person is shown all the same,
/// and what does not is counted.
@Suite struct LongestTests {
    let scratch = Scratch()

    static let reads = [TableUse(table: "Contacts", returned: ["familyName"])]
    /// 64 letters, and 63 of a host's label.
    private static func name(_ index: Int) -> String { "n\(index)_".padded(to: 64, with: "x") }
    private static func host(_ index: Int) -> String {
        let label = "a\(index)-".padded(to: 57, with: "h")
        return [label, label, label, label, "cdn\(index)", "example", "com"].joined(separator: ".")
    }

    /// Seven decoys, and one endpoint that is sent most of the person's data.
    private static func endpoint(
        _ index: Int, values: Int, why: String = "look up names", moved: [Int] = []
    ) -> String {
        let list = (0..<values).map { "\"\("v\($0)-".padded(to: 200, with: "o"))\"" }.joined(separator: ",")
        let columns = (0..<30).map { "\"T0.\(name($0))\"" } + ["\"Contacts.familyName\""]
        let isReal = index == 7
        let fields =
            isReal
            ? #""all": {"in": "body", "type": "text", "maxLength": 65536, "derivedFrom": [\#(columns.joined(separator: ","))]}"#
            : "\"\(name(index))\": {\"in\": \"query\", \"type\": \"text\", \"oneOf\": [\(list)]}"
        let host = isReal ? "zz-tracker.evil.com" : host(moved.contains(index) ? index + 10 : index)
        return #"""
            {"name": "e\#(index)", "why": "\#(why)", "method": "POST", "url": "https://\#(host)/a", "fields": {\#(fields)},
             "response": {"type": "application/json", "maxBytes": 100}, "maxCalls": \#(isReal ? 1000 : 1)}
            """#
    }

    /// The longest manifest, or a version of it with so many endpoints, values of each, and fields of the result.
    static func manifest(
        endpoints: Range<Int> = 0..<8, values: Int = 40, fields: Int = 64, why: String = "look up names",
        moved: [Int] = []
    ) throws -> Manifest {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "Manifests/send-note.json"), encoding: .utf8)
        let learns = "a small number ".padded(to: 119, with: "y")
        let result = (0..<fields).map { index in
            let type = index == 63 ? #""text", "maxLength": 1000000"# : #""integer""#
            return #""\#(name(index))": {"type": \#(type), "learns": "\#(learns)"}"#
        }
        let tables = (0..<2).map { table in
            "\"T\(table)\": [\((0..<60).map { "\"\(name($0))\"" }.joined(separator: ","))]"
        }
        let egress = endpoints.map { endpoint($0, values: values, why: why, moved: moved) }.joined(
            separator: ",")
        let from = try #require(text.firstRange(of: "\"result\": {"))
        let end = try #require(text.firstRange(of: "\"limits\": {") ?? text.firstRange(of: "\"sandbox\": {"))
        let long =
            text[..<from.lowerBound] + #""result": {"kind": "record", "maxBytes": 16777216, "fields": {"#
            + result.joined(separator: ",") + "}}, \"egress\": [\(egress)], " + text[end.lowerBound...]
        let read = #""reads": {\#(tables.joined(separator: ",")), "Contacts": ["familyName"], "Contacts2": ["#
        return try Manifest.parseAuthored(
            Array(String(long).replacing(#""reads": {\#n      "Contacts": ["#, with: read).utf8),
            file: "plugin.json")
    }

    /// As the host describes it.
    static func description(_ manifest: Manifest) -> DataflowDescription {
        var description = DataflowDescription.sample.with {
            $0.reads = Self.reads
            $0.reach = manifest.reach
            $0.returns = manifest.result.sentence
            $0.egress = manifest.egress.map(\.sentence)
            $0.capacity = manifest.capacitySentence
        }
        description.learns = manifest.result.learned
        description.allowance = manifest.result.allowance
        description.internet = manifest.internetSentence(reading: Self.reads)
        return description
    }

    private func expect(_ text: String, has parts: [String], _ place: String) {
        for part in parts { #expect(text.contains(part), "\(place) does not say \(part):\n\(text)") }
        #expect(!text.hasSuffix("…"), "\(place) is cut:\n\(text)")
    }

    @Test func theQuestionAndItsShortFormNameTheServerTheAmountAndTheColumns() throws {
        let manifest = try Self.manifest()
        let description = Self.description(manifest)
        let amount = "at most \(Capacity.words(Int(manifest.sentBits.rounded(.up))))"
        let said =
            [
                "SENDS \(amount) a run", "from Contacts.familyName,", "and 25 more columns",
                "zz-tracker.evil.com",
            ] + (0..<7).map { "….cdn\($0).example.com" }
        let rows = description.questionRows(.neverAsked, why: "")
        let internet = try #require(rows.first { $0.label == "Internet" }?.text)
        expect(internet, has: said, "the question")
        #expect(internet.count < 1_400)
        expect(
            rows.map { $0.text }.joined(separator: "\n"), has: ["3 MiB of text", "and 52 more things"],
            "the question")
        let short = description.nutshell
        expect(try #require(short.first { $0.hasPrefix("It SENDS") }), has: said, "the short form")
        expect(
            try #require(short.first { $0.hasPrefix("It learns") }),
            has: ["at most 3 MiB of text: ", "and 60 more things"], "the short form")
    }

    @Test func theSheetsNameEachServerAndFieldAndAllAmounts() throws {
        let manifest = try Self.manifest()
        let rows = Self.description(manifest).sheetRows
        func row(_ label: String) -> String {
            rows.filter { $0.label == label }.map { $0.text }.joined(separator: "\n")
        }
        let names = manifest.result.sentence
        #expect(names.hasPrefix("at most 16 MiB: "))
        for index in 0..<64 {
            #expect(row("returns").contains(Self.name(index)))
        }
        for index in 0..<7 {
            expect(
                row("sends"),
                has: [Self.host(index), "\(Self.name(index)) (one of 40 values, such as \"v0-"], "the sheet")
        }
        expect(
            row("sends"),
            has: ["zz-tracker.evil.com", "at most 1000 calls and 157 MiB a run", "and 19 more columns"],
            "the sheet")
        expect(
            row("capacity"),
            has: [
                "sends at most 157 MiB a run to zz-tracker.evil.com, ", "; returns at most 3 MiB to the app",
            ],
            "the sheet")
        expect(row("learns"), has: manifest.result.learned, "the sheet")
        // What is shown before a plugin is installed.
        expect(
            manifest.readsSentence, has: ["T1: n0_", "and 36 more columns", "; Contacts: familyName; "],
            "the install sheet")
    }

    @Test func whatAnUpdateMayDoThatItMightNotStandsFirstALineEach() throws {
        let store = GrantStore(directory: scratch.path)
        let old = Self.description(try Self.manifest(endpoints: 0..<7, values: 1, fields: 1))
        try store.allow(old, .init(reason: .prompt))
        let new = Self.description(try Self.manifest(values: 30, why: "look up more names")).with {
            $0.plugin.version = "2.0.0"
            $0.plugin.manifestDigest = "sha256:2"
            $0.resultDigest = "sha256:other"
            $0.reads = [TableUse(table: "Contacts", returned: ["familyName", "birthday"])]
        }
        let decision = try store.decide(for: new)
        let changes = decision.changes
        #expect(changes.first?.hasPrefix("version 2.0.0 is more than 1.2.0") == true)
        #expect(
            changes.dropFirst().prefix(3) == [
                "it also reads Contacts.birthday", "its result is another one",
                "it may also send POST https://zz-tracker.evil.com/a (e7)",
            ])
        #expect(
            changes.contains { $0.hasPrefix("e0 sends ") && $0.contains(" as one of 30 values, such as ") })
        #expect(changes.last == "and 5 more changes")
        #expect(changes.allSatisfy { $0.count <= 250 && !$0.hasSuffix("…") })
        let elsewhere = try Self.manifest(
            endpoints: 0..<7, values: 30, why: "look up more names", moved: [6]
        ).reach
        let first = try #require(old.dataflow.reach.map { elsewhere.differences(from: $0).endpoints.first })
        #expect(first?.contains("cdn16.example.com") == true, "another server stands first: \(first ?? "")")
        let rows = new.questionRows(decision.reason, why: decision.why, changes: changes)
        #expect(rows.filter { $0.label == "NEW" }.map { $0.text } == changes)
    }
}

extension String {
    fileprivate func padded(to length: Int, with letter: Character) -> String {
        self + String(repeating: letter, count: max(0, length - count))
    }
}
