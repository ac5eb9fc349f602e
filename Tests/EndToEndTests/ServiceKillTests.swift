import EscrowClient
import Foundation
import Synchronization
import Testing

/// kill -9 of the service while many runs by one grant for so many runs are under way, which share their waits for the disk.
@Suite struct ServiceKillTests {
    struct PhoneReport: Decodable, Sendable { let contacts: Int }
    static let app = "org.example.notes"

    private final class Count: Sendable {
        let value = Atomic(0)
        var now: Int { value.load(ordering: .relaxed) }
    }

    /// Nobody was given a result that is not recorded as handed over, and no run is recorded whose use was not counted.
    @Test func whatAnAppWasGivenIsCountedAndRecorded() async throws {
        let escrow = try Escrow.withContacts()
        let package = Escrow.packages.appending(path: "phone-check.escrow").path
        #expect(try escrow.run("plugin", "install", package, "--yes").status == 0)
        let words = ["grant", "allow", "--app", Self.app, "--plugin", "phone-check", "--runs", "1000"]
        #expect(try Escrow.start(words, home: escrow.home).status == 0)
        let (rounds, clients, before) = (3, 8, 24)
        let given = Count()
        for round in 1...rounds {
            let service = try RunningService(escrow)
            let (process, socket) = (service.identifier, service.socket)
            await withTaskGroup { group in
                for _ in 0..<clients {
                    group.addTask {
                        guard let app = try? await EscrowClient.Escrow.connect(app: Self.app, socket: socket)
                        else { return }
                        while let _: PhoneReport = try? await app.run(compute: "phone-check") {
                            let count = given.value.add(1, ordering: .relaxed).newValue
                            if count >= round * before { kill(process, SIGKILL) }
                        }
                    }
                }
            }
            #expect(given.now >= round * before)
            withExtendedLifetime(service) {}
        }
        #expect(try escrow.run("ledger", "verify").status == 0)
        // Whoever opens the ledger next records the runs that were interrupted.
        #expect(try escrow.run("run", "phone-check", "--app", Self.app, "--quiet").status == 0)
        let ledger = try escrow.run("ledger", "list", "--last", "10000", "--format", "json").json()
        let entries = try #require(ledger["entries"] as? [[String: Any]])
        let intents = entries.count { $0["kind"] as? String == "run-intent" }
        let returned = entries.count { ($0["fields"] as? [String: Any])?["outcome"] as? String == "returned" }
        let list = try escrow.run("grant", "list", "--format", "json").json()
        let uses = try #require((list["grants"] as? [[String: Any]])?.first?["useCount"] as? Int)
        #expect(given.now < returned)
        #expect(returned <= intents && intents <= uses, "\(returned) \(intents) \(uses)")
        // A use whose run did not come to its intent is lost, one for each that was under way at most.
        #expect(uses <= intents + rounds * clients)
    }
}
