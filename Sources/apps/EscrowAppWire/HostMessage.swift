import EscrowJSON

/// One line of a host.
public enum HostMessage: Sendable, Equatable {
    /// The first line: the host's own version; the protocol's is ``AppWire/version``.
    case greeting(version: String)
    /// Dt.
    case result(id: Int64, AppResult)
    /// What the individual decided.
    case status(id: Int64, ConsentStatus)
    /// A request's failure; without an id, the connection's, which then ends.
    case failure(id: Int64?, HostFailure)

    /// The answered request, if there is one.
    public var id: Int64? {
        switch self {
        case .greeting: nil
        case .result(let id, _), .status(let id, _): id
        case .failure(let id, _): id
        }
    }

    /// Reads a line, without its line feed.
    public init(line: [UInt8]) throws(AppWireError) {
        var reader = MemberReader(try AppWire.object(line, cap: AppWire.answerCap))
        if let protocolVersion = reader.take("escrow-host") {
            guard case .integer(AppWire.version) = protocolVersion.content else {
                throw AppWireError(.noHost, member: "escrow-host")
            }
            self = .greeting(version: try reader.requiredString("version"))
        } else if let node = reader.take("error") {
            let id: Int64? = if let node = reader.take("id") { try AppWire.id(node) } else { nil }
            self = .failure(id: id, try HostFailure(node))
        } else {
            let id = try AppWire.id(reader.take("id"))
            if let node = reader.take("result") {
                self = .result(id: id, try AppResult(node))
            } else {
                guard let status = ConsentStatus(rawValue: try reader.requiredString("status")) else {
                    throw AppWireError(.wrongShape, member: "status")
                }
                self = .status(id: id, status)
            }
        }
        try reader.finish()
    }

    /// The line, with its line feed.
    ///
    /// - Throws: `lineTooLong` for a result that does not fit a line; answer with that error instead.
    public func line() throws(AppWireError) -> [UInt8] {
        var members: [(name: String, value: JSONValue)] = []
        if let id { members.append(("id", .integer(id))) }
        switch self {
        case .greeting(let version):
            members.append(("escrow-host", .integer(AppWire.version)))
            members.append(("version", .string(version)))
        case .result(_, let result): members.append(("result", try result.json))
        case .status(_, let status): members.append(("status", .string(status.rawValue)))
        case .failure(_, let failure): members.append(("error", failure.json))
        }
        return try AppWire.line(.object(members), cap: AppWire.answerCap)
    }
}

/// What the individual decided about a dataflow, as far as an app is told.
public enum ConsentStatus: String, Sendable, CaseIterable {
    /// Nobody was asked yet.
    case notDetermined
    /// It may run.
    case authorized
    /// It may not; the individual can change that.
    case denied
    /// It may not, and the individual cannot change that.
    case restricted
}
