import EscrowShareWire
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowShareService

@Suite("A share service") struct ShareServiceTests {
    /// A service with one group of two, at time 0.
    final class Stage {
        let folder: TemporaryFolder
        let service: ShareService
        var owner = AccessKeys(access: "")
        var member = ""

        init(timeToLive: Int64 = 1000, _ limits: ShareLimits = ShareLimits()) throws {
            folder = try TemporaryFolder("shares")
            service = try ShareService("\(folder.path)/shares.db", limits: limits)
            let opening = Opening(group: "g", node: "owner", timeToLive: timeToLive)
            let begun = try ask(.post, "/groups", body: opening.bytes)
            #expect(begun.status == 201)
            owner = try AccessKeys(begun.body)
            let admitted = try ask(.post, "/groups/g/members", owner.master, body: Array("member".utf8))
            #expect(admitted.status == 201)
            member = try AccessKeys(admitted.body).access
        }

        func ask(
            _ method: ShareRequest.Method, _ path: String, _ key: String? = nil, after: String? = nil,
            body: [UInt8] = [], at now: Int64 = 0
        ) throws -> ShareAnswer {
            try service.answer(
                ShareRequest(method: method, path: path, after: after, key: key, body: body), at: now)
        }

        func list(_ key: String, after: Int64 = 0, at now: Int64 = 0) throws -> ShareListing {
            let answer = try ask(.get, "/groups/g/shares", key, after: String(after), at: now)
            return try ShareListing(answer.body)
        }

        /// All files of the database, byte by byte.
        func holds(_ bytes: [UInt8]) throws -> Bool {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { name in
                try Data(contentsOf: folder.url.appending(path: name)).range(of: Data(bytes)) != nil
            }
        }
    }

    static let canary = Array("a share that must be forgotten".utf8)

    @Test func whatOnePutsTheOtherIsGiven() throws {
        let stage = try Stage()
        #expect(try stage.ask(.put, "/groups/g/shares/m1", stage.owner.access, body: [1]).status == 201)
        #expect(try stage.ask(.put, "/groups/g/shares/m1", stage.owner.access, body: [1]).status == 200)
        #expect(try stage.ask(.put, "/groups/g/shares/m1", stage.owner.access, body: [2]).status == 409)
        // Another member's of the same name is another share.
        #expect(try stage.ask(.put, "/groups/g/shares/m1", stage.member, body: [3]).status == 201)
        let first = try stage.list(stage.member)
        #expect(first.entries == [.init(message: "owner.m1", bytes: [1])])
        #expect(try stage.list(stage.member, after: first.next).entries.isEmpty)
        #expect(try stage.list(stage.owner.access).entries == [.init(message: "member.m1", bytes: [3])])
    }

