import Glibc
import Testing

@testable import EscrowService

/// Connections that a confined program keeps prove nothing once its door is gone.
@Suite struct LinksTests {
    @Test func thoseThatCameByADoorEndWithIt() throws {
        var links = Links(most: 8, mostOfShare: 8)
        var ends: [Int32] = []
        var added: [Link] = []
        for door: Int32 in [7, 8] {
            var pair: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
            ends += pair
            added.append(Link(pair[0], try #require(Peer(pair[0], ownApp: "a.b")), door: door))
            let isAdded = links.add(added.last!)
            #expect(isAdded)
        }
        defer { ends.forEach { close($0) } }
        let ended = links.close(by: 7)
        #expect(ended.map(\.descriptor) == [ends[0]])
        #expect(added.map(\.isClosing) == [true, false])
        var byte: UInt8 = 0
        #expect(read(ends[1], &byte, 1) == 0)
        // It stays known until the server has seen its end, and is closed once.
        let again = links.close(by: 7)
        #expect(links.of(ends[0]) != nil && again.isEmpty)
    }
}
