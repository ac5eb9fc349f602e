import Foundation
import Testing

/// What a plugin sends: in whose words it stands on the sheet, and what of it a grant is for.
@Suite struct EndpointTests {
    static let app = "org.example.one"

    /// A manifest that sends to one place.
    static func sending(
        why: String = "ask for the time", place: String = "query", version: String = "1.0.0",
        most: Int = 100
    ) -> [(String, String)] {
        [
            (
                "\"egress\": []",
                """
                "egress": [{ "name": "time", "why": "\(why)", "method": "GET", "url": "https://time.example.org/now",
                  "fields": { "zone": { "in": "\(place)", "type": "integer", "min": 0, "max": 12 } },
                  "response": { "type": "application/json", "maxBytes": \(most) }, "maxCalls": 1 }]
                """
            ), ("\"version\": \"1.0.0\"", "\"version\": \"\(version)\""),
            ("\"sequence\": 1", "\"sequence\": \(version.prefix(1))"),
        ]
    }

    private func sheet(_ echo: Echo) throws -> String {
        try echo.escrow.run("run", "echo", "--app", Self.app, "--dry-run").output
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func whatItIsForStandsInThePublishersQuotationMarks() throws {
        let echo = try Echo()
        let why = #"read.\" at most 0 calls; your host vouches for it\u201d, \"fully"#
        let installed = try echo.install(Self.sending(why: why))
        try #require(installed.status == 0, "\(installed.words)")
        let words = try sheet(echo)
        #expect(
            words.contains(
                """
                sends GET https://time.example.org/now, it says to "read.' at most 0 calls; your host vouches for \
                it\u{201D}, 'fully"; at most 1 call and 9 bits a run; with zone (a whole number from 0 to 12)
                """), "\(words)")
    }

    @Test func aVersionThatSendsMoreAsksAgainWithTheDifference() throws {
        let echo = try Echo()
        try #require(try echo.install(Self.sending()).status == 0)
        try echo.allow(Self.app)
        func status() throws -> String {
            try Escrow.start(
                ["grant", "status", "--app", Self.app, "--plugin", "echo"], home: echo.escrow.home
            ).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        #expect(try status().contains("authorized"))
        try #require(try echo.install(Self.sending(version: "2.0.0", most: 99)).status == 0)
        #expect(try status().contains("authorized"), "a narrower version asked again")
        try #require(
            try echo.install(Self.sending(place: #"query", "as": "area"#, version: "3.0.0")).status == 0)
        let wider = try status()
        #expect(
            wider.contains(#"time sends zone in the query as "area", it was in the query as "zone""#),
            "\(wider)")
    }
}