    /// From its time on a share is in no answer, and after the next sweep in no file.
    @Test func aShareIsGoneAtItsTime() throws {
        let stage = try Stage(timeToLive: 1000)
        for number in 0..<20 {
            let body = Self.canary + [UInt8(number)] + [UInt8](repeating: 7, count: 5000)
            #expect(
                try stage.ask(.put, "/groups/g/shares/m\(number)", stage.owner.access, body: body, at: 500)
                    .status
                    == 201)
        }
        #expect(
            try stage.ask(.put, "/groups/g/shares/late", stage.owner.access, body: [9], at: 900).status == 201
        )
        #expect(try stage.holds(Self.canary))
        #expect(stage.service.due == 1500)
        try stage.service.sweep(at: 1499)
        #expect(try stage.list(stage.member, at: 1499).entries.count == 21)
        #expect(try stage.list(stage.member, at: 1500).entries.map(\.message) == ["owner.late"])
        try stage.service.sweep(at: 1500)
        #expect(try !stage.holds(Self.canary))
        #expect(stage.service.due == 1900)
        // Numbers go on: what was read is not read again.
        let next = try stage.list(stage.member, at: 1500).next
        try stage.service.sweep(at: 1900)
        #expect(
            try stage.ask(.put, "/groups/g/shares/new", stage.owner.access, body: [1], at: 2000).status == 201
        )
        #expect(try stage.list(stage.member, after: next, at: 2000).entries.map(\.message) == ["owner.new"])
    }

    @Test func aStrangerLearnsNothingAndALostKeyIsReplaced() throws {
        let stage = try Stage()
        for key in [nil, "", "wrong", stage.owner.master] {
            #expect(try stage.ask(.get, "/groups/g/shares", key).status == 401)
            #expect(try stage.ask(.get, "/groups/other/shares", key).status == 401)
        }
        for key in [nil, "wrong", stage.owner.access, stage.member] {
            #expect(try stage.ask(.post, "/groups/g/members", key, body: Array("x".utf8)).status == 401)
            #expect(try stage.ask(.delete, "/groups/g", key).status == 401)
        }
        let again = try stage.ask(.post, "/groups/g/members", stage.owner.master, body: Array("member".utf8))
        #expect(try stage.ask(.get, "/groups/g/shares", stage.member).status == 401)
        #expect(try stage.ask(.get, "/groups/g/shares", AccessKeys(again.body).access).status == 200)
        #expect(try stage.ask(.delete, "/groups/g/members/member", stage.owner.master).status == 204)
        #expect(try stage.ask(.get, "/groups/g/shares", AccessKeys(again.body).access).status == 401)
    }

    @Test func theEndOfAGroupLeavesNothing() throws {
        let stage = try Stage()
        _ = try stage.ask(.put, "/groups/g/shares/m", stage.owner.access, body: Self.canary)
        #expect(try stage.ask(.delete, "/groups/g", stage.owner.master).status == 204)
        #expect(try !stage.holds(Self.canary))
        #expect(try stage.ask(.get, "/groups/g/shares", stage.owner.access).status == 401)
        #expect(stage.service.due == nil)
    }

    @Test func limitsHold() throws {
        var limits = ShareLimits()
        (limits.shareBytes, limits.groupBytes, limits.groups, limits.members) = (10, 15, 1, 2)
        (limits.rate, limits.burst, limits.listingBytes) = (1, 8, 5)
        let stage = try Stage(limits)
        let access = stage.owner.access
        #expect(
            try stage.ask(.put, "/groups/g/shares/a", access, body: .init(repeating: 1, count: 11)).status
                == 413)
        #expect(try stage.ask(.put, "/groups/g/shares/a", access, body: []).status == 400)
        #expect(
            try stage.ask(.put, "/groups/g/shares/a", access, body: .init(repeating: 1, count: 10)).status
                == 201)
        #expect(
            try stage.ask(.put, "/groups/g/shares/b", access, body: .init(repeating: 1, count: 6)).status
                == 507)
        #expect(
            try stage.ask(.put, "/groups/g/shares/b", access, body: .init(repeating: 1, count: 5)).status
                == 201)
        // At least one in a listing, however long it is.
        let first = try stage.list(stage.member)
        #expect(first.entries.map(\.message) == ["owner.a"])
        #expect(try stage.list(stage.member, after: first.next).entries.map(\.message) == ["owner.b"])
        #expect(
            try stage.ask(.post, "/groups/g/members", stage.owner.master, body: Array("c".utf8)).status == 507
        )
        let other = Opening(group: "h", node: "o", timeToLive: 1000)
        #expect(try stage.ask(.post, "/groups", body: other.bytes).status == 507)
        for _ in 0..<3 { _ = try stage.ask(.get, "/groups/g/shares", access) }
        #expect(try stage.ask(.get, "/groups/g/shares", access).status == 429)
        #expect(try stage.ask(.get, "/groups/g/shares", access, at: 1000).status == 200)
        #expect(
            try stage.service.bodyLimit(.init(method: .put, path: "/groups/g/shares/a", key: access)) == 10)
        #expect(try stage.service.bodyLimit(.init(method: .put, path: "/groups/g/shares/a", key: "x")) == 0)
    }

    @Test(arguments: [
        "/", "/groups/", "/groups/g/shares/a/b", "/groups/g/other", "/groups/../shares", "groups/g/shares",
        "/groups/g%20/shares", "/groups//shares", "",
    ])
    func aPathThatIsNoneIsNone(path: String) throws {
        let stage = try Stage()
        for method in ShareRequest.Method.allCases {
            let status = try stage.ask(method, path, stage.owner.access).status
            #expect(status == 404 || (method == .delete && status == 401))
        }
    }

    @Test func aListingIsReadStrictly() throws {
        let listing = ShareListing(store: "s", next: 3, entries: [.init(message: "a.b", bytes: [1, 2])])
        #expect(try ShareListing(listing.bytes) == listing)
        for wrong in [
            "", "{}", #"{"store":"s","next":1,"shares":[{"message":"a","share":"AQ=="}]}"#,
            #"{"store":"s","next":1,"shares":[{"message":"a.b","share":"A"}]}"#,
            #"{"store":"s","next":1,"shares":[],"more":1}"#,
        ] {
            #expect(throws: (any Error).self) { try ShareListing(Array(wrong.utf8)) }
        }
    }

    /// What a service keeps survives its process.
    @Test func anotherProcessGoesOn() throws {
        let stage = try Stage()
        _ = try stage.ask(.put, "/groups/g/shares/m", stage.owner.access, body: [5])
        let again = try ShareService("\(stage.folder.path)/shares.db")
        #expect(again.due == 1000)
        let answer = try again.answer(
            .init(method: .get, path: "/groups/g/shares", key: stage.member), at: 0)
        #expect(try ShareListing(answer.body).store == stage.list(stage.member).store)
        #expect(try ShareListing(answer.body).entries.map(\.bytes) == [[5]])
    }
}

extension ShareService {
    /// When the first share must go.
    fileprivate var due: Int64? { (store as? FileStore)?.due }
}
