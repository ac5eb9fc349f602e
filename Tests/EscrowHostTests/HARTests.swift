import EscrowJSON
import EscrowLedger
import Testing

@testable import EscrowHome

/// Requests as an HTTP Archive.
@Suite struct HARTests {
    private func postData(_ headers: JSONValue, body: String?) -> JSONValue? {
        var sent: [(name: String, value: JSONValue)] = [
            ("method", "POST"), ("url", "https://api.example.org/v1"), ("headers", headers), ("bytes", 300),
        ]
        if let body { sent.append(("body", .string(body))) }
        let record = EgressRecord(
            id: "r-7f3a.1", run: "r-7f3a", time: LedgerTime(milliseconds: 0), sent: .object(sent))
        let entry = HAR.document([record], version: "1")["log"]?["entries"]?.array?.first
        return entry?["request"]?["postData"]
    }

    @Test(arguments: [
        ("application/json", #"{"a":1}"#), ("application/x-www-form-urlencoded", "a=1&b=2"),
        ("multipart/form-data; boundary=b0", "--b0\r\n"), ("text/plain; charset=utf-8", "aGVsbG8="),
    ])
    func aBodyIsOfTheKindThatItsHeaderSays(type: String, body: String) throws {
        for name in ["content-type", "Content-Type"] {
            let headers: JSONValue = [
                ["name": "host", "value": "api.example.org"],
                ["name": .string(name), "value": .string(type)],
            ]
            let post = try #require(postData(headers, body: body))
            #expect(post["mimeType"]?.string == type)
            #expect(post["text"]?.string == body)
        }
    }

    @Test func whatHasNoBodyHasNoKindOfBody() {
        #expect(postData([["name": "accept", "value": "text/html"]], body: nil) == nil)
    }
}
