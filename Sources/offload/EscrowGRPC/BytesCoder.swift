public import GRPCCore
internal import GRPCNIOTransportHTTP2Posix
internal import X509

/// Messages as the bytes that they are: EscrowOffloadWire reads and writes them, so that no other code does.
public struct BytesCoder: MessageSerializer, MessageDeserializer {
    public typealias Message = [UInt8]

    public init() {}

    public func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Bytes { Bytes(message) }

    public func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> [UInt8] {
        bytes.withUnsafeBytes { Array($0) }
    }
}
