import EscrowShareWire
import Foundation
import ShareServers
import Testing

@testable import EscrowShareClient

/// The client and a server's process, over TLS on loopback.
@Suite("A client of share servers") struct ClientTests {
    struct Group {
        let address: ServerAddress
        let owner: AccessKeys
        let member: AccessKeys
        let client: Client

        init(_ server: ShareServer, timeToLive: Int64) throws {
            client = try #require(Client(patience: 120))
            address = try #require(ServerAddress(server.address))
            let opening = Opening(group: "g", node: "o", timeToLive: timeToLive)
            owner = try AccessKeys(
                Self.body(client.make([Call(address, "POST", "/groups", body: opening.bytes)])[0], 201))
            let call = Call(address, "POST", "/groups/g/members", key: owner.master, body: Array("m".utf8))
            member = try AccessKeys(Self.body(client.make([call])[0], 201))
        }

        static func body(_ outcome: Call.Outcome, _ expected: Int) throws -> [UInt8] {
            guard case .answered(let status, let body) = outcome else {
                Issue.record("\(outcome)")
                return []
            }
            #expect(status == expected)
            return body
        }

        func put(_ name: String, _ bytes: [UInt8]) -> Call {
            Call(address, "PUT", "/groups/g/shares/\(name)", key: owner.access, body: bytes)
        }

        func list() throws -> ShareListing {
            let call = Call(address, "GET", "/groups/g/shares?after=0", key: member.access)
            return try ShareListing(Self.body(client.make([call], longest: ShareListing.longest)[0], 200))
        }
    }

    /// After its time to live a share is in no answer, and within a second more in no file. A machine that has no time
    /// for the server, or for this, may need another attempt; a server that is late by itself is so each time.
    @Test func aShareIsGoneWithinASecondOfItsTime() throws {
        var late: [Double] = []
        for _ in 0..<8 where late.last ?? 1 >= 1 { late.append(try Self.secondsLate()) }
        #expect(late.contains { $0 < 1 }, "\(late)")
    }

    /// How long after its time a share was still in a file, in seconds, measured from the moment at which the upload
    /// was answered; without end where nobody looked before that time.
    private static func secondsLate() throws -> Double {
        let server = try ShareServer()
        let group = try Group(server, timeToLive: 700)
        let canary = Array("canary of a share".utf8)
        let begun = Date()
        // The server counts in whole milliseconds, and cuts the first one off.
        func isBefore() -> Bool { Date().timeIntervalSince(begun) < 0.699 }
        #expect(group.client.make([group.put("a", canary)]) == [.answered(status: 201, body: [])])
        let answered = Date()
        let entries = try group.list().entries
        let isHeld = try server.holds(canary)
        let isSeen = isBefore()
        if isSeen { #expect(entries.map(\.bytes) == [canary] && isHeld) }
        // In answers until its time, and not a moment longer.
        while true {
            let isOver = Date().timeIntervalSince(answered) > 0.7
            let isListed = try !group.list().entries.isEmpty
            #expect(!isListed || !isOver)
            #expect(isListed || !isBefore())
            if isOver || !isListed { break }
            // No more often than a server lets a member ask.
            usleep(5_000)
        }
        #expect(try comes(within: 60) { try !server.holds(canary) })
        return isSeen ? Date().timeIntervalSince(answered) - 0.7 : .infinity
    }

    @Test func manySharesGoOverOneConnectionInTheirOrder() throws {
        let server = try ShareServer()
        let group = try Group(server, timeToLive: 60_000)
        let calls = (0..<300).map { group.put("m\($0)", [UInt8](repeating: UInt8($0 % 256), count: 700)) }
        #expect(group.client.make(calls).allSatisfy { $0 == .answered(status: 201, body: []) })
        let long = [UInt8](repeating: 9, count: 2 << 20)
        #expect(group.client.make([group.put("long", long)]) == [.answered(status: 201, body: [])])
        let entries = try group.list().entries
        #expect(entries.count == 301)
        #expect(entries.last?.bytes == long)
        // Of an answer that is longer than it may be nothing is taken.
        let call = Call(group.address, "GET", "/groups/g/shares", key: group.member.access)
        #expect(group.client.make([call], longest: 1000) == [.unreachable])
    }

    @Test func whoeverHasAnotherKeyIsNotTheServer() throws {
        let server = try ShareServer()
        let other = try ShareServer()
        let wrong = try #require(
            ServerAddress(
                server.address.prefix { $0 != "#" } + "#" + other.address.split(separator: "#")[1]))
        let client = try #require(Client())
        #expect(client.make([Call(wrong, "GET", "/groups/g/shares", key: "k")]) == [.stranger])
        other.kill()
        let gone = try #require(ServerAddress(other.address))
        let right = try #require(ServerAddress(server.address))
        // One that is gone keeps none of the others from being asked.
        #expect(
            client.make([Call(gone, "GET", "/groups/g/shares"), Call(right, "GET", "/groups/g/shares")])
                == [.unreachable, .answered(status: 401, body: [])])
    }

    @Test func aStrangersLongBodyIsNotTaken() throws {
        let server = try ShareServer(["--share-bytes", "5000"])
        let group = try Group(server, timeToLive: 60_000)
        let long = [UInt8](repeating: 1, count: 6000)
        #expect(group.client.make([group.put("a", long)]) == [.answered(status: 413, body: [])])
        let call = Call(group.address, "PUT", "/groups/g/shares/a", key: "stranger", body: long)
        #expect(group.client.make([call]) == [.answered(status: 401, body: [])])
    }

    @Test(arguments: [
        "", "http://a:1#sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "https://a:1",
        "https://a/b#sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "https://u@a#sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "https://a:1#sha256//AAAA",
    ])
    func anAddressWithoutAKeyIsNone(text: String) { #expect(ServerAddress(text) == nil) }
}
