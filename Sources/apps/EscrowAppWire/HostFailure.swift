import EscrowDiagnostics
package import EscrowJSON

/// What an app is told of a failure: a code, an exit status and one fixed sentence. Nothing in it depends on the
/// individual's data, so that an error is no channel.
public struct HostFailure: Error, Sendable, Equatable {
    /// A stable code, for example `E0702`; `escrow explain E0702` tells more.
    public let code: String
    /// The exit status that `escrow run` would have ended with.
    public let status: Int32
    /// The fixed sentence.
    public let message: String

    /// Describes a failure. The sentence must be fixed for the status: the caller keeps to that.
    public init(code: String, status: Int32, message: String) {
        self.code = code
        self.status = status
        self.message = message
    }

    /// A line that was refused, or a request that was withdrawn: usage, 64.
    public init(_ error: AppWireError) {
        self.init(code: error.code.rawValue, status: 64, message: error.message)
    }

    init(_ node: JSONNode) throws(AppWireError) {
        var reader = try MemberReader(node, member: "error")
        code = try reader.requiredString("code")
        guard let number = reader.take("status")?.value.integer, (1...255).contains(number) else {
            throw AppWireError(.wrongShape, member: "status")
        }
        status = Int32(number)
        message = try reader.requiredString("message")
        try reader.finish()
        guard code.utf8.count == 5, code.utf8.first == UInt8(ascii: "E"),
            code.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
        else { throw AppWireError(.badValue, member: "code") }
    }

    package var json: JSONValue {
        ["code": .string(code), "status": .integer(Int64(status)), "message": .string(message)]
    }
}
