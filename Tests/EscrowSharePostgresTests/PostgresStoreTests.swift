import EscrowShareClient
import EscrowShareService
import EscrowShareWire
import Foundation
import ShareServers
import TemporaryFolder
import Testing

@testable import EscrowSharePostgres

@Suite("Shares in PostgreSQL", .serialized) struct PostgresStoreTests {
    static func share(_ message: String, _ bytes: [UInt8], of node: String = "o", at now: Int64 = 0)
        -> NewShare
    {
        NewShare(group: "g", message: message, node: node, bytes: bytes, at: now)
    }

    @Test func itKeepsWhatTheFileKeeps() throws {
        guard let server = try PostgresServer() else { return }
        let folder = try TemporaryFolder("share-store")
        for store in [try PostgresStore(server.words), try FileStore(folder.path + "/shares.db")]
            as [any ShareStore]
        {
            #expect(store.name.count == 32)
            #expect(try store.begin("g", owner: "o", timeToLive: 1000, master: [1], access: [2]))
            #expect(try !store.begin("g", owner: "x", timeToLive: 1, master: [9], access: [9]))
            #expect(try store.groups() == 1)
            try store.admit("m", to: "g", access: [3])
            try store.admit("m", to: "g", access: [4])
            #expect(try store.members(of: "g") == 2)
            #expect(try store.isMaster([1], of: "g") && !store.isMaster([9], of: "g"))
            #expect(try store.node(of: [2], in: "g") == "o" && store.node(of: [4], in: "g") == "m")
            #expect(try store.node(of: [3], in: "g") == nil)
            let bytes = (0..<500).map { UInt8($0 % 256) }
            #expect(try store.put(Self.share("a", bytes), atMost: 1000) == .kept)
            #expect(try store.put(Self.share("a", bytes), atMost: 1000) == .there)
            #expect(try store.put(Self.share("a", [1]), atMost: 1000) == .taken)
            #expect(try store.put(Self.share("b", bytes, at: 500), atMost: 1000) == .kept)
            #expect(try store.put(Self.share("c", [1]), atMost: 1000) == .full)
            #expect(try store.put(Self.share("c", [1], of: "m"), atMost: 2000) == .kept)
            let all = try store.shares(of: "g", after: 0, for: "m", at: 0, atMost: 5000)
            #expect(all.entries.map(\.message) == ["o.a", "o.b"] && all.entries[0].bytes == bytes)
            // What does not fit comes with the next; one at least.
            let one = try store.shares(of: "g", after: 0, for: "m", at: 0, atMost: 10)
            #expect(one.entries.map(\.message) == ["o.a"])
            let rest = try store.shares(of: "g", after: one.next, for: "m", at: 0, atMost: 10)
            #expect(rest.entries.map(\.message) == ["o.b"] && rest.next == all.next)
            // Due: in no answer before it is swept, and then gone.
            #expect(
                try store.shares(of: "g", after: 0, for: "m", at: 1000, atMost: 5000).entries.map(\.message)
                    == ["o.b"])
            try store.sweep(at: 1000)
            #expect(try store.put(Self.share("a", [1], at: 1000), atMost: 1000) == .kept)
            try store.expel("m", from: "g")
            #expect(try store.node(of: [4], in: "g") == nil)
            try store.end("g")
            #expect(try store.groups() == 0 && store.members(of: "g") == 0)
        }
    }

    /// The share itself is in no file at any time, sealed only; its key is, until its time.
    @Test func afterItsTimeAKeyIsInNoFile() throws {
        guard let server = try PostgresServer() else { return }
        let store = try PostgresStore(server.words)
        _ = try store.begin("g", owner: "o", timeToLive: 1000, master: [1], access: [2])
        let bytes = (0..<64).map { _ in UInt8.random(in: 0...255) }
        _ = try store.put(Self.share("a", bytes), atMost: 10_000)
        _ = try store.put(Self.share("b", bytes.reversed(), at: 5000), atMost: 10_000)
        let connection = Connection(server.words)
        let keys = try connection.rows("SELECT key FROM share_key ORDER BY number").map { $0[0].bytes }
        #expect(keys.count == 2)
        // A checkpoint writes no table without a log; as it is written anew the keys are in a file.
        try connection.execute("VACUUM (FULL) share_key")
        #expect(try server.holds(keys[0]) && server.holds(keys[1]))
        #expect(try !server.holds(bytes))
        try store.sweep(at: 1000)
        try connection.execute("CHECKPOINT")
        #expect(try !server.holds(keys[0]))
        #expect(
            try store.shares(of: "g", after: 0, for: "m", at: 1000, atMost: 10_000).entries.map(\.bytes) == [
                bytes.reversed()
            ])
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Two servers with one key and one database behind haproxy; one of them is killed. Neither keeps anything.
    @Test func serversBehindABalancerAreOne() throws {
        guard let server = try PostgresServer() else { return }
        guard FileManager.default.isExecutableFile(atPath: "/usr/sbin/haproxy") else {
            return print("SKIP haproxy is not here: apt-get install haproxy")
        }
        let first = try ShareServer(postgres: server.words)
        let second = try ShareServer(postgres: server.words, twin: first)
        let folder = try TemporaryFolder("haproxy")
        // Below the ports that the system hands out, so that no program takes it by chance before the balancer does.
        let ports = (0..<100).map { _ in UInt16.random(in: 20_000..<32_000) }
        let port = try #require(ports.first(where: Self.isFree))
        let places = [first, second].map { $0.address.dropFirst(8).prefix { $0 != "#" } }
        try Data(
            """
            defaults
                mode tcp
                timeout connect 30s
                timeout client 120s
                timeout server 120s
                option redispatch
                retries 3
            listen shares
                bind 127.0.0.1:\(port)
                balance roundrobin
                server one \(places[0]) check inter 2s
                server two \(places[1]) check inter 2s

            """.utf8
        ).write(to: folder.url.appending(path: "haproxy.cfg"))
        let balancer = Process()
        balancer.executableURL = URL(filePath: "/usr/sbin/haproxy")
        balancer.arguments = ["-db", "-f", folder.path + "/haproxy.cfg"]
        balancer.standardError = FileHandle.nullDevice
        balancer.standardOutput = FileHandle.nullDevice
        try balancer.run()
        defer {
            balancer.terminate()
            balancer.waitUntilExit()
        }
        let pin = try #require(first.address.split(separator: "#").last)
        #expect(second.address.hasSuffix(pin))
        let address = try #require(ServerAddress("https://127.0.0.1:\(port)#\(pin)"))
        /// Each call by a connection of its own: the balancer sends them to both.
        func call(_ method: String, _ path: String, _ key: String?, _ body: [UInt8] = []) -> Call.Outcome {
            Client(patience: 120)?.make(
                [Call(address, method, path, key: key, body: body)], longest: ShareListing.longest)[0]
                ?? .unreachable
        }
        let opening = Opening(group: "g", node: "o", timeToLive: 60_000)
        var owner: AccessKeys?
        #expect(
            try comes(within: 180) {
                guard case .answered(201, let body) = call("POST", "/groups", nil, opening.bytes) else {
                    return false
                }
                owner = try AccessKeys(body)
                return true
            })
        guard
            case .answered(201, let body) = call("POST", "/groups/g/members", owner?.master, Array("m".utf8))
        else {
            Issue.record("no member")
            return
        }
        let member = try AccessKeys(body)
        for number in 0..<10 {
            #expect(
                call("PUT", "/groups/g/shares/s\(number)", owner?.access, [UInt8(number)])
                    == .answered(status: 201, body: []))
        }
        first.kill()
        #expect(
            comes(within: 180) {
                call("PUT", "/groups/g/shares/late", owner?.access, [99]) == .answered(status: 201, body: [])
            })
        guard case .answered(200, let listing) = call("GET", "/groups/g/shares?after=0", member.access) else {
            Issue.record("no listing")
            return
        }
        #expect(try ShareListing(listing).entries.map(\.bytes) == (0..<10).map { [$0] } + [[99]])
    }
}
