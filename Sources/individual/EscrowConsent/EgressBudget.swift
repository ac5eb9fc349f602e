/// How much the requests of one grant may carry away in a day, in all runs together. A day is one of UTC.
public struct EgressBudget: Sendable, Equatable {
    /// Bits that the fields could carry at most, whatever they did carry.
    public var bitsPerDay: Int?
    /// Bytes of requests, heads included.
    public var bytesPerDay: Int?

    /// Sets either, or both.
    public init(bitsPerDay: Int? = nil, bytesPerDay: Int? = nil) {
        self.bitsPerDay = bitsPerDay
        self.bytesPerDay = bytesPerDay
    }
}
