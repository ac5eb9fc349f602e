import EscrowConsent
import EscrowDiagnostics
import EscrowJSON
import EscrowManifest
import Glibc
import Testing

@Suite struct ReaderTests {
    @Test(arguments: [
        (#"{"escrow-preferences": 2}"#, "1:24", "expected version 1 of this file"),
        (#"{"escrow-preferences": 1, "rule": []}"#, "1:27", "unknown member \"rule\""),
        (
            #"{"escrow-preferences": 1, "rules": [{"id": "A", "effect": "permit"}]}"#, "1:44",
            "expected an id of 1 to 64 characters a-z, 0-9 and '-'"
        ),
        (
            #"{"escrow-preferences": 1, "rules": [{"id": "a", "effect": "allow"}]}"#, "1:59",
            "expected one of permit, forbid, require, prefer"
        ),
        (
            #"{"escrow-preferences": 1, "rules": [{"id": "a", "effect": "forbid", "when": {"table": []}}]}"#,
            "1:87", "expected a list of 1 to 256 words"
        ),
        (
            #"{"escrow-preferences": 1, "rules": [{"id": "a", "effect": "forbid", "when": {"purpose": ["x"]}}]}"#,
            "1:90", "expected a purpose, as `escrow preferences purposes` prints them"
        ),
        (
            #"{"escrow-preferences": 1, "rules": [{"id": "a", "effect": "forbid", "when": {"app": ["*"]}}]}"#,
            "1:86", "expected an id such as org.example.notes, or org.example.*"
        ),
        (
            #"{"escrow-preferences": 1, "rules": [{"id": "a", "effect": "forbid", "when": {"battery": {"atLeast": 101}}}]}"#,
            "1:89", "expected atLeast and atMost from 0 to 100"
        ),
        (
            #"{"escrow-preferences": 1, "rules": [{"id": "a", "effect": "require", "needs": {"table": ["T"]}, "missing": "wait"}]}"#,
            "1:80", "unknown member \"table\""
        ),
        (
            #"{"escrow-preferences": 1, "rules": [{"id": "a", "effect": "forbid"}, {"id": "a", "effect": "permit"}]}"#,
            "1:70", "expected an id that no other rule has"
        ),
        (
            #"{"escrow-preferences": 1, "rules": [{"id": "a", "effect": "forbid", "prompt": "skip"}]}"#,
            "1:69",
            "unknown member \"prompt\""
        ),
    ])
    func refusalsNameLineAndColumn(text: String, place: String, message: String) throws {
        let refusal = try #require(Fixture.refusal(text))
        #expect(refusal.code == .preferencesInvalid)
        #expect(refusal.place?.description == "preferences.json:\(place)")
        #expect(refusal.message == "the preferences are not understood: \(message)")
    }

    @Test func withoutAFileThereAreNoPreferences() throws {
        #expect(try Preferences.load("/nonexistent/preferences.json") == Preferences())
    }

    @Test func aRuleOrAListOfRulesIsReadByItself() throws {
        let one = #"{"id": "a", "effect": "forbid"}"#
        #expect(try Preferences.parseRules(Array(one.utf8), file: "r").map(\.id) == ["a"])
        #expect(try Preferences.parseRules(Array("[\(one)]".utf8), file: "r").count == 1)
    }

    @Test func everyPurposeOfAManifestHasItsPlaceInTheTree() {
        for code in Purpose.Code.allCases {
            #expect(PurposeTree.isWithin(code.rawValue, branch: PurposeTree.root), "\(code.rawValue)")
        }
    }

    @Test func theTreeIsATreeOfCodesWithTermsOfTheVocabulary() {
        let codes = PurposeTree.nodes.map(\.code)
        #expect(Set(codes).count == codes.count && codes.count <= 64)
        for node in PurposeTree.nodes {
            #expect(node.broader.isEmpty == (node.code == PurposeTree.root))
            for parent in node.broader {
                #expect(codes.firstIndex(of: parent)! < codes.firstIndex(of: node.code)!)
            }
        }
        #expect(PurposeTree.node("advertising")?.iri == "https://w3id.org/dpv#PersonalisedAdvertising")
        #expect(
            codes.filter { PurposeTree.isWithin("recommendation", branch: $0) } == [
                "purpose", "service-provision", "personalisation", "service-personalisation",
                "recommendation",
            ])
        #expect(PurposeTree.code("dpv:Marketing") == "marketing")
        #expect(PurposeTree.code("dpv:Sector") == nil)
    }

    /// Set `ESCROW_WRITE_VECTORS=1` to write the file anew.
    @Test func theSchemaFileIsThatOfTheTypes() throws {
        let path = "\(Fixture.root)/Manifests/preferences.schema.json"
        let bytes = JSONWriter.document(PreferencesSchema.document)
        if getenv("ESCROW_WRITE_VECTORS") != nil, let file = fopen(path, "w") {
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
        }
        #expect(try Fixture.bytes(path) == bytes, "Manifests/preferences.schema.json is stale")
    }
}
