/// A message that is none of the protocol's. It holds no byte of the message.
public struct OffloadWireError: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
