import EscrowAppWire
import EscrowConsent
import EscrowFiles
import Foundation
import Glibc
import Testing

@testable import EscrowService

/// Who pays for what is open and what is kept: an app that is proved is never hurt by those that are not.
@Suite struct AllowanceTests {
    private let failure = HostFailure(AppWireError(.tooManyOpen))

    private func app(_ id: String) -> ServiceRun {
        ServiceRun(app: id, proof: .token, payer: Payer(share: id, isProved: true))
    }

    private func claim(_ process: Int, hasEnded: Bool = false) -> ServiceRun {
        ServiceRun(
            app: "a.b", proof: .claim,
            payer: Payer(share: "process \(process)", isProved: false) { hasEnded })
    }

    private func opens(_ run: ServiceRun, in book: RunBook) -> Bool {
        if case .new = book.open(run, key: nil, request: []) { true } else { false }
    }

    private func end(_ run: ServiceRun, in book: RunBook, _ result: AppResult? = nil, at order: UInt64 = 0) {
        run.end(result.map { .success($0) } ?? .failure(failure), at: monotonicNanoseconds() + order)
        book.ended(run)
    }

    @Test func processesThatProveNothingHaveHalfOfTheRoomTogether() {
        let book = RunBook()
        let half = RunBook.allowance.ofUnproved
        for number in 0..<half { #expect(opens(claim(number), in: book)) }
        #expect(!opens(claim(half), in: book))
        for number in 0..<half { #expect(opens(app("a.b\(number)"), in: book)) }
        #expect(!opens(app("c.d"), in: book))
    }

    @Test func whatAnEndedProcessOnlyWaitsForMakesRoom() {
        let book = RunBook()
        let half = RunBook.allowance.ofUnproved
        let waiting = (0..<half / 2).map { claim($0, hasEnded: true) }
        let working = (half / 2..<half - 1).map { claim($0, hasEnded: true) }
        let alive = claim(half - 1)
        for run in waiting + working + [alive] { #expect(opens(run, in: book)) }
        for run in waiting + [alive] { run.asks() }
        // While there is room nobody has to leave: a script's first command has ended too.
        #expect(opens(app("a.b"), in: book))
        #expect(waiting.allSatisfy { !$0.seat.isLeaving })
        #expect(opens(claim(half), in: book))
        #expect(waiting.allSatisfy { $0.seat.isLeaving })
        #expect(!alive.seat.isLeaving && working.allSatisfy { !$0.seat.isLeaving })
        // What left is still told apart from what was withdrawn by its app.
        #expect(book.run(waiting[0].id, app: nil, proof: .claim) === waiting[0])
    }

    /// An app that has all its runs open is refused for that, and costs nobody else any.
    @Test func whoHasAllThatOneMayHaveMakesNobodyLeave() {
        let book = RunBook()
        let waiting = claim(1, hasEnded: true)
        #expect(opens(waiting, in: book))
        waiting.asks()
        for _ in 0..<RunBook.mostOpen { #expect(opens(app("a.b"), in: book)) }
        #expect(!opens(app("a.b"), in: book) && !waiting.seat.isLeaving)
    }

    /// Threads that are about to end are bounded too, however fast others come.
    @Test func whoComesFasterThanOthersLeaveIsRefused() {
        let book = RunBook()
        var count = 0
        while count < 10 * RunBook.allowance.inAll {
            let run = claim(count, hasEnded: true)
            guard opens(run, in: book) else { break }
            run.asks()
            count += 1
        }
        #expect(count == RunBook.allowance.inAll)
        #expect(opens(app("a.b"), in: book))
    }

    @Test func aKeyOfWhoProvesNothingIsNone() {
        let book = RunBook()
        for _ in 0..<2 {
            guard case .new = book.open(claim(1), key: "k", request: [1]) else {
                Issue.record("a claim has a key")
                return
            }
        }
        guard case .new(let first) = book.open(app("a.b"), key: "k", request: [1]),
            case .known(let again) = book.open(app("a.b"), key: "k", request: [1]),
            case .refused = book.open(app("a.b"), key: "k", request: [2])
        else {
            Issue.record("a key of an app is none")
            return
        }
        #expect(first === again)
    }

    @Test func theEndedRunsOfAllThatProveNothingAreBoundedAndTakeNothingFromApps() {
        let book = RunBook()
        let proved = app("a.b")
        #expect(opens(proved, in: book))
        end(proved, in: book)
        let claims = (0..<RunBook.mostEndedTogether + 5).map { claim($0) }
        for (order, run) in claims.enumerated() {
            #expect(opens(run, in: book))
            end(run, in: book, at: UInt64(order))
        }
        let kept = claims.map { book.run($0.id, app: nil, proof: .claim) != nil }
        #expect(kept == claims.indices.map { $0 >= 5 })
        #expect(book.run(proved.id, app: "a.b", proof: .token) === proved)
    }

    @Test func theResultsThatAreKeptAreBoundedAndTheNewestIsAlwaysKept() {
        let book = RunBook()
        let half = AppResult.bytes(
            [UInt8](repeating: 0, count: RunBook.mostBytesTogether / 2), mediaType: "a/b")
        let whole = AppResult.bytes(
            [UInt8](repeating: 0, count: RunBook.mostBytesTogether + 1), mediaType: "a/b")
        var runs: [ServiceRun] = []
        func keep(_ result: AppResult) -> [Bool] {
            let run = app("a.b\(runs.count)")
            #expect(opens(run, in: book))
            end(run, in: book, result, at: UInt64(runs.count))
            runs.append(run)
            return runs.map { book.run($0.id, app: $0.app, proof: .token) != nil }
        }
        #expect(keep(half) == [true])
        #expect(keep(half) == [true, true])
        #expect(keep(half) == [false, true, true])
        #expect(keep(whole) == [false, false, false, true])
    }

    @Test func whatNobodyCanAskForIsNotKept() {
        let book = RunBook()
        let run = app("a.b")
        _ = book.open(run, key: nil, request: [], isNamed: false)
        #expect(book.run(run.id, app: "a.b", proof: .token) === run)
        end(run, in: book)
        #expect(book.run(run.id, app: "a.b", proof: .token) == nil)
    }

    @Test func aRunIsFoundOnlyByWhoProvesTheSame() {
        let book = RunBook()
        let (proved, claimed) = (app("a.b"), claim(1))
        #expect(opens(proved, in: book) && opens(claimed, in: book))
        #expect(book.run(proved.id, app: "a.b", proof: .token) === proved)
        #expect(book.run(proved.id, app: nil, proof: .claim) == nil)
        #expect(book.run(proved.id, app: "c.d", proof: .token) == nil)
        #expect(book.run(proved.id, app: "a.b", proof: .socket) == nil)
        #expect(book.run(claimed.id, app: nil, proof: .claim) === claimed)
        #expect(book.run(claimed.id, app: "a.b", proof: .token) == nil)
    }

    @Test func streamsOfWhatProvesNothingHaveHalfOfTheRoomAndLeaveWithTheirProcess() {
        let watchers = Watchers()
        let half = Watchers.allowance.ofUnproved
        func payer(_ number: Int, hasEnded: Bool) -> Payer {
            Payer(share: "process \(number)", isProved: false) { hasEnded }
        }
        let seats = (0..<half).compactMap { watchers.begin(payer($0, hasEnded: $0 == 0)) }
        #expect(seats.count == half)
        #expect(watchers.begin(payer(half, hasEnded: false)) != nil)
        #expect(seats.map { $0.isLeaving } == seats.indices.map { $0 == 0 })
        #expect(watchers.begin(payer(half, hasEnded: false)) == nil)
        let own = Payer(share: "a.b", isProved: true)
        let streams = (0..<Watchers.allowance.ofShare).compactMap { _ in watchers.begin(own) }
        #expect(streams.count == Watchers.allowance.ofShare && watchers.begin(own) == nil)
        watchers.end(streams[0])
        #expect(watchers.begin(own) != nil)
    }

    @Test func aPeerIsKnownToHaveEndedOnceItDid() throws {
        let name = "escrow-test-\(UUID().uuidString)"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            for (at, byte) in name.utf8.enumerated() { path[at + 1] = byte }
        }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) == 0 }
        }
        try #require(isBound && listen(listener, 1) == 0)
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/curl")
        program.arguments = ["-s", "--abstract-unix-socket", name, "http://localhost"]
        try program.run()
        defer { program.waitUntilExit() }
        let connection = accept(listener, nil, nil)
        defer { close(connection) }
        let payer = try #require(Peer(connection, ownApp: nil)).payer
        #expect(!payer.isProved && !payer.hasEnded())
        kill(program.processIdentifier, SIGKILL)
        program.waitUntilExit()
        #expect(payer.hasEnded())
        // One that had ended before it was looked at.
        let late = try #require(Peer(connection, ownApp: nil))
        #expect(late.payer.hasEnded())
        let own = try #require(Peer(connection, ownApp: "a.b"))
        #expect(own.payer.isProved && !own.payer.hasEnded())
    }
}
