/// The reader of bytes that others wrote, for the fuzzer.
@_spi(Fuzzing) public enum BusBytes {
    /// Reads a message: what is accepted is no larger than what was read.
    public static func read(_ bytes: [UInt8]) {
        guard bytes.count >= 16 else { return }
        let head = Array(bytes.prefix(16))
        guard let message = BusMessage(head: head, rest: Array(bytes.dropFirst(16))) else { return }
        precondition(message.body.count <= 255)
    }
}
