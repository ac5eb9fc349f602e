import EscrowJSON
import EscrowOffloadWire

enum JSONBytes {
    static func of(_ target: RemoteTarget) -> [UInt8] { JSONWriter.line(target.json) }
}
