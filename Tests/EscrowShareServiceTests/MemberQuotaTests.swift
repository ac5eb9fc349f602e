import EscrowShareWire
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowShareService

/// A member, or one just removed, against the rest of its group.
@Suite("A member's part of a group") struct MemberQuotaTests {
    final class Stage {
        let folder: TemporaryFolder
        let service: ShareService
        var keys: [String: String] = [:]
        var master = ""

        /// A group of an owner and others.
        init(_ others: [String], groupBytes: Int64 = 1000) throws {
            var limits = ShareLimits()
            (limits.groupBytes, limits.shareBytes) = (groupBytes, 100)
            folder = try TemporaryFolder("quota")
            service = try ShareService("\(folder.path)/shares.db", limits: limits)
            let opening = Opening(group: "g", node: "owner", timeToLive: 30 * 86_400_000).bytes
            let owner = try AccessKeys(ask(.post, "/groups", nil, opening).body)
            keys["owner"] = owner.access
            master = owner.master ?? ""
            for other in others {
                let answer = try ask(.post, "/groups/g/members", master, Array(other.utf8))
                keys[other] = try AccessKeys(answer.body).access
            }
        }

        func ask(_ method: ShareRequest.Method, _ path: String, _ key: String?, _ body: [UInt8] = []) throws
            -> ShareAnswer
        {
            try service.answer(.init(method: method, path: path, key: key, body: body), at: 0)
        }

        /// How many of so many shares are taken of a member.
        func put(_ count: Int, of node: String, _ bytes: [UInt8] = [UInt8](repeating: 1, count: 100)) throws
            -> Int
        {
            try (0..<count).filter {
                try ask(.put, "/groups/g/shares/m\($0)", keys[node], bytes).status == 201
            }.count
        }
    }

    @Test func aMemberThatFillsItsPartSilencesNobody() throws {
        let stage = try Stage(["bad", "good"])
        // Of nine hundred bytes each of three has a third.
        #expect(try stage.put(20, of: "bad") == 3)
        #expect(try stage.put(3, of: "good") == 3)
        #expect(try stage.put(20, of: "owner") == 4)
    }

    @Test func theLastTenthIsTheOwners() throws {
        let stage = try Stage((0..<19).map { "m\($0)" })
        // However many they are, each has room for the longest share while there is any.
        let taken = try (0..<19).map { try stage.put(5, of: "m\($0)") }
        #expect(taken == [Int](repeating: 1, count: 9) + [Int](repeating: 0, count: 10))
        #expect(try stage.put(5, of: "owner") == 1)
    }

    @Test func theSharesOfARemovedMemberGoWithIt() throws {
        let stage = try Stage(["bad", "good"])
        let canary = Array("a removed member's share".utf8)
        #expect(try stage.put(20, of: "bad", canary) > 0)
        #expect(try stage.ask(.delete, "/groups/g/members/bad", stage.master).status == 204)
        let listing = try stage.ask(.get, "/groups/g/shares", stage.keys["good"])
        #expect(try ShareListing(listing.body).entries.isEmpty)
        for name in try FileManager.default.contentsOfDirectory(atPath: stage.folder.path) {
            let data = try Data(contentsOf: stage.folder.url.appending(path: name))
            #expect(data.range(of: Data(canary)) == nil)
        }
        #expect(try stage.put(20, of: "good") == 4)
        #expect(try stage.put(20, of: "owner") == 6)
    }

    /// A share of one byte takes room for its names, too.
    @Test func manyShortSharesCountByWhatLiesBesideThem() throws {
        let stage = try Stage(["bad"], groupBytes: 5120)
        #expect(try stage.put(1020, of: "bad", [1]) == 1009)
        #expect(try stage.put(1, of: "owner") == 1)
    }
}
