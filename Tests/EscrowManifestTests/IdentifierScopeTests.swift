import EscrowDiagnostics
import EscrowJSON
import EscrowManifest
import Testing

/// What a plugin asks to be told a person by.
@Suite struct IdentifierScopeTests {
    private func manifest(_ parameter: String, purpose: String = "aggregate-statistics") throws -> Manifest {
        var text = try Fixture.text
        text = text.replacing(
            "\"parameters\": {", with: "\"parameters\": { \"me\": { \"type\": \"text\"\(parameter) },")
        return try Manifest.parse(
            Array(text.replacing("aggregate-statistics", with: purpose).utf8), file: "plugin.json")
    }

    @Test func theHostFillsThemIn() throws {
        let parameters = try manifest(", \"identifier\": \"vendor\"").parameters
        #expect(parameters.identifiers == [.vendor])
        let given = try parameters.resolve(given: ["year": "2027"])
        #expect(given.map(\.name) == ["year", "min_age"])
        let all = try parameters.identified(given) { $0.rawValue }
        #expect(all.map(\.name) == ["me", "year", "min_age"])
        #expect(all.first?.value == "vendor")
        #expect(throws: Diagnostic(.identifierGiven, "")) { try parameters.resolve(given: ["me": "x"]) }
    }

    @Test func tellingMoreIsWider() throws {
        let old = try manifest(", \"maxLength\": 36").permissions
        let new = try manifest(", \"identifier\": \"vendor\"").permissions
        #expect(
            new.difference(from: old).map(\.sentence) == [
                "is also told your identifier for all plugins of this publisher, the same in every app"
            ])
        #expect(!new.isWithin(old) && old.isWithin(new))
    }

    @Test func theAdvertisingIdentifierIsForAdvertising() throws {
        #expect(throws: Diagnostic(.identifierNotAllowed, "")) {
            try manifest(", \"identifier\": \"advertising\"")
        }
        let advertising = try manifest(", \"identifier\": \"advertising\"", purpose: "advertising")
        #expect(advertising.parameters.identifiers == [.advertising])
        #expect(
            ManifestCheck.lint(advertising).contains {
                $0.grade == .avoid && $0.permission == "is told the advertising identifier"
            })
    }
}
