/// The frames of one side, out of bytes that come in pieces.
struct SoundFrames {
    /// What comes next.
    enum Piece {
        /// A descriptor with the packet behind it, or as much of it as is waited for; of sound the descriptor alone.
        case frame(SoundFrame)
        /// More of the frame before.
        case rest(ArraySlice<UInt8>)
    }

    /// As much as a server takes in a frame.
    static let most = 16 << 20

    /// Which packets are too long.
    let mostPacket: Int
    /// How much of a packet is waited for.
    let head: Int
    private var held: [UInt8] = []
    private var passing = 0

    init(mostPacket: Int, head: Int) {
        self.mostPacket = mostPacket
        self.head = head
    }

    /// Whether all of a frame came of which something did.
    var isBetween: Bool { passing == 0 }

    /// Takes the next piece of bytes; nil, with none left, where more is waited for.
    mutating func next(_ bytes: inout ArraySlice<UInt8>) throws(SoundFault) -> Piece? {
        if passing > 0, !bytes.isEmpty {
            let rest = bytes.prefix(passing)
            bytes = bytes.dropFirst(rest.count)
            passing -= rest.count
            return .rest(rest)
        }
        guard hold(SoundFrame.descriptor, of: &bytes) else { return nil }
        let descriptor = SoundFrame(held)
        let length = descriptor.length
        let most = descriptor.isPacket ? mostPacket : Self.most
        guard length > 0, length <= most else { throw SoundFault() }
        let wanted = descriptor.isPacket ? min(length, head) : 0
        guard hold(SoundFrame.descriptor + wanted, of: &bytes) else { return nil }
        defer { held = [] }
        passing = length - wanted
        return .frame(SoundFrame(held))
    }

    private mutating func hold(_ count: Int, of bytes: inout ArraySlice<UInt8>) -> Bool {
        let more = bytes.prefix(max(0, count - held.count))
        held += more
        bytes = bytes.dropFirst(more.count)
        return held.count >= count
    }
}
