import EscrowJSON

/// One line of an app.
public enum AppRequest: Sendable, Equatable {
    /// Run this, and answer with its result.
    case run(id: Int64, RunBody)
    /// Would this run be allowed? Nobody is asked, nothing is started.
    case status(id: Int64, RunBody)
    /// The same, told again whenever it changes, until the request is withdrawn.
    case watch(id: Int64, RunBody)
    /// Run this whenever this machine has moved, and answer with each result, until the request is withdrawn. It says how exactly
    /// its service is told at most.
    case follow(id: Int64, RunBody, FollowMode)
    /// Withdraw the open request `target`. Has no answer of its own.
    case cancel(id: Int64, target: Int64)

    /// The request's id.
    public var id: Int64 {
        switch self {
        case .run(let id, _), .status(let id, _), .watch(let id, _), .follow(let id, _, _),
            .cancel(let id, _):
            id
        }
    }

    /// Reads a line, without its line feed.
    ///
    /// - Throws: `AppWireError`. With an id, it is that request's answer and the connection goes on; without, the
    ///   connection ends.
    public init(line: [UInt8]) throws(AppWireError) {
        var reader = MemberReader(try AppWire.object(line, cap: AppWire.requestCap))
        let id = try AppWire.id(reader.take("id"))
        do throws(AppWireError) {
            self = try Self.act(&reader, id: id)
        } catch {
            throw error.of(id)
        }
    }

    private static func act(_ reader: inout MemberReader, id: Int64) throws(AppWireError) -> AppRequest {
        let request: AppRequest
        if let node = reader.take("run") {
            request = .run(id: id, try RunBody(node, member: "run"))
        } else if let node = reader.take("status") {
            request = .status(id: id, try RunBody(node, member: "status"))
        } else if let node = reader.take("watch") {
            request = .watch(id: id, try RunBody(node, member: "watch"))
        } else if let node = reader.take("follow") {
            let body = try RunBody(node, member: "follow")
            let mode = try reader.string("mode").map { (word) throws(AppWireError) in
                guard let mode = FollowMode(rawValue: word) else {
                    throw AppWireError(.badValue, member: "mode")
                }
                return mode
            }
            guard body.place != nil else { throw AppWireError(.wrongShape, member: "place") }
            request = .follow(id: id, body, mode ?? .standard)
        } else if let node = reader.take("cancel") {
            guard case .integer(let target) = node.content, target > 0 else {
                throw AppWireError(.badID, member: "cancel")
            }
            request = .cancel(id: id, target: target)
        } else {
            throw AppWireError(.wrongShape)
        }
        try reader.finish()
        return request
    }

    /// The line, with its line feed.
    ///
    /// - Throws: `AppWireError` where the host would refuse it: too long, a name or a value that cannot be taken.
    public func line() throws(AppWireError) -> [UInt8] {
        guard id > 0 else { throw AppWireError(.badID, member: "id") }
        let act: (name: String, value: JSONValue)
        var more: [(name: String, value: JSONValue)] = []
        switch self {
        case .run(_, let body):
            try body.check()
            act = ("run", body.json)
        case .status(_, let body):
            try body.check()
            act = ("status", body.json)
        case .watch(_, let body):
            try body.check()
            act = ("watch", body.json)
        case .follow(_, let body, let mode):
            try body.check()
            guard body.place != nil else { throw AppWireError(.wrongShape, member: "place") }
            act = ("follow", body.json)
            more = [("mode", .string(mode.rawValue))]
        case .cancel(_, let target):
            guard target > 0 else { throw AppWireError(.badID, member: "cancel") }
            act = ("cancel", .integer(target))
        }
        return try AppWire.line(.object([("id", .integer(id)), act] + more), cap: AppWire.requestCap)
    }
}
