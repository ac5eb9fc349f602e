import EscrowJSON

/// Why a message is not one, or why there is none.
public enum WireFault: Error, Sendable {
    case wrong
    /// The other side has gone.
    case ended
    /// Nothing came within the time.
    case late
}

/// The members of a message: each is taken once, and one that nobody takes is a fault.
struct Members {
    private var left: [String: JSONValue] = [:]

    init(_ line: [UInt8]) throws(WireFault) {
        guard let members = (try? JSONParser.parse(line))?.value.members else { throw .wrong }
        for member in members { left[member.name] = member.value }
    }

    func has(_ name: String) -> Bool { left[name] != nil }

    mutating func string(_ name: String) throws(WireFault) -> String {
        guard let text = left.removeValue(forKey: name)?.string else { throw .wrong }
        return text
    }

    mutating func bool(_ name: String) throws(WireFault) -> Bool {
        guard let bool = left.removeValue(forKey: name)?.bool else { throw .wrong }
        return bool
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(WireFault) -> Int {
        guard let number = left.removeValue(forKey: name)?.integer, let value = Int(exactly: number),
            range.contains(value)
        else { throw .wrong }
        return value
    }

    mutating func seconds(_ name: String) throws(WireFault) -> Double {
        guard let seconds = left.removeValue(forKey: name)?.real, (0...86400).contains(seconds) else {
            throw .wrong
        }
        return seconds
    }

    mutating func array(_ name: String) throws(WireFault) -> [JSONValue] {
        guard let values = left.removeValue(forKey: name)?.array else { throw .wrong }
        return values
    }

    func finish() throws(WireFault) {
        guard left.isEmpty else { throw .wrong }
    }
}
