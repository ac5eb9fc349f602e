import EscrowDiagnostics
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowShareService

/// A disk that is full, or nearly. On a real one: `ShareServerAttackTests`.
@Suite("A share store's room") struct RoomTests {
    private static func length(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? -1
    }

    private static func share(_ message: String, _ count: Int) -> NewShare {
        NewShare(
            group: "g", message: message, node: "o", bytes: [UInt8](repeating: 1, count: count), at: 0)
    }

    private static let quota = ShareQuota(group: 1 << 30, member: 1 << 30)

    private static func store(_ folder: TemporaryFolder) throws -> FileStore {
        let store = try FileStore("\(folder.path)/shares.db", reserve: 1 << 20)
        _ = try store.begin("g", owner: "o", timeToLive: 1000, master: [1], access: [2])
        return store
    }

    @Test func aDiskIsNeverFilledToItsEnd() throws {
        let folder = try TemporaryFolder("room")
        let store = try Self.store(folder)
        store.room = { 3000 + 2 << 20 }
        #expect(try store.put(Self.share("a", 1000), atMost: Self.quota) == .kept)
        #expect(try store.put(Self.share("b", 1001), atMost: Self.quota) == .full)
        try store.sweep(at: 1000)
        #expect(try store.shares(of: "g", after: 0, for: "m", at: 0, atMost: 100).entries.isEmpty)
    }

    @Test func halfOfTheRoomIsForAllGroups() throws {
        let folder = try TemporaryFolder("room")
        let store = try Self.store(folder)
        store.room = { 10 << 20 }
        // Its own file counts as room.
        #expect((5 << 20...6 << 20).contains(store.capacity))
    }

    @Test func theReserveHasRoomToDeleteTheLongestShare() throws {
        let folder = try TemporaryFolder("room")
        let reserve = "\(folder.path)/shares.db-reserve"
        do {
            let store = try Self.store(folder)
            #expect(try Self.length(reserve) == 1 << 20)
            #expect(try store.put(Self.share("a", 3 << 20), atMost: Self.quota) == .kept)
            #expect(try Self.length(reserve) == 4 << 20)
        }
        try FileManager.default.removeItem(atPath: reserve)
        let again = try FileStore("\(folder.path)/shares.db", reserve: 1 << 20)
        #expect(again.held > 3 << 20)
        #expect(try Self.length(reserve) == 4 << 20)
    }

    @Test func whatFindsNoRoomIsDoneAgainInTheReserve() throws {
        let folder = try TemporaryFolder("room")
        let store = try Self.store(folder)
        let reserve = "\(folder.path)/shares.db-reserve"
        var wasThere: [Bool] = []
        try store.inAnyCase { () throws(Diagnostic) in
            wasThere.append(FileManager.default.fileExists(atPath: reserve))
            // No file can be made there.
            if wasThere.count == 1 { _ = try FileStore("/proc/no/shares.db") }
        }
        #expect(wasThere == [true, false])
        #expect(try Self.length(reserve) == 1 << 20)
    }
}
