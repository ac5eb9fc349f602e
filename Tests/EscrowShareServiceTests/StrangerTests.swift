import EscrowShareWire
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowShareService

/// What people without a key, and groups that they begin, can do to a share server and its other groups.
@Suite("Strangers at a share service") struct StrangerTests {
    static let hour: Int64 = 3_600_000

    final class Stage {
        let folder: TemporaryFolder
        let service: ShareService

        init(_ limits: ShareLimits = ShareLimits()) throws {
            folder = try TemporaryFolder("strangers")
            service = try ShareService("\(folder.path)/shares.db", limits: limits)
        }

        func begin(
            _ group: String, timeToLive: Int64 = 100, from address: String = "a", at now: Int64 = 0
        ) throws -> ShareAnswer {
            try service.answer(
                ShareRequest(
                    method: .post, path: "/groups", address: address,
                    body: Opening(group: group, node: "o", timeToLive: timeToLive).bytes), at: now)
        }

        func list(_ group: String, _ key: String, at now: Int64) throws -> UInt32 {
            try service.answer(
                ShareRequest(method: .get, path: "/groups/\(group)/shares", key: key), at: now
            ).status
        }
    }

    @Test func whoFillsAServerWithGroupsKeepsNobodyElseFromBeginningOne() throws {
        let stage = try Stage()
        let statuses = try (0..<1010).map { try stage.begin("g\($0)").status }
        #expect(statuses.prefix(50).allSatisfy { $0 == 201 })
        #expect(statuses.dropFirst(50).allSatisfy { $0 == 429 })
        #expect(try stage.begin("mine", from: "b").status == 201)
        // Not in a month, which is as long as an unused group stays at most.
        var begun = 50
        for hour in 1...30 * 24 {
            while try stage.begin("h\(begun)", at: Int64(hour) * Self.hour).status == 201 { begun += 1 }
        }
        #expect(begun < 500)
    }

    @Test func aGroupThatNobodyUsesIsLetGoWithItsShares() throws {
        var limits = ShareLimits()
        limits.groups = 3
        let stage = try Stage(limits)
        let mine = try AccessKeys(stage.begin("mine").body)
        let long = try AccessKeys(stage.begin("long", timeToLive: 30 * 24 * Self.hour).body)
        _ = try stage.service.answer(
            ShareRequest(method: .put, path: "/groups/long/shares/m", key: long.access, body: [1]), at: 0)
        #expect(try stage.begin("strangers").status == 201)
        #expect(try stage.begin("next").status == 507)
        for hour in 0...24 {
            #expect(try stage.list("mine", mine.access, at: Int64(hour) * Self.hour) == 200)
            try stage.service.sweep(at: Int64(hour) * Self.hour)
        }
        let now = 24 * Self.hour
        #expect(try stage.begin("next", at: now).status == 201)
        #expect(try stage.list("mine", mine.access, at: now) == 200)
        // As long as its shares live.
        #expect(try stage.service.store.groups() == 3)
        for hour in 25...31 * 24 { try stage.service.sweep(at: Int64(hour) * Self.hour) }
        #expect(try stage.service.store.groups() == 0)
        #expect(try stage.list("long", long.access, at: 31 * 24 * Self.hour) == 401)
    }

    /// Nobody can use a server that is off; and a clock that was wrong is no month that went by.
    @Test func aServerThatWasAwayLetsNoGroupGo() throws {
        let stage = try Stage()
        let keys = try AccessKeys(stage.begin("g").body)
        try stage.service.sweep(at: 0)
        let later = 40 * 24 * Self.hour
        let again = try ShareService("\(stage.folder.path)/shares.db")
        try again.sweep(at: later)
        #expect(try again.store.groups() == 1)
        for hour in 1...23 { try again.sweep(at: later + Int64(hour) * Self.hour) }
        #expect(try stage.list("g", keys.access, at: later) == 200)
    }

