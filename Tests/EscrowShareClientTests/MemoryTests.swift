import EscrowShareWire
import Foundation
import ShareServers
import Testing

@testable import EscrowShareClient

/// Looks into the memory of a server's process, as its owner's debugger would.
@Suite("What a server's memory holds") struct MemoryTests {
    /// While a share is kept it is there, which shows that the search finds it; after its time no piece of it is, though the
    /// client's connection still stands.
    @Test(arguments: [3000, 300_000]) func ofAShareNothingIsLeftAfterItsTime(length: Int) throws {
        // Longer where the time was over before anybody had looked.
        for timeToLive in [1_500, 12_000, 60_000] as [Int64] {
            if try isLookedInto(length: length, timeToLive: timeToLive) { return }
        }
        Issue.record("the share was never seen while it was kept")
    }

    /// False where a machine that is slow saw the share too late to tell that the search finds it.
    private func isLookedInto(length: Int, timeToLive: Int64) throws -> Bool {
        let server = try ShareServer()
        let group = try ClientTests.Group(server, timeToLive: timeToLive)
        let begun = Date()
        let share = (0..<length).map { _ in UInt8.random(in: 0...255) }
        #expect(group.client.make([group.put("a", share)]) == [.answered(status: 201, body: [])])
        let entries = try group.list().entries
        // Pieces from everywhere in it: a part could outlive the rest.
        let pieces = stride(from: 0, to: length - 24, by: max(24, length / 64)).map {
            Array(share[$0..<$0 + 24])
        }
        let isRemembered = try !server.remembered(of: pieces).isEmpty
        guard Date().timeIntervalSince(begun) * 1000 < Double(timeToLive - 1) else { return false }
        #expect(entries.map(\.bytes) == [share] && isRemembered)
        #expect(try comes(within: 180) { try group.list().entries.isEmpty })
        let isForgotten = try comes(within: 60) { try server.remembered(of: pieces).isEmpty }
        let left = try server.remembered(of: pieces)
        #expect(isForgotten, "\(left)")
        return true
    }
}
