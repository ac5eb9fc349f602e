import Foundation
import TemporaryFolder
import Testing

/// `run(access, compute, server)` with real programs: `escrow`, `escrow-remote`, gRPC on loopback, `escrow-server`, a plugin in the
/// server's sandbox.
@Suite struct OffloadTests {
    @Test func aServerGivesWhatTheDeviceGives() throws {
        let server = try OffloadServer()
        try server.start()
        let escrow = try Escrow.offloading(to: try server.enrol(), contacts: 3_000)
        try escrow.allow("phone-check")
        let there = try escrow.offload()
        try #require(there.status == 0, "\(there.words) \(server.log)")
        let here = try escrow.offload(at: "device")
        try #require(here.status == 0, "\(here.words)")
        #expect(there.output == here.output)
        #expect(try there.json()["numbers"] as? Int == 3_000)
        #expect(server.log.contains("clean"))
    }

    @Test func whatIsAllowedHereIsNotAllowedThere() throws {
        let server = try OffloadServer()
        try server.start()
        let escrow = try Escrow.offloading(to: try server.enrol(), allowed: false)
        try escrow.allow("phone-check")
        #expect(try escrow.offload(at: "device").status == 0)
        let refused = try escrow.offload()
        #expect(refused.status == 11)
        try escrow.allowAtServer()
        #expect(try escrow.offload().status == 0)
    }

    @Test func whatIsAllowedThereIsNotAllowedHere() throws {
        let server = try OffloadServer()
        try server.start()
        let escrow = try Escrow.offloading(to: try server.enrol())
        #expect(try escrow.offload(at: "device").status == 11)
    }

    @Test func theSheetSaysFirstThatDataLeavesAndToWhoseMachine() throws {
        let server = try OffloadServer()
        let escrow = try Escrow.offloading(to: try server.enrol(), allowed: false)
        let plan = try escrow.run(
            "run", "phone-check", "--app", "org.example.test", "--server", "home", "--dry-run")
        let lines = plan.output.split(separator: "\n").prefix(4).joined(separator: "\n")
        #expect(lines.contains("LEAVES HERE"))
        #expect(lines.contains("127.0.0.1"))
        #expect(plan.output.contains("on the server home"))
    }

    @Test func theLedgerHasTheServersKeyAndWhatItSaid() throws {
        let server = try OffloadServer()
        try server.start()
        let escrow = try Escrow.offloading(to: try server.enrol())
        #expect(try escrow.offload().status == 0)
        let shown = try escrow.run("server", "show", "home").output
        let key = try #require(shown.firstMatch(of: /sha256:[0-9a-f]{64}/)).output
        let ledger = try escrow.run("ledger", "list", "--format", "json").output
        #expect(ledger.contains(key))
        #expect(ledger.contains("server:home"))
        #expect(ledger.contains("atServer"))
        #expect(ledger.contains("server-changed"))
    }

