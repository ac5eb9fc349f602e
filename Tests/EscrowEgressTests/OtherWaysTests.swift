import EscrowDiagnostics
import EscrowEgress
import EscrowJSON
import EscrowManifest
import Testing

@Suite("Mail, moves and what is done on this machine are filled in as requests are")
struct OtherWaysTests {
    private static let mail = """
        "to": { "in": "body", "type": "text", "maxLength": 200 },
        "subject": { "in": "body", "type": "text", "maxLength": 100 },
        "text": { "in": "body", "type": "text", "maxLength": 4000 }
        """

    private static func mailEndpoint() throws -> EgressEndpoint {
        try Fixture.endpoint(
            mail, method: "MAIL", url: "submissions://mail.own.invalid", more: #", "credential": true"#)
    }

    @Test("A mail has the words in base64, so that no line of them ends it")
    func mailIsPacked() throws {
        let filled = try RequestTemplate(Self.mailEndpoint()).fill([
            ("to", "ada@example.org"), ("subject", "Ö"), ("text", "a\n.\nQUIT\n"),
        ])
        #expect(filled.request.recipient == "ada@example.org")
        #expect(
            String(decoding: filled.request.bytes, as: UTF8.self) == """
                to: ada@example.org\r
                subject: =?utf-8?B?w5Y=?=\r
                mime-version: 1.0\r
                content-type: text/plain; charset=utf-8\r
                content-transfer-encoding: base64\r
                \r
                YQouClFVSVQK\r

                """)
    }

    @Test(
        "An address that could be another command, or several, is refused",
        arguments: [
            "", "ada", "ada@", "@example.org", "a@b@c", "a b@example.org", "<a@example.org>",
            "a@example.org,b@x",
            "a@example.org>\r\nRCPT TO:<b@x", "a\n@example.org", ".a@example.org", "a..b@example.org",
            "ä@example.org",
        ])
    func addresses(text: String) throws {
        let endpoint = try Self.mailEndpoint()
        let refusal = #expect(throws: EgressRefusal.self) {
            try RequestTemplate(endpoint).fill([("to", .string(text)), ("subject", "a"), ("text", "b")])
        }
        #expect(refusal?.diagnostic.code == .fieldNotSendable)
    }

    @Test("A line end stands in the text of a mail, and in no other field")
    func lineEnds() throws {
        let endpoint = try Self.mailEndpoint()
        #expect(throws: EgressRefusal.self) {
            try RequestTemplate(endpoint).fill([
                ("to", "a@example.org"), ("subject", "a\nbcc: b@x"), ("text", "b"),
            ])
        }
    }

    @Test("What moves stays on its server")
    func move() throws {
        let endpoint = try Fixture.endpoint(
            #""id": { "in": "path", "type": "text", "maxLength": 9 }, "name": { "in": "path", "type": "text", "maxLength": 20 }"#,
            method: "MOVE", url: "https://api.example.org/uploads/{id}/.file",
            more: #", "destination": "/files/{name}""#)
        let request = try RequestTemplate(endpoint).fill([("id", "a1"), ("name", "x/../y")]).request
        #expect(request.target == "/uploads/a1/.file")
        #expect(
            request.headers.first { $0.name == "destination" }?.value
                == "https://api.example.org/files/x%2F..%2Fy")
        #expect(throws: EgressRefusal.self) {
            try RequestTemplate(endpoint).fill([("id", "a1"), ("name", "..")])
        }
    }

    @Test(
        "A form that does not fit is no manifest",
        arguments: [
            ("MAIL", "https://api.example.org/", mail, #", "credential": true"#),
            ("POST", "submissions://api.example.org", mail, #", "credential": true"#),
            ("MAIL", "submissions://api.example.org", mail, ""),
            ("MAIL", "submissions://api.example.org/a", mail, #", "credential": true"#),
            (
                "MAIL", "submissions://api.example.org",
                #""to": { "in": "body", "type": "text", "maxLength": 9 }"#, #", "credential": true"#
            ),
            ("ACT", "https://api.example.org/", "", ""), ("GET", "device:media", "", ""),
            ("ACT", "device:camera", "", ""),
            ("ACT", "device:media", #""action": { "in": "body", "type": "text", "oneOf": ["eject"] }"#, ""),
            ("ACT", "device:media", #""action": { "in": "body", "type": "text", "maxLength": 9 }"#, ""),
            ("ACT", "device:notification", #""title": { "in": "body", "type": "text", "maxLength": 9 }"#, ""),
            ("MOVE", "https://api.example.org/a", "", ""),
            ("PUT", "https://api.example.org/a", "", #", "destination": "/b""#),
            ("MOVE", "https://api.example.org/a", "", #", "destination": "https://evil.example.org/b""#),
            ("MOVE", "https://api.example.org/a", "", #", "destination": "/../b""#),
        ])
    func wrongForms(method: String, url: String, fields: String, more: String) {
        #expect(throws: Diagnostic.self) {
            try Fixture.endpoint(fields, method: method, url: url, more: more)
        }
    }

    @Test("What is done on this machine is no request: it sends nothing")
    func effects() throws {
        let endpoint = try Fixture.endpoint(
            #""action": { "in": "body", "type": "text", "oneOf": ["play", "pause"] }"#, method: "ACT",
            url: "device:media")
        #expect(endpoint.template.effect == .media)
        let request = try RequestTemplate(endpoint).fill([("action", "pause")]).request
        #expect(String(decoding: request.bytes, as: UTF8.self) == "\r\n{\"action\":\"pause\"}")
        #expect(request.url == "device:media")
    }

    @Test("Bytes that a plugin made go where the manifest says made, and a file of the individual's does not")
    func made() throws {
        let endpoint = try Fixture.endpoint(
            "", method: "POST", url: "https://api.example.org/",
            more: #", "body": { "kind": "made", "mediaTypes": ["image/jpeg"], "maxBytes": 10 }"#)
        #expect(endpoint.body.isMade)
        #expect(throws: EgressRefusal.self) { try RequestTemplate(endpoint).fill([]) }
        #expect(throws: EgressRefusal.self) {
            try RequestTemplate(endpoint).fill([], with: BodyTests.Lines("abc"))
        }
        #expect(throws: Diagnostic.self) {
            try Fixture.endpoint(
                "", method: "POST", url: "https://api.example.org/",
                more: #", "body": { "kind": "made", "mediaTypes": ["image/jpeg"], "maxBytes": 16777217 }"#)
        }
    }
}
