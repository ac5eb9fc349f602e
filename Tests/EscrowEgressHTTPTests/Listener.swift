import Foundation
import Glibc

/// A server that takes one connection, reads what comes, and never says a word.
final class Listener: Sendable {
    let port: Int
    private let descriptor: Int32

    /// Listens on loopback.
    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(descriptor, address, size) == 0, listen(descriptor, 8) == 0 else { return errno }
                return getsockname(descriptor, address, &size)
            }
        }
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
        guard status == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit { close(descriptor) }

    /// Waits for a connection.
    func accept() -> Int32 { Glibc.accept(descriptor, nil, nil) }

    /// Whether a connection waits to be taken.
    var hasConnection: Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) == 1
    }

    /// Reads until the text has come.
    static func read(_ connection: Int32, until end: String) -> Bool {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !text.contains(end) {
            let count = Glibc.read(connection, &buffer, buffer.count)
            guard count > 0 else { return false }
            text += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        return true
    }

    /// Reads to the end; false where it does not come as an end or a reset.
    static func readToEnd(_ connection: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(connection, &buffer, buffer.count)
            if count <= 0 { return count == 0 || errno == ECONNRESET }
        }
    }
}