    @Test func allGroupsTogetherTakeNoMoreThanTheServerHas() throws {
        var limits = ShareLimits()
        limits.totalBytes = 10_000
        let stage = try Stage(limits)
        let keys = try (0..<3).map { try AccessKeys(stage.begin("g\($0)", timeToLive: 1000).body) }
        func put(_ group: Int, _ message: String, at now: Int64 = 0) throws -> UInt32 {
            try stage.service.answer(
                ShareRequest(
                    method: .put, path: "/groups/g\(group)/shares/\(message)", key: keys[group].access,
                    body: [UInt8](repeating: 1, count: 4000)), at: now
            ).status
        }
        #expect(try put(0, "a") == 201 && put(1, "a") == 201)
        #expect(try put(2, "a") == 507)
        try stage.service.sweep(at: 1000)
        #expect(try put(2, "a", at: 1000) == 201)
    }

    /// A file as the version before made it: its shares are there, count, and its groups are not let go at once.
    @Test func aStoreOfTheVersionBeforeIsRead() throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3") else {
            return print("SKIP sqlite3 is not here: apt-get install sqlite3")
        }
        let folder = try TemporaryFolder("before")
        let path = "\(folder.path)/shares.db"
        // Digest of the key "k".
        let key = ShareService.digest("k").map { String(format: "%02x", $0) }.joined()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [
            path,
            """
            PRAGMA journal_mode=WAL;
            CREATE TABLE store(name TEXT NOT NULL);
            CREATE TABLE circle(
                id TEXT PRIMARY KEY, owner TEXT NOT NULL, time_to_live INTEGER NOT NULL, master BLOB NOT NULL,
                held INTEGER NOT NULL DEFAULT 0
            ) WITHOUT ROWID;
            CREATE TABLE user(
                circle TEXT NOT NULL REFERENCES circle ON DELETE CASCADE, node TEXT NOT NULL, access BLOB NOT NULL,
                PRIMARY KEY(circle, node)
            ) WITHOUT ROWID;
            CREATE TABLE share(
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                circle TEXT NOT NULL REFERENCES circle ON DELETE CASCADE,
                message TEXT NOT NULL, node TEXT NOT NULL, uploaded INTEGER NOT NULL, expires INTEGER NOT NULL,
                bytes BLOB NOT NULL, UNIQUE(circle, node, message)
            );
            CREATE TRIGGER share_taken AFTER INSERT ON share BEGIN
                UPDATE circle SET held = held + length(new.bytes) WHERE id = new.circle;
            END;
            CREATE TRIGGER share_gone AFTER DELETE ON share BEGIN
                UPDATE circle SET held = held - length(old.bytes) WHERE id = old.circle;
            END;
            CREATE TABLE blank(number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
            CREATE INDEX share_expires ON share(expires);
            INSERT INTO store VALUES ('before');
            INSERT INTO circle(id, owner, time_to_live, master) VALUES ('g', 'o', 1000, x'00');
            INSERT INTO user VALUES ('g', 'o', x'00'), ('g', 'm', x'\(key)');
            INSERT INTO share(circle, message, node, uploaded, expires, bytes)
                VALUES ('g', 'a', 'o', 0, 1000, x'010203'), ('g', 'b', 'm', 0, 1000, x'04');
            """,
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        var limits = ShareLimits()
        (limits.groupBytes, limits.shareBytes) = (10, 2)
        let service = try ShareService(path, limits: limits)
        let month = 30 * 24 * Self.hour
        try service.sweep(at: 0)
        #expect(service.store.name == "before")
        let listed = try service.answer(.init(method: .get, path: "/groups/g/shares", key: "k"), at: 0)
        #expect(try ShareListing(listed.body).entries == [.init(message: "o.a", bytes: [1, 2, 3])])
        // Half of nine are the member's: one is there.
        func put(_ message: String) throws -> UInt32 {
            try service.answer(
                .init(method: .put, path: "/groups/g/shares/\(message)", key: "k", body: [5, 6]), at: 0
            ).status
        }
        #expect(try put("c") == 201 && put("d") == 507)
        try service.sweep(at: month)
        #expect(try service.store.groups() == 1)
        let empty = try service.answer(.init(method: .get, path: "/groups/g/shares", key: "k"), at: month)
        #expect(try ShareListing(empty.body).entries.isEmpty)
    }
}
