import EscrowDiagnostics
import EscrowJSON
import EscrowManifest
import Testing

@Suite struct ParameterSchemaTests {
    private var schema: ParameterSchema {
        get throws {
            try Manifest.parse(try Fixture.vector("average-age.json"), file: "plugin.json").parameters
        }
    }

    @Test func valuesComeInTheOrderOfTheManifest() throws {
        let resolved = try schema.resolve(given: ["min_age": "21"])
        #expect(resolved.map(\.name) == ["year", "min_age"])
        #expect(resolved.map(\.value) == [2026, 21])
    }

    @Test(arguments: [("min_age", "17", "E1091"), ("min_age", "x", "E1091"), ("minage", "21", "E1090")])
    func whatIsNotAllowedIsAUsageError(name: String, value: String, code: String) throws {
        do {
            _ = try schema.resolve(given: [name: value])
            Issue.record("taken")
        } catch let error as Diagnostic {
            #expect(error.code.rawValue == code)
            #expect(error.exitStatus == .usage)
        }
    }

    @Test func theMessageSaysWhatIsAllowed() throws {
        #expect(throws: Diagnostic.self) { try schema.resolve(given: ["min_age": "17"]) }
        do { _ = try schema.resolve(given: ["min_age": "17"]) } catch let error as Diagnostic {
            #expect(
                error.description == """
                    error[E1091]: the value for "min_age" is not a whole number from 18 to 120
                    help: give --param min_age=…, a whole number from 18 to 120
                    """)
        }
    }
}
