/// What one member has of another's numbered messages.
struct Received: Sendable, Equatable, Codable {
    /// All up to this one are here. The thesis keeps the number of the last message instead, which jumps over a gap: when
    /// what was sent again is lost too, nobody asks a second time.
    private(set) var contiguous: UInt64
    /// Numbers after a gap that are here.
    private var beyond: Set<UInt64> = []
    /// The newest number that the sender said it gave.
    private var announced: UInt64 = 0
    private var lastAsked: Int64?

    /// How far after a gap a message is taken; those beyond are asked for later, so that memory stays bounded.
    static let window: UInt64 = 4096
    /// How many are asked for at once.
    static let most: UInt64 = 1024

    init(upTo contiguous: UInt64) { self.contiguous = contiguous }

    /// Takes a number; false when it is here already or lies too far ahead.
    mutating func take(_ number: UInt64) -> Bool {
        announced = max(announced, number)
        guard number > contiguous, number - contiguous <= Self.window, beyond.insert(number).inserted else {
            return false
        }
        while beyond.remove(contiguous + 1) != nil { contiguous += 1 }
        return true
    }

    mutating func announce(_ newest: UInt64) { announced = max(announced, newest) }

    /// The first gap, if it may be asked for: once in a pause, as what was asked for needs its time. A clock that was set back
    /// ends the pause.
    mutating func ask(at now: Int64, pause: Int64) -> ClosedRange<UInt64>? {
        guard contiguous < announced else {
            lastAsked = nil
            return nil
        }
        if let lastAsked, now >= lastAsked, now - lastAsked < pause { return nil }
        lastAsked = now
        let end = beyond.min().map { $0 - 1 } ?? announced
        return contiguous + 1...min(end, contiguous + Self.most)
    }
}
