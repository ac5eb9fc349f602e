import EscrowJSON
import Foundation

/// What all commands print, and the time that they go by.
enum Output {
    /// Prints a value on a line of its own.
    static func print(_ value: JSONValue) {
        FileHandle.standardOutput.write(Data(JSONWriter.line(value) + [0x0A]))
    }

    /// Milliseconds since 1970.
    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
