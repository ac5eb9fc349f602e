/// The readers of bytes that others may have written, one by one, for the fuzzer.
@_spi(Fuzzing) public enum LocationBytes {
    /// Reads `location.json`; what is accepted is written as it reads.
    public static func readPlaces(_ bytes: [UInt8]) {
        guard let file = try? LocationFile(bytes) else { return }
        let again = try? LocationFile(file.bytes)
        precondition(again?.rules == file.rules && again?.secret == file.secret, "the rules read differently")
    }
}
