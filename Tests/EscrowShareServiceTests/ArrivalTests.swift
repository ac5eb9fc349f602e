import EscrowShareWire
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowShareService

/// Bodies that come in pieces, as a server's network brings them.
@Suite("Bodies on their way to a share service") struct ArrivalTests {
    final class Stage {
        let folder: TemporaryFolder
        let service: ShareService
        let owner: AccessKeys
        let member: String

        init(_ limits: ShareLimits = ShareLimits()) throws {
            folder = try TemporaryFolder("arrivals")
            service = try ShareService("\(folder.path)/shares.db", limits: limits)
            let opening = Opening(group: "g", node: "o", timeToLive: 1000).bytes
            owner = try AccessKeys(
                service.answer(.init(method: .post, path: "/groups", body: opening), at: 0).body)
            let admitted = try service.answer(
                .init(method: .post, path: "/groups/g/members", key: owner.master, body: Array("m".utf8)),
                at: 0)
            member = try AccessKeys(admitted.body).access
        }

        func arrive(_ message: String, _ key: String?, length: Int? = 20 << 20, from address: String? = nil)
            throws -> Arrival
        {
            try service.arrive(
                ShareRequest(
                    method: .put, path: "/groups/g/shares/\(message)", key: key, address: address,
                    length: length), at: 0)
        }
    }

    static let piece = [UInt8](repeating: 7, count: 32 << 10)

    @Test func aBodyInPiecesIsTheSameShare() throws {
        let stage = try Stage()
        for length in [nil, 3 * Self.piece.count] {
            var arrival = try stage.arrive("m", stage.owner.access, length: length)
            for _ in 0..<3 { #expect(stage.service.take(Self.piece, of: &arrival, at: 0)) }
            let status = try stage.service.answer(&arrival, at: 0).status
            #expect(status == (length == nil ? 201 : 200))
            stage.service.leave(arrival)
        }
    }

    /// Of a stranger's body nothing is held, and no more of it listened to than they need to hear the answer.
    @Test func aStrangersBodyIsNotHeld() throws {
        let stage = try Stage()
        var arrival = try stage.arrive("m", "no key")
        #expect(arrival.refusal == 401)
        var taken = 0
        while stage.service.take(Self.piece, of: &arrival, at: 0) { taken += 1 }
        #expect(taken == (2 << 20) / Self.piece.count && arrival.pieces.isEmpty)
        #expect(try stage.service.answer(&arrival, at: 0).status == 401)
        #expect(try stage.arrive("m", stage.owner.access, length: 21 << 20).refusal == 413)
    }

    @Test func aKeyHasOneLongUploadAtATime() throws {
        let stage = try Stage()
        let first = try stage.arrive("a", stage.owner.access)
        #expect(first.refusal == nil)
        // What says nothing of its length is a long one.
        #expect(try stage.arrive("b", stage.owner.access, length: nil).refusal == 429)
        #expect(try stage.arrive("b", stage.member).refusal == nil)
        // A message of every day comes meanwhile, and is no longer than it said.
        var short = try stage.arrive("c", stage.owner.access, length: 3)
        #expect(stage.service.take([1, 2, 3], of: &short, at: 0))
        #expect(try stage.service.answer(&short, at: 0).status == 201)
        var liar = try stage.arrive("d", stage.owner.access, length: 3)
        for _ in 0..<3 { _ = stage.service.take(Self.piece, of: &liar, at: 0) }
        #expect(liar.refusal == 413 && liar.pieces.isEmpty)
        stage.service.leave(first)
        #expect(try stage.arrive("b", stage.owner.access).refusal == nil)
    }

    /// Forty unfinished uploads were 0.45 GB of memory.
    @Test func allBodiesTogetherHoldNoMoreThanTheyMay() throws {
        var limits = ShareLimits()
        limits.bodiesBytes = 4 << 20
        let stage = try Stage(limits)
        let keys = try (0..<40).map { number in
            let answer = try stage.service.answer(
                .init(
                    method: .post, path: "/groups/g/members", key: stage.owner.master,
                    body: Array("m\(number)".utf8)), at: 0)
            return try AccessKeys(answer.body).access
        }
        // One address has a quarter.
        var arrivals: [Arrival] = []
        for key in keys.prefix(20) { arrivals.append(try stage.arrive("m", key, from: "a")) }
        for index in arrivals.indices {
            for _ in 0..<4 { #expect(stage.service.take(Self.piece, of: &arrivals[index], at: 0)) }
        }
        func held() -> Int { arrivals.reduce(0) { $0 + $1.pieces.reduce(0) { $0 + $1.count } } }
        #expect(held() == 1 << 20)
        #expect(try stage.service.answer(&arrivals[19], at: 0).status == 429)
        for (number, key) in keys.dropFirst(20).enumerated() {
            var arrival = try stage.arrive("m", key, from: "b\(number)")
            for _ in 0..<20 { #expect(stage.service.take(Self.piece, of: &arrival, at: 0)) }
            arrivals.append(arrival)
        }
        #expect(held() <= 4 << 20)
        var short = try stage.arrive("short", stage.owner.access, length: 1)
        #expect(stage.service.take([1], of: &short, at: 0))
        #expect(try stage.service.answer(&short, at: 0).status == 201)
        for arrival in arrivals { stage.service.leave(arrival) }
        var last = try stage.arrive("last", stage.owner.access, from: "a")
        for _ in 0..<32 { #expect(stage.service.take(Self.piece, of: &last, at: 0)) }
        #expect(try stage.service.answer(&last, at: 0).status == 201)
    }

    @Test func aLongAnswerIsHeldWithinTheSameLimit() throws {
        var limits = ShareLimits()
        limits.bodiesBytes = 400 << 10
        let stage = try Stage(limits)
        for number in 0..<3 {
            _ = try stage.service.answer(
                .init(
                    method: .put, path: "/groups/g/shares/m\(number)", key: stage.owner.access,
                    body: Self.piece), at: 0)
        }
        let list = ShareRequest(method: .get, path: "/groups/g/shares", key: stage.member, length: 0)
        var arrivals = try (0..<4).map { _ in try stage.service.arrive(list, at: 0) }
        let statuses = try arrivals.indices.map { try stage.service.answer(&arrivals[$0], at: 0).status }
        #expect(statuses == [200, 200, 200, 429])
        stage.service.leave(arrivals[0])
        #expect(try stage.service.answer(&arrivals[3], at: 0).status == 200)
    }

    @Test func whatComesByteByByteIsNotWaitedForWithoutEnd() throws {
        let stage = try Stage()
        var arrival = try stage.arrive("m", stage.owner.access)
        #expect(stage.service.take([1], of: &arrival, at: 59_999))
        #expect(!stage.service.take([1], of: &arrival, at: 60_000))
    }
}
