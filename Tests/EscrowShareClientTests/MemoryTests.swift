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
        let server = try ShareServer()
        let group = try ClientTests.Group(server, timeToLive: 1500)
        let share = (0..<length).map { _ in UInt8.random(in: 0...255) }
        #expect(group.client.make([group.put("a", share)]) == [.answered(status: 201, body: [])])
        #expect(try group.list().entries.map(\.bytes) == [share])
        // Pieces from everywhere in it: a part could outlive the rest.
        let pieces = stride(from: 0, to: length - 24, by: max(24, length / 64)).map {
            Array(share[$0..<$0 + 24])
        }
        #expect(try !server.remembered(of: pieces).isEmpty)
        #expect(try comes(within: 10) { try group.list().entries.isEmpty })
        let isForgotten = try comes(within: 10) { try server.remembered(of: pieces).isEmpty }
        let left = try server.remembered(of: pieces)
        #expect(isForgotten, "\(left)")
    }
}
