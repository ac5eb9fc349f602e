import Foundation
import TemporaryFolder
import Testing

/// The service, as programs that are not ours see it: by the stock `curl`.
@Suite struct ServiceTests {
    static let ask = #"{"app":"org.example.notes","compute":"phone-check"}"#

    private func service(granted: Bool = true) throws -> RunningService {
        let escrow = try Escrow.withPhoneCheck(for: granted ? "org.example.notes" : "org.example.other")
        return try RunningService(escrow)
    }

    @Test func aRunIsOneRequest() throws {
        let service = try service()
        let answer = try service.curl("/v1/runs", body: Self.ask)
        #expect(answer.status == 200, "\(answer.body)")
        let value = try #require(try answer.json()["value"] as? [String: Any])
        #expect((value["contacts"] as? Int ?? 0) > 0)
        #expect(answer.headers.contains("Cache-Control: no-store"))
    }

    @Test func whatIsRefusedIsAProblemWithOurCode() throws {
        let service = try service(granted: false)
        let answer = try service.curl("/v1/runs", body: Self.ask)
        #expect(answer.status == 409 && answer.headers.contains("application/problem+json"))
        let problem = try answer.json()
        #expect(problem["code"] as? String == "E0702" && problem["exit"] as? Int == 11)
        #expect(try service.curl("/v1/status", body: Self.ask).json()["status"] as? String == "notDetermined")
        for (path, body, status, code) in [
            ("/v1/runs", "{", 400, "E1002"), ("/v1/runs", #"{"compute":"x"}"#, 401, "E1017"),
            ("/v1/runs", #"{"app":"x","compute":"x"}"#, 400, "E1017"),
            ("/v1/runs", #"{"app":"a.b","compute":"x","more":1}"#, 400, "E1003"),
            ("/v1/runs", #"{"app":"a.b","compute":"x","says":"One. Two. Three."}"#, 400, "E1006"),
            ("/v2", "{}", 404, "E1256"), ("/v1/schema", "{}", 405, "E1257"),
        ] {
            let answer = try service.curl(path, body: body)
            #expect(answer.status == status, "\(path) \(body)")
            #expect(try answer.json()["code"] as? String == code, "\(path) \(body)")
        }
        #expect(try service.curl("/v1/runs", "--data-binary", Self.ask).status == 415)
        #expect(try service.curl("/v1/runs/s-1").status == 404)
    }

    @Test func whatThereIsCanBeLookedUp() throws {
        let service = try service()
        #expect(try service.curl("/v1").json()["known"] as? String == "claim")
        let tables = try #require(try service.curl("/v1/schema").json()["tables"] as? [[String: Any]])
        #expect(tables.contains { $0["name"] as? String == "Contacts" })
        let plugins = try #require(try service.curl("/v1/plugins").json()["plugins"] as? [[String: Any]])
        #expect(plugins.map { $0["name"] as? String } == ["phone-check"])
        let flow = try service.curl("/v1/explanations", body: Self.ask).json()
        #expect(flow["app"] as? String == "org.example.notes" && flow["sends"] as? [String] == [])
        // What the individual decided is none of the app's business.
        #expect(flow["grant"] == nil && flow["why"] == nil)
    }

    @Test func aRunCanBeFollowedWithdrawnAndIsTheSameUnderItsKey() throws {
        let service = try service()
        let begun = try service.curl(
            "/v1/runs", "-H", "Prefer: respond-async", "-H", "Idempotency-Key: k-1", body: Self.ask)
        #expect(begun.status == 202)
        let id = try #require(try begun.json()["id"] as? String)
        #expect(begun.headers.contains("Location: /v1/runs/\(id)"))
        let again = try service.curl(
            "/v1/runs", "-H", "Prefer: respond-async", "-H", "Idempotency-Key: k-1", body: Self.ask)
        // Another process of the same claim has other keys: only what is proved is the same app.
        #expect(try again.json()["id"] as? String != id)
        let events = try service.curl("/v1/runs/\(id)/events", "-N")
        #expect(events.headers.contains("text/event-stream"))
        #expect(events.body.contains("data: {\"state\":\"done\"}"))
        let run = try service.curl("/v1/runs/\(id)").json()
        #expect(run["state"] as? String == "done" && run["result"] != nil)
        #expect(try service.curl("/v1/runs/\(id)", "-X", "DELETE").status == 204)
        #expect(try service.curl("/v1/runs/\(id)").status == 404)
    }

    /// An app that shows where it stands need not ask again and again.
    @Test func anAppIsToldWhenWhereItStandsChanges() throws {
        let service = try service()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/curl")
        let body = Self.ask.replacing("org.example.notes", with: "org.example.other")
        process.arguments = [
            "-sN", "--max-time", "600", "--unix-socket", service.socket, "http://localhost/v1/status", "-H",
            "Accept: text/event-stream", "-H", "Content-Type: application/json", "--data-binary", body,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        var said = ""
        func expect(_ status: String) throws {
            while !said.hasSuffix("event: status\ndata: {\"status\":\"\(status)\"}\n\n") {
                let data = output.fileHandleForReading.availableData
                try #require(!data.isEmpty, "\(status) never came: \(said)")
                said += String(decoding: data, as: UTF8.self)
            }
        }
        try expect("notDetermined")
        try service.run("grant", "allow", "--app", "org.example.other", "--plugin", "phone-check")
        try expect("authorized")
        try service.run("grant", "reset", "--app", "org.example.other")
        try expect("notDetermined")
        // What is no request is a problem, and no stream.
        let wrong = try service.curl("/v1/status", "-H", "Accept: text/event-stream", body: "{}")
        #expect(wrong.status == 400, "\(wrong)")
    }

    @Test func aQuestionWaitsUntilItIsAnsweredOnATerminal() throws {
        let service = try service(granted: false)
        let body =
            #"{"app":"org.example.notes","compute":"phone-check","says":"So that you can mend them."}"#
        let begun = try service.curl(
            "/v1/runs", "-H", "Prefer: respond-async, wait=300", body: body)
        let id = try #require(try begun.json()["id"] as? String)
        var entry: [String: Any] = [:]
        try RunningService.eventually("the question stands in the list") {
            let pending = try service.run("pending", "--format", "json").json()
            entry = (pending["pending"] as? [[String: Any]])?.first ?? [:]
            return !entry.isEmpty
        }
        #expect(entry["known"] as? String == "claim")
        #expect(entry["says"] as? String == "So that you can mend them.")
        #expect(try service.curl("/v1/runs/\(id)").json()["state"] as? String == "asking")
        let question = try #require(entry["id"] as? String)
        #expect(try service.run("answer", question, "once").status == 0)
        try RunningService.eventually("the run ends with a result") {
            try service.curl("/v1/runs/\(id)").json()["state"] as? String == "done"
        }
    }

    @Test func aNoEndsTheWaitAndTheAppAsksNobodyForAMinute() throws {
        let service = try service(granted: false)
        let begun = try service.curl("/v1/runs", "-H", "Prefer: respond-async, wait=300", body: Self.ask)
        let id = try #require(try begun.json()["id"] as? String)
        var question = ""
        try RunningService.eventually("the question stands in the list") {
            let pending = try service.run("pending", "--format", "json").json()
            question = (pending["pending"] as? [[String: Any]])?.first?["id"] as? String ?? ""
            return !question.isEmpty
        }
        #expect(try service.run("answer", question, "no").status == 0)
        try RunningService.eventually("the run is refused") {
            try service.curl("/v1/runs/\(id)").json()["state"] as? String == "failed"
        }
        let failure = try service.curl("/v1/runs/\(id)").json()["error"] as? [String: Any]
        #expect(failure?["code"] as? String == "E0701")
        #expect(try service.curl("/v1/runs", "-H", "Prefer: wait=60", body: Self.ask).status == 409)
        let pending = try service.run("pending", "--format", "json").json()
        #expect((pending["pending"] as? [[String: Any]])?.isEmpty == true)
    }

    @Test func aTokenProvesAnAppAndAClaimGetsNoneOfItsGrants() throws {
        let service = try service(granted: false)
        let token = try service.run("app", "add", "org.example.notes").output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(token.hasPrefix("escrow-"))
        let granted = try service.run(
            "grant", "allow", "--app", "org.example.notes", "--plugin", "phone-check", "--known", "token")
        #expect(granted.status == 0, "\(granted.words)")
        let proof = "Authorization: Bearer \(token)"
        let answer = try service.curl("/v1/runs", "-H", proof, body: #"{"compute":"phone-check"}"#)
        #expect(answer.status == 200, "\(answer.body)")
        #expect(try service.curl("/v1/runs", body: Self.ask).status == 409)
        let other = try service.curl(
            "/v1/runs", "-H", proof, body: #"{"app":"org.example.other","compute":"phone-check"}"#)
        #expect(try other.status == 403 && other.json()["code"] as? String == "E1253")
        #expect(try service.curl("/v1", "-H", "Authorization: Bearer escrow-0").status == 401)
        #expect(try service.run("app", "remove", "org.example.notes").status == 0)
        #expect(try service.curl("/v1", "-H", proof).status == 401)
    }

    @Test func aKeyOfAProvedAppMakesOneRunOfTwoRequests() throws {
        let service = try service(granted: false)
        let token = try service.run("app", "add", "org.example.notes").output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        try service.run(
            "grant", "allow", "--app", "org.example.notes", "--plugin", "phone-check", "--known", "token")
        func ask(_ body: String) throws -> RunningService.Response {
            try service.curl(
                "/v1/runs", "-H", "Authorization: Bearer \(token)", "-H", "Prefer: respond-async", "-H",
                "Idempotency-Key: k", body: body)
        }
        let first = try ask(Self.ask).json()["id"] as? String
        #expect(try ask(Self.ask).json()["id"] as? String == first)
        let other = try ask(#"{"compute":"phone-check"}"#)
        #expect(try other.status == 422 && other.json()["code"] as? String == "E1255")
    }

    /// Schemathesis makes requests of what docs/spec/service.openapi.json says, right and wrong ones, and holds the answers to it.
    @Test func schemathesisFindsNothing() throws {
        guard let python = SupportScript.python(with: "schemathesis") else {
            print("SKIP: PyPI's schemathesis is not installed")
            return
        }
        try SupportScript.run("service_schema", python: python, atLeast: 4)
    }

    @Test func aQuestionIsShownAndAnsweredOnTheDesktop() throws {
        guard SupportScript.can("import dbus, dbusmock", by: "/usr/bin/python3") else {
            print("SKIP: python3-dbusmock is not installed")
            return
        }
        try SupportScript.run("notified", python: "/usr/bin/python3", atLeast: 15)
    }

    @Test func oneServiceServesOneFolder() throws {
        let service = try service()
        let second = try service.run("serve", "--runtime", service.runtime.url.path)
        #expect(second.status == 64 && second.words.contains("E1250"))
        #expect(try service.curl("/v1").status == 200)
    }
}
