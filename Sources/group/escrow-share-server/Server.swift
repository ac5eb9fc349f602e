import CMicrohttpd
import EscrowShareService
import Glibc

/// HTTPS by libmicrohttpd; the service says what to answer. Nothing is logged.
enum Server {
    /// After so many seconds without a byte a connection ends, and so does one whose handshake takes longer. Clients that come
    /// again after a pause make a new one.
    private static let idle: UInt32 = 10

    /// Starts to listen. The daemon is never stopped: the process ends with it.
    static func start(_ options: Options, key: [UInt8], certificate: [UInt8], _ service: LockedService)
        -> UInt32?
    {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = options.port.bigEndian
        guard inet_pton(AF_INET, options.address, &address.sin_addr) == 1 else { return nil }
        let daemon = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                cmicrohttpd_start(
                    address, String(decoding: key, as: UTF8.self),
                    String(decoding: certificate, as: UTF8.self), handle, forget,
                    Unmanaged.passRetained(service).toOpaque(), 512, options.perAddress, idle)
            }
        }
        guard let daemon else { return nil }
        return cmicrohttpd_port(daemon)
    }

    private static let handle: MHD_AccessHandlerCallback = {
        (context, connection, path, method, _, bytes, count, state) in
        guard let context, let path, let method, let count, let state else { return .NO }
        guard let begun = state.pointee else {
            // The first call: the head alone.
            let service = Unmanaged<LockedService>.fromOpaque(context).takeUnretainedValue()
            guard let method = ShareRequest.Method(rawValue: String(cString: method)) else { return .NO }
            func header(_ name: String) -> String? {
                cmicrohttpd_header(connection, name).map { String(cString: $0) }
            }
            let request = ShareRequest(
                method: method, path: String(cString: path),
                after: cmicrohttpd_argument(connection, "after").map { String(cString: $0) },
                key: header("Authorization").flatMap {
                    $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil
                },
                address: service.knowsAddresses ? Self.address(of: connection) : nil,
                // A body in chunks does not say how long it is; without either there is none.
                length: header("Transfer-Encoding") == nil ? Int(header("Content-Length") ?? "0") : nil)
            let exchange = Exchange(service, request)
            state.pointee = Unmanaged.passRetained(exchange).toOpaque()
            // Who asks before it sends is answered before it sends. Others would not hear it while they send.
            guard header("Expect") != nil, let refusal = exchange.refusal else { return .YES }
            return Self.answer(connection, refusal)
        }
        let exchange = Unmanaged<Exchange>.fromOpaque(begun).takeUnretainedValue()
        guard count.pointee == 0 else {
            let isHeard = exchange.take(UnsafeBufferPointer(start: bytes, count: count.pointee))
            count.pointee = 0
            return isHeard ? .YES : .NO
        }
        return Self.answer(connection, exchange.answer())
    }

    private static func answer(_ connection: OpaquePointer?, _ answer: ShareAnswer) -> MHD_Result {
        answer.body.withUnsafeBytes {
            cmicrohttpd_answer(connection, answer.status, $0.baseAddress, $0.count)
        }
    }

    private static func address(of connection: OpaquePointer?) -> String? {
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(cmicrohttpd_descriptor(connection), $0, &length)
            }
        }
        return status == 0 ? String(name.sin_addr.s_addr) : nil
    }

    private static let forget: MHD_RequestCompletedCallback = { _, _, state, _ in
        guard let begun = state?.pointee else { return }
        Unmanaged<Exchange>.fromOpaque(begun).release()
        state?.pointee = nil
    }
}
