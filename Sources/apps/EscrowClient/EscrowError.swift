import EscrowAppWire
import EscrowDiagnostics
import EscrowServiceCall

/// Why a request gave no result. It never tells anything about the individual's data: the sentence is fixed.
public struct EscrowError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable code, for example `E0702`; `escrow explain E0702` tells more.
    public let code: String
    /// The exit status that `escrow run` would have ended with, for example 11.
    public let status: Int32
    /// One lower-case sentence.
    public let message: String

    /// What an app can do about it.
    public enum Kind: Sendable, Equatable {
        /// The individual said no. Do without; asking again changes nothing.
        case denied
        /// Somebody else forbids it, and the individual cannot change that. Do without, and ask no more.
        case restricted
        /// The individual has not decided. Say what the app would like to do, and let the individual decide.
        case notDetermined
        /// The plugin, the query or the request is at fault: the developer's to mend.
        case refused
        /// A plugin, a source, a server or the host failed: may work later.
        case failed
    }

    /// What an app can do about it.
    public var kind: Kind {
        switch status {
        case 10: code == Diagnostic.Code.restricted.rawValue ? .restricted : .denied
        case 11: .notDetermined
        case 12, 13, 14, 17: .refused
        case 64:
            [Diagnostic.Code.hostEnded, .noHost, .noService].contains { code == $0.rawValue }
                ? .failed : .refused
        default: .failed
        }
    }

    typealias Reason = AppWireError.Reason

    init(_ failure: HostFailure) {
        code = failure.code
        status = failure.status
        message = failure.message
    }

    init(_ error: AppWireError) { self.init(HostFailure(error)) }

    init(_ reason: Reason) { self.init(AppWireError(reason)) }

    /// Whether nobody answers at the service's socket.
    var isUnanswered: Bool { code == HostFailure.noService.code }

    /// `E0702: the individual has not decided about this dataflow`.
    public var description: String { "\(code): \(message)" }

    /// Equal when the codes are.
    public static func == (left: EscrowError, right: EscrowError) -> Bool { left.code == right.code }
}
