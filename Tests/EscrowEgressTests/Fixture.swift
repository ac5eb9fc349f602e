import EscrowJSON
import EscrowManifest
import Testing

/// A manifest that declares the endpoints of a test, as an author would write it.
enum Fixture {
    static let fields = """
        "id": { "in": "path", "type": "text", "maxLength": 20 },
        "q": { "in": "query", "type": "text", "maxLength": 40 },
        "lat": { "in": "query", "type": "real", "min": -90, "max": 90, "decimals": 2,
                 "derivedFrom": ["Location.latitude"] },
        "n": { "in": "query", "type": "integer", "min": 1, "max": 50 },
        "units": { "in": "query", "type": "text", "oneOf": ["metric"] },
        "x-api-key": { "in": "header", "type": "text", "maxLength": 20 }
        """

    static func endpoint(
        _ fields: String, method: String = "GET", url: String = "https://api.example.org/v1/{id}",
        more: String = "", members: String = ""
    ) throws -> EgressEndpoint {
        let endpoints = try endpoints(
            """
            { "name": "forecast", "why": "to fetch it", "method": "\(method)", "url": "\(url)",
              "fields": { \(fields) }, "response": { "type": "application/json", "maxBytes": 1000 \(members) },
              "maxCalls": 2 \(more) }
            """)
        return try #require(endpoints.first)
    }

    /// The endpoints of a manifest whose `egress` lists them.
    static func endpoints(_ list: String) throws -> [EgressEndpoint] {
        let text = """
            { "schema": "escrow.plugin/1", "id": "org.example.weather", "version": "1.0.0", "sequence": 1,
              "title": "Weather", "purpose": { "code": "personal-summary", "text": "Shows the weather" },
              "publisher": { "name": "Example" }, "host": ">=0.1.0 <1.0.0",
              "protocol": { "major": 1, "mode": "ask", "features": ["rows", "fetch"] },
              "accepts": { "columns": [ { "name": "latitude", "type": "real" } ],
                           "reads": { "Location": ["latitude"] } },
              "result": { "kind": "record", "fields": { "t": { "type": "real" } }, "maxBytes": 64 },
              "egress": [ \(list) ],
              "sandbox": { "profile": "strict" },
              "artifacts": [ { "platform": "linux-x86_64", "path": "bin/weather", "linkage": "static" } ] }
            """
        return try Manifest.parseAuthored(Array(text.utf8), file: "plugin.json").egress
    }

    static let values: [(name: String, value: JSONValue)] = [
        ("id", "a b"), ("q", "x&y=z"), ("lat", 52.516), ("n", 7), ("x-api-key", "plain"),
    ]

    /// The values with one exchanged.
    static func values(_ name: String, _ value: JSONValue) -> [(name: String, value: JSONValue)] {
        values.map { $0.name == name ? (name, value) : $0 }
    }
}
