import Foundation
import TemporaryFolder
import Testing

/// Whoever reaches a server's port without a certificate: it takes nothing from the devices.
@Suite struct CrowdedServerTests {
    @Test func connectionsThatSayNothingLeaveRoomAndAreClosed() throws {
        let server = try OffloadServer(runs: 1)
        // It may raise its limit to no more than this.
        try server.start(through: ["prlimit", "--nofile=256:400"], more: ["--metrics", "0"])
        let escrow = try Escrow.offloading(to: try server.enrol())
        let port = try #require(UInt16(exactly: try Self.port(of: server)))
        let silent = try (0..<200).map { _ in try Self.connect(port) }
        defer { for each in silent { close(each) } }

        let outcome = try escrow.offload()
        #expect(outcome.status == 0, "\(outcome.words) \(server.log)")
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.pid)/fd")
        #expect(descriptors.count < 300)
        // All of them, by the server: none says anything.
        #expect(silent.allSatisfy { Self.isEnded($0) })
        #expect(try escrow.offload().status == 0)
    }

    @Test func whoeverAsksNothingForMetricsIsClosedAndOthersAreAnsweredMeanwhile() throws {
        let server = try OffloadServer()
        try server.start(more: ["--metrics", "0"])
        let port = try #require(server.metricsPort.flatMap { UInt16(exactly: $0) })
        let silent = try (0..<40).map { _ in try Self.connect(port) }
        defer { for each in silent { close(each) } }
        let outcome = try Escrow.start(
            ["-s", "--max-time", "120", "http://127.0.0.1:\(port)/healthz"], home: Escrow.root,
            program: URL(filePath: "/usr/bin/curl"))
        #expect(outcome.output == "serving\n")
        #expect(silent.allSatisfy { Self.isEnded($0) })
    }

    static func port(of server: OffloadServer) throws -> Int {
        let settings = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(filePath: server.folder + "/server.json")))
        return try #require((settings as? [String: Any])?["port"] as? Int)
    }

    private static func connect(_ port: UInt16) throws -> Int32 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(socket >= 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = port.bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0)
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        return socket
    }

    /// Waits for the other side's end.
    private static func isEnded(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, 0)
        return count == 0 || count < 0 && errno == ECONNRESET
    }
}
