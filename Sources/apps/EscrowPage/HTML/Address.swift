/// An address of the page itself. There is none that leads elsewhere.
public struct Address: Sendable, Equatable {
    /// As it is written into a page.
    public let spelling: String

    /// A path of ours, further parts that are anybody's, and what is asked.
    public init(_ path: StaticString, _ parts: String..., asking query: [(String, String)] = []) {
        var text = "\(path)"
        for part in parts { text += "/" + Self.encoded(part) }
        for (index, (name, value)) in query.enumerated() {
            text += (index == 0 ? "?" : "&") + Self.encoded(name) + "=" + Self.encoded(value)
        }
        spelling = text
    }

    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"):
                bytes.append(byte)
            // A segment of dots alone would be taken out of a path.
            case UInt8(ascii: ".") where text.utf8.contains { $0 != UInt8(ascii: ".") }: bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
