import Dispatch
import Foundation
import Glibc
import Synchronization
import TemporaryFolder
import Testing

@testable import EscrowDiagnostics
@testable import EscrowHome
@testable import EscrowHost
@testable import EscrowJSON

/// No app keeps the places of all, and nothing that ended keeps one.
@Suite struct RunSlotsTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder("escrow-places") }

    private func places(_ caps: String) throws -> RunSlots {
        RunSlots(
            directory: scratch.path + "/runs", caps: try RunCaps(try JSONParser.parse(Array(caps.utf8))))
    }

    private func entry(_ number: Int, _ app: String, runs: Bool = false, memory: Int = 64) -> RunSlots.Entry {
        RunSlots.Entry(sequence: number, run: "r-\(number)", app: app, memoryMiB: memory, isRunning: runs)
    }

    private func obstacle(_ number: Int, _ all: [RunSlots.Entry], _ caps: String) throws -> RunSlots
        .Obstacle?
    {
        let own = try #require(all.first { $0.sequence == number })
        return RunSlots.obstacle(of: own, among: all, try places(caps).caps)
    }

    @Test func anAppThatHasItsMostWaitsAndOthersPassIt() throws {
        let all = [
            entry(1, "greedy", runs: true), entry(2, "greedy", runs: true), entry(3, "greedy"),
            entry(4, "greedy"), entry(5, "modest"),
        ]
        let caps = #"{"app":2,"home":3}"#
        #expect(try obstacle(3, all, caps) == .ownApp)
        #expect(try obstacle(4, all, caps) == .ownApp)
        #expect(try obstacle(5, all, caps) == nil)
        // Of one app the first that asked goes first.
        let later = Array(all.dropFirst())
        #expect(try obstacle(3, later, caps) == nil)
        #expect(try obstacle(4, later, caps) == .ownApp)
    }

    @Test func whereTheHomeIsFullTheFirstThatAskedGoesFirst() throws {
        let full = [entry(1, "a", runs: true), entry(2, "b", runs: true), entry(3, "c"), entry(4, "d")]
        let caps = #"{"app":2,"home":2}"#
        #expect(try obstacle(3, full, caps) == .home)
        #expect(try obstacle(4, full, caps) == .home)
        let free = Array(full.dropFirst())
        #expect(try obstacle(3, free, caps) == nil)
        #expect(try obstacle(4, free, caps) == .home)
    }

    @Test func memoryIsCountedAndOneAloneAlwaysRuns() throws {
        let caps = #"{"appMemoryMiB":100,"homeMemoryMiB":150}"#
        let all = [
            entry(1, "a", runs: true, memory: 60), entry(2, "a", memory: 60), entry(3, "b", memory: 60),
        ]
        #expect(try obstacle(2, all, caps) == .ownApp)
        #expect(try obstacle(3, all, caps) == nil)
        #expect(try obstacle(4, all + [entry(4, "c", memory: 91)], caps) == .home)
        #expect(try obstacle(1, [entry(1, "a", memory: 4096)], caps) == nil)
    }

    @Test func aPlaceIsFreeWhenItsValueGoes() throws {
        let places = try places(#"{"app":1}"#)
        do {
            let first = try places.take(run: "r-1", app: "org.a", memoryMiB: 64, Runner.Cancellation())
            let cancelled = Runner.Cancellation()
            cancelled.cancel()
            #expect(throws: Diagnostic(.noPlaceForTheRun, "")) {
                _ = try places.take(run: "r-2", app: "org.a", memoryMiB: 64, cancelled)
            }
            #expect(try places.summary() == "1 under way with at most 64 MiB, 0 wait")
            withExtendedLifetime(first) {}
        }
        #expect(try places.list().isEmpty)
        _ = try places.take(run: "r-3", app: "org.a", memoryMiB: 64, Runner.Cancellation())
        #expect(try places.summary() == "none under way")
    }

    @Test func thoseThatWaitGoOnOneAfterAnother() throws {
        let places = try places(#"{"app":1}"#)
        let all = 6
        // By number: how many were under way when it was; -1 where it failed.
        let ended = Mutex<[Int: Int]>([:])
        let group = DispatchGroup()
        for number in 0..<all {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                do {
                    let place = try places.take(
                        run: "r-\(number)", app: "org.a", memoryMiB: 64, Runner.Cancellation())
                    // Not before all others have asked as well: who does not wait is seen.
                    while try places.list().count + ended.withLock(\.count) < all { poll(nil, 0, 1) }
                    let running = try places.list().count { $0.isRunning }
                    ended.withLock { $0[number] = running }
                    withExtendedLifetime(place) {}
                } catch {
                    ended.withLock { $0[number] = -1 }
                }
            }
        }
        group.wait()
        #expect(ended.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<all).map { ($0, 1) }))
        #expect(try places.list().isEmpty)
    }

    /// A run ends while another one looks who runs: its file goes between the two.
    @Test func manyThatComeAndGoDoNotDisturbEachOther() throws {
        let places = try places(#"{"app":128,"home":128}"#)
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            for number in 0..<150 {
                do {
                    _ = try places.take(
                        run: "r-\(worker)-\(number)", app: "org.a", memoryMiB: 0, Runner.Cancellation())
                } catch {
                    Issue.record(error)
                }
            }
        }
        #expect(try places.list().isEmpty)
    }

    @Test func whatAProcessThatIsGoneLeftBehindTakesNoPlace() throws {
        let places = try places(#"{"app":1,"home":1}"#)
        _ = try places.take(run: "r-0", app: "org.a", memoryMiB: 64, Runner.Cancellation())
        let left = scratch.path + "/runs/open/7_r-7_runs_64_org.a"
        try Data().write(to: URL(filePath: left))
        let place = try places.take(run: "r-1", app: "org.a", memoryMiB: 64, Runner.Cancellation())
        #expect(access(left, F_OK) != 0)
        withExtendedLifetime(place) {}
    }

    /// Where it is in nobody's way it stays until somebody looks.
    @Test(arguments: ["7_r-7_runs_64_org.a", "7_r-7_waits_64_org.b", "7-r-7"])
    func whatWasLeftBehindIsSeenByWhoLooks(_ name: String) throws {
        let places = try places(#"{"app":4}"#)
        _ = try places.take(run: "r-0", app: "org.a", memoryMiB: 64, Runner.Cancellation())
        let left = scratch.path + "/runs/open/" + name
        try Data().write(to: URL(filePath: left))
        let place = try places.take(run: "r-1", app: "org.a", memoryMiB: 64, Runner.Cancellation())
        // Where somebody waits, the one who asks looks.
        #expect((access(left, F_OK) == 0) == !name.contains("waits"))
        #expect(try places.summary() == "1 under way with at most 64 MiB, 0 wait")
        #expect(access(left, F_OK) != 0)
        withExtendedLifetime(place) {}
    }

    @Test(arguments: [true, false]) func aNameSaysWhatItWasMadeOf(_ isRunning: Bool) {
        let entry = entry(12, "org.example.a-b", runs: isRunning, memory: 4096)
        #expect(RunSlots.Entry(fileName: entry.fileName) == entry)
    }

    @Test(arguments: [
        "", "lock", ".7_r-7_runs_64_org.a", "7-r-7", "7_r-7_runs_x_org.a", "7_r-7_runs_64_org.a_b",
    ])
    func aNameOfAnotherKindIsNoEntry(_ name: String) {
        #expect(RunSlots.Entry(fileName: name) == nil)
    }

    @Test func noMoreThanSoManyWait() throws {
        let places = try places(#"{"app":1}"#)
        let first = try places.take(run: "r-0", app: "org.a", memoryMiB: 64, Runner.Cancellation())
        var files: [Int32] = []
        defer { for file in files { close(file) } }
        for number in 1...RunSlots.mostWaiting {
            let file = open(
                scratch.path + "/runs/open/\(number + 1)_r-\(number)_waits_64_org.a",
                O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            #expect(flock(file, LOCK_EX | LOCK_NB) == 0)
            files.append(file)
        }
        #expect(throws: Diagnostic(.noPlaceForTheRun, "")) {
            _ = try places.take(run: "r-x", app: "org.a", memoryMiB: 64, Runner.Cancellation())
        }
        _ = try places.take(run: "r-y", app: "org.b", memoryMiB: 64, Runner.Cancellation())
        withExtendedLifetime(first) {}
    }
}
