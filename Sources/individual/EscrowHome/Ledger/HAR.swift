public import EscrowJSON
import EscrowLedger

/// Requests as an HTTP Archive 1.2, which browsers and proxies read. Bodies and headers of answers are not kept, so they are
/// absent, and sizes that are not known are -1, as the format has it. All time is counted as waiting; a request without a
/// recorded end has none.
///
/// Source: http://www.softwareishard.com/blog/har-12-spec/
public enum HAR {
    /// The document for requests that were sent; refused ones are not in it.
    public static func document(_ records: [EgressRecord], version: String) -> JSONValue {
        [
            "log": [
                "version": "1.2", "creator": ["name": "escrow", "version": .string(version)],
                "entries": .array(records.filter { $0.id != nil }.map(entry)),
            ]
        ]
    }

    private static func entry(_ record: EgressRecord) -> JSONValue {
        let body = record.sent["body"]?.string
        let url = record.text("url")
        var request: [(name: String, value: JSONValue)] = [
            ("method", .string(record.text("method"))), ("url", .string(url)), ("httpVersion", "HTTP/1.1"),
            ("cookies", []), ("headers", record.sent["headers"] ?? []), ("queryString", query(of: url)),
            ("headersSize", .integer(Int64(record.bytesOut - (body?.utf8.count ?? 0)))),
            ("bodySize", .integer(Int64(body?.utf8.count ?? 0))),
        ]
        if let body {
            request.append(
                ("postData", ["mimeType": .string(type(of: record)), "params": [], "text": .string(body)]))
        }
        let status = record.end?["status"]?.integer ?? 0
        let type = record.end?["mediaType"]?.string ?? ""
        let wait = record.milliseconds ?? 0
        return [
            "startedDateTime": .string("\(record.time)"), "time": .integer(wait), "request": .object(request),
            "response": [
                "status": .integer(status), "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [],
                "headers": [], "redirectURL": "", "headersSize": -1, "bodySize": -1,
                "content": ["size": .integer(Int64(record.bytesIn)), "mimeType": .string(type)],
            ],
            "cache": [:], "timings": ["send": 0, "wait": .integer(wait), "receive": 0],
            "serverIPAddress": .string(address(record.text("address"))),
            "comment": .string("\(record.id ?? "") \(record.text("app")) \(record.text("plugin"))"),
        ]
    }

    /// What kind of body was sent, as its header says: each body has one.
    private static func type(of record: EgressRecord) -> String {
        let headers = record.sent["headers"]?.array ?? []
        let type = headers.first { $0["name"]?.string?.lowercased() == "content-type" }
        return type?["value"]?.string ?? ""
    }

    /// The address without port and brackets.
    private static func address(_ authority: String) -> String {
        let end = authority.lastIndex(of: ":") ?? authority.endIndex
        return authority[..<end].filter { $0 != "[" && $0 != "]" }
    }

    private static func query(of url: String) -> JSONValue {
        let query = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return .array(
            query.split(separator: "&").map { item in
                let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return [
                    "name": .string(String(parts[0])),
                    "value": .string(parts.count > 1 ? String(parts[1]) : ""),
                ]
            })
    }
}