    @Test func whatARunGaveToAServerIsExplained() throws {
        let server = try OffloadServer()
        try server.start()
        let escrow = try Escrow.offloading(to: try server.enrol())
        try escrow.allow("phone-check")
        #expect(try escrow.run("server", "explain", "last").status != 0)
        #expect(try escrow.offload().status == 0)
        let told = try escrow.run("server", "explain", "last", "--format", "json").json()
        let shown = try escrow.run("server", "show", "home").output
        let key = try #require((told["server"] as? [String: Any])?["serverKey"] as? String)
        #expect(shown.contains(key))
        #expect(told["samePlugin"] as? Bool == true)
        #expect(told["attested"] as? Bool == false)
        #expect(told["rows"] as? Int == 30)
        let words = try escrow.run("server", "explain", try #require(told["run"] as? String)).output
        #expect(words.contains("the manifest you decided about"))
        #expect(words.contains("ContactPhoneNumbers"))
        #expect(try escrow.offload(at: "device").status == 0)
        #expect(try escrow.run("server", "explain", "last").output.contains("nothing of it went to a server"))
        // A server that is lost midway, or never there, leaves a record that says so.
        server.stop()
        #expect(try escrow.offload().status == 19)
        #expect(try escrow.run("server", "explain", "last").output.contains("it never began the run"))
    }

    @Test func assetsGoOutByHandleOnDemand() throws {
        let server = try OffloadServer(plugins: ["thumbnails"])
        try server.start()
        let escrow = try Escrow.offloading(to: try server.enrol(), plugin: "thumbnails")
        let photos = Escrow.root.appending(path: "samples/photos").path
        try #require(try escrow.run("source", "add", "photos", photos).status == 0)
        try escrow.allow("thumbnails")
        let there = try escrow.offload("thumbnails")
        try #require(there.status == 0, "\(there.words) \(server.log)")
        #expect(there.output == (try escrow.offload("thumbnails", at: "device")).output)
    }

    @Test func aServerIsDescribedWithoutAnythingBeingSent() throws {
        let server = try OffloadServer()
        try server.start()
        let escrow = try Escrow.offloading(to: try server.enrol())
        let check = try escrow.run("server", "check", "home", "--format", "json").json()
        #expect(check["callsItself"] as? String == "home")
        #expect((check["plugins"] as? [[String: Any]])?.first?["id"] as? String == "org.example.phone-check")
        #expect((check["memoryMiB"] as? Int ?? 0) > 0)
    }

    @Test func theNameOfAServerBelongsToItsKey() throws {
        let one = try OffloadServer()
        let other = try OffloadServer()
        let escrow = try Escrow.offloading(to: try one.enrol())
        let refused = try escrow.run("server", "add", try other.enrol())
        #expect(refused.words.contains("E1201"))
        #expect(try escrow.run("server", "remove", "home").status == 0)
        #expect(try escrow.run("server", "add", try other.enrol()).words.contains("E1201"))
        #expect(try escrow.run("server", "add", try one.enrol()).status == 0)
    }

    @Test func aRenewedServerIsTheSame() throws {
        let server = try OffloadServer()
        let escrow = try Escrow.offloading(to: try server.enrol())
        try server.command(["renew"])
        try server.start()
        #expect(try escrow.offload().status == 0)
    }

    @Test func nothingOfTheDataIsLeftOnTheServer() throws {
        let server = try OffloadServer()
        try server.start()
        let escrow = try Escrow.offloading(to: try server.enrol(), contacts: 2_000)
        // Numbers that stand nowhere else: they cross the server as rows, and come back in the result as names.
        let canaries = ["2122550001", "(212) 255-0001", "(212) 355-0002", "Person 1999", "c1999"]
        let outcome = try escrow.offload()
        try #require(outcome.status == 0, "\(outcome.words)")
        try #require(outcome.output.contains("c1999") || outcome.output.contains("Person 1999"))
        // The search finds what is there: the name of the server's own folder.
        #expect(try ServerMemory(of: server.pid).holds(server.folder))
        // The device has its result before the server has taken its connection down, and the buffers with it.
        let end = Date().addingTimeInterval(120)
        var left = canaries
        repeat {
            let memory = try ServerMemory(of: server.pid)
            left = canaries.filter(memory.holds)
        } while !left.isEmpty && Date() < end
        #expect(left.isEmpty, "\(left) are in the server's memory")
        let files = try FileManager.default.subpathsOfDirectory(atPath: server.scratch.url.path)
        for file in files {
            guard
                let data = FileManager.default.contents(atPath: server.scratch.url.appending(path: file).path)
            else { continue }
            for canary in canaries {
                #expect(data.range(of: Data(canary.utf8)) == nil, "\(canary) is in \(file)")
            }
        }
    }
}

/// All that is in a process's memory.
struct ServerMemory {
    private let pieces: [Data]

    init(of pid: Int32) throws {
        let maps = try String(contentsOfFile: "/proc/\(pid)/maps", encoding: .utf8)
        let memory = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(pid)/mem"))
        var pieces: [Data] = []
        for line in maps.split(separator: "\n") where line.contains(" rw") {
            let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard ends.count == 2, (try? memory.seek(toOffset: ends[0])) != nil else { continue }
            if let piece = try? memory.read(upToCount: Int(ends[1] - ends[0])) { pieces.append(piece) }
        }
        self.pieces = pieces
        try #require(!pieces.isEmpty)
    }

    func holds(_ text: String) -> Bool { pieces.contains { $0.range(of: Data(text.utf8)) != nil } }
}
