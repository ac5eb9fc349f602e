/// Why a line between an app and an escrow host was refused. It names members and rules, never values.
public struct AppWireError: Error, Sendable, Equatable {
    /// The rules that a line can break.
    public enum Reason: String, Sendable, CaseIterable {
        /// The line is longer than its side may send.
        case lineTooLong = "E1001"
        /// The line is not strict JSON.
        case notJSON = "E1002"
        /// A member that this protocol does not have, one that is missing, or one of another type.
        case wrongShape = "E1003"
        /// An id that is not a whole number from 1 up, or one that is still open.
        case badID = "E1004"
        /// A line that names no act, or more than one.
        case noAct = "E1005"
        /// A name that is empty, too long, or made of other characters than names are.
        case badName = "E1006"
        /// A binding or an argument of a type that cannot be bound.
        case badValue = "E1007"
        /// The first line is not the greeting of a host that speaks this version.
        case badGreeting = "E1008"
        /// Too many requests open at once.
        case tooManyOpen = "E1009"
    }

    /// Which rule was broken; its raw value is the stable code.
    public let reason: Reason
    /// The id of the request, if the line could be read that far: an answer can then name it.
    public let id: Int64?
    /// The member that broke the rule, when it is one of the protocol's own names.
    public let member: String?

    /// Names a rule, and where it was broken.
    public init(_ reason: Reason, id: Int64? = nil, member: String? = nil) {
        self.reason = reason
        self.id = id
        self.member = member
    }

    /// The stable code, for example `E1003`.
    public var code: String { reason.rawValue }

    /// One lower-case sentence, the same for every input that breaks the rule.
    public var message: String {
        let place = member.map { " (\"\($0)\")" } ?? ""
        return switch reason {
        case .lineTooLong: "a line is longer than the protocol allows"
        case .notJSON: "a line is not strict JSON"
        case .wrongShape: "a member is unknown, missing, or of another type" + place
        case .badID: "an id must be a whole number from 1 up, and not one that is still open"
        case .noAct: "a line must name exactly one act"
        case .badName: "a name is empty, too long, or holds other characters than names do" + place
        case .badValue: "a value must be a string, a number, true, false or null" + place
        case .badGreeting: "the host did not greet in a version that is spoken here"
        case .tooManyOpen: "too many requests are open at once"
        }
    }
}
