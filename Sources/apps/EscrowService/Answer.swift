import EscrowAppHost
import EscrowAppWire
import EscrowDiagnostics
import EscrowJSON

/// An answer of HTTP.
struct Answer: Sendable {
    var status: UInt32
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    /// A JSON document.
    init(_ status: UInt32 = 200, _ value: JSONValue) {
        self.status = status
        body = JSONWriter.line(value) + [0x0A]
        headers = [("Content-Type", "application/json")]
    }

    /// Nothing but its status.
    init(empty status: UInt32) { self.status = status }

    /// What went wrong, as RFC 9457 has it: our code, the exit status of `escrow run`, a fixed sentence.
    init(_ failure: HostFailure, status: UInt32? = nil) {
        let status = status ?? Self.status(failure)
        self.init(
            status,
            [
                "type": .string("urn:escrow:code:\(failure.code)"), "title": .string(failure.message),
                "status": .integer(Int64(status)), "code": .string(failure.code),
                "exit": .integer(Int64(failure.status)),
            ])
        headers = [("Content-Type", "application/problem+json")]
    }

    /// A failure of the request itself.
    init(_ code: Diagnostic.Code, _ message: String, status: UInt32) {
        self.init(
            HostFailure(code: code.rawValue, status: code.exitStatus.rawValue, message: message),
            status: status)
    }

    /// The status of HTTP for a code of ours: by its exit status alone, so that it tells no more than that.
    private static func status(_ failure: HostFailure) -> UInt32 {
        switch ExitStatus(rawValue: failure.status) {
        case .denied?: 403
        case .undecided?: 409
        case .untrusted?, .accessRefused?, .egressRefused?, .limit?: 422
        case .usage?: failure.code == Diagnostic.Code.tooManyRequestsOpen.rawValue ? 429 : 400
        case .ruleBroken?, .pluginFailed?, .serverFailed?: 502
        case .sourceMissing?, .wallMissing?, .waiting?: 503
        default: 500
        }
    }
}
