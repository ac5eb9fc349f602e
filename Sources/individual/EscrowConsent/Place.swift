/// Where a dataflow is computed.
public enum Place: Sendable, Hashable {
    /// The device that the data is on.
    case device
    /// A server that the individual named.
    case server(String)

    /// As files and rules spell it: `device`, or `server:` and the name.
    public var spelling: String {
        switch self {
        case .device: "device"
        case .server(let name): "server:\(name)"
        }
    }

    /// The machine alone, without the software that it must prove to run (`server:home@…`): what rules are about.
    public var machine: Place {
        if case .server(let name) = self, let end = name.firstIndex(of: "@") {
            .server(String(name[..<end]))
        } else {
            self
        }
    }

    /// Reads a spelling; nil for any other text.
    public init?(_ spelling: String) {
        if spelling == "device" {
            self = .device
        } else if spelling.hasPrefix("server:"), spelling.utf8.count > 7 {
            self = .server(String(spelling.dropFirst(7)))
        } else {
            return nil
        }
    }

    /// As people read it.
    public var words: String {
        switch self {
        case .device: "this device"
        case .server(let name):
            "the server "
                + PlainText.neutral(name.replacing("@", with: ", as attested by "), longest: 128)
        }
    }
}
