import CMicrohttpd
import EscrowDiagnostics
import Glibc
import Synchronization

/// HTTP/1.1 by libmicrohttpd over connections that are handed to it. One thread reads and writes; what takes time is done by
/// others, and its connection sleeps meanwhile.
final class HTTPServer: Sendable {
    /// Answers a request by `Exchange.reply`, on any thread.
    private let answer: @Sendable (Exchange) -> Void
    private nonisolated(unsafe) var daemon: OpaquePointer?
    private let links = Mutex(Links(most: HTTPServer.most, mostOfShare: HTTPServer.mostOfShare))

    /// The most connections of one share: of an app, or of a process that does not prove which app it is.
    static let mostOfShare = 64
    /// The most connections of all shares together.
    static let most = 1024
    /// How long a connection may be idle, or a request incomplete.
    static let seconds: UInt32 = 20

    init(answer: @escaping @Sendable (Exchange) -> Void) throws(Diagnostic) {
        self.answer = answer
        daemon = cmicrohttpd_start_unheard(
            Self.handle, Self.forget, Self.linked, Unmanaged.passUnretained(self).toOpaque(),
            UInt32(2 * Self.most),
            Self.seconds)
        guard daemon != nil else { throw Diagnostic(.ownFault, "the server for apps cannot be started") }
    }

    /// Takes over a connection. Where there are too many, an idle one is closed for it; where all are busy, it is closed itself.
    func add(_ link: Link) {
        let descriptor = link.descriptor
        guard links.withLock({ $0.add(link) }) else {
            Glibc.close(descriptor)
            return
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isTaken = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                MHD_add_connection(daemon, descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size))
            }
        }
        if isTaken != .YES { remove(descriptor) }
    }

    /// Whether an app, or a process, has as many connections as it may.
    func isFull(_ share: String) -> Bool { links.withLock { $0.isFull(share) } }

    /// The other end of a connection is closed.
    func hangUp(_ descriptor: Int32) { links.withLock { $0.of(descriptor) }?.end() }

    /// Ends what came by a door that is about to be closed.
    func hangUpAll(by door: Int32) {
        // Under the lock, so that each descriptor is still that connection's.
        let ended = links.withLock { $0.close(by: door) }
        for link in ended { link.end() }
    }

    private func remove(_ descriptor: Int32) { links.withLock { $0.remove(descriptor) }?.end() }

    // MARK: What libmicrohttpd calls, on its one thread

    private static func server(_ context: UnsafeMutableRawPointer?) -> HTTPServer? {
        context.map { Unmanaged<HTTPServer>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let linked: MHD_NotifyConnectionCallback = { context, connection, state, code in
        guard let server = HTTPServer.server(context), let connection, let state else { return }
        // MHD_CONNECTION_NOTIFY_STARTED
        if code.rawValue == 0 {
            let descriptor = cmicrohttpd_descriptor(connection)
            guard let link = server.links.withLock({ $0.of(descriptor) }) else { return }
            state.pointee = Unmanaged.passRetained(link).toOpaque()
        } else {
            guard let held = state.pointee else { return }
            let link = Unmanaged<Link>.fromOpaque(held).takeRetainedValue()
            state.pointee = nil
            server.remove(link.descriptor)
        }
    }

    private static let handle: MHD_AccessHandlerCallback = {
        (context, connection, path, method, _, bytes, count, state) in
        guard let server = HTTPServer.server(context), let connection, let path, let method, let count,
            let state
        else { return .NO }
        guard let begun = state.pointee else {
            guard let held = cmicrohttpd_link(connection) else { return .NO }
            let link = Unmanaged<Link>.fromOpaque(held).takeUnretainedValue()
            let exchange = Exchange(
                method: String(cString: method), path: String(cString: path), link: link,
                headers: HTTPServer.headers(connection))
            state.pointee = Unmanaged.passRetained(exchange).toOpaque()
            return .YES
        }
        let exchange = Unmanaged<Exchange>.fromOpaque(begun).takeUnretainedValue()
        guard count.pointee == 0 else {
            exchange.take(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
            count.pointee = 0
            return .YES
        }
        if let reply = exchange.reply { return HTTPServer.send(reply, connection) }
        guard exchange.begins() else { return .YES }
        // Suspended before the answer is begun: a reply from another thread would otherwise resume a connection that is not
        // suspended yet, and it would then sleep until it is closed.
        nonisolated(unsafe) let sleeping = connection
        MHD_suspend_connection(connection)
        exchange.whenReplied { MHD_resume_connection(sleeping) }
        server.answer(exchange)
        return .YES
    }

    private static let forget: MHD_RequestCompletedCallback = { _, _, state, _ in
        guard let begun = state?.pointee else { return }
        let exchange = Unmanaged<Exchange>.fromOpaque(begun).takeRetainedValue()
        exchange.link.finish()
        if case .events(let stream)? = exchange.reply { stream.abandon() }
        state?.pointee = nil
    }

    private static func headers(_ connection: OpaquePointer) -> [String: String] {
        final class Box { var headers: [String: String] = [:] }
        let box = Box()
        MHD_get_connection_values(
            connection, .HEADER_KIND,
            { context, _, name, value in
                guard let context, let name, let value else { return .YES }
                let box = Unmanaged<Box>.fromOpaque(context).takeUnretainedValue()
                let key = String(cString: name).lowercased()
                if box.headers[key] == nil { box.headers[key] = String(cString: value) }
                return .YES
            }, Unmanaged.passUnretained(box).toOpaque())
        return box.headers
    }

    private static func send(_ reply: Exchange.Reply, _ connection: OpaquePointer) -> MHD_Result {
        let response: OpaquePointer?
        let status: UInt32
        var headers: [(name: String, value: String)]
        switch reply {
        case .answer(let answer):
            status = answer.status
            headers = answer.headers
            response = answer.body.withUnsafeBytes {
                MHD_create_response_from_buffer(
                    $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .events(let stream):
            status = 200
            headers = [("Content-Type", "text/event-stream")]
            let reader = Unmanaged.passRetained(EventReader(stream, connection)).toOpaque()
            response = MHD_create_response_from_callback(
                .max, 4096, EventReader.read, reader,
                { Unmanaged<EventReader>.fromOpaque($0!).release() })
        }
        guard let response else { return .NO }
        headers += [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]
        for (name, value) in headers { MHD_add_response_header(response, name, value) }
        let result = MHD_queue_response(connection, status, response)
        MHD_destroy_response(response)
        return result
    }
}

/// What libmicrohttpd reads events from.
private final class EventReader {
    private let stream: EventStream
    private let connection: OpaquePointer

    init(_ stream: EventStream, _ connection: OpaquePointer) {
        self.stream = stream
        self.connection = connection
    }

    static let read: MHD_ContentReaderCallback = { context, _, buffer, size in
        guard let context, let buffer else { return -1 }
        let reader = Unmanaged<EventReader>.fromOpaque(context).takeUnretainedValue()
        nonisolated(unsafe) let connection = reader.connection
        let piece = reader.stream.next(size) {
            MHD_resume_connection(connection)
        } wait: {
            MHD_suspend_connection(connection)
        }
        switch piece {
        case .bytes(let bytes):
            UnsafeMutableRawPointer(buffer).copyMemory(from: bytes, byteCount: bytes.count)
            return bytes.count
        case .later: return 0
        case .end: return -1
        }
    }
}
