import CMicrohttpd
public import EscrowDiagnostics
public import EscrowHost
import EscrowPage
import Glibc

/// The page over HTTP on this machine's own address, for one browser.
public final class PageServer: Sendable {
    private let host: Host
    private let room: Room

    /// Begins to listen on a free port of the loopback. The server ends with the process. E1300 where it cannot.
    public init(host: Host) throws(Diagnostic) {
        self.host = host
        room = Room()
        let context = Unmanaged.passRetained(room)
        guard
            let daemon = cmicrohttpd_start_loopback(
                Self.letIn, Self.handle, Self.forget, context.toOpaque(), 64, 60),
            let port = UInt16(exactly: cmicrohttpd_port(daemon)), port > 0
        else {
            context.release()
            throw Diagnostic(
                .pageNotServed, "the page cannot listen on this machine's loopback address",
                help: "is there a loopback interface? ip address show lo")
        }
        // A name of its own keeps the cookie from other servers on this machine. Browsers know that it leads to themselves.
        let door = Door(name: "escrow-\(Door.random().prefix(16)).localhost", port: port)
        room.open(door, PageDesk(host: host, proof: door.proof))
        address = door.entrance
    }

    /// What is opened in a browser; it works once.
    public let address: String

    /// Another user's connection ends before it takes a place or says a word.
    private static let letIn: MHD_AcceptPolicyCallback = { (context, address, _) in
        guard let context, let address,
            let door = Unmanaged<Room>.fromOpaque(context).takeUnretainedValue().current?.door
        else { return .NO }
        let port = UInt16(cmicrohttpd_peer_port(address))
        return LoopbackPeer.isOurs(port, to: door.port) ? .YES : .NO
    }

    private static let handle: MHD_AccessHandlerCallback = {
        (context, connection, path, method, _, bytes, count, state) in
        guard let context, let path, let method, let count, let state else { return .NO }
        guard let begun = state.pointee else {
            // The first call: the head alone.
            let room = Unmanaged<Room>.fromOpaque(context).takeUnretainedValue()
            func header(_ name: String) -> String? {
                cmicrohttpd_header(connection, name).map { String(cString: $0) }
            }
            func argument(_ name: String) -> String? {
                cmicrohttpd_argument(connection, name).map { String(cString: $0) }
            }
            var caller = Door.Caller()
            caller.method = String(cString: method)
            caller.path = String(cString: path)
            caller.host = header("Host")
            caller.origin = header("Origin")
            caller.site = header("Sec-Fetch-Site")
            caller.cookie = header("Cookie").flatMap { CookieHeader.value(of: Door.cookieName, in: $0) }
            caller.contentType = header("Content-Type")
            caller.token = argument("token")
            let visit = Visit(
                room, caller, search: argument("search") ?? "",
                before: argument("before").flatMap { UInt64($0) })
            state.pointee = Unmanaged.passRetained(visit).toOpaque()
            return .YES
        }
        let visit = Unmanaged<Visit>.fromOpaque(begun).takeUnretainedValue()
        guard count.pointee == 0 else {
            visit.take(UnsafeBufferPointer(start: bytes, count: count.pointee))
            count.pointee = 0
            return .YES
        }
        return send(visit.answer, connection)
    }

    private static func send(_ answer: PageAnswer, _ connection: OpaquePointer?) -> MHD_Result {
        guard
            let response = answer.body.withUnsafeBytes({ cmicrohttpd_response($0.baseAddress, $0.count) })
        else {
            return .NO
        }
        defer { MHD_destroy_response(response) }
        for (name, value) in PageAnswer.guards + [("Content-Type", answer.type)] + answer.headers {
            MHD_add_response_header(response, name, value)
        }
        return MHD_queue_response(connection, answer.status, response)
    }

    private static let forget: MHD_RequestCompletedCallback = { _, _, state, _ in
        guard let begun = state?.pointee else { return }
        Unmanaged<Visit>.fromOpaque(begun).release()
        state?.pointee = nil
    }
}
