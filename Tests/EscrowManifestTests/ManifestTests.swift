import EscrowDiagnostics
import EscrowManifest
import Testing

@Suite struct ManifestTests {
    @Test func readsEveryMember() throws {
        let manifest = try Manifest.parse(try Fixture.vector("average-age.json"), file: "plugin.json")
        #expect(manifest.id == "org.example.average-age")
        #expect(manifest.version.description == "1.2.0")
        #expect(manifest.sequence == 7)
        #expect(manifest.purpose.code == .aggregateStatistics)
        #expect(manifest.host.description == ">=0.1.0 <1.0.0")
        #expect(manifest.plugin.mode == .ask)
        #expect(manifest.plugin.features == [.rows, .fetch])
        #expect(manifest.accepts.columns.map(\.name) == ["age"])
        #expect(manifest.accepts.reads.map(\.table) == ["Contacts"])
        #expect(manifest.accepts.reads.map(\.columns) == [["birthday"]])
        #expect(manifest.accepts.rows.minimum == 20)
        #expect(manifest.parameters.parameters.map(\.name) == ["year", "min_age"])
        #expect(manifest.result.fields.map(\.name) == ["mean_age", "difference", "n"])
        #expect(
            manifest.egress.map(\.template.description) == ["https://api.example.org/v1/mean-age/{region}"])
        #expect(
            manifest.limits
                == PluginLimits([.wallSeconds: 10, .cpuSeconds: 5, .memoryMiB: 64, .outputMiB: 65]))
        #expect(manifest.artifacts.map(\.size) == [13_990_432])
        #expect(manifest.files.map(\.path) == ["LICENSE"])
        #expect(manifest.build?.reproducible == true)
        #expect(manifest.expires.description == "2027-11-21T00:00:00Z")
    }

    @Test func aPrivacyStatementIsAnAddressOfTheWebInPlainLetters() throws {
        func with(_ address: String) throws -> [UInt8] {
            try Fixture.replacing(
                "\"contact\": \"security@example.org\"",
                "\"contact\": \"security@example.org\", \"privacy\": \"\(address)\"")
        }
        let address = "https://example.org/privacy?for=average-age"
        let manifest = try Manifest.parse(try with(address), file: "plugin.json")
        #expect(manifest.publisher.privacy == address)
        for unfit in [
            "http://example.org/", "https://", "example.org", "https://ex\u{E4}mple.org/", "https://a b/",
            "https://a/<b>", "javascript:alert(1)",
        ] {
            #expect(Fixture.refusal(try with(unfit))?.code == .textNotAllowed, "\(unfit)")
        }
    }

    @Test(arguments: [
        ("\"schema\": \"escrow.plugin/1\"", "\"schema\": \"escrow.plugin/2\"", "E0105"),
        ("\"egress\":", "\"egres\":", "E0102"),
        ("\"title\": \"Average age\",", "", "E0103"),
        ("\"sequence\": 7", "\"sequence\": \"7\"", "E0104"),
        ("\"sequence\": 7", "\"sequence\": 7.0", "E0104"),
        ("\"sequence\": 7", "\"sequence\": 0", "E0106"),
        ("\"sequence\": 7", "\"sequence\": 7, \"sequence\": 8", "E0107"),
        ("org.example.average-age", "Org.example", "E0108"),
        ("org.example.average-age", "average-age", "E0108"),
        ("\"1.2.0\"", "\"1.2\"", "E0109"),
        (">=0.1.0 <1.0.0", "*", "E0109"),
        (">=0.1.0 <1.0.0", ">=0.1.0", "E0109"),
        ("aggregate-statistics", "agregate-statistics", "E0110"),
        ("\"title\": \"Average age\"", "\"title\": \"gpj\\u202e.exe\"", "E0111"),
        ("\"title\": \"Average age\"", "\"title\": \"\\u001b[2J\"", "E0111"),
        ("\"Contacts\": [\"birthday\"]", "\"Contacts\": []", "E0112"),
        ("\"Contacts\": [\"birthday\"]", "", "E0112"),
        ("\"Contacts\": [\"birthday\"]", "\"Contacts\": [\"*\"]", "E0116"),
        ("\"Contacts\": [\"birthday\"]", "\"*\": [\"birthday\"]", "E0116"),
        ("\"Contacts\": [\"birthday\"]", "\"Contacts\": [\"birthday\", \"Birthday\"]", "E0114"),
        ("2027-11-21T00:00:00Z", "2027-11-21", "E0113"),
        ("2027-11-21T00:00:00Z", "2026-11-21T00:00:00Z", "E0113"),
        ("2027-11-21T00:00:00Z", "2028-11-23T00:00:00Z", "E0113"),
        ("2027-11-21T00:00:00Z", "2027-02-29T00:00:00Z", "E0113"),
        ("bin/linux-x86_64/average-age", "../average-age", "E0115"),
        ("bin/linux-x86_64/average-age", "/bin/sh", "E0115"),
        ("bin/linux-x86_64/average-age", "bin//x", "E0115"),
        ("bin/linux-x86_64/average-age", "manifest.dsse.json", "E0115"),
        ("bin/linux-x86_64/average-age", "license", "E0114"),
        ("bin/linux-x86_64/average-age", "LICENSE/x", "E0114"),
        ("\"linkage\": \"static\"", "\"linkage\": \"dynamic\"", "E0117"),
        ("\"linkage\": \"static\"", "\"interpreter\": \"jq\"", "E0117"),
        ("\"linkage\": \"static\"", "\"interpreter\": \"/bin/sh\"", "E0110"),
        ("e6343b86", "E6343B86", "E0118"),
        ("sha256:c71d", "sha512:c71d", "E0118"),
        ("https://api.example.org/", "http://api.example.org/", "E0119"),
        ("https://api.example.org/", "https://user@api.example.org/", "E0119"),
        ("https://api.example.org/", "https://api.example.org:8443/", "E0119"),
        ("https://api.example.org/", "https://127.0.0.1/", "E0119"),
        ("https://api.example.org/", "https://{region}.example.org/", "E0119"),
        ("/v1/mean-age/{region}", "/../mean-age/{region}", "E0119"),
        ("/v1/mean-age/{region}", "/v1/mean-age", "E0119"),
        ("\"maxCalls\": 1", "\"together\": 1, \"maxCalls\": 1", "E0104"),
        (
            "\"maxBytes\": 65536 },\n      \"maxCalls\": 1",
            "\"maxBytes\": 67109 }, \"together\": true, \"maxCalls\": 1000", "E0117"
        ),
        (
            "\"maxCalls\": 1 }",
            "\"maxCalls\": 1, \"together\": true }, { \"name\": \"b\", \"why\": \"ask\", \"method\": \"GET\", "
                + "\"url\": \"https://b.example.org/\", \"response\": { \"type\": \"a/b\", \"maxBytes\": 1 }, \"maxCalls\": 1 }",
            "E0117"
        ),
        ("\"mode\": \"ask\"", "\"mode\": \"ask\", \"input\": \"csv\"", "E0117"),
        ("\"mode\": \"ask\"", "\"mode\": \"filter\"", "E0117"),
        ("\"default\": 18", "\"default\": 17", "E0117"),
        ("\"memoryMiB\": 64", "\"memoryMiB\": 2049", "E0106"),
        ("\"issued\":", "\"$schema\": \"x\", \"issued\":", "E0102"),
    ])
    func refuses(passage: String, replacement: String, code: String) throws {
        let refusal = Fixture.refusal(try Fixture.replacing(passage, replacement))
        #expect(refusal?.code.rawValue == code, "\(refusal?.description ?? "accepted")")
        #expect(refusal?.exitStatus == .untrusted)
        #expect(refusal?.place?.line != nil)
    }

    /// What is wrong with an address is said, and not only that something is.
    @Test(arguments: [
        ("https://api.example.org/", "http://api.example.org/", "does not begin with https://"),
        (
            "https://api.example.org/", "https://user@api.example.org/",
            "has a user or a password before the host"
        ),
        ("https://api.example.org/", "https://api.example.org:8443/", "has a port; requests go to 443"),
        (
            "https://api.example.org/", "https://[::1]/",
            "has an address of numbers where the host's name belongs"
        ),
        ("https://api.example.org/", "https://printer.local/", "has a host under \"local\""),
        ("https://api.example.org/", "https://api/", "has a host of one label"),
        ("https://api.example.org/", "https://xn--99999999.org/", "begins with \"xn--\" and is no punycode"),
        ("https://api.example.org/", "https://{region}.example.org/", "has a {field} in the host"),
        ("/v1/mean-age/{region}", "/../mean-age/{region}", "has a part \".\" or \"..\""),
        ("/v1/mean-age/{region}", "//mean-age/{region}", "has an empty part in the path"),
        ("/v1/mean-age/{region}", "/v1/mean-age/{region}?a=b", "has a place that is not a whole part"),
        ("/v1/mean-age/{region}", "/v1/mean-age?a=b", "has a query"),
        ("/v1/mean-age/{region}", "/v1/mean-age#a", "has a fragment"),
        ("/v1/mean-age/{region}", "/v1/mean%20age", "has a sign other than"),
    ])
    func saysWhichRule(passage: String, replacement: String, words: String) throws {
        let refusal = Fixture.refusal(try Fixture.replacing(passage, replacement))
        #expect(refusal?.code == .templateNotAllowed)
        #expect(refusal?.message.contains(words) == true, "\(refusal?.message ?? "accepted")")
        #expect(refusal?.message.contains("\"egress[0].url\"") == true)
    }

    @Test func notesAreAllowedAtTheTopOnly() throws {
        #expect(
            Fixture.refusal(try Fixture.replacing("\"sequence\": 7", "\"x-note\": [1], \"sequence\": 7"))
                == nil)
        #expect(
            Fixture.refusal(try Fixture.replacing("\"mode\"", "\"x-note\": 1, \"mode\""))?.code
                == .unknownMember)
    }
}
