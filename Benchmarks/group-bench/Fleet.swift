import EscrowGroup
import EscrowGroupDevice
import EscrowShareClient
import Foundation

/// Share servers' processes at three addresses of this machine.
struct Fleet {
    private var processes: [Process] = []
    private(set) var addresses: [String] = []

    init(_ count: Int, _ program: String, _ folder: String) throws {
        for number in 0..<count {
            let start = "\(folder)/server-\(number)"
            let openssl = Process()
            openssl.executableURL = URL(filePath: "/usr/bin/env")
            openssl.arguments = [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-days",
                "2", "-subj", "/CN=share", "-keyout", start + ".key", "-out", start + ".pem",
            ]
            openssl.standardError = FileHandle.nullDevice
            try openssl.run()
            openssl.waitUntilExit()
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(filePath: program)
            process.arguments = [
                "--folder", start, "--key", start + ".key", "--certificate", start + ".pem", "--port", "0",
                "--address", "127.0.0.\(number % 3 + 1)", "--rate", "100000", "--foundings", "1000",
            ]
            process.standardOutput = output
            try process.run()
            processes.append(process)
            var line = Data()
            while line.last != 0x0A, let byte = try output.fileHandleForReading.read(upToCount: 1),
                !byte.isEmpty
            {
                line += byte
            }
            addresses.append(String(decoding: line.dropLast(), as: UTF8.self))
        }
    }

    func stop() {
        for process in processes where process.isRunning { process.terminate() }
        for process in processes { process.waitUntilExit() }
    }
}

/// A device, and the connections whose time is counted.
struct Side {
    let device: Device
    let client: Client

    init(_ folder: String) throws {
        guard let client = Client() else { fatalError("libcurl cannot be used") }
        self.client = client
        device = try Device(folder, client: client)
    }
}

/// A new group of two devices.
struct Pair {
    let one: Side
    let other: Side
    let now: Int64 = 1_000_000_000_000
    nonisolated(unsafe) private static var number = 0

    init(_ fleet: Fleet, servers: Int, threshold: Int, accepted: Int, _ folder: String) throws {
        Self.number += 1
        let (here, there) = ("\(folder)/one-\(Self.number)", "\(folder)/other-\(Self.number)")
        try Candidate(here, name: "a", email: "").create(
            GroupPlan(
                name: "g", appId: "org.example.bench", entities: ["Record"], rule: .newestWins,
                timeToLive: 3_600_000, servers: Array(fleet.addresses.prefix(servers)), threshold: threshold,
                accepted: accepted))
        one = try Side(here)
        let candidate = try Candidate(there, name: "b", email: "")
        let introduction = candidate.introduction
        let invitation = try one.device.invite(introduction, code: introduction.code, at: now)
        try candidate.join(invitation, code: invitation.owner.code)
        other = try Side(there)
        // Connections stand, and the first confirms are exchanged.
        for _ in 0..<2 {
            _ = try one.device.sync(at: now)
            _ = try other.device.sync(at: now)
        }
    }
}
