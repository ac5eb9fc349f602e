import EscrowJSON

/// What the service says in a document, as docs/spec/service.openapi.json has it.
extension AppResult {
    /// Reads the body of an answer to `POST /v1/runs`.
    package static func read(_ document: [UInt8]) throws(AppWireError) -> AppResult {
        try AppResult(MemberReader(try AppWire.object(document, cap: AppWire.answerCap)))
    }
}

extension HostFailure {
    /// Reads a problem. RFC 9457
    package static func read(problem document: [UInt8]) throws(AppWireError) -> HostFailure {
        var reader = MemberReader(try AppWire.object(document, cap: AppWire.answerCap))
        let code = try reader.requiredString("code")
        let message = try reader.requiredString("title")
        guard case .integer(let status)? = reader.take("exit")?.content, (1...255).contains(status) else {
            throw AppWireError(.wrongShape, member: "exit")
        }
        return HostFailure(code: code, status: Int32(status), message: message)
    }
}

extension ConsentStatus {
    /// Reads the body of an answer to `POST /v1/status`.
    package static func read(_ document: [UInt8]) throws(AppWireError) -> ConsentStatus {
        var reader = MemberReader(try AppWire.object(document, cap: AppWire.answerCap))
        guard let status = ConsentStatus(rawValue: try reader.requiredString("status")) else {
            throw AppWireError(.wrongShape, member: "status")
        }
        return status
    }
}

extension RunBody {
    /// The request as a document. Throws where the service would refuse it.
    package func document() throws(AppWireError) -> [UInt8] {
        try check()
        return try AppWire.line(json, cap: AppWire.requestCap)
    }
}
