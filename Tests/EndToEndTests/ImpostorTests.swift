import Foundation
import Testing

/// What a program that only says that it is an app can do to the app itself.
@Suite struct ImpostorTests {
    private let service: RunningService

    init() throws { service = try RunningService(try Escrow.withPhoneCheck(for: "org.example.other")) }

    /// The questions in the list.
    private func pending() throws -> [[String: Any]] {
        try service.run("pending", "--format", "json").json()["pending"] as? [[String: Any]] ?? []
    }

    /// Asks as a claim, answers once the question stands in the list, and returns how the run ended.
    private func ask(answered answer: String) throws -> String? {
        let begun = try service.curl(
            "/v1/runs", "-H", "Prefer: respond-async, wait=300", body: ServiceTests.ask)
        let id = try #require(try begun.json()["id"] as? String)
        var question: [String: Any] = [:]
        try RunningService.eventually("the question stands in the list") {
            question = try pending().first ?? [:]
            return !question.isEmpty
        }
        #expect(try service.run("answer", #require(question["id"] as? String), answer).status == 0)
        try RunningService.eventually("the run ends") {
            try service.curl("/v1/runs/\(id)").json()["state"] as? String == "failed"
        }
        let failure = try service.curl("/v1/runs/\(id)").json()["error"] as? [String: Any]
        return failure?["code"] as? String
    }

    @Test func aNoToAnImpostorDoesNotSilenceTheAppThatIsProved() throws {
        let token = try service.run("app", "add", "org.example.notes").output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try ask(answered: "no") == "E0701")
        let answer = try service.curl(
            "/v1/runs", "-H", "Authorization: Bearer \(token)", body: #"{"compute":"phone-check"}"#)
        #expect(answer.status == 409)
        // It was asked, and the impostor is not.
        #expect(try pending().map { $0["known"] as? String } == ["token"])
        #expect(try service.curl("/v1/runs", body: ServiceTests.ask).status == 409)
        #expect(try pending().map { $0["known"] as? String } == ["token"])
    }

    @Test func neverToAnImpostorSilencesItAndLeavesTheAppThatIsProvedUndecided() throws {
        try service.escrow.install("age-of-contacts")
        let token = try service.run("app", "add", "org.example.notes").output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try ask(answered: "never") == "E0701")
        // It has another question, which is not denied, and is not listed.
        let other = #"{"app":"org.example.notes","compute":"age-of-contacts"}"#
        #expect(try service.curl("/v1/runs", body: other).json()["code"] as? String == "E0702")
        #expect(try pending().isEmpty)
        let status = try service.curl(
            "/v1/status", "-H", "Authorization: Bearer \(token)", body: #"{"compute":"phone-check"}"#
        ).json()
        #expect(status["status"] as? String == "notDetermined")
    }
}
