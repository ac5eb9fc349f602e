import EscrowFiles
import Glibc

/// Whose the other end of a connection over the loopback is, by the kernel's table of sockets: any user of the machine can connect,
/// and a browser sends a cookie to every port of a name.
enum LoopbackPeer {
    /// Whether the user of this process holds it. No, where the table has no such connection.
    static func isOurs(_ port: UInt16, to server: UInt16) -> Bool {
        // A table that changes while it is read can lack a line: once more, then.
        (0..<2).contains { _ in
            (try? SecureFile.read("/proc/net/tcp", limit: 64 << 20))
                .flatMap { owner(of: port, to: server, in: $0) } == geteuid()
        }
    }

    /// The user that holds a port of 127.0.0.1 which is connected to another one of it, in a table as `/proc/net/tcp` has it.
    static func owner(of port: UInt16, to server: UInt16, in table: [UInt8]) -> uid_t? {
        let ends = [address(port), address(server)]
        for line in table.split(separator: 0x0A).dropFirst() {
            let words = line.split(separator: 0x20, maxSplits: 8)
            guard words.count == 9, words[1].elementsEqual(ends[0]), words[2].elementsEqual(ends[1]) else {
                continue
            }
            return uid_t(String(decoding: words[7], as: UTF8.self))
        }
        return nil
    }

    /// `0100007F:9C40`: the kernel prints the four bytes of the address as one number of this machine.
    private static func address(_ port: UInt16) -> [UInt8] {
        let digits = String(port, radix: 16, uppercase: true)
        let host = UInt32(INADDR_LOOPBACK).bigEndian
        let number = String(host, radix: 16, uppercase: true)
        return Array(
            (String(repeating: "0", count: 8 - number.count) + number + ":"
                + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    }
}
