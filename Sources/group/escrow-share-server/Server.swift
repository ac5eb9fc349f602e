import CMicrohttpd
import EscrowShareService
import Glibc

/// HTTPS by libmicrohttpd; the service says what to answer. Nothing is logged.
enum Server {
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
                    Unmanaged.passRetained(service).toOpaque(), 512, 64, 30)
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
            let header = cmicrohttpd_header(connection, "Authorization").map { String(cString: $0) }
            let request = ShareRequest(
                method: method, path: String(cString: path),
                after: cmicrohttpd_argument(connection, "after").map { String(cString: $0) },
                key: header.flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil })
            state.pointee = Unmanaged.passRetained(Exchange(service, request)).toOpaque()
            return .YES
        }
        let exchange = Unmanaged<Exchange>.fromOpaque(begun).takeUnretainedValue()
        guard count.pointee == 0 else {
            exchange.take(UnsafeBufferPointer(start: bytes, count: count.pointee))
            count.pointee = 0
            return .YES
        }
        let answer = exchange.answer
        return answer.body.withUnsafeBytes {
            cmicrohttpd_answer(connection, answer.status, $0.baseAddress, $0.count)
        }
    }

    private static let forget: MHD_RequestCompletedCallback = { _, _, state, _ in
        guard let begun = state?.pointee else { return }
        Unmanaged<Exchange>.fromOpaque(begun).release()
        state?.pointee = nil
    }
}
