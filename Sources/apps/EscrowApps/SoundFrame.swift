/// A frame of PulseAudio's native protocol, or the beginning of one: a descriptor of five numbers (length, channel, two words of an
/// offset, flags; big endian), and what belongs to it.
struct SoundFrame {
    static let descriptor = 20
    private static let packets = UInt32.max

    /// The descriptor, and as much of the rest as was waited for.
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A frame with a packet.
    init(packet: [UInt8]) {
        bytes = Self.big(UInt32(packet.count)) + Self.big(Self.packets) + [UInt8](repeating: 0, count: 12)
        bytes += packet
    }

    /// A frame with a packet of numbers alone.
    init(numbers: [UInt32]) { self.init(packet: numbers.flatMap { [UInt8(ascii: "L")] + Self.big($0) }) }

    /// How much follows the descriptor.
    var length: Int { Int(big(at: 0)) }
    /// Whether a packet follows, and not sound.
    var isPacket: Bool { big(at: 4) == Self.packets }
    var flags: UInt32 { big(at: 16) }
    /// What followed the descriptor.
    var content: [UInt8] { Array(bytes[Self.descriptor...]) }

    /// One of the numbers that a packet begins with: the command, its tag, and what it is about; nil where there is something else.
    func number(_ index: Int) -> UInt32? {
        let start = Self.descriptor + 5 * index
        guard start + 5 <= bytes.count, bytes[start] == UInt8(ascii: "L") else { return nil }
        return big(at: start + 1)
    }

    /// Takes from a version, the number after the tag, what it says about shared memory.
    mutating func clearSharing() throws(SoundFault) {
        guard number(2) != nil else { throw SoundFault() }
        // The two bytes above the version's own are for that alone.
        let start = Self.descriptor + 11
        bytes[start] = 0
        bytes[start + 1] = 0
    }

    private func big(at start: Int) -> UInt32 { bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } }

    private static func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
