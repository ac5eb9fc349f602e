import EscrowShareClient
import EscrowShareWire
import Foundation
import ShareServers
import TemporaryFolder
import Testing

/// Attacks on the program itself, from outside.
@Suite("Attacks on a share server's process") struct ShareServerAttackTests {
    let client: Client

    init() throws { client = try #require(Client(patience: 120)) }

    private func call(
        _ server: ShareServer, _ method: String, _ path: String, _ key: String? = nil, _ body: [UInt8] = []
    ) throws -> (status: Int, body: [UInt8]) {
        let address = try #require(ServerAddress(server.address))
        let outcome = client.make(
            [Call(address, method, path, key: key, body: body)], longest: ShareListing.longest)[0]
        guard case .answered(let status, let body) = outcome else { return (0, []) }
        return (status, body)
    }

    private func begin(_ group: String, _ server: ShareServer, timeToLive: Int64 = 60_000) throws -> (
        status: Int, body: [UInt8]
    ) {
        try call(
            server, "POST", "/groups", nil, Opening(group: group, node: "o", timeToLive: timeToLive).bytes)
    }

    @Test func groupsOfOneAddressAreCounted() throws {
        let server = try ShareServer(["--foundings", "3"])
        let statuses = try (0..<5).map { try begin("g\($0)", server).status }
        #expect(statuses == [201, 201, 201, 429, 429])
    }

    /// Behind a balancer all have one address: more than one address's connections are open, and the next is served.
    @Test func withoutALimitByAddressABalancerHasRoomForAll() throws {
        let server = try ShareServer(["--per-address", "0"])
        let port = try #require(server.address.split(separator: "#").first?.split(separator: ":").last)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = try #require(UInt16(port)).bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let sockets = (0..<100).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        defer { for socket in sockets { close(socket) } }
        for socket in sockets {
            let status = withUnsafePointer(to: &name) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            #expect(status == 0)
        }
        #expect(try begin("g", server).status == 201)
    }

    /// A folder of a few MiB of its own, which nobody else sees.
    private static let isolate = geteuid() == 0 ? "unshare -m" : "unshare -Um --map-root-user"

    private static func canIsolate() throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "exec \(isolate) mount -t tmpfs tmpfs /mnt"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Shares up to the limit, and then somebody else takes the rest of the disk: the server goes on, and what is due is gone.
    @Test func onAFullDiskSharesAreForgottenAllTheSame() throws {
        guard try Self.canIsolate() else { return print("SKIP no mount of its own may be made here") }
        let folder = try TemporaryFolder("full-disk")
        let program = folder.url.appending(path: "server")
        let shares = ShareServer.products.appending(path: "escrow-share-server").path
        try Data(
            """
            #!/bin/sh
            mkdir -p "$2" && echo $$ >"$2.pid"
            exec \(Self.isolate) sh -c 'mount -t tmpfs -o size=8m,mode=700 tmpfs "$2" && exec "\(shares)" "$@"' sh "$@"

            """.utf8
        ).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
        let server = try ShareServer(program: program)
        let owner = try AccessKeys(begin("g", server, timeToLive: 5000).body)
        let member = try AccessKeys(
            call(server, "POST", "/groups/g/members", owner.master, Array("m".utf8)).body)
        let canary = Array("a share on a full disk".utf8)
        let long = (0..<12_000).flatMap { _ in canary }
        var status = 201
        for number in 0..<100 where status == 201 {
            status = try call(server, "PUT", "/groups/g/shares/m\(number)", owner.access, long).status
        }
        #expect(status == 507)
        let data = server.folder.path + "/data"
        let pid = try String(contentsOfFile: data + ".pid", encoding: .utf8).filter { $0.isNumber }
        let seen = "/proc/\(pid)/root\(data)"
        let filler = seen + "/filler"
        // Who may not look into the server's folder cannot fill it either.
        let isFilled = FileManager.default.createFile(atPath: filler, contents: nil)
        if isFilled {
            let file = open(filler, O_WRONLY | O_APPEND)
            let zeros = [UInt8](repeating: 0, count: 4096)
            while write(file, zeros, zeros.count) > 0 {}
            close(file)
        }
        func holds() throws -> Bool {
            try FileManager.default.contentsOfDirectory(atPath: seen).contains { name in
                guard name != "filler" else { return false }
                return (try? Data(contentsOf: URL(filePath: seen + "/" + name)))?.range(of: Data(canary))
                    != nil
            }
        }
        #expect(
            try comes(within: 120) {
                let listing = try call(server, "GET", "/groups/g/shares?after=0", member.access)
                guard listing.status == 200 else { return false }
                return try ShareListing(listing.body).entries.isEmpty && (!isFilled || !holds())
            })
        if isFilled { try FileManager.default.removeItem(atPath: filler) }
        #expect(try call(server, "PUT", "/groups/g/shares/again", owner.access, [1]).status == 201)
    }
}
