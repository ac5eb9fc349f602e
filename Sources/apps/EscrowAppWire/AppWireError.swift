public import EscrowDiagnostics

/// Why a line between an app and an escrow host was refused. It names rules and the protocol's own members, never
/// text from the line.
public struct AppWireError: Error, Sendable, Equatable {
    /// The rules that can be broken.
    public enum Reason: Sendable, CaseIterable {
        /// The line is longer than its side may send.
        case lineTooLong
        /// The line is not strict JSON.
        case notJSON
        /// A member that this protocol does not have, one that is missing, one of another type; no act, or two.
        case wrongShape
        /// An id that is not a whole number from 1 up, or one that is still open.
        case badID
        /// The app withdrew the request.
        case cancelled
        /// A name or a value that cannot be taken.
        case badValue
        /// Too many requests open at once.
        case tooManyOpen
        /// The host could not be started, or did not greet in this version.
        case noHost
        /// The host ended, or broke the protocol, before it answered.
        case hostEnded
    }

    /// Which rule was broken.
    public let reason: Reason
    /// The request that an answer can name. Nil when the line could not be read that far, or when the id is one
    /// that is open already: the connection then ends with an error without an id.
    public let id: Int64?
    /// The member at fault, when it is one of the protocol's own.
    public let member: String?

    /// Names a rule, and where it was broken.
    public init(_ reason: Reason, id: Int64? = nil, member: String? = nil) {
        self.reason = reason
        self.id = id
        self.member = member
    }

    /// The stable code, for example `E1003`.
    public var code: Diagnostic.Code { reason.code }

    /// One lower-case sentence, fixed for each rule and member.
    public var message: String {
        let place = member.map { " (\"\($0)\")" } ?? ""
        return switch reason {
        case .lineTooLong: "a line is longer than the protocol allows"
        case .notJSON: "a line is not strict JSON"
        case .wrongShape: "a member is unknown, missing, of another type or one too many" + place
        case .badID: "an id must be a whole number from 1 up, and not one that is still open"
        case .cancelled: "the app withdrew the request"
        case .badValue: "a name or a value cannot be taken" + place
        case .tooManyOpen: "too many requests are open at once"
        case .noHost: "the escrow host could not be started"
        case .hostEnded: "the escrow host ended before it answered"
        }
    }

    /// Why a connection ended, for whoever started the host.
    package var diagnostic: Diagnostic {
        Diagnostic(
            code, "the app's request was not understood: \(message)",
            help: "docs/spec/app-protocol.md tells what an app may send")
    }

    /// The same error as an answer of a request.
    func of(_ id: Int64) -> AppWireError { AppWireError(reason, id: id, member: member) }
}

extension AppWireError.Reason {
    var code: Diagnostic.Code {
        switch self {
        case .lineTooLong: .lineTooLong
        case .notJSON: .lineNotJSON
        case .wrongShape: .messageShape
        case .badID: .notAnID
        case .cancelled: .withdrawn
        case .badValue: .valueNotTaken
        case .tooManyOpen: .tooManyRequestsOpen
        case .noHost: .noHost
        case .hostEnded: .hostEnded
        }
    }
}
