import Foundation
import Testing

/// `--server auto`: rules, grants, the device's state and past runs say where a run computes, and it can say why.
@Suite struct PlacementTests {
    private func plan(_ escrow: Escrow) throws -> [String: Any] {
        let told = try escrow.run(
            "run", "phone-check", "--app", "org.example.test", "--server", "auto", "--dry-run", "--format",
            "json"
        ).json()
        return try #require(told["placement"] as? [String: Any])
    }

    private func set(_ escrow: Escrow, rules: String, device: String = "") throws {
        let preferences = #"{"escrow-preferences": 1, "rules": [\#(rules)]}"#
        try Data(preferences.utf8).write(to: escrow.home.appending(path: "preferences.json"))
        guard !device.isEmpty else { return }
        let stand = try escrow.write("device.json", device)
        let file = escrow.home.appending(path: "config.json")
        var configuration =
            (try? JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]) ?? [:]
        configuration["device"] = ["standIn": stand]
        try JSONSerialization.data(withJSONObject: configuration).write(to: file)
    }

    @Test func onlyPlacesThatAreAllowedAreChosenAndTheChoiceIsRecorded() throws {
        let server = try OffloadServer()
        try server.start()
        let escrow = try Escrow.offloading(to: try server.enrol())
        // Allowed at the server alone.
        let outcome = try escrow.offload(at: "auto")
        try #require(outcome.status == 0, "\(outcome.words)")
        #expect(server.log.contains("clean"))
        let ledger = try escrow.run("ledger", "list", "--format", "json").output
        #expect(ledger.contains("\"placed\""))
        let placement = try plan(escrow)
        #expect(placement["place"] as? String == "server:home")
        let candidates = try #require(placement["candidates"] as? [[String: Any]])
        #expect(candidates.map { $0["place"] as? String } == ["device", "server:home"])
        #expect(candidates.map { $0["standing"] as? String } == ["undecided", "allowed"])
        #expect(candidates[1]["runs"] as? Int == 1)
        #expect(candidates[1]["predictedMs"] as? Int ?? 0 > 0)
        // Forbidden there by a rule, allowed here: here.
        try escrow.allow("phone-check")
        try set(escrow, rules: #"{"id": "n", "effect": "forbid", "when": {"place": ["server:home"]}}"#)
        #expect(try plan(escrow)["place"] as? String == "device")
        #expect(try escrow.offload(at: "auto").status == 0)
    }

    @Test func preferencesSayWhatItIsChosenFor() throws {
        let server = try OffloadServer()
        try server.start()
        let escrow = try Escrow.offloading(to: try server.enrol(), contacts: 300)
        try escrow.allow("phone-check")
        for place in ["device", "home", "device", "home"] {
            #expect(try escrow.offload(at: place).status == 0)
        }
        // Bytes over a network that is paid for: here.
        let metered = #"{"charging": true, "battery": 80, "metered": true}"#
        try set(escrow, rules: #"{"id": "c", "effect": "prefer", "for": "cost"}"#, device: metered)
        let cost = try plan(escrow)
        #expect(cost["place"] as? String == "device")
        #expect(cost["goals"] as? [String] == ["cost", "speed"])
        #expect(cost["rules"] as? [String] == ["c"])
        #expect(cost["expectedBytes"] as? Int ?? 0 > 1000)
        // Words for people have the same numbers.
        let words = try escrow.run(
            "run", "phone-check", "--app", "org.example.test", "--server", "auto", "--dry-run"
        ).output
        #expect(words.contains("the best of 2 for cost, by your rules c"))
        #expect(words.contains("server:home: "))
    }

    @Test func aServerThatIsGoneIsFallenBackFromAndThatIsSaid() throws {
        let server = try OffloadServer()
        try server.start()
        let escrow = try Escrow.offloading(to: try server.enrol())
        try #require(try escrow.offload(at: "auto").status == 0)
        server.stop()
        // Not allowed here: it fails, as it would where the place was named.
        let failed = try escrow.offload(at: "auto")
        #expect(failed.status == 19)
        #expect(failed.output.isEmpty)
        try escrow.allow("phone-check")
        // Of two places the one that is less work for a battery: the server, which is gone.
        try set(
            escrow, rules: #"{"id": "b", "effect": "prefer", "for": "battery"}"#,
            device: #"{"charging": false, "battery": 8, "metered": false}"#)
        #expect(try plan(escrow)["place"] as? String == "server:home")
        let outcome = try escrow.offload(at: "auto")
        #expect(outcome.status == 0, "\(outcome.words)")
        #expect(outcome.words.contains("computing on this device instead"), "\(outcome.words)")
        // Two runs in the ledger, and why the second.
        let ledger = try escrow.run("ledger", "list", "--format", "json").output
        #expect(ledger.contains("since the run at the server home failed: E1203"))
        // Whoever names the server gets that server or nothing.
        let named = try escrow.offload()
        #expect(named.status == 19)
        #expect(named.output.isEmpty)
    }

    @Test func whatARuleForbidsThereIsComputedHere() throws {
        let server = try OffloadServer()
        try server.start()
        let escrow = try Escrow.offloading(to: try server.enrol())
        try escrow.allow("phone-check")
        try set(escrow, rules: #"{"id": "n", "effect": "forbid", "when": {"place": ["server:home"]}}"#)
        let placement = try plan(escrow)
        let candidates = try #require(placement["candidates"] as? [[String: Any]])
        #expect(candidates.map { $0["standing"] as? String } == ["allowed", "out"])
        #expect(try escrow.offload(at: "auto").status == 0)
        #expect(!server.log.contains("clean"))
    }
}
