import EscrowDiagnostics
import EscrowJSON
import EscrowManifest
import Glibc
import Testing

@Suite struct ManifestSchemaTests {
    /// Set `ESCROW_WRITE_VECTORS=1` to write the file anew.
    @Test func theSchemaFileIsThatOfTheTypes() throws {
        let path = "\(Fixture.root)/Manifests/plugin.schema.json"
        let bytes = JSONWriter.document(ManifestSchema.document)
        if getenv("ESCROW_WRITE_VECTORS") != nil, let file = fopen(path, "w") {
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
        }
        #expect(try Fixture.read(path) == bytes, "Manifests/plugin.schema.json is stale")
    }

    @Test func everyMemberOfTheExampleIsInTheSchema() throws {
        let known = ManifestSchema.document["properties"]?.members?.map(\.name) ?? []
        let used =
            try JSONParser.parse(try Fixture.vector("average-age.json")).value.members?.map(\.name) ?? []
        #expect(!used.isEmpty && Set(used).isSubset(of: known))
        // What the schema requires, the parser requires as well.
        for name in ManifestSchema.document["required"]?.array?.compactMap(\.string) ?? [] {
            let refused = Fixture.refusal(try Fixture.replacing("\n  \"\(name)\":", "\n  \"x-\(name)\":"))
            #expect(refused?.code == .missingMember, "\(name)")
        }
    }

    @Test func packingFillsInWhatTheAuthorLeftOutAndKeepsTheOrder() throws {
        let text = try Fixture.text
        var author = text.replacing(
            "{\n  \"schema\"", with: "{\n  \"$schema\": \"plugin.schema.json\",\n  \"schema\"")
        for passage in ["issued", "expires"] {
            guard let start = author.firstRange(of: ",\n  \"\(passage)\"") else { continue }
            let rest = author[start.upperBound...]
            author = String(author[..<start.lowerBound]) + String(rest.drop { $0 != "," && $0 != "\n" })
        }
        let signed = try Manifest.complete(
            authorBytes: Array(author.utf8), file: "plugin.json",
            artifacts: [("bin/linux-x86_64/average-age", String(repeating: "a", count: 64), 12)],
            files: [PackagedFile(path: "README.md", sha256: String(repeating: "b", count: 64))],
            issued: try #require(Moment("2026-11-21T00:00:00Z")),
            expires: try #require(Moment("2027-11-21T00:00:00Z")))
        let manifest = try Manifest.parse(signed, file: "plugin.json")
        #expect(manifest.artifacts[0].size == 12 && manifest.files.map(\.path) == ["README.md"])
        let names = try JSONParser.parse(signed).value.members?.map(\.name) ?? []
        #expect(
            names.first == "schema" && !names.contains("$schema") && names.suffix(2) == ["issued", "expires"])
    }
}
